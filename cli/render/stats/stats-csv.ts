/** Statistics as CSV (RFC 4180): a line for each group, or for each model. */

import type {
  Figures,
  ModelFigures,
  Statistics,
  StatsOptions,
} from '../../../actors/metrics/metrics-api.ts';
import {type ModelSum, sumOfModels} from '../../../actors/metrics/statistics.ts';

type Cells = Readonly<Record<string, string | number>>;

/** Without a run, it is empty. */
export function statsCsv({total, groups}: Statistics, by: StatsOptions['by']): string {
  if (by === 'model') return csvOf(total.models.map(modelCells));
  if (by === undefined) return csvOf(total.runs === 0 ? [] : [figureCells(total)]);
  return csvOf(groups.map(({key, ...group}) => ({[by]: key, ...figureCells(group)})));
}

const statuses = ['completed', 'failed', 'rejected', 'cancelled', 'limited', 'error'] as const;

/** Limits and kinds of failures are only in the JSON: their names are not known before. */
function figureCells(figures: Figures): Cells {
  const ends = statuses.map((status) => [status, figures.statuses[status] ?? 0]);
  const ofModels = Object.entries(callCells(sumOfModels(figures.models))).map(([name, cell]) => [
    `model${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    cell,
  ]);
  return {
    runs: figures.runs,
    ...Object.fromEntries(ends),
    ...numbersIn(figures),
    ...Object.fromEntries(ofModels),
  };
}

function modelCells(figures: ModelFigures): Cells {
  return {model: figures.model, ...callCells(figures)};
}

function callCells(figures: ModelSum): Cells {
  return {...numbersIn(figures), costUsd: costCell(figures)};
}

function numbersIn(figures: object): Readonly<Record<string, number>> {
  const pairs = Object.entries(figures).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries(pairs);
}

/** Empty when the price of no call is known. */
function costCell({calls, unpriced, costUsd}: ModelSum): string | number {
  return calls === unpriced ? '' : costUsd;
}

function csvOf(rows: readonly Cells[]): string {
  const [first] = rows;
  if (!first) return '';
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row))];
  return lines.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
