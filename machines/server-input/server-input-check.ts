/** Checks the person's answer to a server's question, and reads typed values. Messages are for the person. */

import {isJsonArray, type Json, type JsonObject} from '../domain/json.ts';
import {didYouMean} from '../domain/nearest.ts';
import type {InputField, InputFormat} from './server-input.ts';

export type InputReading<Value> =
  | {readonly ok: true; readonly value: Value}
  | {readonly ok: false; readonly problems: readonly string[]};

/** Of a text without a limit of its own, in UTF-16 units. */
const maxText = 100_000;

/** The values by field, with the defaults of fields that are left out. `null` counts as left out. */
export function readContent(
  fields: readonly InputField[],
  given: JsonObject,
): InputReading<JsonObject> {
  const names = fields.map(({name}) => name);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const problems = unknown.map((name) => unknownField(name, names));
  const content: [string, Json][] = [];
  for (const field of fields) {
    const value = (Object.hasOwn(given, field.name) ? given[field.name] : null) ?? field.default;
    const problem = value === undefined ? missing(field) : valueProblem(field, value);
    if (problem !== undefined) problems.push(`${field.name}: ${problem}`);
    else if (value !== undefined) content.push([field.name, value]);
  }
  return problems.length === 0
    ? {ok: true, value: Object.fromEntries(content)}
    : {ok: false, problems};
}

function unknownField(name: string, names: readonly string[]): string {
  const fields = names.length === 0 ? 'there are no fields' : `there is ${names.join(', ')}`;
  return `there is no field ${JSON.stringify(name.slice(0, 80))}${didYouMean(name, names)}; ${fields}`;
}

function missing({required}: InputField): string | undefined {
  return required ? 'a value is required' : undefined;
}

/** The value of a field as typed in one line. A choice may be given by its number. */
export function readTyped(field: InputField, text: string): InputReading<Json> {
  const value = typedValue(field, text.trim());
  const problem = valueProblem(field, value);
  return problem === undefined ? {ok: true, value} : {ok: false, problems: [problem]};
}

function typedValue(field: InputField, text: string): Json {
  if (field.type === 'choice') return choiceIn(field, text);
  if (field.type === 'choices') return listIn(text).map((each) => choiceIn(field, each));
  if (field.type === 'text' || text === '') return text;
  if (field.type !== 'boolean') return Number.isNaN(Number(text)) ? text : Number(text);
  const word = text.toLowerCase();
  if (['y', 'yes', 'true', 'はい'].includes(word)) return true;
  return ['n', 'no', 'false', 'いいえ'].includes(word) ? false : text;
}

function listIn(text: string): string[] {
  return text
    .split(/[,、]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function choiceIn({choices = []}: InputField, text: string): string {
  const same = (each: string | undefined): boolean => each?.toLowerCase() === text.toLowerCase();
  const chosen =
    choices.find(({value}) => value === text) ??
    choices.find(({value, title}) => same(value) || same(title)) ??
    (/^\d{1,4}$/.test(text) ? choices[Number(text) - 1] : undefined);
  return chosen?.value ?? text;
}

/** Undefined if the field takes the value. */
export function valueProblem(field: InputField, value: Json): string | undefined {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : 'must be a text';
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'choice':
      return isChoice(field, value) ? undefined : `must be one of ${choiceNames(field)}`;
    case 'choices':
      return choicesProblem(field, value);
    default:
      return field.type satisfies never;
  }
}

function textProblem({format, min = 0, max = maxText}: InputField, text: string) {
  const length = Array.from(text).length;
  if (length < min) return `must have at least ${min} characters`;
  if (length > max) return `must have at most ${max} characters`;
  if (format === undefined || formats[format](text)) return undefined;
  return formatProblems[format];
}

const formatProblems: Readonly<Record<InputFormat, string>> = {
  email: 'must be an email address, such as mika@example.org',
  uri: 'must be an absolute URI, such as https://example.org/a',
  date: 'must be a date, such as 2026-11-28',
  'date-time': 'must be a date with a time and a zone, such as 2026-11-28T15:00:00Z',
};

const formats: Readonly<Record<InputFormat, (text: string) => boolean>> = {
  email: (text) => /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)*$/u.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s<>"]+$/i.test(text),
  date: isDay,
  'date-time': (text) => {
    const [day = '', time = ''] = text.split(/[Tt]/);
    const clock =
      /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
    return isDay(day) && clock.test(time);
  },
};

function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1];
  return days !== undefined && Number(day) >= 1 && Number(day) <= days;
}

function numberProblem({type, min, max}: InputField, value: Json): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (min !== undefined && value < min) return `must be at least ${min}`;
  return max !== undefined && value > max ? `must be at most ${max}` : undefined;
}

function choicesProblem(field: InputField, value: Json): string | undefined {
  if (!isJsonArray(value)) return 'must be a list';
  const {min = 0, max = Number.POSITIVE_INFINITY} = field;
  if (value.length < min) return `must have at least ${min} of ${choiceNames(field)}`;
  if (value.length > max) return `must have at most ${max} of ${choiceNames(field)}`;
  if (new Set(value).size < value.length) return 'must have each choice only once';
  const isKnown = value.every((each) => isChoice(field, each));
  return isKnown ? undefined : `must have only ${choiceNames(field)}`;
}

function isChoice({choices = []}: InputField, given: Json): boolean {
  return choices.some(({value}) => value === given);
}

const maxNamed = 20;

function choiceNames({choices = []}: InputField): string {
  const names = choices.slice(0, maxNamed).map(({value}) => JSON.stringify(value));
  return `${names.join(', ')}${choices.length > maxNamed ? ', …' : ''}`;
}
