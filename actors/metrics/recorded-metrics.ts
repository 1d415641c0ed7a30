/** The figures of a run that has ended, from its entries. Nothing is performed. */

import {asJson, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {isNoted} from '../../machines/facts/progress.ts';
import type {Entry, Origin} from '../journal/journal.ts';
import {pricesIn} from '../model/recorded-prices.ts';
import {isNotMade, Ledger} from '../run/ledger.ts';
import {openedIn} from '../run/run-input.ts';
import {type PlacedReport, readRecordedRun, type RecordedRun} from '../verify/recorded-run.ts';
import {Meter} from './meter.ts';
import type {RunMetrics} from './run-metrics.ts';
import {takeUnreplayed} from './unreplayed.ts';

/**
 * A run that does not replay, as of another version, gives what its notes, its result and its entries hold. A fork counts
 * what happened after it was forked.
 */
export async function recordedMetrics(id: string, entries: readonly Entry[]): Promise<RunMetrics> {
  const run = await readRecordedRun(id, entries);
  const reading = new Reading(run);
  const origin = originIn(entries);
  for (const entry of entries) {
    if (entry.seq === origin.seq + 1) reading.meter.restart(origin.at);
    reading.take(entry);
  }
  const result = resultOf(entries);
  if (!run.replayed) takeUnreplayed(reading.meter, entries, result ?? {});
  const metrics = reading.meter.ended(result ?? {}, {
    at: entries.at(-1)?.at ?? origin.at,
    workedMs: ranUntil(entries) - ranUntil(entries.slice(0, origin.seq + 1)),
  });
  return run.replayed && result ? metrics : {...metrics, isPartial: true};
}

/** Undefined when its end is lost. */
function resultOf(entries: readonly Entry[]): JsonObject | undefined {
  const last = entries.at(-1);
  return last?.type === 'closed' ? last.result : undefined;
}

/** The last entry of a fork that it shares with its original, or before the first entry. */
function originIn([opened]: readonly Entry[]): Pick<Origin, 'seq' | 'at'> {
  const origin = opened?.type === 'opened' ? opened.origin : undefined;
  return origin ?? {seq: -1, at: 0};
}

function ranUntil(entries: readonly Entry[]): number {
  return entries.findLast(({ran}) => ran !== undefined)?.ran ?? 0;
}

class Reading {
  readonly meter = new Meter();
  readonly #ledger = new Ledger({maxCostUsd: 0, maxModelCalls: 0, timeoutMs: 0}, () => undefined);
  readonly #requests: NonNullable<RecordedRun['replayed']>['requests'];
  /** Reports without an entry of their own, by the entry that caused them. */
  readonly #unnoted: ReadonlyMap<number, readonly PlacedReport[]>;

  constructor({entries, replayed}: RecordedRun) {
    this.#ledger.learn(openedIn(entries)?.prices ?? {});
    this.#requests = replayed?.requests ?? new Map();
    const unnoted = (replayed?.reports ?? []).filter(({report}) => !isNoted(report));
    this.#unnoted = Map.groupBy(unnoted, ({entry}) => entry);
  }

  take(entry: Entry): void {
    const {at, seq} = entry;
    if (entry.type === 'noted') this.meter.report(entry.note, at);
    else if (entry.type === 'settled') this.#settled(entry);
    else if (entry.type === 'received') this.#received(entry.event, at);
    for (const {report} of this.#unnoted.get(seq) ?? []) this.meter.report(asJson(report), at);
  }

  #settled({key, outcome, ms}: Extract<Entry, {readonly type: 'settled'}>): void {
    const asked = this.#requests.get(key)?.asked;
    if (!asked || !isJsonObject(outcome)) return;
    if (asked.port !== 'callModel') {
      this.meter.settled(asked, outcome, {ms});
      return;
    }
    const spent = isNotMade(outcome)
      ? this.#ledger.release(key)
      : this.#ledger.book(key, asked.request, outcome);
    this.meter.settled(asked, outcome, {ms, spent});
  }

  #received(event: JsonObject, at: number): void {
    this.meter.received(event, at);
    this.#ledger.learn(pricesIn(event));
    const {type, lost} = event;
    if (type !== 'run.resumed' || !Array.isArray(lost)) return;
    for (const key of lost.map(String)) {
      const asked = this.#requests.get(key)?.asked;
      if (asked?.port !== 'callModel') continue;
      const spent = this.#ledger.book(key, asked.request, {});
      this.meter.call(asked.request.model, {kind: 'lost'}, {ms: 0, spent});
    }
  }
}
