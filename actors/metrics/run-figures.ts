/** The figures of a run, from its entries and a replay of them. Nothing is performed. */

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {UsageTotals} from '../../machines/domain/result.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {offlineModel} from '../config/roles.ts';
import type {Entry} from '../journal/journal.ts';
import {pricesIn} from '../model/recorded-prices.ts';
import {isTimeoutMessage} from '../model/wire/timeouts.ts';
import {isNotMade, Ledger} from '../run/ledger.ts';
import {openedIn} from '../run/run-input.ts';
import {type ReplayedRun, readRecordedRun} from '../verify/recorded-run.ts';

export const noRunCounts = {
  plans: 0,
  /** New versions of a plan after a rejection. */
  revisions: 0,
  /** New plans after one that ran without success. */
  replans: 0,
  toolCalls: 0,
  toolFailures: 0,
  /** Failures because of a time limit. */
  toolTimeouts: 0,
};

export type RunCounts = Readonly<typeof noRunCounts>;

export const noModelCounts = {
  calls: 0,
  failures: 0,
  /** Failures because of a time limit. */
  timeouts: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  /** Of the calls with a known price. */
  costUsd: 0,
  unpriced: 0,
  /** Calls without reported usage: their cost is an upper bound. */
  estimated: 0,
};

export type ModelCounts = Readonly<typeof noModelCounts>;

export interface RunFigures {
  readonly counts: RunCounts;
  /** By `provider/model`. */
  readonly models: ReadonlyMap<string, ModelCounts>;
}

/**
 * Undefined for a run that these charts do not replay, as one of another version. A fork counts what happened after it was
 * forked.
 */
export async function readFigures(
  id: string,
  entries: readonly Entry[],
): Promise<RunFigures | undefined> {
  const {replayed} = await readRecordedRun(id, entries);
  if (!replayed) return undefined;
  const own = ownEntries(entries);
  const isOwn = ({entry}: {readonly entry: number}): boolean => entry >= (own[0]?.seq ?? 0);
  const reports = replayed.reports.filter(isOwn).map(({report}) => report);
  const calls = Map.groupBy(modelCallsIn(entries, replayed).filter(isOwn), ({model}) => model);
  return {
    counts: countsOf(reports, toolOutcomesIn(own, replayed)),
    models: new Map(
      [...calls].map(([model, each]) => [model, addUp(noModelCounts, each.map(callCounts))]),
    ),
  };
}

/** Without the entries that a fork shares with its original. */
export function ownEntries(entries: readonly Entry[]): readonly Entry[] {
  const [opened] = entries;
  const origin = opened?.type === 'opened' ? opened.origin : undefined;
  return origin ? entries.slice(origin.seq + 1) : entries;
}

/** Sums by name. */
export function addUp<Counts extends Readonly<Record<string, number>>>(
  none: Counts,
  all: readonly Counts[],
): Counts {
  const sumOf = (name: string): number => all.reduce((sum, counts) => sum + (counts[name] ?? 0), 0);
  return {...none, ...Object.fromEntries(Object.keys(none).map((name) => [name, sumOf(name)]))};
}

function countsOf(reports: readonly Report[], outcomes: readonly JsonObject[]): RunCounts {
  const count = (type: Report['type']): number =>
    reports.filter((report) => report.type === type).length;
  const failures = outcomes.filter(({kind}) => kind === 'failed');
  return {
    plans: count('plan.created'),
    revisions: count('plan.revised'),
    replans: reports.filter((report) => report.type === 'result.judged' && report.isReplanned)
      .length,
    toolCalls: outcomes.length,
    toolFailures: failures.length,
    toolTimeouts: failures.filter(({code}) => code === 'timeout').length,
  };
}

function toolOutcomesIn(entries: readonly Entry[], {requests}: ReplayedRun): JsonObject[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'settled' || !isJsonObject(entry.outcome)) return [];
    return requests.get(entry.key)?.asked.port === 'runTool' ? [entry.outcome] : [];
  });
}

interface SpentCall {
  /** The `seq` of the entry that settled it. */
  readonly entry: number;
  readonly model: string;
  readonly outcome: JsonObject;
  readonly spent: UsageTotals;
}

/** Calls that were made, including those lost with a process, with their usage as the budget of the run counts it. */
function modelCallsIn(entries: readonly Entry[], {requests}: ReplayedRun): SpentCall[] {
  const ledger = new Ledger({maxCostUsd: 0, maxModelCalls: 0, timeoutMs: 0}, () => undefined);
  ledger.learn(openedIn(entries)?.prices ?? {});
  const book = (entry: number, key: string, outcome: JsonObject): SpentCall[] => {
    const asked = requests.get(key)?.asked;
    if (asked?.port !== 'callModel' || isNotMade(outcome)) return [];
    const {model} = asked.request;
    if (model === offlineModel) return [];
    return [{entry, model, outcome, spent: ledger.book(key, asked.request, outcome)}];
  };
  return entries.flatMap((entry) => {
    if (entry.type === 'settled')
      return isJsonObject(entry.outcome) ? book(entry.seq, entry.key, entry.outcome) : [];
    if (entry.type !== 'received') return [];
    ledger.learn(pricesIn(entry.event));
    return lostIn(entry.event).flatMap((key) => book(entry.seq, key, {kind: 'lost'}));
  });
}

function lostIn({type, lost}: JsonObject): string[] {
  return type === 'run.resumed' && Array.isArray(lost) ? lost.map(String) : [];
}

function callCounts({outcome, spent}: SpentCall): ModelCounts {
  const {inputTokens, cachedTokens, outputTokens, costUsd, estimated} = spent;
  const {kind, message} = outcome;
  return {
    calls: 1,
    failures: Number('crashed' in outcome || (kind !== 'ok' && kind !== 'cancelled')),
    timeouts: Number(
      kind === 'network' && typeof message === 'string' && isTimeoutMessage(message),
    ),
    inputTokens,
    cachedTokens,
    outputTokens,
    costUsd: costUsd ?? 0,
    unpriced: Number(costUsd === undefined),
    estimated: Number(estimated === true),
  };
}
