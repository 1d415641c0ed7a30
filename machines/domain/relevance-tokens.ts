/** The words of a `relevant_if`. */

import {type Reading, refused} from './reading.ts';

export interface RelevanceToken {
  /** `word`: an id of a field, or a word of the language; `text`: in quotes, which its text has. */
  readonly kind: 'word' | 'text' | 'number' | 'operator' | 'mark';
  readonly text: string;
  /** Of a literal. */
  readonly value?: string | number | boolean;
  /** From 1, in UTF-16 units. */
  readonly at: number;
}

/** As of fields: letters of any script, digits, `_`, and inside of it `.` and `-`. */
export const idPattern = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?$/u;

const tokenPattern =
  /(?<blank>\s+)|(?<text>'(?:[^']|'')*'|"(?:[^"]|"")*")|(?<number>[+-]?\d+(?:\.\d+)?(?![\p{L}\p{N}_.]))|(?<word>[\p{L}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?)|(?<operator><=|>=|!=|=(?!=)|<(?!>)|>)|(?<mark>[(),])/uy;

const hints: Readonly<Record<string, string>> = {
  '=': '; equality is written =',
  '<': '; inequality is written !=',
  '&': '; write and',
  '|': '; write or',
  '!': '; write not, or != between a field and a value',
  "'": '; this quote is never closed',
  '"': '; this quote is never closed',
  '‘': "; texts are quoted by '",
  '“': '; texts are quoted by "',
};

/** The one problem names the character. A quote within a text in the same quotes is doubled. */
export function tokensOf(text: string): Reading<readonly RelevanceToken[]> {
  const tokens: RelevanceToken[] = [];
  tokenPattern.lastIndex = 0;
  for (let at = 0; at < text.length; at = tokenPattern.lastIndex) {
    const match = tokenPattern.exec(text);
    if (!match) return refused(strange(text, at));
    const token = tokenOf(match, at);
    if (token) tokens.push(token);
  }
  return {ok: true, value: tokens};
}

function tokenOf(match: RegExpExecArray, from: number): RelevanceToken | undefined {
  const [text] = match;
  const at = from + 1;
  const {blank, text: quoted, number, word, operator} = match.groups ?? {};
  if (blank !== undefined) return undefined;
  if (quoted !== undefined) return {kind: 'text', text, value: unquoted(quoted), at};
  if (number !== undefined) return {kind: 'number', text, value: Number(number), at};
  if (word === 'true' || word === 'false') return {kind: 'word', text, value: word === 'true', at};
  if (word !== undefined) return {kind: 'word', text, at};
  return {kind: operator === undefined ? 'mark' : 'operator', text, at};
}

function unquoted(text: string): string {
  const [quote = ''] = text;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

function strange(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `${JSON.stringify(character)} at character ${at + 1} has no meaning here${hints[character] ?? ''}`;
}
