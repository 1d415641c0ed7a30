/** One layer of the configuration: checked keys with values and sources. */

import {
  type KeyPath,
  keyProblem,
  kindOf,
  rowAt,
  schemaAt,
  unknownKey,
} from '../../actors/config/schema.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';

export interface LayerEntry {
  readonly path: KeyPath;
  readonly value: unknown;
  /** For people: `quorate.toml:12:3`, `QUORATE_AGENT_HIL_MODE`, `--hil`. */
  readonly source: string;
}

export type Layer = readonly LayerEntry[];

/** Flattens nested tables into entries. Throws AppError `config` at the first invalid key or value. */
export function toLayer(value: unknown, sourceOf: (path: KeyPath) => string): Layer {
  return flatten([], value, sourceOf);
}

function flatten(path: KeyPath, value: unknown, sourceOf: (path: KeyPath) => string): LayerEntry[] {
  const schema = schemaAt(path);
  if (!schema) throw new AppError('config', t`${sourceOf(path)}: ${unknownKey(path)}`);
  const isWhole = rowAt(path)?.isWhole === true;
  if (isPlainTable(value) && kindOf(schema) === 'table' && !isWhole) {
    return Object.entries(value).flatMap(([key, inner]) =>
      flatten([...path, key], inner, sourceOf),
    );
  }
  const entry = {path, value, source: sourceOf(path)};
  checkEntry(entry, sourceOf);
  return [entry];
}

/** Throws AppError `config` for a value that the entry's key does not take. `sourceOf`: the source of a part of it. */
export function checkEntry(
  {path, value, source}: LayerEntry,
  sourceOf: (path: KeyPath) => string = () => source,
): void {
  const problem = keyProblem(path, value);
  if (problem) throw new AppError('config', t`${sourceOf(problem.path)}: ${problem.text}`);
}

function isPlainTable(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** The nested form of entries; later ones win. */
export function toNested(entries: Layer): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const {path, value} of entries) set(root, path, value);
  return root;
}

function set(table: Record<string, unknown>, path: KeyPath, value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    table[key] = value;
    return;
  }
  const inner = Object.hasOwn(table, key) ? table[key] : undefined;
  const next = isPlainTable(inner) ? inner : {};
  table[key] = next;
  set(next, rest, value);
}
