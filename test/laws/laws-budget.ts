/** Law 12: the budget is never exceeded, and every call counts, also calls that a dead process left in flight. */

import type {Entry} from '../../actors/journal/journal.ts';
import {pricesIn} from '../../actors/model/prices.ts';
import {isNotMade, Ledger, limitsIn} from '../../actors/run/ledger.ts';
import {
  type Findings,
  type Law,
  outcomeIn,
  type RecordIndex,
} from '../../actors/verify/record-index.ts';
import {canonicalJson} from '../../machines/domain/digest.ts';
import {asJson, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';

/** Sums of floating-point numbers are inexact. */
const rounding = 1e-9;

export const keptBudget: Law = (record, findings) => {
  const {replayed, opened, closed} = record;
  if (!replayed || !opened) return;
  const {limits, prices} = opened;
  const ledger = new Ledger(limits, () => undefined);
  ledger.learn(prices ?? {});
  checkLimits(record, ledger, findings);
  if (!closed || !prices) return;
  if (canonicalJson(asJson(ledger.totals)) !== canonicalJson(usageOf(closed.result)))
    findings.violated(12, closed.seq, 'the usage is not the sum of the recorded calls');
};

interface Spending {
  readonly calls: number;
  readonly costUsd: number;
}

function spendingOf({totals: {modelCalls, costUsd = 0}}: Ledger): Spending {
  return {calls: modelCalls, costUsd};
}

/** Counts all calls. Calls that a dead process left in flight may have been made: only the others can exceed a limit. */
function checkLimits(record: RecordIndex, ledger: Ledger, findings: Findings): void {
  const isBounded = isPriced(record);
  const highest = {calls: 0, costUsd: 0};
  const supposed = {calls: 0, costUsd: 0};
  let isExceeded = false;
  for (const entry of record.entries) {
    const before = spendingOf(ledger);
    take(record, ledger, entry, findings);
    const {calls, costUsd} = spendingOf(ledger);
    if (entry.type === 'received') {
      supposed.calls += calls - before.calls;
      supposed.costUsd += costUsd - before.costUsd;
    }
    // A limit may be lowered below what is spent.
    highest.calls = Math.max(highest.calls, ledger.limits.maxModelCalls);
    highest.costUsd = Math.max(highest.costUsd, ledger.limits.maxCostUsd);
    const made = {calls: calls - supposed.calls, costUsd: costUsd - supposed.costUsd};
    const excess = isExceeded ? undefined : excessOf(made, highest, isBounded);
    if (excess === undefined) continue;
    isExceeded = true;
    findings.violated(12, entry.seq, excess);
  }
}

function excessOf(made: Spending, highest: Spending, isBounded: boolean): string | undefined {
  if (made.calls > highest.calls) return `${made.calls} model calls of at most ${highest.calls}`;
  return isBounded && made.costUsd > highest.costUsd + rounding
    ? `$${made.costUsd} of at most $${highest.costUsd}`
    : undefined;
}

function usageOf({usage}: JsonObject): Json {
  return usage ?? null;
}

function take(record: RecordIndex, ledger: Ledger, entry: Entry, findings: Findings): void {
  if (entry.type === 'settled') {
    const request = requestOf(record, entry.key);
    if (request) book(ledger, entry.key, request, outcomeIn(entry));
  } else if (entry.type === 'received' && entry.event['type'] === 'settings.changed') {
    ledger.change(limitsIn(entry.event));
    ledger.learn(pricesIn(entry.event));
  } else if (entry.type === 'received' && entry.event['type'] === 'run.resumed') {
    bookLost(record, ledger, entry.event, entry.seq, findings);
  }
}

function bookLost(
  record: RecordIndex,
  ledger: Ledger,
  {lost}: JsonObject,
  seq: number,
  {violated}: Findings,
): void {
  const counted = Array.isArray(lost) ? lost.map(String) : [];
  for (const key of record.replayed?.inFlight.get(seq) ?? []) {
    if (!counted.includes(key)) violated(12, seq, `${key} was in flight and is not counted`);
  }
  for (const key of counted) {
    const request = requestOf(record, key);
    if (request) ledger.book(key, request, {});
  }
}

function requestOf({replayed}: RecordIndex, key: string): ModelRequest | undefined {
  const asked = replayed?.requests.get(key)?.asked;
  return asked?.port === 'callModel' ? asked.request : undefined;
}

/** A call that was refused before the model was asked costs nothing. */
function book(ledger: Ledger, key: string, request: ModelRequest, outcome: JsonObject): void {
  if (isNotMade(outcome)) ledger.release(key);
  else ledger.book(key, request, outcome);
}

/** True if the worst case of each call was known before it was made. */
function isPriced({replayed, opened}: RecordIndex): boolean {
  const models = new Set(
    [...(replayed?.requests.values() ?? [])].flatMap(({asked}) =>
      asked.port === 'callModel' ? [asked.request.model] : [],
    ),
  );
  return [...models].every((model) => (opened?.prices?.[model]?.output ?? 0) > 0);
}
