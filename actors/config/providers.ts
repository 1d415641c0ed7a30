/** Converts the providers and prices of the configuration for the router. */

import type {Price} from '../model/model.ts';
import {presetOf} from '../model/presets.ts';
import {resolveProviders} from '../model/providers.ts';
import type {ProviderConfig} from '../model/router-api.ts';
import {camelKeys} from './casing.ts';
import type {Config} from './schema.ts';

/** The `[providers.…]` tables, by name. */
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

/** `[prices]`, by the model names as written there. Without `cached_input`, cached input costs as much as other input. */
export function toPrices(config: Config): Record<string, Price> {
  return Object.fromEntries(
    Object.entries(config.prices).map(([model, price]) => [
      model,
      {input: price.input, cachedInput: price.cached_input ?? price.input, output: price.output},
    ]),
  );
}

/** One line for each provider whose key would be sent unencrypted to another machine. */
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
