/** The settings that a conversation has changed: they apply to all interactions that begin from then on. */

import type {ConfigInput} from '../../actors/config/schema.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {spawnableForms} from '../../machines/domain/interaction-form.ts';
import {toNested} from '../config/file.ts';
import {resolveLoaded, routerOf} from '../config/in-effect.ts';
import {loadConfig, type LoadedConfig} from '../config/load.ts';
import type {Override} from '../line/command.ts';
import type {Environment} from '../terminal.ts';

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
