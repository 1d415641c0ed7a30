/** The models of an installation: the providers that answer, the models that they list and their roles; checked, and as tables. */

import {type ResolvedConfig, toProviders} from '../../actors/config/resolve.ts';
import {offlineModel} from '../../actors/config/roles.ts';
import {listModels} from '../../actors/model/catalog.ts';
import type {Model} from '../../actors/model/model.ts';
import {presetOf, presets, type Provider, resolveProviders} from '../../actors/model/providers.ts';
import type {Router} from '../../actors/model/router.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {type Message, t} from '../../machines/message.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import {resolveLoaded} from '../config/in-effect.ts';
import type {LoadedConfig} from '../config/load.ts';
import {type Reader, say} from '../language.ts';
import type {PageView} from '../render/style.ts';
import {tableLines} from '../render/tables/table.ts';
import {warningIn} from '../render/warning.ts';
import type {Environment} from '../terminal.ts';
import {type Check, failed, ok, skipped, warning} from './finding.ts';

interface ModelOptions extends Reader {
  readonly loaded: LoadedConfig;
  readonly router: Router;
  readonly env: Environment;
  /** Also ask vendors, not only the user's own servers. */
  readonly online: boolean;
  /** Time-out of a model's answer. */
  readonly waitMs: number;
}

/** Never rejects. */
export async function checkModels(options: ModelOptions): Promise<Check[]> {
  const {loaded, router} = options;
  const agent = resolveLoaded(loaded, router, 'agent');
  const ask = resolveLoaded(loaded, router, 'ask');
  const interview = resolveLoaded(loaded, router, 'interview');
  const used = [agent, ask, interview].flatMap((found) => (found.ok ? found.resolved.models : []));
  const answers = await checkProviders(options, new Set(used));
  return [
    ...(agent.ok
      ? roleFindings(agent.resolved, options)
      : [failed(t`configuration`, agent.problem)]),
    ask.ok ? ok(t`ask model`, ask.resolved.settings.ask.model) : failed(t`ask model`, ask.problem),
    interview.ok
      ? ok(t`interview model`, leadersIn(interview.resolved))
      : failed(t`interview model`, interview.problem),
    ...answers,
  ];
}

function roleFindings({settings, warnings}: ResolvedConfig, reader: Reader): Check[] {
  const {decisionModel, explorationModel} = settings.agent;
  const seats = settings.panel
    .map(({id, veto}) => (veto ? say(t`${id} (veto)`, reader) : id))
    .join(', ');
  return [
    ok(t`decision model`, decisionModel),
    ok(t`exploration model`, explorationModel),
    ok(t`panel`, t`${seats}; rule ${settings.quorum.rule}`),
    ok(t`approval`, judgesText(settings, reader)),
    ...warnings.map((each) => warning(t`models`, warningIn(each, reader))),
  ];
}

/** Who judges plans and actions: policies screen them, then the panel votes. */
function judgesText({agent, quorum, panel}: ResolvedConfig['settings'], reader: Reader): Message {
  const others = panel.filter(({model}) => model !== agent.decisionModel).map(({id}) => id);
  const isOwn = others.length < panel.length;
  const own = say(t`${agent.decisionModel} itself`, reader);
  const judges = [...others, ...(isOwn ? [own] : [])].join(', ');
  const aside = quorum.screen.filter((policy) => !panel.some(({model}) => model === policy));
  const screened = aside.length === 0 ? '' : t`${aside.join(', ')} may veto; then `;
  return t`plans and risky actions of ${agent.decisionModel}: ${screened}votes of ${judges}`;
}

function leadersIn({settings: {interview}}: ResolvedConfig): Message | string {
  const {model, reviewer} = interview;
  return reviewer === model ? model : t`${model}; reviewer ${reviewer}`;
}

async function checkProviders(options: ModelOptions, used: ReadonlySet<string>): Promise<Check[]> {
  const {loaded, env} = options;
  const providers = [...resolveProviders(toProviders(loaded.config)).values()];
  const findings = await Promise.all(
    providers.map(async (provider) => {
      const models = [...used].filter((model) => model.startsWith(`${provider.name}/`));
      const isWanted = provider.name in loaded.config.providers || models.length > 0;
      const key = env[provider.apiKeyEnv]?.trim() ?? '';
      const found = checkKey(provider, {key, isWanted});
      return [found ?? [], await askModels(provider, models, options)].flat();
    }),
  );
  return findings.flat();
}

async function askModels(
  provider: Provider,
  models: readonly string[],
  options: ModelOptions,
): Promise<Check[]> {
  if (options.online || !isVendor(provider)) return await askInTurn(models, options);
  return models.map((name) => skipped(t`model ${name}`, t`not asked (--online asks)`));
}

/** One after another: the user's own server may have to load each of them. */
async function askInTurn(
  [name, ...rest]: readonly string[],
  options: ModelOptions,
): Promise<Check[]> {
  if (name === undefined) return [];
  const found = await checkModel(options.router.get(name), options.waitMs);
  return [found, ...(await askInTurn(rest, options))];
}

// Checks the keys of providers, and whether the models in use answer.

/** Undefined for a well-known provider that is not configured, not used, and without a key. */
function checkKey(
  provider: Provider,
  {key, isWanted}: {readonly key: string; readonly isWanted: boolean},
): Check | undefined {
  const {name, apiKeyEnv, isLocal} = provider;
  const what = t`provider ${name}`;
  const isFirstChoice = name === 'anthropic' || name === 'openai';
  if (!isWanted && !isFirstChoice && (isLocal || key === '')) return undefined;
  if (apiKeyEnv === '') return ok(what, t`needs no key; ${provider.baseUrl}`);
  if (key !== '') return ok(what, t`${apiKeyEnv} is set`);
  return skipped(what, t`${apiKeyEnv} is not set`);
}

/** A vendor is asked only at the user's request: it costs money. */
function isVendor({name, baseUrl, isLocal}: Provider): boolean {
  const preset = presetOf(name);
  const host = URL.parse(baseUrl)?.hostname ?? '';
  const own = URL.parse(preset?.baseUrl ?? '')?.hostname === host;
  return !isLocal && (own || preset?.ownHosts?.test(host) === true);
}

/** A tiny request with a tool: the smallest form of a run's requests. */
const tinyRequest: Omit<ModelRequest, 'model'> = {
  purpose: 'act',
  system: 'Answer in one word.',
  transcript: openTranscript('Are you there?'),
  tools: ['note'],
  toolChoice: 'auto',
  maxOutputTokens: 64,
};
const tool = {
  name: 'note',
  description: 'Keep a note.',
  schema: {type: 'object', properties: {text: {type: 'string'}}},
};

/** Asks for a tiny completion. Never rejects. */
async function checkModel(model: Model, waitMs: number): Promise<Check> {
  const started = performance.now();
  const signal = AbortSignal.timeout(waitMs);
  const context = {tools: [tool], signal, onDelta: () => {}};
  const outcome = await model.call({...tinyRequest, model: model.name}, context);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const what = t`model ${model.name}`;
  if (outcome.kind === 'cancelled') {
    return warning(
      what,
      t`has not answered within ${waitMs / 1_000} s; it may still be loading: a run waits longer`,
    );
  }
  const answers = t`answers within ${seconds} s`;
  if (outcome.kind === 'ok') return ok(what, answers);
  return {what, ...judged(outcome, answers)};
}

function judged(
  {kind, message}: Exclude<ModelOutcome, {readonly kind: 'ok'}>,
  answers: Message,
): Pick<Check, 'status' | 'detail'> {
  // Truncated or refused, it has answered.
  if (kind === 'truncated' || kind === 'refused') return {status: 'ok', detail: answers};
  const isPassing = kind === 'rateLimited' || kind === 'overloaded' || kind === 'protocol';
  return {status: isPassing ? 'warning' : 'failed', detail: message};
}

// Surveys the providers: which have a key, which answer, and which models they list.

interface ListedModel {
  /** `provider/model`, as for -m. */
  readonly name: string;
  /** Its roles in a run. */
  readonly roles: readonly string[];
  /** US dollars per million tokens; absent when unknown. */
  readonly price?: {readonly input: number; readonly output: number};
}

interface SurveyedProvider {
  readonly name: string;
  readonly state:
    | 'builtIn'
    | 'reachable'
    | 'noKey'
    | 'noAddress'
    | 'unlisted'
    | 'keyRefused'
    | 'unreachable';
  /** The problem, or the address. */
  readonly detail: string;
  /** In the order of the provider; models in use that it does not list come last. */
  readonly models: readonly ListedModel[];
}

interface SurveyOptions {
  readonly loaded: LoadedConfig;
  readonly router: Router;
  readonly env: Environment;
  /** The roles of each model in use, by its name. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** Absent: all. */
  readonly only?: string | undefined;
}

/** A local server that nobody has configured usually does not run. */
const glanceMs = 500;
const askMs = 5_000;

/** Asks all of them at once. Never rejects. */
export async function surveyProviders(
  options: SurveyOptions,
): Promise<readonly SurveyedProvider[]> {
  const {loaded, only} = options;
  const providers = [...resolveProviders(toProviders(loaded.config)).values()].filter(
    ({name}) => only === undefined || name === only,
  );
  const found = await Promise.all(
    providers.map(async (provider) => await survey(provider, options)),
  );
  const missing = Object.entries(presets).flatMap(([name, {addressForm}]): SurveyedProvider[] => {
    const isKnown = addressForm === undefined || name in loaded.config.providers;
    if (isKnown || (only !== undefined && name !== only)) return [];
    const detail = `set providers.${name}.base_url to ${addressForm}`;
    return [{name, state: 'noAddress', detail, models: []}];
  });
  return [...offline(options), ...found, ...missing];
}

/** Listed only when a role uses it. */
function offline(options: SurveyOptions): SurveyedProvider[] {
  const [name = ''] = offlineModel.split('/');
  if (options.only !== undefined || !options.roles.has(offlineModel)) return [];
  const detail = 'works by rule: a few kinds of requests';
  return [{name, state: 'builtIn', detail, models: listed(name, [], options)}];
}

async function survey(provider: Provider, options: SurveyOptions): Promise<SurveyedProvider> {
  const {loaded, env, only} = options;
  const {name, apiKeyEnv, baseUrl, isLocal} = provider;
  const key = env[apiKeyEnv]?.trim() ?? '';
  if (apiKeyEnv !== '' && key === '') {
    return {name, state: 'noKey', detail: `set ${apiKeyEnv}`, models: listed(name, [], options)};
  }
  const used = listed(name, [], options);
  const isWanted = name in loaded.config.providers || used.length > 0 || only !== undefined;
  const catalog = await listModels(provider, key, isLocal && !isWanted ? glanceMs : askMs);
  if (catalog.kind !== 'listed') {
    return {name, state: catalog.kind, detail: catalog.detail, models: used};
  }
  const models = listed(name, catalog.models, options);
  return {name, state: 'reachable', detail: baseUrl.replace(/\/+$/, ''), models};
}

/** The models that a provider lists, and those in use that it doesn't list. */
function listed(
  provider: string,
  ids: readonly string[],
  {router, roles}: SurveyOptions,
): ListedModel[] {
  const used = [...roles.keys()].filter((name) => name.startsWith(`${provider}/`));
  const names = [...new Set([...ids.map((id) => `${provider}/${id}`), ...used])];
  return names.map((name) => {
    const model = {name, roles: roles.get(name) ?? []};
    const price = router.price(name);
    return price
      ? Object.assign(model, {price: {input: price.input, output: price.output}})
      : model;
  });
}

// The providers and their models as two tables.

const states = {
  builtIn: t`built in`,
  reachable: t`reachable`,
  noKey: t`no key`,
  noAddress: t`no address`,
  unlisted: t`no list`,
  keyRefused: t`key refused`,
  unreachable: t`unreachable`,
};
const providerTitles = [t`PROVIDER`, t`STATE`, t`MODELS`, t``];
const modelTitles = [t`MODEL`, t`$ IN`, t`$ OUT`, t`ROLES`];

interface ModelsView extends Pick<PageView, 'style'>, Partial<Pick<PageView, 'width'>> {
  /** Rows of one provider; further models are counted. */
  readonly maxModels: number;
}

export function modelsLines(providers: readonly SurveyedProvider[], view: ModelsView): string[] {
  const rows = providers.map(({name, state, detail, models}) => [
    name,
    say(states[state], view.style),
    state === 'reachable' || state === 'builtIn' ? String(models.length) : '',
    detail,
  ]);
  const shown = providers.flatMap(({name, models}) => shownOf(name, models, view));
  const table = tableLines(providerTitles, rows, view.style, view.width);
  if (shown.length > 0) {
    return [...table, '', ...tableLines(modelTitles, shown, view.style, view.width)];
  }
  const mayHave = providers.some(({state}) => state === 'unlisted');
  return mayHave
    ? table
    : [...table, '', say(t`No model is available: see quorate help models.`, view.style)];
}

/** Models in use are always shown. */
function shownOf(
  provider: string,
  models: readonly ListedModel[],
  {maxModels: most, style}: ModelsView,
): string[][] {
  const shown = models.filter(({roles}, index) => index < most || roles.length > 0);
  const more = models.length - shown.length;
  return [
    ...shown.map(({name, price, roles}) => [
      name,
      price ? String(price.input) : '?',
      price ? String(price.output) : '?',
      roles.join(', '),
    ]),
    ...(more > 0 ? [[say(t`… ${more} more: quorate models ${provider}`, style)]] : []),
  ];
}
