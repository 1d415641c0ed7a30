/** Checks the roles of a run, the providers of its models, and whether these answer. */

import {type ResolvedConfig, toProviders} from '../../actors/config/resolve.ts';
import {resolveProviders, type Provider} from '../../actors/model/providers.ts';
import type {Router} from '../../actors/model/router.ts';
import {t} from '../../machines/message.ts';
import {resolveLoaded} from '../config/in-effect.ts';
import type {LoadedConfig} from '../config/load.ts';
import {say, type Reader} from '../language.ts';
import {warningIn} from '../render/warning.ts';
import type {Environment} from '../terminal.ts';
import type {Finding} from './finding.ts';
import {checkKey, checkModel, isVendor} from './provider.ts';

export interface ModelOptions extends Reader {
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
      ? roleFindings(agent.resolved, options)
      : [{what: say(t`configuration`, options), status: 'failed', detail: agent.problem} as const]),
    ask.ok
      ? {what: say(t`ask model`, options), status: 'ok', detail: ask.resolved.settings.ask.model}
      : {what: say(t`ask model`, options), status: 'failed', detail: ask.problem},
    interview.ok
      ? {
          what: say(t`interview model`, options),
          status: 'ok',
          detail: leadersIn(interview.resolved, options),
        }
      : {what: say(t`interview model`, options), status: 'failed', detail: interview.problem},
    ...answers,
  ];
}

function roleFindings({settings, warnings}: ResolvedConfig, reader: Reader): Finding[] {
  const {decisionModel, explorationModel} = settings.agent;
  const seats = settings.panel
    .map(({id, veto}) => (veto ? say(t`${id} (veto)`, reader) : id))
    .join(', ');
  return [
    {what: say(t`decision model`, reader), status: 'ok', detail: decisionModel},
    {what: say(t`exploration model`, reader), status: 'ok', detail: explorationModel},
    {
      what: say(t`panel`, reader),
      status: 'ok',
      detail: say(t`${seats}; rule ${settings.quorum.rule}`, reader),
    },
    {what: say(t`approval`, reader), status: 'ok', detail: judgesText(settings, reader)},
    ...warnings.map((warning): Finding => {
      return {what: say(t`models`, reader), status: 'warning', detail: warningIn(warning, reader)};
    }),
  ];
}

/** Who judges plans and actions: policies screen them, then the panel votes. */
function judgesText({agent, quorum, panel}: ResolvedConfig['settings'], reader: Reader): string {
  const others = panel.filter(({model}) => model !== agent.decisionModel).map(({id}) => id);
  const isOwn = others.length < panel.length;
  const judges = [
    ...others,
    ...(isOwn ? [say(t`${agent.decisionModel} itself`, reader)] : []),
  ].join(', ');
  const aside = quorum.screen.filter((policy) => !panel.some(({model}) => model === policy));
  const screened = aside.length === 0 ? '' : say(t`${aside.join(', ')} may veto; then `, reader);
  return say(
    t`plans and risky actions of ${agent.decisionModel}: ${screened}votes of ${judges}`,
    reader,
  );
}

function leadersIn({settings: {interview}}: ResolvedConfig, reader: Reader): string {
  const {model, reviewer} = interview;
  return reviewer === model ? model : say(t`${model}; reviewer ${reviewer}`, reader);
}

async function checkProviders(
  options: ModelOptions,
  used: ReadonlySet<string>,
): Promise<Finding[]> {
  const {loaded, env} = options;
  const providers = [...resolveProviders(toProviders(loaded.config)).values()];
  const findings = await Promise.all(
    providers.map(async (provider) => {
      const models = [...used].filter((model) => model.startsWith(`${provider.name}/`));
      const isWanted = provider.name in loaded.config.providers || models.length > 0;
      const key = env[provider.apiKeyEnv]?.trim() ?? '';
      const found = checkKey(provider, {key, isWanted}, options);
      return [found ?? [], await askModels(provider, models, options)].flat();
    }),
  );
  return findings.flat();
}

async function askModels(
  provider: Provider,
  models: readonly string[],
  options: ModelOptions,
): Promise<Finding[]> {
  if (options.online || !isVendor(provider)) return await askInTurn(models, options);
  return models.map((name): Finding => ({
    what: say(t`model ${name}`, options),
    status: 'skipped',
    detail: say(t`not asked (--online asks)`, options),
  }));
}

/** One after another: the user's own server may have to load each of them. */
async function askInTurn(
  [name, ...rest]: readonly string[],
  options: ModelOptions,
): Promise<Finding[]> {
  if (name === undefined) return [];
  const found = await checkModel(options.router.get(name), options.waitMs, options);
  return [found, ...(await askInTurn(rest, options))];
}
