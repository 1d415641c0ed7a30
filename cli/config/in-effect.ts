/** Which models a run would call, whatever the settings name: those without a key give way. */

import {toPrices, toProviders} from '../../actors/config/providers.ts';
import {resolveConfig, type ResolvedConfig} from '../../actors/config/resolve.ts';
import {offlineModel} from '../../actors/config/roles.ts';
import {createFunctionModel} from '../../actors/model/function-model.ts';
import type {Router} from '../../actors/model/router-api.ts';
import {createRouter} from '../../actors/model/router.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
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

/** What the settings of each role lead to. Roles that can't be filled are left out, with the reasons. */
interface Filled {
  /** By the key of the role. */
  readonly models: Readonly<Record<string, string | readonly string[]>>;
  readonly problems: readonly string[];
}

export function modelsInEffect(loaded: LoadedConfig, router: Router): Filled {
  const agent = resolveLoaded(loaded, router, 'agent');
  const ask = resolveLoaded(loaded, router, 'ask');
  const discuss = resolveLoaded(loaded, router, 'discuss');
  const interview = resolveLoaded(loaded, router, 'interview');
  return {
    models: {
      ...(agent.ok && rolesOf(agent.resolved)),
      ...(ask.ok && {'ask.model': ask.resolved.settings.ask.model}),
      ...(discuss.ok && voicesOf(discuss.resolved)),
      ...(interview.ok && leadersOf(interview.resolved)),
    },
    problems: [
      ...new Set(
        [agent, ask, discuss, interview].flatMap((found) => (found.ok ? [] : [found.problem])),
      ),
    ],
  };
}

function rolesOf({settings: {agent, panel}}: ResolvedConfig): Filled['models'] {
  return {
    'agent.exploration_model': agent.explorationModel,
    'agent.decision_model': agent.decisionModel,
    'agent.review_models': panel.map(({model}) => model),
  };
}

function voicesOf({settings: {discuss}}: ResolvedConfig): Filled['models'] {
  return {
    'discuss.participants': discuss.participants.map(({model}) => model),
    'discuss.moderator': discuss.moderator.model,
  };
}

function leadersOf({settings: {interview}}: ResolvedConfig): Filled['models'] {
  return {'interview.model': interview.model, 'interview.reviewer': interview.reviewer};
}

const roleNames: Readonly<Record<string, string>> = {
  'agent.exploration_model': 'exploration',
  'agent.decision_model': 'decision',
  'agent.review_models': 'review',
  'ask.model': 'ask',
  'discuss.participants': 'participants',
  'discuss.moderator': 'moderator',
  'interview.model': 'interview',
  'interview.reviewer': 'interview-reviewer',
};

/** The roles of each model in use, by its name. */
export function modelRoles(
  loaded: LoadedConfig,
  router: Router,
): {readonly roles: ReadonlyMap<string, readonly string[]>; readonly problems: readonly string[]} {
  const {models, problems} = modelsInEffect(loaded, router);
  const roles = new Map<string, readonly string[]>();
  for (const [key, named] of Object.entries(models)) {
    for (const model of new Set([named].flat())) {
      roles.set(model, [...(roles.get(model) ?? []), roleNames[key] ?? key]);
    }
  }
  return {roles, problems};
}
