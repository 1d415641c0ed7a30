/** Models that could not be used, and what took their place, as warnings. */

import type {ModelCheck} from '../model/router-api.ts';

export interface GaveWay {
  /** Why the model can't be used. */
  readonly reason: string;
  /** `local/qwen3 takes the exploration role` */
  readonly effect: string;
  /** The variable of the key that is missing, if that is why. */
  readonly apiKeyEnv?: string | undefined;
}

export function gaveWay(check: ModelCheck, name: string, effect: string): GaveWay {
  return check.ok
    ? {reason: `${name} reviews by rule only`, effect}
    : {reason: check.message, apiKeyEnv: check.apiKeyEnv, effect};
}

/** One line for all models whose key is missing, and a line for each of the others. */
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
