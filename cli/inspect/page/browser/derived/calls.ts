/** Sums of model calls, and the calls as they were at a moment. */

import {type UsageTotals, addUsage, noUsage} from '../../../../../machines/domain/result.ts';
import type {ModelCall} from '../../../../../machines/trace/step.ts';

export interface CallTotals extends UsageTotals {
  /** The price of a model is not known. */
  readonly isCostPartial: boolean;
}

/** The calls are counted also before they have an outcome. */
export function totalsOf(calls: readonly ModelCall[]): CallTotals {
  const used = calls.flatMap(({usage}) => (usage ? [usage] : []));
  const sum = used.reduce<UsageTotals>(
    (all, usage) => addUsage(all, {...usage, modelCalls: 0}),
    noUsage,
  );
  const isCostPartial = used.some(({costUsd}) => costUsd === undefined);
  return {...sum, modelCalls: calls.length, isCostPartial};
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
