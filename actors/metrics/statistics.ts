/** Sums of the figures of runs. Pure. */

import type {InteractionRow} from '../journal/journal.ts';
import {
  type ModelCount,
  noModelCounts,
  noRunCounts,
  type ModelMetrics,
  type RunCount,
  type RunMetrics,
  type Tally,
} from './run-metrics.ts';

/** A run that has ended. */
export interface MeasuredRun {
  readonly row: Pick<InteractionRow, 'form' | 'workspace' | 'status' | 'updatedAt'>;
  readonly metrics: RunMetrics;
  readonly rating?: 'up' | 'down';
  readonly isUndone: boolean;
}

export interface ModelFigures extends Readonly<Record<ModelCount, number>> {
  /** `provider/model`. */
  readonly model: string;
  /** Runs that called it. */
  readonly runs: number;
  /** Failures by kind. */
  readonly failed: Readonly<Record<string, number>>;
}

export interface Figures extends Readonly<Record<RunCount, number>> {
  readonly runs: number;
  /** Runs by the status of their result. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly plannedRuns: number;
  /** In which a person was asked. */
  readonly askedRuns: number;
  /** Runs that reached a limit, by its name. */
  readonly limits: Readonly<Record<string, number>>;
  readonly ratedUp: number;
  readonly ratedDown: number;
  /** Runs whose file changes were taken back. */
  readonly undone: number;
  /** Partly counted runs. */
  readonly partial: number;
  /** The most called first. */
  readonly models: readonly ModelFigures[];
}

export function sumUp(runs: readonly MeasuredRun[]): Figures {
  const all = runs.map(({metrics}) => metrics);
  const has = (name: RunCount) => all.filter(({counts}) => (counts[name] ?? 0) > 0).length;
  return {
    runs: runs.length,
    statuses: countBy(runs.map(({row}) => row.status ?? '')),
    plannedRuns: has('plans'),
    askedRuns: has('questions'),
    ...totals(
      noRunCounts,
      all.map(({counts}) => counts),
    ),
    limits: countBy(all.flatMap(({limits}) => limits)),
    ratedUp: runs.filter(({rating}) => rating === 'up').length,
    ratedDown: runs.filter(({rating}) => rating === 'down').length,
    undone: runs.filter(({isUndone}) => isUndone).length,
    partial: all.filter(({isPartial}) => isPartial).length,
    models: modelsOf(all),
  };
}

function modelsOf(all: readonly RunMetrics[]): ModelFigures[] {
  const used = all.flatMap(({models}) => Object.entries(models));
  return [...Map.groupBy(used, ([model]) => model)]
    .map(([model, uses]) =>
      modelFigures(
        model,
        uses.map(([, metrics]) => metrics),
      ),
    )
    .toSorted((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1));
}

/** Sums of models: their names do not matter. */
export type ModelSum = Omit<ModelFigures, 'model' | 'runs'>;

export function sumOfModels(models: readonly ModelSum[]): ModelSum {
  return {...totals<ModelCount>(noModelCounts, models), failed: failuresIn(models)};
}

function modelFigures(model: string, uses: readonly ModelMetrics[]): ModelFigures {
  const counts = totals(
    noModelCounts,
    uses.map((use) => use.counts),
  );
  return {model, runs: uses.length, ...counts, failed: failuresIn(uses)};
}

function failuresIn(uses: readonly Pick<ModelMetrics, 'failed'>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const {failed} of uses) {
    for (const [kind, count] of Object.entries(failed)) sums[kind] = (sums[kind] ?? 0) + count;
  }
  return sums;
}

function totals<Name extends string>(
  none: Readonly<Record<Name, number>>,
  tallies: readonly Tally<Name>[],
): Record<Name, number> {
  const sums: Record<Name, number> = {...none};
  for (const name in none) {
    for (const tally of tallies) sums[name] += tally[name] ?? 0;
  }
  return sums;
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(names, (name) => name);
  return Object.fromEntries([...groups].map(([name, own]) => [name, own.length]));
}
