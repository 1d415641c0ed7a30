/** The providers and prices of the configuration, as the router takes them. */

import type {Price} from '../model/model.ts';
import {presetOf} from '../model/presets.ts';
import {resolveProviders} from '../model/providers.ts';
import type {ProviderConfig} from '../model/router-api.ts';
import {camelKeys} from './casing.ts';
import type {Config} from './schema.ts';

/** `[providers.…]` by name. */
export function toProviders(config: Config): Record<string, ProviderConfig> {
  return Object.fromEntries(
    Object.entries(config.providers).map(([name, given]) => [
      name,
      {
        ...camelKeys(given),
        kind: given.kind ?? presetOf(name)?.kind ?? 'openai-compatible',
      },
    ]),
  );
}

/** The prices of `[prices]`, by the names of models as written there. Without `cached_input`, a cached token costs as much as another. */
export function toPrices(config: Config): Record<string, Price> {
  return Object.fromEntries(
    Object.entries(config.prices).map(([model, price]) => [
      model,
      {input: price.input, cachedInput: price.cached_input ?? price.input, output: price.output},
    ]),
  );
}

/** One line for each provider whose key would travel unencrypted to another machine. */
export function providerWarnings(config: Config): string[] {
  return [...resolveProviders(toProviders(config)).values()]
    .filter(({baseUrl, apiKeyEnv, isLocal}) => {
      return apiKeyEnv !== '' && !isLocal && baseUrl.startsWith('http:');
    })
    .map(
      ({name, apiKeyEnv, baseUrl}) =>
        `providers.${name} sends the key in ${apiKeyEnv} unencrypted to ${baseUrl}; use https`,
    );
}
