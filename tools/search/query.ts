/** Parses a question into terms, and into an FTS5 expression in which no word of the question is an operator. */

import {textWords} from '../text/words.ts';
import {isStopWord} from './stop-words.ts';
import {synonymsOf} from './synonyms.ts';

const maxTerms = 32;

export interface Query {
  /** Each begins with the word from the question; its synonyms follow. */
  readonly terms: readonly (readonly [string, ...string[]])[];
  /** The Han characters of the words: compounds share them with their parts. */
  readonly characters: readonly string[];
  /** For MATCH: any of these. */
  readonly expression: string;
}

/** Undefined when there is no word in it. Stop words are dropped as long as other words are left. */
export function parseQuery(text: string): Query | undefined {
  const words = textWords(text);
  const significant = words.filter((word) => !isStopWord(word));
  const asked = [...new Set(significant.length > 0 ? significant : words)].slice(0, maxTerms);
  if (asked.length === 0) return undefined;
  const terms = asked.map((word) => [word, ...synonymsOf(word)] as const);
  const characters = charactersOf(asked.join(''));
  const expression = [...new Set([...terms.flat(), ...characters])].map(ftsString).join(' OR ');
  return {terms, characters, expression};
}

/** The Han characters of a text, each once. */
export function charactersOf(text: string): readonly string[] {
  return [...new Set(text.match(/\p{Script=Han}/gu))];
}

function ftsString(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
