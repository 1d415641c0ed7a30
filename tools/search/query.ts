/** A question as terms, and as an FTS5 expression in which nothing that was asked has a meaning of its own. */

import {wordsOf} from '../text/words.ts';
import {isStopWord} from './stop-words.ts';
import {synonymsOf} from './synonyms.ts';

const maxTerms = 32;

export interface Query {
  /** Each with the word that was asked for first, then those that may stand for it. */
  readonly terms: readonly (readonly [string, ...string[]])[];
  /** The Han characters of the words: compounds share them with the words they are made of. */
  readonly characters: readonly string[];
  /** For MATCH: any of these. */
  readonly expression: string;
}

/** Undefined when there is no word in it. Words that tell nothing are dropped as long as others are left. */
export function parseQuery(text: string): Query | undefined {
  const words = wordsOf(text);
  const telling = words.filter((word) => !isStopWord(word));
  const asked = [...new Set(telling.length > 0 ? telling : words)].slice(0, maxTerms);
  if (asked.length === 0) return undefined;
  const terms = asked.map((word) => [word, ...synonymsOf(word)] as const);
  const characters = charactersOf(asked.join(''));
  const expression = [...new Set([...terms.flat(), ...characters])].map(quoted).join(' OR ');
  return {terms, characters, expression};
}

/** The Han characters of a text, each once. */
export function charactersOf(text: string): readonly string[] {
  return [...new Set(text.match(/\p{Script=Han}/gu))];
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
