/** Which models a run would call, whatever the settings name: those without a key give way. */

import {toPrices, toProviders} from '../../actors/config/providers.ts';
import {resolveConfig, type ResolvedConfig, type RunForm} from '../../actors/config/resolve.ts';
import {offlineModel} from '../../actors/config/roles.ts';
import {createFunctionModel} from '../../actors/model/function-model.ts';
import type {Router} from '../../actors/model/router-api.ts';
import {createRouter} from '../../actors/model/router.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Environment} from '../terminal.ts';
import type {LoadedConfig} from './load.ts';

/** The router of the launcher's runs, but for the offline model, which stands there by name only. */
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

export type InEffect =
  | {readonly ok: true; readonly resolved: ResolvedConfig}
  /** Why no run of the form can start. */
  | {readonly ok: false; readonly problem: string};

export function resolveLoaded(loaded: LoadedConfig, router: Router, form: RunForm): InEffect {
  const {config, named, files} = loaded;
  try {
    const context = {router, named, userFile: files.user.path};
    return {ok: true, resolved: resolveConfig(config, context, form)};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {ok: false, problem: error.message};
  }
}

/** By the key of each role. Roles that can't be filled are left out, with the reasons. */
export function modelsInEffect(
  loaded: LoadedConfig,
  env: Environment,
): {
  readonly models: Readonly<Record<string, string | readonly string[]>>;
  readonly problems: readonly string[];
} {
  const router = routerOf(loaded, env);
  const agent = resolveLoaded(loaded, router, 'agent');
  const ask = resolveLoaded(loaded, router, 'ask');
  return {
    models: {
      ...(agent.ok && rolesOf(agent.resolved)),
      ...(ask.ok && {'ask.model': ask.resolved.settings.ask.model}),
    },
    problems: [agent, ask].flatMap((found) => (found.ok ? [] : [found.problem])),
  };
}

function rolesOf({
  settings: {agent, panel},
}: ResolvedConfig): Record<string, string | readonly string[]> {
  return {
    'agent.exploration_model': agent.explorationModel,
    'agent.decision_model': agent.decisionModel,
    'agent.review_models': panel.map(({model}) => model),
  };
}
