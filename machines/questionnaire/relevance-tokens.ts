/** Splits the text of a `relevant_if` into tokens. */

import {once} from '../domain/once.ts';
import {type Reading, refused} from '../questions/reading.ts';

export interface RelevanceToken {
  /** `word`: the id of a field, or a keyword. `text`: a text in quotes, which the token's text includes. */
  readonly kind: 'word' | 'text' | 'number' | 'operator' | 'mark';
  readonly text: string;
  /** The value of a literal. */
  readonly value?: string | number | boolean;
  /** Position from 1, in UTF-16 code units. */
  readonly at: number;
}

/** An id, such as of a field: letters of any script, `_`, after the first character digits, and inside it `.` and `-`. */
const idSource = String.raw`[\p{L}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?`;

const kinds = [
  String.raw`(?<blank>\s+)`,
  String.raw`(?<text>'(?:[^']|'')*'|"(?:[^"]|"")*")`,
  String.raw`(?<number>[+-]?\d+(?:\.\d+)?(?![\p{L}\p{N}_.]))`,
  `(?<word>${idSource})`,
  '(?<operator><=|>=|!=|=(?!=)|<(?!>)|>)',
  '(?<mark>[(),])',
];

/** Built on first use: as literals they would add some ms for the tables of all letters to every start of the program. */
const idPattern = once(() => new RegExp(`^${idSource}$`, 'u'));
const tokenPattern = once(() => new RegExp(kinds.join('|'), 'uy'));

export function isId(text: string): boolean {
  return idPattern().test(text);
}

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

/** A refusal has one problem, which names the character. A quote within a text in the same quotes is doubled. */
export function tokensOf(text: string): Reading<readonly RelevanceToken[]> {
  const tokens: RelevanceToken[] = [];
  const pattern = tokenPattern();
  pattern.lastIndex = 0;
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    const match = pattern.exec(text);
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
