/** Sums of the usage of model calls. */

import type {UsageTotals} from './result.ts';

export const noUsage: UsageTotals = {
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
};

/** The sum has a cost if either part has one, and is an estimate if either part is. */
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
