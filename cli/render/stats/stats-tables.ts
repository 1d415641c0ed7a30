/** The tables of statistics: models, and groups of runs. */

import type {Figures, ModelFigures, Statistics} from '../../../actors/metrics/metrics-api.ts';
import {type ModelSum, sumOfModels} from '../../../actors/metrics/statistics.ts';
import {costText, durationText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {tableLines} from '../tables/table.ts';
import {statsTexts} from './stats-texts.ts';

interface TableView {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
}

const unknown = '—';

export function amountText(count: number): string {
  return count.toLocaleString('en-US');
}

/** Preceded by an empty line; none without a model. */
export function modelTable(models: readonly ModelFigures[], view: TableView): string[] {
  const {style, width} = view;
  if (models.length === 0) return [];
  const texts = statsTexts(style);
  const rows = models.map((each) => [
    amountText(each.calls),
    amountText(each.failures),
    amountText(each.retries),
    amountText(each.inputTokens),
    amountText(each.outputTokens),
    each.ms > 0 && each.calls > 0 ? durationText(each.ms / each.calls) : unknown,
    costCell(each, style),
    each.model === 'unknown' ? texts.unknownModel : each.model,
  ]);
  return ['', ...tableLines(texts.models, rows, style, width)];
}

export function groupTable(
  groups: Statistics['groups'],
  by: 'form' | 'folder' | 'model',
  {style, width}: TableView,
): string[] {
  if (by === 'model') return [];
  const texts = statsTexts(style);
  const rows = groups.map(({key, ...group}) => [
    amountText(group.runs),
    texts.of(amountText(group.statuses['completed'] ?? 0), amountText(group.runs)),
    amountText(group.revisions),
    ...callCells(group, style),
    amountText(group.ratedUp),
    amountText(group.ratedDown),
    key,
  ]);
  return tableLines([...texts.groups, texts.keys[by]], rows, style, width);
}

function callCells({models}: Figures, style: Style): string[] {
  const sum = sumOfModels(models);
  return [amountText(sum.calls), costCell(sum, style)];
}

/** A dash when no call has a known price. */
function costCell({calls, unpriced, costUsd}: ModelSum, style: Style): string {
  if (calls === unpriced) return unknown;
  return unpriced > 0 ? statsTexts(style).atLeast(costText(costUsd)) : costText(costUsd);
}
