/** The schema of the configuration: every key, its range and its default, in the shape of the TOML files (snake_case). */

import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {listed, type Message, t, type Value} from '../../machines/message.ts';
import {
  commandsSection,
  contextSection,
  databaseSection,
  guardrailsSection,
  journalSection,
  limitsSection,
  ruleTables,
  sandboxSection,
  searchSection,
  secretsSection,
  webSection,
} from './sections/bounds.ts';
import {mcpSections, modelSections, toolSections} from './sections/connections.ts';
import {
  agentSection,
  askSection,
  debateSection,
  discussSection,
  interviewSection,
  quorumSection,
} from './sections/forms.ts';
import {keysSection} from './sections/keys.ts';
import {type KeyRow, rowOf} from './sections/row.ts';

/** In the order of the documentation. Every key has a default, so a section may be absent. */
export const configSchema = z.strictObject({
  agent: agentSection.prefault({}),
  quorum: quorumSection.prefault({}),
  ask: askSection.prefault({}),
  discuss: discussSection.prefault({}),
  debate: debateSection.prefault({}),
  interview: interviewSection.prefault({}),
  guardrails: guardrailsSection.prefault({}),
  search: searchSection.prefault({}),
  database: databaseSection.prefault({}),
  web: webSection.prefault({}),
  limits: limitsSection.prefault({}),
  context: contextSection.prefault({}),
  ...ruleTables,
  ...toolSections,
  commands: commandsSection.prefault({}),
  sandbox: sandboxSection.prefault({}),
  journal: journalSection.prefault({}),
  secrets: secretsSection.prefault({}),
  keys: keysSection.prefault({}),
  ...mcpSections,
  ...modelSections,
});

export type Config = z.infer<typeof configSchema>;

/** The configuration that a program passes: every section and key is optional. */
export type ConfigInput = z.input<typeof configSchema>;

export function defaultConfig(): Config {
  return configSchema.parse({}, {jitless: true});
}

// The keys of the configuration as paths: their schemas, their kinds, and problems of keys and values.

/** A key as its parts: `['agent', 'hil_mode']`. A part that is the name of a model may contain dots. */
export type KeyPath = readonly string[];

/** `agent.hil_mode`, `prices."gpt-5.2".input`. */
export function keyText(path: KeyPath): string {
  return path
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part)))
    .join('.');
}

/** The schema of a key, without its default; undefined for a key that does not exist. */
export function schemaAt(path: KeyPath): z.core.$ZodType | undefined {
  const schema = givenAt(path);
  return schema && bare(schema);
}

/** Undefined for a section, for an entry of a table, and for a key that does not exist. */
export function rowAt(path: KeyPath): KeyRow | undefined {
  const schema = givenAt(path);
  return schema && rowOf(schema);
}

/** True if the value at the path, or a value that contains it, must not be shown. */
export function isHidden(path: KeyPath): boolean {
  return path.some((_, index) => rowAt(path.slice(0, index + 1))?.isHidden === true);
}

function givenAt(path: KeyPath): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = configSchema;
  for (const part of path) schema = schema && member(bare(schema), part);
  return schema;
}

function member(schema: z.core.$ZodType, part: string): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return Object.hasOwn(shape, part) ? shape[part] : undefined;
  }
  if (schema instanceof z.ZodArray) return /^\d+$/.test(part) ? schema.element : undefined;
  if (!(schema instanceof z.ZodRecord) || unsafeNames.has(part)) return undefined;
  return z.safeParse(schema.keyType, part).success ? schema.valueType : undefined;
}

const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A schema without default, optional and lazy wrappers. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodLazy
  ) {
    return bare(schema.unwrap());
  }
  return schema;
}

/** `tables` is a list of tables, each with the key in double brackets as its header. */
export type KeyKind = 'table' | 'tables' | 'list' | 'number' | 'switch' | 'text';

export function kindOf(schema: z.core.$ZodType): KeyKind {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return 'table';
  if (schema instanceof z.ZodArray) {
    return bare(schema.element) instanceof z.ZodObject ? 'tables' : 'list';
  }
  if (schema instanceof z.ZodNumber) return 'number';
  return schema instanceof z.ZodBoolean ? 'switch' : 'text';
}

/** Every key with a fixed name, as text. A table of models or providers is one key, and so is a list of rules. */
export const knownKeys: readonly string[] = Object.entries(configSchema.shape).flatMap(
  ([section, schema]) => {
    const inner = bare(schema);
    if (!(inner instanceof z.ZodObject)) return [section];
    return Object.keys(inner.shape).map((key) => `${section}.${key}`);
  },
);

/** The message for a key that does not exist, without its position in a file. */
export function unknownKey(path: KeyPath): Message {
  const parent = schemaAt(path.slice(0, -1));
  if (path.length > 1 && parent instanceof z.ZodRecord) {
    const [issue] = z.safeParse(parent.keyType, path.at(-1)).error?.issues ?? [];
    const why = issue && !issue.message.startsWith('Invalid') ? `: ${issue.message}` : '';
    const name = JSON.stringify(path.at(-1));
    return t`${keyText(path.slice(0, -1))} takes no entry named ${name}${why}`;
  }
  const key = keyText(path);
  return removedKeys.has(key)
    ? t`unknown key "${key}": commands are confined by bwrap or landlock, not by containers; leave it out`
    : t`unknown key "${key}"${suggestion(path)}`;
}

const removedKeys: ReadonlySet<string> = new Set(['sandbox.container', 'sandbox.image']);

function suggestion(path: KeyPath): Message {
  const last = path.at(-1) ?? '';
  const parent = schemaAt(path.slice(0, -1));
  const siblings = parent instanceof z.ZodObject ? Object.keys(parent.shape) : [];
  const prefix = path.slice(0, -1);
  const near = nearest(keyText(path), [
    ...siblings.map((key) => keyText([...prefix, key])),
    ...knownKeys,
  ]);
  const meant = near ?? knownKeys.find((key) => key.endsWith(`.${last}`));
  return meant === undefined ? t`` : t`; did you mean "${meant}"?`;
}

export interface KeyProblem {
  /** The key, or a path into its value. */
  readonly path: KeyPath;
  /** The message, without a position in a file. */
  readonly text: Message;
}

/** The problem of a key or its value; undefined if both are valid. */
export function keyProblem(path: KeyPath, value: unknown): KeyProblem | undefined {
  const schema = schemaAt(path);
  if (!schema) return {path, text: unknownKey(path)};
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (!issue) return undefined;
  const within = placeOf(issue);
  return {path: [...path, ...within], text: issueText(issue, path, within, value)};
}

/** Parses the configuration of a program. Throws AppError `config` with the key, the value and the accepted values. */
export function parseConfig(input: ConfigInput): Config {
  // The schema is used once: compiling it would take longer than interpreting it.
  const parsed = configSchema.safeParse(input, {jitless: true});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (!issue) throw new AppError('config', 'config: not valid');
  const path = placeOf(issue);
  const length = isListed(path) ? 1 : 2;
  const [key, within] = [path.slice(0, length), path.slice(length)];
  throw new AppError('config', t`config: ${issueText(issue, key, within, valueAt(input, key))}`);
}

function placeOf(issue: z.core.$ZodIssue): KeyPath {
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return [...issue.path.map(String), ...(unknown === undefined ? [] : [unknown])];
}

function isListed([section = '']: KeyPath): boolean {
  const schema = schemaAt([section]);
  return schema instanceof z.ZodArray;
}

/** `within` is the path from the key to the invalid part of its value. */
function issueText(
  issue: z.core.$ZodIssue,
  key: KeyPath,
  within: KeyPath,
  value: unknown,
): Message {
  const path = [...key, ...within];
  if (issue.code === 'unrecognized_keys' || issue.code === 'invalid_key') return unknownKey(path);
  const at = within.length > 0 ? t`entry ${within.join('.')}: ` : t``;
  return t`${keyText(key)}: ${at}${describe(issue, valueAt(value, within), path)}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined,
    value,
  );
}

function describe(issue: z.core.$ZodIssue, value: unknown, path: KeyPath): Message {
  const shown = isHidden(path) ? t`its value` : show(value);
  const taken = takenBy(issue, path);
  if (taken !== undefined) {
    if (value === undefined) return t`is missing; it takes ${taken}`;
    return t`takes ${taken}, not ${isHidden(path) ? t`the value that it has` : shown}`;
  }
  if (issue.code === 'too_small')
    return t`${shown} is too small; ${leastText(issue.origin, issue.minimum, issue.inclusive ?? true)}`;
  if (issue.code === 'too_big')
    return t`${shown} is too large; ${mostText(issue.origin, issue.maximum, issue.inclusive ?? true)}`;
  return t`${shown} ${issue.message}`;
}

/** The accepted values or type, for a value of the wrong kind. */
function takenBy(issue: z.core.$ZodIssue, path: KeyPath): Value | undefined {
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((one) => JSON.stringify(one));
    return listed(values, (before, last) => t`${before} or ${last}{:list}`);
  }
  if (issue.code !== 'invalid_type') return undefined;
  const schema = schemaAt(path);
  if (schema && kindOf(schema) === 'tables') return t`tables, each headed [[${keyText(path)}]]`;
  return typeNames[issue.expected] ?? issue.expected;
}

const typeNames: Readonly<Record<string, Message>> = {
  int: t`a whole number`,
  number: t`a number`,
  string: t`text in quotes`,
  boolean: t`true or false`,
  array: t`a list in square brackets`,
  object: t`a table`,
  record: t`a table`,
};

function leastText(origin: string, limit: unknown, inclusive: boolean): Message {
  const amount = amountText(origin, limit);
  return inclusive ? t`at least ${amount}` : t`it must be more than ${amount}`;
}

function mostText(origin: string, limit: unknown, inclusive: boolean): Message {
  const amount = amountText(origin, limit);
  return inclusive ? t`at most ${amount}` : t`it must be less than ${amount}`;
}

function amountText(origin: string, limit: unknown): Value {
  if (origin === 'array') return t`${Number(limit)} {entry|entries}`;
  return origin === 'string' ? t`${Number(limit)} {character|characters}` : String(limit);
}

/** A value for a message: short, printable, on one line. */
function show(value: unknown): Value {
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return t`a date`;
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? t`a list` : t`a table`;
  const json = JSON.stringify(value) ?? String(value);
  const safe = json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return safe.length > 60 ? `${safe.slice(0, 57)}…"` : safe;
}

// The reference of all settings, one row per setting.

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
