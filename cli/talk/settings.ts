/** The settings that a conversation has changed: they apply to all interactions that begin from then on. */

import type {ConfigInput} from '../../actors/config/schema.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {spawnableForms} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {toNested} from '../config/file.ts';
import {modelsInEffect, resolveLoaded, routerOf} from '../config/in-effect.ts';
import {type LoadedConfig, loadConfig} from '../config/load.ts';
import type {Override} from '../line/command.ts';
import {oneLine} from '../render/text.ts';
import type {Environment} from '../terminal.ts';
import type {ChatCommands} from './command.ts';
import type {LiveRoot} from './roots.ts';
import {type Chat, note} from './talk.ts';

export interface ChatSettings {
  /** The configuration with the changes. */
  readonly loaded: () => LoadedConfig;
  /** The changes as configuration; undefined without any. */
  readonly changed: () => ConfigInput | undefined;
  /** Rejects with AppError `config` or `credentials` for settings that don't fit together, and changes nothing. */
  readonly change: (overrides: readonly Override[]) => Promise<void>;
}

export interface SettingsGround {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /** The overrides of the command line. */
  readonly overrides: readonly Override[];
}

export async function createSettings({
  cwd,
  env,
  overrides: flags,
}: SettingsGround): Promise<ChatSettings> {
  const load = async (own: readonly Override[]): Promise<LoadedConfig> =>
    await loadConfig({cwd, env, overrides: [...flags, ...own]});
  let own: readonly Override[] = [];
  let loaded = await load(own);
  let known = new Set(problemsOf(loaded, env));
  return {
    loaded: () => loaded,
    changed: () => (own.length === 0 ? undefined : configOf(own)),
    change: async (overrides) => {
      const keys = new Set(overrides.map(({key}) => key));
      const next = [...own.filter(({key}) => !keys.has(key)), ...overrides];
      const nextLoaded = await load(next);
      const problems = problemsOf(nextLoaded, env);
      // A problem that existed before the change is not a reason to refuse the change.
      const problem = problems.find((each) => !known.has(each));
      if (problem !== undefined) throw new AppError('config', problem);
      [own, loaded, known] = [next, nextLoaded, new Set(problems)];
    },
  };
}

function problemsOf(loaded: LoadedConfig, env: Environment): string[] {
  const router = routerOf(loaded, env);
  return spawnableForms.flatMap((form) => {
    const found = resolveLoaded(loaded, router, form);
    return found.ok ? [] : [found.problem];
  });
}

/** Converts overrides to a nested configuration. */
export function configOf(overrides: readonly Override[]): ConfigInput {
  return toNested(overrides.map(({key, value, source}) => ({path: key.split('.'), value, source})));
}

// Commands that change settings: for interactions that begin from now on and, where possible, for running ones.

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
