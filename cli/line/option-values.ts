/** The options of commands by the kind of their value: switches, words, numbers, ages, sizes and points of a run. */

import {type Message, t} from '../../machines/message.ts';
import type {Option, Parsed} from './command.ts';
import {checkChoice} from './options.ts';
import {usageError} from './usage-error.ts';

/** An option without its name, and how its value is read. */
export interface ReadOption<Value> extends Omit<Option, 'name'> {
  /** `given`: its values in order; a switch has empty ones. Throws AppError `usage` for an invalid value. */
  readonly read: (flag: string, given: readonly string[]) => Value;
}

/** True when it is given. */
export function switchOption(text: Message): ReadOption<boolean> {
  return {text, read: (_, given) => given.length > 0};
}

/** The last of the given values. */
export function wordOption(takes: string, text: Message): ReadOption<string | undefined> {
  return {takes, text, read: (_, given) => given.at(-1)};
}

/** All given values. */
export function wordsOption(takes: string, text: Message): ReadOption<readonly string[]> {
  return {takes, text, read: (_, given) => given};
}

/** The last of the given values, as `read` reads it. */
export function valueOption<Value>(
  takes: string,
  text: Message,
  read: (flag: string, word: string) => Value,
): ReadOption<Value | undefined> {
  return {
    takes,
    text,
    read: (flag, given) => given.slice(-1).map((word) => read(flag, word))[0],
  };
}

export function choiceOption<Choice extends string>(
  takes: string,
  text: Message,
  choices: readonly Choice[],
): ReadOption<Choice | undefined> {
  return valueOption(takes, text, (flag, word) => checkChoice(flag, word, choices));
}

/** Of an option that is not given: the usual value. */
export function usually<Value>(
  option: ReadOption<Value | undefined>,
  usual: Value,
): ReadOption<Value> {
  return {...option, read: (flag, given) => option.read(flag, given) ?? usual};
}

const dayMs = 86_400_000;
const agesMs: Readonly<Record<string, number>> = {h: 3_600_000, d: dayMs, w: 7 * dayMs};
const sizes: Readonly<Record<string, number>> = {'': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3};

/** Milliseconds. Throws AppError `usage` for a text that is not an age. */
export function toAgeMs(flag: string, text: string): number {
  return amountIn(text, agesMs) ?? refuse(flag, text, t`an age such as 12h, 30d or 8w`);
}

/** Epoch ms: so long before now, or the beginning of a day, local time. Throws AppError `usage` for any other text. */
export function toSince(flag: string, text: string): number {
  const age = amountIn(text, agesMs);
  return (
    (age === undefined ? dayIn(text) : Date.now() - age) ??
    refuse(flag, text, t`an age such as 24h, 7d or 2w, or a day such as 2026-11-01`)
  );
}

/** Undefined for a day that the calendar does not have. */
function dayIn(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 ? date.getTime() : undefined;
}

/** A whole number from 1. Throws AppError `usage` for any other text. */
export function toCount(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  return refuse(flag, text, t`a number from 1`);
}

/** Reads a whole number within bounds. */
export function toWhole(least: number, most: number): (flag: string, text: string) => number {
  return (flag, text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    return refuse(flag, text, t`a number from ${least} to ${most}`);
  };
}

/** A port to listen at; 0 is any free one. */
export const toPort = toWhole(0, 65_535);

/** Throws AppError `usage` for a text that is not a size. */
export function toBytes(flag: string, text: string): number {
  return amountIn(text, sizes) ?? refuse(flag, text, t`a size such as 500kb, 10mb or 1gb`);
}

function amountIn(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]*)$/.exec(text.toLowerCase()) ?? [];
  const scale = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return number === undefined || scale === undefined
    ? undefined
    : Math.round(Number(number) * scale);
}

function refuse(flag: string, text: string, wanted: Message): never {
  throw usageError(t`${flag} takes ${wanted}, not "${text}"`);
}

/** A point of a run, as it was written. */
export function pointOption(text: Message): ReadOption<string | undefined> {
  return wordOption('POINT', t`${text}:\n${forms}`);
}

const forms = t`an entry (12), plan.2, vote.3, gate.1, task:write, or a time (2026-11-28T09:30)`;

/** The file of the answers of an interview. */
export const answersOption = wordOption(
  'FILE',
  t`write the answers of an interview to this file as JSON, also when it is not complete`,
);

export interface WithAnswers extends Parsed {
  readonly options: {readonly answers: string | undefined};
}
