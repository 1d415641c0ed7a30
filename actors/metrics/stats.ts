/** Statistics over the runs of a journal, from kept figures; missing ones are computed first. */

import {nextTurn} from '../engine/slices.ts';
import type {InteractionRow, Journal} from '../journal/journal.ts';
import type {KeptFigures} from '../journal/metrics/metrics.ts';
import {realPath} from '../run/validation.ts';
import type {Statistics, StatsOptions} from './metrics-api.ts';
import {recordedMetrics} from './recorded-metrics.ts';
import {metricsIn, type RunMetrics, toFigures} from './run-metrics.ts';
import {type MeasuredRun, sumUp} from './statistics.ts';

type Counted = Pick<Journal, 'log' | 'metrics'>;

/** So many figures are kept together: an interruption loses no more. */
const batchSize = 50;

/** Rejects only as the journal does, and for bugs. */
export async function collectStats(
  journal: Counted,
  {since, by, workspace, onBacklog}: StatsOptions = {},
): Promise<Statistics> {
  const place = workspace === undefined ? undefined : realPath(workspace);
  const own = (await journal.log.list()).filter(
    (row) =>
      row.imported !== true &&
      row.updatedAt >= (since ?? 0) &&
      row.workspace === (place ?? row.workspace),
  );
  const rows = own.filter(({status}) => status !== undefined);
  const runs = await measured(journal, rows, onBacklog);
  return {
    ...(since === undefined ? {} : {since}),
    ...(runs.length === 0 ? {} : {first: firstOf(runs)}),
    open: own.length - rows.length,
    unread: rows.length - runs.length,
    total: sumUp(runs),
    groups: groupsOf(runs, by),
  };
}

function firstOf(runs: readonly MeasuredRun[]): number {
  return runs.reduce((first, {row}) => Math.min(first, row.updatedAt), Number.POSITIVE_INFINITY);
}

function groupsOf(runs: readonly MeasuredRun[], by: StatsOptions['by']): Statistics['groups'] {
  if (by === undefined || by === 'model') return [];
  const keyOf = ({row}: MeasuredRun): string => (by === 'form' ? row.form : row.workspace);
  return [...Map.groupBy(runs, keyOf)]
    .map(([key, group]) => Object.assign({key}, sumUp(group)))
    .toSorted((a, b) => b.runs - a.runs || (a.key < b.key ? -1 : 1));
}

/** Without the runs that can't be read. */
async function measured(
  journal: Counted,
  rows: readonly InteractionRow[],
  onBacklog: StatsOptions['onBacklog'] = () => {},
): Promise<readonly MeasuredRun[]> {
  const known = await keptMetrics(journal);
  const missing = rows.filter(({id}) => !known.has(id));
  if (missing.length > 0) onBacklog(missing.length);
  const computed = await computeAll(journal, missing);
  const reactions = Map.groupBy(
    (await journal.metrics?.reactions()) ?? [],
    ({interaction}) => interaction,
  );
  return rows.flatMap((row): MeasuredRun[] => {
    const metrics = known.get(row.id) ?? computed.get(row.id);
    if (!metrics) return [];
    const kinds = (reactions.get(row.id) ?? []).map(({kind}) => kind);
    const rating = kinds.find((kind) => kind !== 'undone');
    return [{row, metrics, ...(rating ? {rating} : {}), isUndone: kinds.includes('undone')}];
  });
}

async function keptMetrics({metrics}: Counted): Promise<ReadonlyMap<string, RunMetrics>> {
  const kept = (await metrics?.list()) ?? [];
  return new Map(
    kept.flatMap(({interaction, figures}) => {
      const known = metricsIn(figures);
      return known ? [[interaction, known] as const] : [];
    }),
  );
}

async function computeAll(
  journal: Counted,
  rows: readonly InteractionRow[],
): Promise<ReadonlyMap<string, RunMetrics>> {
  const computed = new Map<string, RunMetrics>();
  for (let from = 0; from < rows.length; from += batchSize) {
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    const batch = await computeBatch(journal, rows.slice(from, from + batchSize));
    for (const [id, metrics] of batch) computed.set(id, metrics);
  }
  return computed;
}

async function computeBatch(
  {log, metrics}: Counted,
  rows: readonly InteractionRow[],
): Promise<ReadonlyMap<string, RunMetrics>> {
  const computed = new Map<string, RunMetrics>();
  for (const {id} of rows) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other: each is read whole
    const {entries} = await log.salvage(id);
    // oxlint-disable-next-line no-await-in-loop
    if (entries.length > 0) computed.set(id, await recordedMetrics(id, entries));
    // oxlint-disable-next-line no-await-in-loop
    await nextTurn();
  }
  const kept = Array.from(computed, ([interaction, each]): KeptFigures => ({
    interaction,
    figures: toFigures(each),
  }));
  await metrics?.keep(kept);
  return computed;
}
