/** Value types that several sections share. */

import {z} from 'zod';

import {changeable, fixed} from './row.ts';
import {lower} from './stricter.ts';

/** The longest delay of Node's timers: 24.8 days. */
export const maxTimerMs = 2_147_483_647;
export const maxSeats = 50;

export const whole = (min: number, max: number) => z.int().min(min).max(max);
export const maxTokens = 10_000_000;

const printable = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;
export const plainText = z
  .string()
  .max(4096)
  .regex(printable, 'contains control or invisible characters');

export const modelName = plainText
  .max(200)
  .regex(
    /^\S+$/u,
    'is not a model name: write PROVIDER/MODEL, such as anthropic/claude-sonnet-4.5',
  );

/** Empty: the model of another key applies. */
export const modelOrNone = z.union([z.literal(''), modelName]);

export const usd = () => z.number().min(0).max(1_000_000);

type Range = readonly [least: number, most: number, preset: number];

/** A limit that may change in an open run. A lower value is stricter. */
export const limit = (text: string) => (range: Range) => changeable(text, lower)(preset(range));

/** A limit that cannot change in an open run. A lower value is stricter. */
export const fixedLimit = (text: string) => (range: Range) => fixed(text, lower)(preset(range));

function preset([least, most, value]: Range) {
  return whole(least, most).default(value);
}
