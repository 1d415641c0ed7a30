/** What calls have spent, summed. */

import type {UsageTotals} from './result.ts';

export const noUsage: UsageTotals = {
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
};

/** A cost is known when that of either is; what holds an estimate is one. */
export function addUsage(one: UsageTotals, other: UsageTotals): UsageTotals {
  const isPriced = one.costUsd !== undefined || other.costUsd !== undefined;
  const isEstimated = one.estimated === true || other.estimated === true;
  return {
    modelCalls: one.modelCalls + other.modelCalls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    ...(isPriced ? {costUsd: (one.costUsd ?? 0) + (other.costUsd ?? 0)} : {}),
    ...(isEstimated ? {estimated: true} : {}),
  };
}
