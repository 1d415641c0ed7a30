/**
 * Each key of the configuration is one row: its type, its meaning, whether it may change in an open run, and which values are
 * stricter. Types, help, messages, and the keys that open runs and untrusted files may change are derived from the rows.
 */

import {z} from 'zod';

import {isAsStrict, tryParseRule} from '../../../machines/panel/rule.ts';
import {builtInPolicies} from '../../policies/names.ts';

export interface KeyRow {
  /** The meaning, on one line, for `quorate config`, the help and the list in `actors/config/README.md`. */
  readonly text: string;
  /** False: a run keeps the value with which it was opened. */
  readonly isChangeable: boolean;
  /** The part of the settings of a run that is resolved again when the key changes. */
  readonly renews?: RenewedPart;
  /** Compares two values. Absent: only a file that the user trusts may set the key. */
  readonly stricter?: Comparison | undefined;
  /** The value may contain a secret, by mistake or on purpose, and is not shown. */
  readonly isHidden?: true;
  /** The value is a table that a later source replaces as a whole. */
  readonly isWhole?: true;
}

/** `planning`: strategy and consensus level; `sides`: the sides of a debate; `leaders`: the models of an interview. */
export type RenewedPart = 'panel' | 'sides' | 'leaders' | 'planning';

const rows = z.registry<KeyRow>();

const row =
  (facts: KeyRow) =>
  <Schema extends z.core.$ZodType>(schema: Schema): Schema => {
    rows.add(schema, facts);
    return schema;
  };

/** A key that keeps its value while a run is open. */
export const fixed = (text: string, stricter?: Comparison) =>
  row({text, isChangeable: false, stricter});

/** A fixed key whose value is not shown. */
export const hidden = (text: string) => row({text, isChangeable: false, isHidden: true});

/** A fixed key whose value is a table that belongs together. */
export const whole = (text: string) => row({text, isChangeable: false, isWhole: true});

/** The same for a table whose values are not shown. */
export const wholeHidden = (text: string) =>
  row({text, isChangeable: false, isWhole: true, isHidden: true});

/** A key that may change in an open run. */
export const changeable = (text: string, stricter?: Comparison) =>
  row({text, isChangeable: true, stricter});

/** A key that may change in an open run, and whose change also renews a part of the settings. */
export const renewing = (renews: RenewedPart, text: string, stricter?: Comparison) =>
  row({text, isChangeable: true, renews, stricter});

/** Returns undefined for a schema that does not belong to a key. */
export function rowOf(schema: z.core.$ZodType): KeyRow | undefined {
  return rows.get(schema);
}

// Comparisons of two values of a key by strictness: a project file may set a stricter value before the user trusts it. Keys
// without a comparison require trust: models and providers (they receive the code), paths, prices, secrets, the environment of
// commands. So do keys that can open a human gate sooner, because `auto_approve` may then approve a proposal that the panel
// would have refused: the time limits and the minimum participation of a vote, and the number of revisions of a plan or a
// position.

/** Returns true if `next` is at least as strict as `now`. */
type Comparison = (next: unknown, now: unknown, panel: PanelSize) => boolean;

/** The size of the panel that results from the user's own configuration. */
export interface PanelSize {
  readonly seats: number;
  readonly weighted: boolean;
}

export const lower: Comparison = (next, now) =>
  typeof next === 'number' && typeof now === 'number' && next <= now;

export const higher: Comparison = (next, now, panel) => lower(now, next, panel);

export const onlyOn: Comparison = (next, now) => next === true || now === false;

export const onlyOff: Comparison = (next, now) => next === false || now === true;

export const superset: Comparison = (next, now) =>
  Array.isArray(next) && Array.isArray(now) && now.every((item) => next.includes(item));

export const subset: Comparison = (next, now, panel) => superset(now, next, panel);

/** Later levels are stricter. */
export const ordered =
  (...levels: readonly unknown[]): Comparison =>
  (next, now) =>
    levels.indexOf(next) >= levels.indexOf(now);

/** Compares for two panel sizes, as a panel of the policy reviewers may replace the configured one. */
export const stricterRule: Comparison = (next, now, {seats, weighted}) => {
  const [after, before] = [next, now].map((text) => tryParseRule(String(text)));
  if (!after || !before) return false;
  return isAsStrict(after, before, {sizes: [seats, builtInPolicies.length], weighted});
};

// Value types that several sections share.

/** The longest delay of Node's timers: 24.8 days. */
export const maxTimerMs = 2_147_483_647;
export const maxSeats = 50;

export const integer = (min: number, max: number) => z.int().min(min).max(max);
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
  return integer(least, most).default(value);
}

// Converts key names between the configuration (`top_k`) and the settings of a run (`topK`).

type Camel<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Name;

export type CamelKeys<Table, Omitted extends keyof Table = never> = {
  [Key in keyof Table as Key extends Omitted ? never : Camel<Key & string>]: Exclude<
    Table[Key],
    undefined
  >;
};

/** Returns a table of the configuration with camel-case keys, without the keys in `omitted` and keys that are undefined. */
export function camelKeys<Table extends object, Omitted extends keyof Table & string = never>(
  table: Table,
  omitted?: readonly Omitted[],
): CamelKeys<Table, Omitted>;
export function camelKeys(table: object, omitted: readonly string[] = []): object {
  const kept = Object.entries(table).filter(
    ([key, value]) => value !== undefined && !omitted.includes(key),
  );
  return Object.fromEntries(kept.map(([key, value]) => [camelCase(key), value]));
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
