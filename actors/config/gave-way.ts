/** Warnings about models that cannot be used and their replacements. */

import type {ModelCheck} from '../model/router-api.ts';

export interface GaveWay {
  /** The reason why the model cannot be used. */
  readonly reason: string;
  /** The replacement, such as `local/qwen3 takes the exploration role`. */
  readonly effect: string;
  /** The environment variable of the missing key, if a key is missing. */
  readonly apiKeyEnv?: string | undefined;
}

export function gaveWay(check: ModelCheck, name: string, effect: string): GaveWay {
  return check.ok
    ? {reason: `${name} reviews by rule only`, effect}
    : {reason: check.message, apiKeyEnv: check.apiKeyEnv, effect};
}

/** One line for all models without a key (if there are several), and one line for each other model. */
export function gaveWayLines(all: readonly GaveWay[]): string[] {
  const keyless = all.filter(({apiKeyEnv}) => apiKeyEnv !== undefined);
  if (keyless.length < 2) return all.map(({reason, effect}) => `${reason}; ${effect}`);
  const variables = new Set(keyless.map(({apiKeyEnv}) => apiKeyEnv));
  const effects = keyless.map(({effect}) => effect).join(', ');
  return [
    `${keyless.length} default models have no key (${[...variables].join(', ')}): ${effects}`,
    ...gaveWayLines(all.filter((one) => !keyless.includes(one))),
  ];
}
