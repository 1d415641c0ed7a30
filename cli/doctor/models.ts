/** Checks the roles of a run, the providers of its models, and whether these answer. */

import {toProviders} from '../../actors/config/providers.ts';
import type {ResolvedConfig} from '../../actors/config/resolve.ts';
import {resolveProviders, type Provider} from '../../actors/model/providers.ts';
import type {Router} from '../../actors/model/router-api.ts';
import {resolveLoaded} from '../config/in-effect.ts';
import type {LoadedConfig} from '../config/load.ts';
import type {Environment} from '../terminal.ts';
import type {Finding} from './finding.ts';
import {checkKey, checkModel, isVendor} from './provider.ts';

export interface ModelOptions {
  readonly loaded: LoadedConfig;
  readonly router: Router;
  readonly env: Environment;
  /** Also ask vendors, not only the user's own servers. */
  readonly online: boolean;
  /** Time-out of a model's answer. */
  readonly waitMs: number;
}

/** Never rejects. */
export async function checkModels(options: ModelOptions): Promise<Finding[]> {
  const {loaded, router} = options;
  const agent = resolveLoaded(loaded, router, 'agent');
  const ask = resolveLoaded(loaded, router, 'ask');
  const interview = resolveLoaded(loaded, router, 'interview');
  const used = [agent, ask, interview].flatMap((found) => (found.ok ? found.resolved.models : []));
  const answers = await checkProviders(options, new Set(used));
  return [
    ...(agent.ok
      ? roleFindings(agent.resolved)
      : [{what: 'configuration', status: 'failed', detail: agent.problem} as const]),
    ask.ok
      ? {what: 'ask model', status: 'ok', detail: ask.resolved.settings.ask.model}
      : {what: 'ask model', status: 'failed', detail: ask.problem},
    interview.ok
      ? {what: 'interview model', status: 'ok', detail: leadersIn(interview.resolved)}
      : {what: 'interview model', status: 'failed', detail: interview.problem},
    ...answers,
  ];
}

function roleFindings({settings, warnings}: ResolvedConfig): Finding[] {
  const seats = settings.panel.map(({id, veto}) => (veto ? `${id} (veto)` : id));
  return [
    {what: 'decision model', status: 'ok', detail: settings.agent.decisionModel},
    {what: 'exploration model', status: 'ok', detail: settings.agent.explorationModel},
    {what: 'panel', status: 'ok', detail: `${seats.join(', ')}; rule ${settings.quorum.rule}`},
    {what: 'approval', status: 'ok', detail: judgesText(settings)},
    ...warnings.map((detail): Finding => ({what: 'models', status: 'warning', detail})),
  ];
}

/** Who judges plans and actions: policies screen them, then the panel votes. */
function judgesText({agent, quorum, panel}: ResolvedConfig['settings']): string {
  const others = panel.filter(({model}) => model !== agent.decisionModel).map(({id}) => id);
  const isOwn = others.length < panel.length;
  const judges = [...others, ...(isOwn ? [`${agent.decisionModel} itself`] : [])].join(', ');
  const aside = quorum.screen.filter((policy) => !panel.some(({model}) => model === policy));
  const screened = aside.length === 0 ? '' : `${aside.join(', ')} may veto; then `;
  return `plans and risky actions of ${agent.decisionModel}: ${screened}votes of ${judges}`;
}

function leadersIn({settings: {interview}}: ResolvedConfig): string {
  const {model, reviewer} = interview;
  return reviewer === model ? model : `${model}; reviewer ${reviewer}`;
}

async function checkProviders(
  options: ModelOptions,
  used: ReadonlySet<string>,
): Promise<Finding[]> {
  const {loaded, env} = options;
  const providers = [...resolveProviders(toProviders(loaded.config)).values()];
  const found = await Promise.all(
    providers.map(async (provider) => {
      const models = [...used].filter((model) => model.startsWith(`${provider.name}/`));
      const isWanted = provider.name in loaded.config.providers || models.length > 0;
      const key = checkKey(provider, env[provider.apiKeyEnv]?.trim() ?? '', isWanted);
      return [key ?? [], await askModels(provider, models, options)].flat();
    }),
  );
  return found.flat();
}

async function askModels(
  provider: Provider,
  models: readonly string[],
  options: ModelOptions,
): Promise<Finding[]> {
  if (options.online || !isVendor(provider)) return await askInTurn(models, options);
  const detail = 'not asked (--online asks)';
  return models.map((name): Finding => ({what: `model ${name}`, status: 'skipped', detail}));
}

/** One after another: the user's own server may have to load each of them. */
async function askInTurn(
  [name, ...rest]: readonly string[],
  options: ModelOptions,
): Promise<Finding[]> {
  if (name === undefined) return [];
  const found = await checkModel(options.router.get(name), options.waitMs);
  return [found, ...(await askInTurn(rest, options))];
}
