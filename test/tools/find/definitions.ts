/** Definitions of tools as a toolbox offers them. */

import type {Offered} from '../../../tools/index.ts';

/** About `tokens` tokens. */
export function definition(name: string, group?: string, tokens = 100): Offered {
  return described(name, 'd'.repeat(Math.max(0, tokens * 4 - name.length - 2)), group);
}

export function described(name: string, description: string, group?: string): Offered {
  return {name, description, schema: {}, ...(group === undefined ? {} : {group})};
}

export const namesOf = (tools: readonly Offered[]): string[] => tools.map(({name}) => name);
