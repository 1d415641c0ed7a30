/** Sums of model calls, and the calls as they were at a moment. */

import type {ModelCall} from '../../../../../machines/trace/step.ts';

export interface CallTotals {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly costUsd: number;
  /** The price of a model is not known. */
  readonly isCostPartial: boolean;
}

export function totalsOf(calls: readonly ModelCall[]): CallTotals {
  const used = calls.flatMap(({usage}) => (usage ? [usage] : []));
  return {
    calls: calls.length,
    inputTokens: sum(used.map(({inputTokens}) => inputTokens)),
    outputTokens: sum(used.map(({outputTokens}) => outputTokens)),
    cachedTokens: sum(used.map(({cachedTokens}) => cachedTokens)),
    costUsd: sum(used.map(({costUsd = 0}) => costUsd)),
    isCostPartial: used.some(({costUsd}) => costUsd === undefined),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The calls as they were known after the step with this seq: a later outcome is left out. */
export function callsAt(calls: readonly ModelCall[], seq: number): ModelCall[] {
  return calls
    .filter(({requested}) => requested <= seq)
    .map((call) => {
      if (call.settled !== undefined && call.settled <= seq) return call;
      const {settled: _settled, outcome: _outcome, usage: _usage, ms: _ms, ...open} = call;
      return open;
    });
}
