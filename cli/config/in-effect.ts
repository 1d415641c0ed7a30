/** The models that a run would call: models without a key are replaced. */

import {formConfig, type RoleModels} from '../../actors/config/forms.ts';
import {
  resolveConfig,
  type ResolvedConfig,
  toPrices,
  toProviders,
} from '../../actors/config/resolve.ts';
import {offlineModel} from '../../actors/config/roles.ts';
import {createFunctionModel} from '../../actors/model/model.ts';
import {createRouter, type Router} from '../../actors/model/router.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type InteractionForm, interactionForms} from '../../machines/domain/interaction-form.ts';
import {roleOf} from '../line/options.ts';
import type {Environment} from '../terminal.ts';
import type {LoadedConfig} from './load.ts';

/** The router of the launcher's runs, except that the offline model exists by name only. */
export function routerOf({config, files}: LoadedConfig, env: Environment): Router {
  const named = createFunctionModel(offlineModel, () => ({kind: 'internal', message: 'by name'}));
  return createRouter({
    providers: toProviders(config),
    prices: toPrices(config),
    env,
    extra: [named],
    userFile: files.user.path,
  });
}

type InEffect =
  | {readonly ok: true; readonly resolved: ResolvedConfig}
  /** Why no run of the form can start. */
  | {readonly ok: false; readonly problem: string};

export function resolveLoaded(
  loaded: LoadedConfig,
  router: Router,
  form: InteractionForm,
): InEffect {
  const {config, named, files} = loaded;
  try {
    const context = {router, named, userFile: files.user.path};
    return {ok: true, resolved: resolveConfig(config, context, form)};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {ok: false, problem: error.message};
  }
}

/** The models of each role. A role without a usable model is left out, with the reason. */
interface Filled {
  readonly models: RoleModels;
  readonly problems: readonly string[];
}

export function modelsInEffect(loaded: LoadedConfig, router: Router): Filled {
  const found = interactionForms.flatMap((form) => {
    const {roleModels} = formConfig(form);
    if (!roleModels) return [];
    const inEffect = resolveLoaded(loaded, router, form);
    if (!inEffect.ok) return [{models: {}, problems: [inEffect.problem]}];
    return [{models: roleModels(inEffect.resolved.settings), problems: []}];
  });
  return {
    models: Object.fromEntries(found.flatMap(({models}) => Object.entries(models))),
    problems: [...new Set(found.flatMap(({problems}) => problems))],
  };
}

/** The roles of each model in use, by its name. */
export function modelRoles(
  loaded: LoadedConfig,
  router: Router,
): {readonly roles: ReadonlyMap<string, readonly string[]>; readonly problems: readonly string[]} {
  const {models, problems} = modelsInEffect(loaded, router);
  const roles = new Map<string, readonly string[]>();
  for (const [key, named] of Object.entries(models)) {
    for (const model of new Set([named].flat())) {
      roles.set(model, [...(roles.get(model) ?? []), roleOf(key)]);
    }
  }
  return {roles, problems};
}

// The task of `quorate init` and `/init`.

const forModels = `Write AGENTS.md for the coding agents that will work in this repository, in at most 40 lines and only from its files:
its purpose, the exact commands that build, test and check it, its layout, its conventions and its pitfalls. If
AGENTS.md exists, keep what is still true.`;

const byRule = 'Write an overview of this repository to AGENTS.md';

/** In the words that the offline model understands, if it would plan. */
export function initRequest(loaded: LoadedConfig, env: Environment): string {
  const inEffect = resolveLoaded(loaded, routerOf(loaded, env), 'agent');
  return inEffect.ok && inEffect.resolved.offline ? byRule : forModels;
}
