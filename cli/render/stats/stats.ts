/** Statistics for people: every rate with its denominator, a dash where nothing is known. */

import type {Figures, ModelFigures, Statistics} from '../../../actors/metrics/measuring.ts';
import {addUp, type CallCounts, noCallCounts} from '../../../actors/metrics/meter.ts';
import type {Range, SeatRecord, SeatSpending} from '../../../machines/panel/seats.ts';
import {wordIn} from '../live/texts.ts';
import {costText, timeText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {tableLines} from '../tables/table.ts';
import {padTo, widthOfText, wrapWords} from '../text.ts';
import {statsTexts} from './stats-texts.ts';

export interface StatsView {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
}

const unknown = '—';

export function statsLines(statistics: Statistics, view: StatsView): string[] {
  const {total} = statistics;
  const {style, width} = view;
  const head = headLines(statistics, view);
  if (total.runs === 0) return head;
  const {labels} = statsTexts(style);
  const column = Math.max(...Object.values(labels).map(widthOfText)) + 2;
  const lines = rowsOf(total, style).flatMap(([label, segments]) => {
    const text = segments.length === 0 ? unknown : segments.join(', ');
    return wrapWords(text, width - column).map((row, index) =>
      index === 0 ? style.bold(padTo(labels[label], column)) + row : ' '.repeat(column) + row,
    );
  });
  return [
    ...head,
    '',
    ...lines,
    ...modelTable(total.models, view),
    ...seatTable(total.seats, view),
  ];
}

function headLines(statistics: Statistics, {style, width}: StatsView): string[] {
  const {since, first, open, older, total} = statistics;
  const texts = statsTexts(style);
  const left = [
    ...(open > 0 ? [texts.open(open)] : []),
    ...(older > 0 ? [texts.older(amountText(older))] : []),
  ];
  const over =
    first === undefined
      ? texts.none(since === undefined ? undefined : timeText(since))
      : texts.ended(texts.runs(total.runs), timeText(older > 0 ? first : (since ?? first)));
  return [
    over,
    ...(left.length > 0 ? [`${texts.left}: ${left.join(', ')}`] : []),
    ...(total.partial > 0 ? [texts.partial(texts.runs(total.partial))] : []),
  ].flatMap((line) => wrapWords(line, width));
}

type Label = keyof ReturnType<typeof statsTexts>['labels'];
type Row = readonly [label: Label, segments: readonly string[]];

function rowsOf(total: Figures, style: Style): Row[] {
  return [
    ['runs', statusSegments(total, style)],
    ['plans', planSegments(total, style)],
    ['tools', toolSegments(total, style)],
    ...callRows(addUp<CallCounts>(noCallCounts, total.models), style),
    ...satisfactionRows(total, style),
  ];
}

const statuses = ['completed', 'failed', 'rejected', 'cancelled', 'limited', 'error'];

/** Completed ones are always shown, other ends where there are any. */
function statusSegments({runs, statuses: counts}: Figures, style: Style): string[] {
  const part = partOf(style);
  const names = [...new Set([...statuses, ...Object.keys(counts)])];
  return names
    .filter((name) => name === 'completed' || (counts[name] ?? 0) > 0)
    .map((name) => `${wordIn(name, style)} ${part(counts[name] ?? 0, runs)}`);
}

function planSegments(total: Figures, style: Style): string[] {
  const texts = statsTexts(style);
  const {runs, partial, plannedRuns, plans, revisions, replans} = total;
  if (plans === 0) return [];
  const of = partOf(style)(plannedRuns, runs - partial);
  return [texts.plans(plans, of), texts.revised(revisions), texts.replanned(replans)];
}

function toolSegments({toolCalls, toolFailures, toolTimeouts}: Figures, style: Style): string[] {
  return failureSegments(toolCalls, toolFailures, toolTimeouts, style);
}

function callRows(sum: CallCounts, style: Style): Row[] {
  const texts = statsTexts(style);
  const {calls, failures, timeouts, unpriced, estimated} = sum;
  const priced = calls - unpriced;
  const tokens = [sum.inputTokens, sum.cachedTokens, sum.outputTokens] as const;
  return [
    ['models', failureSegments(calls, failures, timeouts, style)],
    ['tokens', calls === 0 ? [] : [texts.tokens(...tokens)]],
    [
      'cost',
      [
        ...(priced > 0 ? [texts.cost(costText(sum.costUsd), partOf(style)(priced, calls))] : []),
        ...(unpriced > 0 ? [texts.unpriced(unpriced)] : []),
        ...(estimated > 0 && priced > 0 ? [texts.estimated(estimated)] : []),
      ],
    ],
  ];
}

function failureSegments(
  calls: number,
  failures: number,
  timeouts: number,
  style: Style,
): string[] {
  if (calls === 0) return [];
  const texts = statsTexts(style);
  const part = partOf(style);
  return [texts.failed(part(failures, calls)), texts.timedOut(part(timeouts, calls))];
}

/** Without ratings, undos are the only sign of satisfaction. */
function satisfactionRows({runs, ratedUp, ratedDown, undone}: Figures, style: Style): Row[] {
  const texts = statsTexts(style);
  const part = partOf(style);
  const rated = ratedUp + ratedDown;
  const shares = [part(rated, runs), part(ratedUp, rated), part(ratedDown, rated)] as const;
  return [
    ['ratings', [rated === 0 ? texts.unrated : texts.ratings(...shares)]],
    ['undo', [texts.undone(part(undone, runs))]],
  ];
}

/** Preceded by an empty line; none without a model. */
function modelTable(models: readonly ModelFigures[], {style, width}: StatsView): string[] {
  if (models.length === 0) return [];
  const rows = models.map((each) => [
    amountText(each.calls),
    amountText(each.failures),
    amountText(each.timeouts),
    amountText(each.inputTokens),
    amountText(each.outputTokens),
    costCell(each, style),
    each.model,
  ]);
  return ['', ...tableLines(statsTexts(style).models, rows, style, width)];
}

/** Preceded by an empty line; none without a seat. */
function seatTable(seats: readonly SeatRecord[], {style, width}: StatsView): string[] {
  if (seats.length === 0) return [];
  const rows = seats.map(({seat, rounds, agreement, decisive, spent}) => [
    amountText(rounds),
    agreement.of === 0 ? unknown : partOf(style)(agreement.count, agreement.of),
    rangeText(decisive),
    spent ? costCell(spent, style) : unknown,
    seat,
  ]);
  return ['', ...tableLines(statsTexts(style).seats, rows, style, width)];
}

function rangeText({least, most}: Range): string {
  return least === most ? amountText(least) : `${amountText(least)}–${amountText(most)}`;
}

type Priced = Pick<SeatSpending, 'calls' | 'unpriced' | 'costUsd'>;

/** A dash when no call has a known price. */
function costCell({calls, unpriced, costUsd = 0}: Priced, style: Style): string {
  if (calls === unpriced) return unknown;
  return unpriced > 0 ? statsTexts(style).atLeast(costText(costUsd)) : costText(costUsd);
}

function partOf(style: Style): (count: number, all: number) => string {
  return (count, all) => statsTexts(style).of(amountText(count), amountText(all));
}

function amountText(count: number): string {
  return count.toLocaleString('en-US');
}
