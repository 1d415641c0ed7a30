/** Surveys the providers: which have a key, which answer, and which models they list. */

import {toProviders} from '../../actors/config/resolve.ts';
import {offlineModel} from '../../actors/config/roles.ts';
import {listModels} from '../../actors/model/catalog.ts';
import {presets, type Provider, resolveProviders} from '../../actors/model/providers.ts';
import type {Router} from '../../actors/model/router.ts';
import type {LoadedConfig} from '../config/load.ts';
import type {Environment} from '../terminal.ts';

export interface ListedModel {
  /** `provider/model`, as for -m. */
  readonly name: string;
  /** Its roles in a run. */
  readonly roles: readonly string[];
  /** US dollars per million tokens; absent when unknown. */
  readonly price?: {readonly input: number; readonly output: number};
}

export interface SurveyedProvider {
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

export interface SurveyOptions {
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
