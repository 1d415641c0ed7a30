/** The settings as TOML: each below what it means, with where it comes from behind it. */

import type {Explained} from '../config/explain.ts';
import type {Style} from './style.ts';
import {oneLine} from './text.ts';

export interface ShownSetting extends Explained {
  /** What a run would take, where the value itself may not be usable. */
  readonly inEffect?: string | readonly string[];
}

export function settingsText(settings: readonly ShownSetting[], style: Style): string {
  return settings.map((setting) => `${settingLines(setting, style).join('\n')}\n`).join('\n');
}

function settingLines(setting: ShownSetting, style: Style): string[] {
  const {key, value, text} = setting;
  const pair = `${key} = ${JSON.stringify(value)}`;
  const notes = notesOn(setting).join('; ');
  return [
    style.dim(`# ${text}`),
    `${style.bold(oneLine(pair, 1000))}  ${style.dim(`# ${oneLine(notes, 1000)}`)}`,
  ];
}

function notesOn(setting: ShownSetting): string[] {
  const {value, source, inEffect} = setting;
  const wasSet = source !== 'default';
  return [
    source,
    ...(wasSet && 'default' in setting ? [`default ${JSON.stringify(setting.default)}`] : []),
    ...(inEffect === undefined || isAs(value, inEffect)
      ? []
      : [`in effect: ${[inEffect].flat().join(', ')}`]),
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
