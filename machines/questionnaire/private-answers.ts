/**
 * Masks private answers: the answers to fields with the sensitivity `personal` or `secret`.
 *
 * All data that others than the respondent see passes through here: results, logs, records, lists and streams of events.
 * The respondent's own conversation, the answers file and exports are not masked.
 */

import {isJsonObject, type Json, type JsonObject} from '../domain/json.ts';
import {escapePattern} from '../domain/plain-text.ts';
import type {RunResult} from '../domain/result.ts';
import type {Answers} from './answers.ts';

export const masked = '•••';

/** Shorter answers occur by chance in other texts: they are masked only in members that hold an answer. */
const minLength = 4;

export interface Privacy {
  /** True when some field is private, answered or not. */
  readonly isNeeded: boolean;
  /** The text with a mask in place of each private answer in it. */
  readonly text: (text: string) => string;
  /** Masks all texts in plain data, and private answers of any type. */
  readonly data: <T extends object>(value: T) => T;
}

/** Masks the private answers in `sources`, plain data: forms, records of fields, answers, messages, entries of a journal. */
export function createPrivacy(...sources: readonly object[]): Privacy {
  const known = sources as readonly Json[];
  const fields = new Set(known.flatMap(privateFieldsIn));
  const answers = new Set(known.flatMap((source) => privateTextsIn(source, fields)));
  const pattern = patternFor([...answers].filter(({length}) => length >= minLength));
  const text = (source: string): string => (pattern ? source.replace(pattern, masked) : source);
  const isNeeded = fields.size > 0;
  return {
    isNeeded,
    text,
    data: <T extends object>(value: T): T =>
      isNeeded ? (maskedIn(value as unknown as Json, fields, text) as unknown as T) : value,
  };
}

/** The answers for logs and lists, with a mask in place of each private answer. */
export function maskedAnswers(answers: Answers): Answers {
  return createPrivacy(answers).data(answers);
}

/**
 * The result of a run for all readers but the program that began it. Its member `answers` is the purpose of the result: only
 * secret ones are masked there. `sources`: more data with the private answers.
 */
export function maskedResult(result: RunResult, ...sources: readonly object[]): RunResult {
  const privacy = createPrivacy(result, ...sources);
  const {answers, ...rest} = result;
  return {...privacy.data(rest), ...(answers ? {answers: withoutSecrets(answers)} : {})};
}

function withoutSecrets({answers, ...rest}: Answers): Answers {
  const shown = Object.entries(answers).map(([name, answer]) => [
    name,
    answer.sensitivity === 'secret' ? withoutAnswer(answer as unknown as Json) : answer,
  ]);
  return {...rest, answers: Object.fromEntries(shown) as Answers['answers']};
}

function patternFor(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined;
  const longestFirst = texts.toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(bounded).join('|'), 'gu');
}

/** A private word is not masked inside a longer one. Scripts without spaces between words have no such boundary. */
function bounded(text: string): string {
  const before = /^[A-Za-z0-9]/.test(text) ? '(?<![A-Za-z0-9])' : '';
  const after = /[A-Za-z0-9]$/.test(text) ? '(?![A-Za-z0-9])' : '';
  return `${before}${escapePattern(text)}${after}`;
}

/** Ids of private fields, from their definitions and from exported answers. */
function privateFieldsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => privateFieldsIn(item));
  if (!isJsonObject(value)) return [];
  const {id} = value;
  const own = typeof id === 'string' && isPrivate(value) ? [id] : [];
  const named = Object.entries(value).filter(([, item]) => isJsonObject(item) && isPrivate(item));
  return [...own, ...named.map(([name]) => name), ...Object.values(value).flatMap(privateFieldsIn)];
}

function isPrivate({sensitivity}: JsonObject): boolean {
  return sensitivity === 'personal' || sensitivity === 'secret';
}

/** Members that hold an answer, or the words that it was read from. */
const answering: ReadonlySet<string> = new Set([
  'value',
  'quote',
  'provisional',
  'facts',
  'history',
  'replies',
]);

type Fields = ReadonlySet<string>;

function privateTextsIn(value: Json, fields: Fields): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => privateTextsIn(item, fields));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    isAnswerOf(value, name, fields) || (fields.has(name) && isRecord(item))
      ? answersIn(item)
      : privateTextsIn(item, fields),
  );
}

/** True when the member `name` of an answer, of a record of a field, or of a message about a field is private. */
function isAnswerOf(about: JsonObject, name: string, fields: Fields): boolean {
  const {field, from} = about;
  const isAbout = typeof field === 'string' && fields.has(field);
  if (!isAbout && !isPrivate(about)) return false;
  return answering.has(name) || (isAbout && name === 'text' && from !== 'agent');
}

/** A record of a field, by the id of the field. */
function isRecord(value: Json): boolean {
  return isJsonObject(value) && typeof value['status'] === 'string' && !isPrivate(value);
}

/** All texts of an answer, and its numbers as texts. */
function answersIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((item: Json) => answersIn(item));
  if (!isJsonObject(value)) return [];
  const {status: _, by: __, followUps: ___, at: ____, ...rest} = value;
  return Object.values(rest).flatMap(answersIn);
}

function maskedIn(value: Json, fields: Fields, text: (text: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return text(String(value)) === masked ? masked : value;
  if (Array.isArray(value)) return value.map((item: Json) => maskedIn(item, fields, text));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (isAnswerOf(value, name, fields)) return [name, hidden(item)];
      const shown = maskedIn(item, fields, text);
      return [name, fields.has(name) && isRecord(item) ? withoutAnswer(shown) : shown];
    }),
  );
}

function withoutAnswer(record: Json): Json {
  if (!isJsonObject(record)) return record;
  return Object.fromEntries(
    Object.entries(record).map(([name, item]) => [name, answering.has(name) ? hidden(item) : item]),
  );
}

/** Masks the leaves, and keeps the shape. */
function hidden(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => hidden(item));
  if (!isJsonObject(value)) return value === null ? value : masked;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hidden(item)]));
}
