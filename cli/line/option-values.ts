/** Ages, sizes and numbers as values of options: `30d`, `10mb`, `200`. */

import {type Message, t} from '../../machines/message.ts';
import type {Option} from './command.ts';
import {usageError} from './usage-error.ts';

const dayMs = 86_400_000;
const agesMs: Readonly<Record<string, number>> = {h: 3_600_000, d: dayMs, w: 7 * dayMs};
const sizes: Readonly<Record<string, number>> = {'': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3};

/** Milliseconds. Throws AppError `usage` for a text that is not an age. */
export function toAgeMs(flag: string, text: string): number {
  return amountIn(text, agesMs) ?? refuse(flag, text, t`an age such as 12h, 30d or 8w`);
}

/** Epoch ms: so long before `now`, or the beginning of a day, local time. Throws AppError `usage` for any other text. */
export function toSince(flag: string, text: string, now: number): number {
  const age = amountIn(text, agesMs);
  return (
    (age === undefined ? dayIn(text) : now - age) ??
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

// Options that name a point of a run.

const forms = t`an entry (12), plan.2, vote.3, gate.1, task:write, or a time (2026-11-28T09:30)`;

/** An option that takes a point. */
export function pointOption(name: string, text: Message): Option {
  return {name, takes: 'POINT', text: t`${text}:\n${forms}`};
}
