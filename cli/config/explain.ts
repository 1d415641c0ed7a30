/** Every setting with its meaning and its source. */

import {
  defaultConfig,
  isHidden,
  keyText,
  knownKeys,
  rowAt,
  type Setting,
  settingsReference,
} from '../../actors/config/schema.ts';
import type {Layer, LayerEntry} from './layer.ts';

export interface Explained {
  readonly key: string;
  readonly value: unknown;
  /** `default`, or `quorate.toml:12:3`, `QUORATE_AGENT_HIL_MODE`, `--hil`. */
  readonly source: string;
  /** The value without that source; absent if there is none. */
  readonly default?: unknown;
  /** The meaning. */
  readonly text: string;
}

export function explainLayers(layers: Layer): readonly Explained[] {
  const entries = new Map(layers.map((entry) => [keyText(entry.path), entry]));
  const defaults = Object.entries(defaultConfig()).flatMap(([section, table]) =>
    knownKeys.includes(section)
      ? [{path: [section], value: table, source: 'default'}]
      : Object.entries(table).map(([key, value]): LayerEntry => {
          return {path: [section, key], value, source: 'default'};
        }),
  );
  const usual = new Map(defaults.map(({path, value}) => [keyText(path), value]));
  const names = [...entries.keys()];
  const shown = defaults.filter(({path}) => {
    const key = keyText(path);
    return !names.some((name) => name === key || name.startsWith(`${key}.`));
  });
  const reference = settingsReference();
  return [...shown, ...entries.values()]
    .map((entry) => toExplained(entry, usual, reference))
    .toSorted((a, b) => rank(a.key) - rank(b.key));
}

function toExplained(
  {path, value, source}: LayerEntry,
  usual: ReadonlyMap<string, unknown>,
  reference: readonly Setting[],
): Explained {
  const key = keyText(path);
  return {
    key,
    value: isHidden(path) && Array.isArray(value) ? `(${value.length} patterns)` : value,
    source,
    ...(usual.has(key) ? {default: usual.get(key)} : {}),
    text: meaningOf(path, reference),
  };
}

/** For a table without entries: the meaning of its first key. */
function meaningOf(path: readonly string[], reference: readonly Setting[]): string {
  const own = rowAt(path)?.text;
  if (own !== undefined) return own;
  const fits = ({key}: Setting): boolean => {
    const parts = key.split('.');
    return path.every((part, index) => {
      const known = parts[index] ?? '';
      return known === part || /^[A-Z]+$/.test(known);
    });
  };
  return reference.find(fits)?.text ?? '';
}

/** The order of the documentation; entries of a table are ordered as the table. */
function rank(key: string): number {
  const index = knownKeys.findIndex((known) => key === known || key.startsWith(`${known}.`));
  return index < 0 ? knownKeys.length : index;
}
