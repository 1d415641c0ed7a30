/** Statistics over the runs of a journal: a fold over its list and the last entry of each run that has ended. */

import {z} from 'zod';

import {
  panelRecord,
  type RecordedRound,
  type SeatSpending,
} from '../../machines/panel/recorded-votes.ts';
import {isSliceOver, nextTurn} from '../engine/slices.ts';
import {readRound} from '../history/recorded-facts.ts';
import type {Closed, InteractionRow, Journal, Reaction} from '../journal/journal.ts';
import {realPath} from '../run/validation.ts';
import type {Figures, Statistics, StatsOptions} from './measuring.ts';
import {addUp, type CallCounts, noCallCounts, noRunCounts, type RunFigures} from './meter.ts';

type Counted = Pick<Journal, 'log' | 'reactions'>;

/** Rejects only as the journal does, and for bugs. */
export async function collectStats(
  journal: Counted,
  {since, limit, workspace}: StatsOptions = {},
): Promise<Statistics> {
  const place = workspace === undefined ? undefined : realPath(workspace);
  const own = (await journal.log.list()).filter(
    (row) =>
      row.imported !== true &&
      row.updatedAt >= (since ?? 0) &&
      row.workspace === (place ?? row.workspace),
  );
  const ended = own
    .filter(({status}) => status !== undefined)
    .toSorted((a, b) => b.updatedAt - a.updatedAt);
  const rows = ended.slice(0, limit);
  const first = rows.at(-1)?.updatedAt;
  return {
    ...(since === undefined ? {} : {since}),
    ...(first === undefined ? {} : {first}),
    open: own.length - ended.length,
    older: ended.length - rows.length,
    total: sumUp(await countedRuns(rows, journal)),
  };
}

/** A run that has ended. */
interface CountedRun {
  readonly status: string;
  /** Absent: its last entry has none. */
  readonly figures?: RunFigures;
  readonly rounds: readonly RecordedRound[];
  readonly reactions: readonly Reaction['kind'][];
}

async function countedRuns(
  rows: readonly InteractionRow[],
  {log, reactions}: Counted,
): Promise<readonly CountedRun[]> {
  const all = Map.groupBy((await reactions?.list()) ?? [], ({interaction}) => interaction);
  return await Array.fromAsync(rows, async ({id, status = ''}) => {
    if (isSliceOver()) await nextTurn();
    const kinds = (all.get(id) ?? []).map(({kind}) => kind);
    return {status, ...countedIn(await log.closing(id)), reactions: kinds};
  });
}

const counts = z.record(z.string(), z.number());
const calls = z.record(z.string(), counts);
const closingSchema = z.object({
  result: z.object({reviews: z.array(z.unknown()).default([])}),
  figures: z.object({counts, models: calls, seats: calls}).exactOptional(),
});

/** A fork counts the rounds after its point, which are the last ones of its result. */
function countedIn(closed: Closed | undefined): Pick<CountedRun, 'figures' | 'rounds'> {
  const parsed = closingSchema.safeParse(closed);
  if (!parsed.success) return {rounds: []};
  const {figures, result} = parsed.data;
  const {reviews} = result;
  const {rounds = 0} = figures ? figures.counts : {rounds: reviews.length};
  const own = reviews.slice(Math.max(0, reviews.length - rounds));
  return {rounds: own.flatMap(readRound), ...(figures ? {figures} : {})};
}

function sumUp(runs: readonly CountedRun[]): Figures {
  const all = runs.flatMap(({figures}) => figures ?? []);
  const drew = (kind: Reaction['kind']) =>
    runs.filter(({reactions}) => reactions.includes(kind)).length;
  const [models, seats] = [callsOf(all, 'models'), callsOf(all, 'seats')];
  return {
    runs: runs.length,
    statuses: countBy(runs.map(({status}) => status)),
    partial: runs.length - all.length,
    plannedRuns: all.filter(({counts: {plans = 0}}) => plans > 0).length,
    ...addUp(
      noRunCounts,
      all.map((figures) => figures.counts),
    ),
    ratedUp: drew('up'),
    ratedDown: drew('down'),
    undone: drew('undone'),
    models: models
      .map(([model, each]) => Object.assign({model}, each))
      .toSorted((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1)),
    seats: panelRecord(
      runs.flatMap(({rounds}) => rounds),
      new Map(seats.map(([seat, each]) => [seat, spendingOf(each)])),
    ).seats,
  };
}

/** By name. */
function callsOf(all: readonly RunFigures[], by: 'models' | 'seats'): [string, CallCounts][] {
  const names = new Set(all.flatMap((figures) => Object.keys(figures[by])));
  return [...names].map((name) => [
    name,
    addUp(
      noCallCounts,
      all.map((figures) => figures[by][name] ?? {}),
    ),
  ]);
}

function spendingOf({costUsd, ...counted}: CallCounts): SeatSpending {
  const {calls: made, inputTokens, outputTokens, unpriced, estimated} = counted;
  return {
    calls: made,
    inputTokens,
    outputTokens,
    ...(unpriced === made ? {} : {costUsd}),
    unpriced,
    estimated: estimated > 0,
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(names, (name) => name);
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.length]));
}
