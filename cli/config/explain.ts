/** Every setting with its meaning and its source: as data, and as TOML. */

import {
  defaultConfig,
  isHidden,
  keyText,
  knownKeys,
  rowAt,
  type Setting,
  settingsReference,
} from '../../actors/config/schema.ts';
import type {PublicKey} from '../../actors/journal/signing-key.ts';
import {type Message, t} from '../../machines/message.ts';
import {type Reader, say} from '../language.ts';
import type {Style} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import type {Layer, LayerEntry} from './file.ts';

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

// The settings as TOML: each below its meaning, followed by its source.

export interface ShownSetting extends Explained {
  /** The value a run would take, if the value itself is not usable. */
  readonly inEffect?: string | readonly string[];
}

export function settingsText(settings: readonly ShownSetting[], style: Style): string {
  return settings.map((setting) => `${settingLines(setting, style).join('\n')}\n`).join('\n');
}

/** The key of this installation, as a comment. `key`: why it can't be used, if it can't; undefined before it is made. */
export function signingKeyText(key: PublicKey | string | undefined, style: Style): string {
  return style.dim(say(signingKeyLines(key), style));
}

function signingKeyLines(key: PublicKey | string | undefined): Message {
  if (key === undefined) {
    return t`# entries are signed with a key that is made at first use\n`;
  }
  if (typeof key === 'string') {
    const why = oneLine(key, 1000);
    return t`# no entry is signed: ${why}\n`;
  }
  const spki = key.pem.replaceAll(/-----[^-]+-----|\s/g, '');
  return t`# entries are signed with the key ${key.id}\n# public key (SPKI, base64): ${spki}\n`;
}

function settingLines(setting: ShownSetting, style: Style): string[] {
  const {key, value, text} = setting;
  const pair = `${key} = ${toml(value)}`;
  const notes = notesOn(setting, style).join(say(t`; `, style));
  return [
    style.dim(`# ${say(text, style)}`),
    `${style.bold(oneLine(pair, 1000))}  ${style.dim(`# ${oneLine(notes, 1000)}`)}`,
  ];
}

function notesOn(setting: ShownSetting, reader: Reader): string[] {
  const {value, source, inEffect} = setting;
  const wasSet = source !== 'default';
  const usual = say(t`default`, reader);
  const used = [inEffect ?? []].flat().join(', ');
  return [
    wasSet ? source : usual,
    ...(wasSet && 'default' in setting ? [`${usual} ${toml(setting.default)}`] : []),
    ...(inEffect === undefined || isAs(value, inEffect)
      ? []
      : [say(t`in effect: ${used}`, reader)]),
  ];
}

/** A bare name and its full one are the same model. */
function isAs(value: unknown, inEffect: string | readonly string[]): boolean {
  const [named, used] = [[value].flat().map(String), [inEffect].flat()];
  return (
    named.length === used.length &&
    used.every((model, index) => model === named[index] || model.endsWith(`/${named[index]}`))
  );
}

/** A value on one line, as in a configuration. */
export function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const pairs = Object.entries(value).map(([key, each]) => `${keyText([key])} = ${toml(each)}`);
  return `{${pairs.join(', ')}}`;
}
