/** Counts what a run does, for statistics. A replay counts the same: its last entry covers all processes that worked on it. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import type {UsageTotals} from '../../machines/domain/result.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {offlineModel} from '../config/roles.ts';
import {isTimeoutMessage} from '../model/wire/faults.ts';

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

export const noCallCounts = {
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

export type CallCounts = Readonly<typeof noCallCounts>;

/** Absent counts are 0. */
export interface RunFigures {
  /** `rounds`: decisions of panels, which are the last so many reviews of the result. */
  readonly counts: Partial<RunCounts & {readonly rounds: number}>;
  /** Calls by `provider/model`, without those of the offline model. */
  readonly models: Readonly<Record<string, Partial<CallCounts>>>;
  /** Calls of the seats of all panels, including aborted ones. */
  readonly seats: Readonly<Record<string, Partial<CallCounts>>>;
}

export class Meter {
  readonly #counts = new Map<keyof RunFigures['counts'], number>();
  readonly #models = new Map<string, CallCounts>();
  readonly #seats = new Map<string, CallCounts>();

  /** Forgets what it has counted, as that of the run from which this one was forked. */
  restart(): void {
    for (const counts of [this.#counts, this.#models, this.#seats]) counts.clear();
  }

  takeReport(report: Report): void {
    const {type} = report;
    if (type === 'quorum.decided') this.#count('rounds');
    if (type === 'plan.created') this.#count('plans');
    if (type === 'plan.revised') this.#count('revisions');
    if (type === 'result.judged' && report.isReplanned) this.#count('replans');
  }

  takeTool({kind, code}: JsonObject): void {
    this.#count('toolCalls');
    if (kind !== 'failed') return;
    this.#count('toolFailures');
    if (code === 'timeout') this.#count('toolTimeouts');
  }

  /** A call that was made, with its usage as the budget counts it. `key`: of its effect. */
  takeCall(
    key: string,
    {model, purpose}: Pick<ModelRequest, 'model' | 'purpose'>,
    outcome: JsonObject,
    spent: UsageTotals,
  ): void {
    const isFree = model === offlineModel;
    const counts = callCounts(outcome, isFree ? {...spent, costUsd: 0} : spent);
    if (!isFree) addTo(this.#models, model, counts);
    const seat = purpose.startsWith('review-') ? callOfSeat.exec(key)?.[1] : undefined;
    if (seat !== undefined) addTo(this.#seats, decodeURIComponent(seat), counts);
  }

  get figures(): RunFigures {
    return {
      counts: Object.fromEntries(this.#counts),
      models: byName(this.#models),
      seats: byName(this.#seats),
    };
  }

  #count(name: keyof RunFigures['counts']): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

/** The encoded name of a seat, in the key of its call. */
const callOfSeat = /\/poll\/seat:([^/#]+)/;

/** Sums by name. */
export function addUp<Counts extends Readonly<Record<string, number>>>(
  none: Counts,
  all: readonly Partial<Counts>[],
): Counts {
  const sums: Record<string, number> = {...none};
  for (const counts of all)
    for (const name in none) sums[name] = (sums[name] ?? 0) + (counts[name] ?? 0);
  return {...none, ...sums};
}

function addTo(all: Map<string, CallCounts>, name: string, counts: CallCounts): void {
  all.set(name, addUp(noCallCounts, [all.get(name) ?? {}, counts]));
}

/** Without counts of 0: the last entry of each run has them. */
function byName(all: ReadonlyMap<string, CallCounts>): Record<string, Partial<CallCounts>> {
  const present = (counts: CallCounts) => Object.entries(counts).filter(([, count]) => count > 0);
  return Object.fromEntries(
    [...all].map(([name, counts]) => [name, Object.fromEntries(present(counts))]),
  );
}

function callCounts({kind, message}: JsonObject, spent: UsageTotals): CallCounts {
  const {inputTokens, cachedTokens, outputTokens, costUsd, estimated} = spent;
  return {
    calls: 1,
    failures: Number(kind !== 'ok' && kind !== 'cancelled'),
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
