/** The reference of all settings, one row per setting. */

import {z} from 'zod';

import {bare, kindOf} from './keys.ts';
import {configSchema} from './schema.ts';
import {type KeyRow, rowOf} from './sections/row.ts';

export interface Setting {
  /** `agent.hil_mode`, `providers.NAME.base_url`. */
  readonly key: string;
  /** `"a" | "b"`, `1 … 100`, `true | false`, `text`, `list`, `table`. */
  readonly takes: string;
  /** The default in TOML notation; empty if there is none. */
  readonly default: string;
  readonly text: string;
}

/** Placeholders for the names of entries in the documentation. */
const entryNames: Readonly<Record<string, string>> = {
  'quorum.weights': 'SEAT',
  providers: 'NAME',
  prices: 'MODEL',
};

/** All settings, in the order of the configuration. */
export function settingsReference(): readonly Setting[] {
  return rowsOf('', configSchema);
}

/** An entry that is not a table itself inherits the row of the table that contains it. */
function rowsOf(key: string, given: z.core.$ZodType, row = rowOf(given)): readonly Setting[] {
  if (row?.isWhole) return [{key, takes: 'table', default: '', text: row.text}];
  const schema = bare(given);
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return Object.entries(shape).flatMap(([name, inner]) =>
      rowsOf(key === '' ? name : `${key}.${name}`, inner),
    );
  }
  if (schema instanceof z.ZodArray && kindOf(schema) === 'tables') {
    return rowsOf(key, schema.element);
  }
  if (schema instanceof z.ZodRecord) {
    return rowsOf(`${key}.${entryNames[key] ?? 'NAME'}`, schema.valueType, row);
  }
  return [{key, takes: takesOf(schema), default: defaultOf(given), text: textOf(row)}];
}

function textOf(row: KeyRow | undefined): string {
  return row?.text ?? '';
}

function takesOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodEnum) {
    const offered = schema.options.filter((value) => schema.safeParse(value).success);
    return offered.map((value) => JSON.stringify(value)).join(' | ');
  }
  if (schema instanceof z.ZodBoolean) {
    return [true, false].filter((value) => schema.safeParse(value).success).join(' | ');
  }
  if (schema instanceof z.ZodArray) return 'list';
  if (!(schema instanceof z.ZodNumber)) return 'text';
  const {minValue, maxValue} = schema;
  return minValue === null || maxValue === null ? 'number' : `${minValue} … ${maxValue}`;
}

function defaultOf(schema: z.core.$ZodType): string {
  const read = z.safeParse(schema, undefined);
  return read.success && read.data !== undefined ? JSON.stringify(read.data) : '';
}
