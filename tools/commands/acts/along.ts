/** Words of a command that are sent to another computer besides the address. Reviewers see all of them. */

import type {Word} from '../word.ts';

/** Headers that reveal nothing about the sender. */
const plainHeader =
  /^(?:accept|content-type): ?(?:\*|application|text)\/(?:\*|json|xml|html|plain|octet-stream|x-www-form-urlencoded|vnd\.github(?:\.v3)?\+json)(?:; ?charset=utf-8)?$|^cache-control: ?no-cache$/i;

/** More than any limit on the data that may be sent along. */
const mostBytes = 200;

/** Each word once; cut when they are longer together than the limit. */
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
