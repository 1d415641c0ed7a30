/** Counts the calls of one model. */

import type {Json, JsonObject} from '../../machines/domain/json.ts';
import type {UsageTotals} from '../../machines/domain/result.ts';
import {isTimeoutMessage} from '../model/wire/timeouts.ts';
import type {ModelCount} from './run-metrics.ts';

export interface ModelTally {
  readonly counts: Partial<Record<ModelCount, number>>;
  readonly failed: Record<string, number>;
}

/** The usage of a call, as the budget of its run counts it. */
export interface Spent {
  readonly ms: number;
  readonly spent: UsageTotals;
}

export function countCall(tally: ModelTally, outcome: JsonObject, {ms, spent}: Spent): void {
  const {counts} = tally;
  const {modelCalls, inputTokens, cachedTokens, outputTokens, costUsd, estimated} = spent;
  if (modelCalls === 0) {
    addTo(counts, 'notMade');
    return;
  }
  addTo(counts, 'calls', modelCalls);
  addTo(counts, 'inputTokens', inputTokens);
  addTo(counts, 'cachedTokens', cachedTokens);
  addTo(counts, 'outputTokens', outputTokens);
  addTo(counts, 'costUsd', costUsd ?? 0);
  addTo(counts, 'unpriced', costUsd === undefined ? modelCalls : 0);
  addTo(counts, 'estimated', estimated ? 1 : 0);
  addTo(counts, 'ms', ms);
  countOutcome(tally, outcome);
}

function countOutcome({counts, failed}: ModelTally, outcome: JsonObject): void {
  const kind = 'crashed' in outcome ? 'crashed' : textOf(outcome['kind']);
  if (kind === 'cancelled') addTo(counts, 'aborted');
  if (kind === 'ok' || kind === 'cancelled') return;
  addTo(counts, 'failures');
  addTo(failed, kind);
  if (kind === 'network' && isTimeoutMessage(textOf(outcome['message']))) addTo(counts, 'timeouts');
}

/** Does not keep a zero. */
export function addTo<Name extends string>(
  tally: Partial<Record<Name, number>>,
  name: Name,
  by = 1,
): void {
  if (by !== 0) tally[name] = (tally[name] ?? 0) + by;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
