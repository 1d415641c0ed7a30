/** The settings as TOML: each below its meaning, followed by its source. */

import {keyText} from '../../../actors/config/schema.ts';
import type {PublicKey} from '../../../actors/journal/signing-key.ts';
import {type Message, t} from '../../../machines/message.ts';
import type {Explained} from '../../config/explain.ts';
import {type Reader, say} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine} from '../text.ts';

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
