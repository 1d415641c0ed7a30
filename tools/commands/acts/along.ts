/** Words that go to another computer beside an address: all that a vote must know of them. */

import type {Word} from '../word.ts';

/** Headers that say nothing of whoever asks. */
const plainHeader =
  /^(?:accept|content-type): ?(?:\*|application|text)\/(?:\*|json|xml|html|plain|octet-stream|x-www-form-urlencoded|vnd\.github(?:\.v3)?\+json)(?:; ?charset=utf-8)?$|^cache-control: ?no-cache$/i;

/** More than any bound on what may go along. */
const mostBytes = 200;

/** Each once; cut once they are longer together than may go along. */
export function wordsAlong(words: readonly Word[]): readonly string[] {
  const texts = [...new Set(words.map(({text}) => text))].filter(
    (text) => text !== '' && !plainHeader.test(text),
  );
  const kept: string[] = [];
  let room = mostBytes;
  for (const text of texts) {
    if (room <= 0) break;
    kept.push(text.slice(0, room));
    room -= text.length;
  }
  return kept;
}
