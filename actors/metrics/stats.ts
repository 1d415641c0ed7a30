/** Statistics over the runs of a journal: each is read and replayed, one after the other. */

import type {RecordedRound} from '../../machines/panel/recount.ts';
import {panelRecord, type SeatCall} from '../../machines/panel/seats.ts';
import {nextTurn} from '../engine/slices.ts';
import {roundsIn, seatCallsIn} from '../history/recorded-rounds.ts';
import type {InteractionRow, Journal, Reaction} from '../journal/journal.ts';
import {realPath} from '../run/validation.ts';
import type {Figures, ModelFigures, Statistics, StatsOptions} from './measuring.ts';
import {
  addUp,
  noModelCounts,
  noRunCounts,
  ownEntries,
  readFigures,
  type RunFigures,
} from './run-figures.ts';

type Counted = Pick<Journal, 'log' | 'reactions'>;

/** Rejects only as the journal does, and for bugs. */
export async function collectStats(
  journal: Counted,
  {since, limit, workspace, onReading}: StatsOptions = {},
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
  onReading?.(rows.length);
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
  /** Absent: it is damaged, or does not replay. */
  readonly figures: RunFigures | undefined;
  readonly rounds: readonly RecordedRound[];
  readonly calls: readonly SeatCall[];
  readonly reactions: readonly Reaction['kind'][];
}

async function countedRuns(
  rows: readonly InteractionRow[],
  {log, reactions}: Counted,
): Promise<readonly CountedRun[]> {
  const all = Map.groupBy((await reactions?.list()) ?? [], ({interaction}) => interaction);
  return await Array.fromAsync(rows, async ({id, status = ''}) => {
    await nextTurn();
    const {entries, damage} = await log.salvage(id);
    const own = ownEntries(entries);
    return {
      status,
      figures: damage ? undefined : await readFigures(id, entries),
      rounds: roundsIn(own).map(({round}) => round),
      calls: seatCallsIn(own),
      reactions: (all.get(id) ?? []).map(({kind}) => kind),
    };
  });
}

function sumUp(runs: readonly CountedRun[]): Figures {
  const all = runs.flatMap(({figures}) => figures ?? []);
  const counts = all.map((each) => each.counts);
  const drew = (kind: Reaction['kind']) =>
    runs.filter(({reactions}) => reactions.includes(kind)).length;
  return {
    runs: runs.length,
    statuses: countBy(runs.map(({status}) => status)),
    partial: runs.length - all.length,
    plannedRuns: counts.filter(({plans}) => plans > 0).length,
    ...addUp(noRunCounts, counts),
    ratedUp: drew('up'),
    ratedDown: drew('down'),
    undone: drew('undone'),
    models: modelsOf(all),
    seats: panelRecord(
      runs.flatMap(({rounds}) => rounds),
      runs.flatMap(({calls}) => calls),
    ).seats,
  };
}

function modelsOf(all: readonly RunFigures[]): ModelFigures[] {
  const used = Map.groupBy(
    all.flatMap(({models}) => [...models]),
    ([model]) => model,
  );
  return [...used]
    .map(([model, uses]) => {
      const counts = uses.map(([, each]) => each);
      return Object.assign({model}, addUp(noModelCounts, counts));
    })
    .toSorted((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1));
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(names, (name) => name);
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.length]));
}
