/** The keys of the configuration as paths: which exist, what they take, and what is wrong with a value. */

import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import {type Config, configSchema, type ConfigInput} from './schema.ts';

/** A key as its parts: `['agent', 'hil_mode']`. A part of a table of models may hold dots. */
export type KeyPath = readonly string[];

/** `agent.hil_mode`, `prices."gpt-5.2".input`. */
export function keyText(path: KeyPath): string {
  return path
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part)))
    .join('.');
}

/** What a key takes, without its default; undefined for a key that does not exist. */
export function schemaAt(path: KeyPath): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = configSchema;
  for (const part of path) schema = schema && member(bare(schema), part);
  return schema && bare(schema);
}

function member(schema: z.core.$ZodType, part: string): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return Object.hasOwn(shape, part) ? shape[part] : undefined;
  }
  if (!(schema instanceof z.ZodRecord) || unsafeNames.has(part)) return undefined;
  return z.safeParse(schema.keyType, part).success ? schema.valueType : undefined;
}

const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A schema without its default. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional
  ) {
    return bare(schema.unwrap());
  }
  return schema;
}

export type KeyKind = 'table' | 'list' | 'number' | 'switch' | 'text';

export function kindOf(schema: z.core.$ZodType): KeyKind {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return 'table';
  if (schema instanceof z.ZodArray) return 'list';
  if (schema instanceof z.ZodNumber) return 'number';
  return schema instanceof z.ZodBoolean ? 'switch' : 'text';
}

/** Every key with a fixed name, as text. Tables of models and providers are one key each. */
export const knownKeys: readonly string[] = Object.entries(configSchema.shape).flatMap(
  ([section, schema]) => {
    const inner = bare(schema);
    if (!(inner instanceof z.ZodObject)) return [section];
    return Object.keys(inner.shape).map((key) => `${section}.${key}`);
  },
);

/** What keys will do that nothing reads yet: until then they are refused, so that nobody relies on them. */
const planned: ReadonlyMap<string, string> = new Map([
  ['spawn', 'this version spawns no interaction by rule'],
]);

function planOf(path: KeyPath): string | undefined {
  return planned.get(path[0] ?? '') ?? planned.get(keyText(path));
}

/** Whether a key is refused only until something reads it. */
export function isPlanned(path: KeyPath): boolean {
  return planOf(path) !== undefined;
}

/** The message for a key that does not exist, without its place. */
export function unknownKey(path: KeyPath): string {
  const text = keyText(path);
  const reason = planOf(path);
  if (reason !== undefined) return `${text} does nothing yet (${reason}); remove it`;
  const parent = schemaAt(path.slice(0, -1));
  if (path.length > 1 && parent instanceof z.ZodRecord) {
    return `${keyText(path.slice(0, -1))} takes no entry named ${JSON.stringify(path.at(-1))}`;
  }
  return `unknown key "${text}"${suggestion(path)}`;
}

function suggestion(path: KeyPath): string {
  const last = path.at(-1) ?? '';
  const parent = schemaAt(path.slice(0, -1));
  const siblings = parent instanceof z.ZodObject ? Object.keys(parent.shape) : [];
  const prefix = path.slice(0, -1);
  const near = didYouMean(keyText(path), [
    ...siblings.map((key) => keyText([...prefix, key])),
    ...knownKeys,
  ]);
  if (near) return near;
  const elsewhere = knownKeys.find((key) => key.endsWith(`.${last}`));
  return elsewhere === undefined ? '' : `; did you mean "${elsewhere}"?`;
}

/** What is wrong with a key or its value, without its place; undefined when nothing is. */
export function keyProblem(path: KeyPath, value: unknown): string | undefined {
  const schema = schemaAt(path);
  if (!schema) return unknownKey(path);
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (!issue) return undefined;
  const at = issue.path.length > 0 ? `entry ${issue.path.join('.')}: ` : '';
  return `${keyText(path)}: ${at}${describe(issue, valueAt(value, issue.path), path)}`;
}

/** The configuration of a program. Throws AppError `config` that names the key, the value and what it takes. */
export function parseConfig(input: ConfigInput): Config {
  // Read once, so that compiling the schema would take longer.
  const parsed = configSchema.safeParse(input, {jitless: true});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('config', `config: ${issue ? issueText(issue, input) : 'is refused'}`);
}

function issueText(issue: z.core.$ZodIssue, input: ConfigInput): string {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') return unknownKey([...path, issue.keys[0] ?? '']);
  if (issue.code === 'invalid_key') return unknownKey(path);
  const [key, entry] = [path.slice(0, 2), path.slice(2).join('.')];
  const at = entry === '' ? '' : `entry ${entry}: `;
  return `${keyText(key)}: ${at}${describe(issue, valueAt(input, path), path)}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined,
    value,
  );
}

/** People put secrets there, by mistake or on purpose. */
const unshown: ReadonlySet<string> = new Set(['api_key_env', 'base_url', 'patterns']);

function describe(issue: z.core.$ZodIssue, value: unknown, path: KeyPath): string {
  const shown = path.some((part) => unshown.has(part)) ? 'what it is set to' : show(value);
  if (issue.code === 'invalid_type') {
    return `takes ${typeNames[issue.expected] ?? issue.expected}, not ${shown}`;
  }
  if (issue.code === 'too_small') {
    return `${shown} is too small; ${bound(issue.origin, issue.minimum, issue.inclusive ?? true, 'least')}`;
  }
  if (issue.code === 'too_big') {
    return `${shown} is too large; ${bound(issue.origin, issue.maximum, issue.inclusive ?? true, 'most')}`;
  }
  if (issue.code === 'invalid_value') {
    return `takes ${issue.values.map((one) => JSON.stringify(one)).join(' or ')}, not ${shown}`;
  }
  return `${shown} ${issue.message}`;
}

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text in quotes',
  boolean: 'true or false',
  array: 'a list in square brackets',
  object: 'a table',
  record: 'a table',
};

function bound(origin: string, limit: unknown, inclusive: boolean, word: 'least' | 'most'): string {
  const what = origin === 'array' ? ' entries' : origin === 'string' ? ' characters' : '';
  if (inclusive) return `at ${word} ${String(limit)}${what}`;
  return `it must be ${word === 'least' ? 'more' : 'less'} than ${String(limit)}${what}`;
}

/** A value as a message shows it: short, printable, and no more than a line. */
function show(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return 'a date';
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'a table';
  const json = JSON.stringify(value) ?? String(value);
  const safe = json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return safe.length > 60 ? `${safe.slice(0, 57)}…"` : safe;
}
