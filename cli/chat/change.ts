/** Commands that change settings: for interactions that begin from now on and, where possible, for running ones. */

import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {modelsInEffect, routerOf} from '../config/in-effect.ts';
import type {Override} from '../line/command.ts';
import {oneLine} from '../render/text.ts';
import {note, type Chat} from './chat.ts';
import type {ChatCommands} from './command.ts';
import type {LiveRoot} from './roots.ts';
import {configOf} from './settings.ts';

/** Rejects with AppError for settings that don't fit together; nothing is changed then. */
export async function change(
  name: string,
  overrides: readonly Override[],
  chat: Chat,
): Promise<void> {
  const {settings, roots, ui} = chat;
  await settings.change(overrides);
  note(ui, t`${name}: applies to new interactions`);
  for (const root of roots.working()) sendSettings(root, overrides, chat);
}

function sendSettings(root: LiveRoot, overrides: readonly Override[], {ui}: Chat): void {
  const {run, number} = root;
  try {
    run.send({type: 'settings.changed', settings: configOf(overrides)});
    note(ui, t`and to ${number} from its next round on`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    note(ui, t`not to ${number}: ${error.wording}`, ui.style.dim);
  }
}

/** `/scope full; it takes fast, plan-only, full`. */
export function showSetting(
  {name, key, choices}: ChatCommands['setting'],
  {settings, ui}: Chat,
): void {
  const explained = settings
    .loaded()
    .explain()
    .find((each) => each.key === key);
  const [value, all] = [String(explained?.value), choices.join(', ')];
  const shown =
    explained?.source === 'default'
      ? t`${name} ${value} (the default); it takes ${all}`
      : t`${name} ${value}; it takes ${all}`;
  note(ui, shown);
}

/** Shows which model has which role. */
export function showModels({settings, env, ui}: Chat): void {
  const loaded = settings.loaded();
  const {models, problems} = modelsInEffect(loaded, routerOf(loaded, env));
  const rows = Object.entries(models).map(
    ([key, names]) => `  ${key.padEnd(24)} ${oneLine([names].flat().join(', '))}`,
  );
  ui.print([...rows, ...problems.map((problem) => ui.style.yellow(oneLine(problem, 1000)))]);
}
