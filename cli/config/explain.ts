/** Every setting with where it comes from. */

import {keyText, knownKeys, kindOf, schemaAt} from '../../actors/config/keys.ts';
import {defaultConfig} from '../../actors/config/schema.ts';
import type {Layer, LayerEntry} from './layer.ts';

export interface Explained {
  readonly key: string;
  readonly value: unknown;
  /** `default`, or `quorate.toml:12:3`, `QUORATE_AGENT_HIL_MODE`, `--hil`. */
  readonly source: string;
}

export function explainLayers(layers: Layer): readonly Explained[] {
  const entries = new Map(layers.map((entry) => [keyText(entry.path), entry]));
  const defaults = Object.entries(defaultConfig()).flatMap(([section, table]) =>
    Object.entries(table).map(([key, value]): LayerEntry => {
      return {path: [section, key], value, source: 'default'};
    }),
  );
  const shown = defaults.filter(({path}) => isSetting(path) && !entries.has(keyText(path)));
  const all = [...shown, ...entries.values()];
  return all.map(toExplained).toSorted((a, b) => rank(a.key) - rank(b.key));
}

/** Tables without entries say nothing. */
function isSetting(path: readonly string[]): boolean {
  const schema = schemaAt(path);
  return schema !== undefined && kindOf(schema) !== 'table';
}

function toExplained({path, value, source}: LayerEntry): Explained {
  const key = keyText(path);
  if (key !== 'secrets.patterns' || !Array.isArray(value)) return {key, value, source};
  return {key, value: `(${value.length} patterns)`, source};
}

/** The order of the documentation; entries of tables stand where their table does. */
function rank(key: string): number {
  const index = knownKeys.findIndex((known) => key === known || key.startsWith(`${known}.`));
  return index < 0 ? knownKeys.length : index;
}
