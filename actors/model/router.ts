/** Finds a model by its name, and reports what is missing if it cannot be used. */

import {AppError} from '../../machines/domain/app-error.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import {withoutOpaque} from '../../machines/prompts/transcript.ts';
import type {Rates} from '../journal/journal.ts';
import {cancelled, createLateModel, type Model, type OfferedTool, type Price} from './model.ts';
import {awaitTurn, createRates} from './pace.ts';
import {
  contextWindow,
  createReplyLimits,
  findPrice,
  freePrice,
  listPrices,
  type Prices,
  sentTokens,
} from './prices.ts';
import {presetOf, type Provider, resolveProviders} from './providers.ts';
import type {AdapterOptions} from './wire/adapter.ts';
import type {GuardLimits} from './wire/guard.ts';

export interface RouterOptions {
  /** `[providers]`: additional providers, and overrides of well-known ones. */
  readonly providers?: Readonly<Record<string, ProviderConfig>>;
  /** Environment variables. Only the key variables of providers are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Models without a provider (offline, scripted, a program's own), found by their full name. */
  readonly extra?: readonly Model[];
  /** `[prices]` by model name, full or bare. */
  readonly prices?: Prices;
  readonly limits?: Partial<GuardLimits>;
  /** Of a journal that several processes share. */
  readonly rates?: Rates | undefined;
  /** The configuration file of the user, for messages. */
  readonly userFile?: string | undefined;
}

/** The result of a lookup: an `extra` model, or a model of a provider. */
type Route =
  | {readonly name: string; readonly extra: Model}
  | {readonly name: string; readonly provider: Provider; readonly model: string};

type Failure = Extract<ModelCheck, {readonly ok: false}>;

/** Throws AppError `config` for a provider that cannot work or a model that is registered twice. */
export function createRouter(options: RouterOptions): Router {
  const providers = resolveProviders(options.providers ?? {});
  const extra = indexModels(options.extra ?? []);
  const where = options.userFile === undefined ? '' : ` in ${options.userFile}`;
  const find = (name: string): Route | Failure => findRoute(name, {providers, extra, where});
  const own = fullNames(options.prices ?? {});
  // `findPrice` takes the first match of any spelling: the program's prices come first.
  const prices = {...own, ...listPrices, ...own};
  const created = new Map<string, Model>();
  const rates = {own: createRates(), shared: options.rates};

  const create = (route: Route): Model => {
    const failure = checkKey(route, options.env);
    if (failure) throw new AppError('credentials', failure.message);
    if ('extra' in route) return route.extra;
    const known =
      created.get(route.name) ??
      createModel(route, options, {price: priceOf(route, prices), rates});
    created.set(route.name, known);
    return known;
  };

  return {
    canonical: (name) => demand(find(name)).name,
    check: (name) => {
      const route = find(name);
      return 'ok' in route ? route : (checkKey(route, options.env) ?? {ok: true});
    },
    get: (name) => create(demand(find(name))),
    price: (name) => {
      const route = find(name);
      return 'ok' in route ? undefined : priceOf(route, prices);
    },
    outputLimit: (name) => {
      const route = find(name);
      return 'provider' in route ? route.provider.maxOutputTokens : undefined;
    },
    window: (name) => {
      const full = fullName(name);
      const provider = providers.get(full.slice(0, full.indexOf('/')));
      return provider?.contextWindow ?? contextWindow(full);
    },
    servedWindows: async (windows) => {
      const {servedWindows} = await import('./catalog.ts');
      return await servedWindows(windows, (name) => {
        const route = find(name);
        return 'provider' in route ? route.provider : undefined;
      });
    },
    body: async (name, request, tools) => {
      const route = find(name);
      if (!('provider' in route)) return undefined;
      return await requestBody(route.provider, route.model, request, tools);
    },
  };
}

function demand(route: Route | Failure): Route {
  if ('ok' in route) throw new AppError('config', route.message);
  return route;
}

function indexModels(models: readonly Model[]): ReadonlyMap<string, Model> {
  const index = new Map<string, Model>();
  for (const model of models) {
    if (index.has(model.name)) {
      throw new AppError('config', `the model "${model.name}" is registered twice`);
    }
    index.set(model.name, model);
  }
  return index;
}

interface Known {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly extra: ReadonlyMap<string, Model>;
  /** The configuration file for messages: empty, or ` in FILE`. */
  readonly where: string;
}

function findRoute(name: string, {providers, extra, where}: Known): Route | Failure {
  const full = fullName(name);
  const model = extra.get(full);
  if (model) return {name: full, extra: model};
  const slash = full.indexOf('/');
  if (slash < 0) return unknownModel(name, extra);
  const provider = providers.get(full.slice(0, slash));
  const ofExtra = [...extra.keys()].some((known) => known.startsWith(full.slice(0, slash + 1)));
  if (!provider)
    return ofExtra ? unknownModel(name, extra) : unknownProvider(full, providers, where);
  const id = full.slice(slash + 1);
  return /^[\x21-\x7e]+$/.test(id) ? {name: full, provider, model: id} : unknownModel(name, extra);
}

/** Returns `provider/model` for a bare name whose provider is known; other names are returned unchanged. */
function fullName(name: string): string {
  if (name.includes('/')) return name;
  if (/^claude-./.test(name)) return `anthropic/${name}`;
  if (/^(?:gpt-.|o\d)/.test(name)) return `openai/${name}`;
  return name === 'offline' ? 'offline/offline' : name;
}

function fullNames(prices: Prices): Prices {
  return Object.fromEntries(Object.entries(prices).map(([name, price]) => [fullName(name), price]));
}

function unknownModel(name: string, extra: ReadonlyMap<string, Model>): Failure {
  const known = [...Object.keys(listPrices), ...extra.keys()];
  const bare = known.map((full) => full.slice(full.indexOf('/') + 1));
  const guess = didYouMean(name, name.includes('/') ? known : bare);
  const hint = guess === '' ? '; a name is provider/model, such as openai/gpt-5.2' : guess;
  return {ok: false, code: 'unknown_model', message: `unknown model ${show(name)}${hint}`};
}

function unknownProvider(
  name: string,
  providers: ReadonlyMap<string, Provider>,
  where: string,
): Failure {
  const wanted = name.slice(0, name.indexOf('/'));
  const form = presetOf(wanted)?.addressForm;
  if (form !== undefined) {
    const message = `model ${show(name)} needs your address: set providers.${wanted}.base_url${where} to it, as ${form}`;
    return {ok: false, code: 'unknown_provider', message};
  }
  const guess = didYouMean(wanted, providers.keys());
  const hint =
    guess === '' ? `; configure [providers.${wanted}]${where} or use ${listOf(providers)}` : guess;
  return {
    ok: false,
    code: 'unknown_provider',
    message: `model ${show(name)}: unknown provider ${show(wanted)}${hint}`,
  };
}

function listOf(providers: ReadonlyMap<string, Provider>): string {
  return [...providers.keys()].join(', ');
}

function show(name: string): string {
  return JSON.stringify(name.toWellFormed().slice(0, 120));
}

function checkKey(route: Route, env: RouterOptions['env']): Failure | undefined {
  if ('extra' in route || route.provider.apiKeyEnv === '') return undefined;
  if (keyOf(route.provider, env) !== '') return undefined;
  const {name, apiKeyEnv} = route.provider;
  const message = `model "${route.name}" needs a key: set ${apiKeyEnv} to your ${name} API key${slipIn(route)}`;
  return {ok: false, code: 'missing_key', message, apiKeyEnv};
}

/** A hint for a name that looks mistyped: without a key, the provider cannot be asked whether the model exists. */
function slipIn({name, provider}: Extract<Route, {readonly provider: Provider}>): string {
  if (findPrice(name, listPrices)) return '';
  const own = Object.keys(listPrices).filter((known) => known.startsWith(`${provider.name}/`));
  const guess = didYouMean(name, own);
  return guess === '' ? '' : `. No model of that name is known here${guess}`;
}

function keyOf({apiKeyEnv}: Provider, env: RouterOptions['env']): string {
  return env[apiKeyEnv]?.trim() ?? '';
}

function priceOf(route: Route, prices: Prices): Price | undefined {
  const known = findPrice(route.name, prices);
  if (known || 'extra' in route) return known ?? freePrice;
  return route.provider.isLocal ? freePrice : undefined;
}

function createModel(
  {name, provider, model}: Extract<Route, {readonly provider: Provider}>,
  {env, limits}: RouterOptions,
  {
    price,
    rates,
  }: {readonly price: Price | undefined; readonly rates: Parameters<typeof awaitTurn>[1]},
): Model {
  const options: AdapterOptions = {
    name,
    model,
    baseUrl: provider.baseUrl,
    apiKey: keyOf(provider, env),
    api: provider.speaksResponses ? 'responses' : 'chat',
    asksUsage: provider.asksUsage,
    limits: {...provider.limits, ...limits},
    retryMs: provider.retryMs,
    isLocal: provider.isLocal,
    ...(price && {price}),
  };
  const {call} = createLateModel(name, async () => await loadAdapter(provider.kind, options));
  const replyLimits = createReplyLimits(name, provider);
  return {
    name,
    call: async (request, context) => {
      if (!(await awaitTurn(provider, rates, context.signal))) return cancelled;
      const maxOutputTokens = replyLimits.of(request);
      return replyLimits.note(await call({...request, maxOutputTokens}, context), maxOutputTokens);
    },
  };
}

async function loadAdapter(kind: ProviderConfig['kind'], options: AdapterOptions): Promise<Model> {
  if (kind === 'anthropic') {
    const {createAnthropicModel} = await import('./providers/anthropic.ts');
    return createAnthropicModel(options);
  }
  const {createOpenAiModel} = await import('./providers/openai.ts');
  return createOpenAiModel(options);
}

// The router: finds models by name.

export interface ProviderConfig {
  readonly kind: 'openai' | 'anthropic' | 'openai-compatible';
  readonly baseUrl?: string;
  /** The variable that holds the key; empty if the server requires none. */
  readonly apiKeyEnv: string;
  /** The time limit of a whole reply. Absent: ten minutes, on loopback one hour. */
  readonly timeoutMs?: number;
  /** The time limit from the request to the first byte of a reply. Absent: 30 s, on loopback ten minutes. */
  readonly firstByteMs?: number;
  /** The longest reply to request, in tokens, thinking included. Absent: 32,000, on loopback 8,000. */
  readonly maxOutputTokens?: number;
  /** The context window of its models, in tokens. Absent: as listed, 128,000 for a model that is not. */
  readonly contextWindow?: number;
  /** The time for repetitions of a call that fails for a while, in ms. Absent: five minutes. */
  readonly retryMs?: number;
  /** The calls of all processes that share a journal. Absent: no limit. */
  readonly callsPerMinute?: number;
}

type ModelCheck =
  | {readonly ok: true}
  | {
      readonly ok: false;
      readonly code: 'unknown_provider' | 'missing_key' | 'unknown_model';
      /** Names the model, what is missing (the variable), and the next step. */
      readonly message: string;
      /** The variable that would hold the missing key. */
      readonly apiKeyEnv?: string;
    };

export interface ServedWindows {
  readonly windows: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

export interface Router {
  /** Returns `provider/model` for a bare or full name. Throws AppError `config` for a name that no provider has. */
  readonly canonical: (name: string) => string;
  readonly check: (name: string) => ModelCheck;
  /** Returns the adapter; its SDK is imported at the first call. Throws AppError for a name that fails `check`. */
  readonly get: (name: string) => Model;
  /** Returns undefined if the price is not known. Local servers and the offline model are free. */
  readonly price: (name: string) => Price | undefined;
  /** The upper limit of a reply of the model, in tokens, for every request. Undefined for a name that fails `check`. */
  readonly outputLimit: (name: string) => number | undefined;
  /** The context window of the model, in tokens. */
  readonly window: (name: string) => number;
  /** The windows of models, as servers on this machine report theirs, and warnings for the person. */
  readonly servedWindows: (windows: Readonly<Record<string, number>>) => Promise<ServedWindows>;
  /** The body of a request as it is sent to the provider of the model. Undefined for a model without a known provider. */
  readonly body: (
    name: string,
    request: ModelRequest,
    tools: readonly OfferedTool[],
  ) => Promise<JsonObject | undefined>;
}

// The body of a request to a provider as its adapter sends it, without the opaque state of replies. Nothing is sent.

/** `model`: as the provider names it. Keys and addresses are not part of a body. */
async function requestBody(
  provider: Provider,
  model: string,
  given: ModelRequest,
  tools: readonly OfferedTool[],
): Promise<JsonObject> {
  const {name, kind, speaksResponses, asksUsage} = provider;
  const maxOutputTokens = sentTokens(given, `${name}/${model}`, provider);
  const transcript = {messages: given.transcript.messages.map(withoutOpaque)};
  const request = {...given, transcript, maxOutputTokens};
  if (kind === 'anthropic') {
    const {toAnthropicRequest} = await import('./providers/anthropic.ts');
    return asJson(toAnthropicRequest(model, request, tools));
  }
  if (speaksResponses) {
    const {toResponsesRequest} = await import('./providers/openai.ts');
    return asJson(toResponsesRequest(model, request, tools));
  }
  const {toOpenAiRequest} = await import('./providers/chat-completions.ts');
  return asJson(toOpenAiRequest(model, request, tools, {asksUsage}));
}
