/**
 * The language of `relevant_if`: `size = 'L' and not (country in ('JP', 'US') or remarks is blank)`.
 *
 * For a field without a value every comparison is false, so `!=` and `not in`, which are negations, are true. A field with
 * several choices equals each chosen one. A field alone is true when it is answered, except with no.
 */

import {once} from '../domain/once.ts';
import {type Reading, refused} from '../questions/reading.ts';
import type {AnswerValue} from './questionnaire.ts';

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

export type Literal = string | number | boolean;

/** A condition on one field. */
export type Leaf =
  | {readonly kind: 'answered'; readonly field: string}
  | {readonly kind: 'blank'; readonly field: string}
  | {
      readonly kind: 'compare';
      readonly field: string;
      readonly operator: Operator;
      readonly value: Literal;
    }
  | {readonly kind: 'in'; readonly field: string; readonly values: readonly Literal[]};

export type Relevance =
  | Leaf
  | {readonly kind: 'not'; readonly of: Relevance}
  | {readonly kind: 'and'; readonly of: readonly Relevance[]}
  | {readonly kind: 'or'; readonly of: readonly Relevance[]};

/** Words that can't be the id of a field. */
export const reservedWords: ReadonlySet<string> = new Set(['and', 'or', 'not', 'true', 'false']);

const maxLength = 1_000;
const maxDepth = 50;

/** Reads an expression. A refusal has one problem; a syntax problem names the character, counted from 1. */
export function readRelevance(text: string): Reading<Relevance> {
  if (text.length > maxLength) {
    return refused(`has ${text.length} characters; at most ${maxLength} are read`);
  }
  const tokens = tokensOf(text);
  if (!tokens.ok) return tokens;
  try {
    const parser: Parser = {tokens: tokens.value, next: 0, depth: 0};
    const value = readOr(parser);
    const rest = parser.tokens[parser.next];
    if (rest) throw new Expected('"and", "or" or the end', rest);
    return {ok: true, value};
  } catch (error) {
    if (!(error instanceof Expected)) throw error;
    return refused(error.message);
  }
}

/** True when a field with this condition is asked. Throws for an expression that {@link readRelevance} refuses. */
export function isRelevant(
  expression: string,
  valueOf: (field: string) => AnswerValue | undefined,
): boolean {
  return holds(parsed(expression), valueOf);
}

/** The fields that an expression names, each once. Throws for one that {@link readRelevance} refuses. */
export function fieldsIn(expression: string): readonly string[] {
  return [...new Set(leavesOf(parsed(expression)).map(({field}) => field))];
}

/** The conditions of an expression on single fields, from left to right. */
export function leavesOf(relevance: Relevance): readonly Leaf[] {
  if (relevance.kind === 'not') return leavesOf(relevance.of);
  if (relevance.kind === 'and' || relevance.kind === 'or') return relevance.of.flatMap(leavesOf);
  return [relevance];
}

function parsed(expression: string): Relevance {
  const reading = readRelevance(expression);
  if (reading.ok) return reading.value;
  throw new Error(`relevant_if: ${reading.problems.join('; ')}`);
}

function holds(relevance: Relevance, valueOf: (field: string) => AnswerValue | undefined): boolean {
  if (relevance.kind === 'not') return !holds(relevance.of, valueOf);
  if (relevance.kind === 'and') return relevance.of.every((each) => holds(each, valueOf));
  if (relevance.kind === 'or') return relevance.of.some((each) => holds(each, valueOf));
  const value = valueOf(relevance.field);
  if (relevance.kind === 'blank') return isBlank(value);
  if (relevance.kind === 'answered') return !isBlank(value) && value !== false;
  if (relevance.kind === 'in') return relevance.values.some((each) => equals(value, each));
  return compares(value, relevance.operator, relevance.value);
}

function isBlank(value: AnswerValue | undefined): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function compares(value: AnswerValue | undefined, operator: Operator, with_: Literal): boolean {
  if (operator === '=') return equals(value, with_);
  if (operator === '!=') return !equals(value, with_);
  if (typeof value !== typeof with_ || isBlank(value)) return false;
  // Both values have the same type. Days as YYYY-MM-DD are ordered as texts.
  const order = value === with_ ? 0 : (value as Literal) < with_ ? -1 : 1;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

function equals(value: AnswerValue | undefined, with_: Literal): boolean {
  return Array.isArray(value) ? value.includes(with_) : value === with_;
}

interface Parser {
  readonly tokens: readonly RelevanceToken[];
  next: number;
  depth: number;
}

class Expected extends Error {
  constructor(what: string, found: RelevanceToken | undefined) {
    const met = found ? `found ${found.text} at character ${found.at}` : 'found the end';
    super(`expected ${what}, ${met}`);
  }
}

function readOr(parser: Parser): Relevance {
  return readRow(parser, 'or', () => readRow(parser, 'and', () => readNot(parser)));
}

/** Reads one operand, or several that the word joins. */
function readRow(parser: Parser, word: 'and' | 'or', read: () => Relevance): Relevance {
  const first = read();
  const of = [first];
  while (take(parser, word)) of.push(read());
  return of.length === 1 ? first : {kind: word, of};
}

function readNot(parser: Parser): Relevance {
  const token = parser.tokens[parser.next];
  if (parser.depth >= maxDepth) throw new Expected(`at most ${maxDepth} levels`, token);
  parser.depth += 1;
  const read = readInner(parser);
  parser.depth -= 1;
  return read;
}

function readInner(parser: Parser): Relevance {
  if (take(parser, 'not')) return {kind: 'not', of: readNot(parser)};
  if (!take(parser, '(')) return readTest(parser);
  const inner = readOr(parser);
  expect(parser, ')', '"and", "or" or ")"');
  return inner;
}

function readTest(parser: Parser): Relevance {
  const field = readField(parser);
  if (take(parser, 'is')) {
    const isNegated = take(parser, 'not');
    expect(parser, 'blank', isNegated ? '"blank"' : '"blank" or "not blank"');
    return negatedIf(isNegated, {kind: 'blank', field});
  }
  const isNegated = take(parser, 'not');
  if (take(parser, 'in'))
    return negatedIf(isNegated, {kind: 'in', field, values: readList(parser)});
  const token = parser.tokens[parser.next];
  if (isNegated) throw new Expected('"in"', token);
  if (token?.kind !== 'operator') return {kind: 'answered', field};
  parser.next += 1;
  return {kind: 'compare', field, operator: token.text as Operator, value: readLiteral(parser)};
}

function readField(parser: Parser): string {
  const token = parser.tokens[parser.next];
  if (token?.kind !== 'word' || reservedWords.has(token.text)) {
    throw new Expected('the id of a field', token);
  }
  parser.next += 1;
  return token.text;
}

function negatedIf(isNegated: boolean, of: Relevance): Relevance {
  return isNegated ? {kind: 'not', of} : of;
}

function readList(parser: Parser): readonly Literal[] {
  expect(parser, '(', "\"(\" and values, such as ('A', 'B')");
  const values = [readLiteral(parser)];
  while (take(parser, ',')) values.push(readLiteral(parser));
  expect(parser, ')', '"," or ")"');
  return values;
}

function readLiteral(parser: Parser): Literal {
  const token = parser.tokens[parser.next];
  if (token?.value === undefined) {
    throw new Expected('a value: a text in quotes, a number, true or false', token);
  }
  parser.next += 1;
  return token.value;
}

function take(parser: Parser, text: string): boolean {
  const token = parser.tokens[parser.next];
  if (token?.text !== text || token.kind === 'text') return false;
  parser.next += 1;
  return true;
}

function expect(parser: Parser, text: string, what: string): void {
  if (!take(parser, text)) throw new Expected(what, parser.tokens[parser.next]);
}

// Splits the text of a `relevant_if` into tokens.

interface RelevanceToken {
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
function tokensOf(text: string): Reading<readonly RelevanceToken[]> {
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
