/** `QUORATE_<SECTION>_<KEY>` variables as a layer. */

import {
  type KeyKind,
  type KeyPath,
  kindOf,
  knownKeys,
  schemaAt,
} from '../../actors/config/schema.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {type Message, t} from '../../machines/message.ts';
import {meant} from '../line/usage-error.ts';
import type {Environment} from '../terminal.ts';
import {checkEntry, type Layer} from './layer.ts';

const prefix = 'QUORATE_';

/** Variables of the program that are not configuration keys. */
const otherVariables: ReadonlySet<string> = new Set([
  'QUORATE_HOME',
  'QUORATE_LOG',
  'QUORATE_OWNER_TOKEN',
]);

export interface EnvironmentLayer {
  readonly layer: Layer;
  readonly warnings: readonly Message[];
}

/** An empty variable counts as absent. Throws AppError `config` for a value that its key does not take. */
export function readEnvironment(env: Environment): EnvironmentLayer {
  const given = Object.entries(env).filter(
    ([name, value]) => name.startsWith(prefix) && !otherVariables.has(name) && value,
  );
  const layer = given.flatMap(([source, text = '']) => {
    const path = settable.get(source);
    return path ? [{path, value: fromText(path, text), source}] : [];
  });
  for (const entry of layer) checkEntry(entry);
  const warnings = given
    .filter(([name]) => !settable.has(name) && looksLikeKey(name))
    .map(([name]) => setsNothing(name));
  return {layer, warnings};
}

function setsNothing(name: string): Message {
  const near = meant(name, settable.keys());
  return t`${name} is ignored: it sets nothing${near}`;
}

/** Keys by variable. Tables of models and of providers, and rules, can be set only in files. */
const settable: ReadonlyMap<string, KeyPath> = new Map(
  knownKeys
    .map((key) => key.split('.'))
    .filter((path) => !['table', 'tables'].includes(kindAt(path)))
    .map((path) => [prefix + path.join('_').toUpperCase(), path]),
);

function kindAt(path: KeyPath): KeyKind {
  const schema = schemaAt(path);
  return schema ? kindOf(schema) : 'table';
}

/** Text that can't be converted to the key's type stays text, so that the check reports it. */
function fromText(path: KeyPath, text: string): unknown {
  const kind = kindAt(path);
  const value = text.trim();
  if (kind === 'list') return value.split(',').map((item) => item.trim());
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (kind === 'switch' && (value === 'true' || value === 'false')) return value === 'true';
  return kind === 'text' ? text : value;
}

function looksLikeKey(name: string): boolean {
  const [section = ''] = pathOf(name);
  return schemaAt([section]) !== undefined || nearest(name, settable.keys()) !== undefined;
}

/** The path for a variable, if its section is one word. */
function pathOf(name: string): KeyPath {
  const [section = '', ...key] = name.slice(prefix.length).toLowerCase().split('_');
  return [section, key.join('_')];
}
