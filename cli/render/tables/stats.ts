/** Statistics for people: every rate with its denominator, a dash where nothing is known. */

import type {Figures, ModelFigures, Statistics} from '../../../actors/metrics/measuring.ts';
import {addUp, type CallCounts, noCallCounts} from '../../../actors/metrics/meter.ts';
import {type Message, t} from '../../../machines/message.ts';
import type {Range, SeatRecord, SeatSpending} from '../../../machines/panel/recorded-votes.ts';
import {say, wordIn} from '../../language.ts';
import {costText, timeText} from '../numbers.ts';
import type {PageView, Style} from '../style.ts';
import {padTo, widthOfText, wrapWords} from '../text.ts';
import {tableLines} from './table.ts';

const modelTitles = [t`CALLS`, t`FAILED`, t`TIMED OUT`, t`IN`, t`OUT`, t`COST`, t`MODEL`];
const seatTitles = [t`VOTES`, t`AGREES`, t`DECISIVE`, t`COST`, t`SEAT`];
const labels = {
  runs: t`runs`,
  plans: t`plans`,
  tools: t`tools{:stats}`,
  models: t`models`,
  tokens: t`tokens`,
  cost: t`cost`,
  ratings: t`ratings`,
  undo: t`undo`,
};

const unknown = '—';

export function statsLines(statistics: Statistics, view: PageView): string[] {
  const {total} = statistics;
  const {style, width} = view;
  const head = headLines(statistics, view);
  if (total.runs === 0) return head;
  const column =
    Math.max(...Object.values(labels).map((label) => widthOfText(say(label, style)))) + 2;
  const lines = rowsOf(total, style).flatMap(([label, segments]) => {
    const text = segments.length === 0 ? unknown : segments.join(', ');
    return wrapWords(text, width - column).map((row, index) =>
      index === 0
        ? style.bold(padTo(say(labels[label], style), column)) + row
        : ' '.repeat(column) + row,
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

function headLines(statistics: Statistics, {style, width}: PageView): string[] {
  const {since, first, open, older, total} = statistics;
  const left = [
    ...(open > 0 ? [say(t`${open} open`, style)] : []),
    ...(older > 0 ? [say(t`${amountText(older)} older (--limit N)`, style)] : []),
  ];
  const over =
    first === undefined
      ? noneText(since, style)
      : say(
          t`${runsText(total.runs)} that ended since ${timeText(older > 0 ? first : (since ?? first))}`,
          style,
        );
  return [
    over,
    ...(left.length > 0 ? [`${say(t`not counted`, style)}: ${left.join(', ')}`] : []),
    ...(total.partial > 0
      ? [
          say(
            t`${runsText(total.partial)} of an earlier version, or ended without a replay: their plans and calls are not known`,
            style,
          ),
        ]
      : []),
  ].flatMap((line) => wrapWords(line, width));
}

type Label = keyof typeof labels;
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

function noneText(since: number | undefined, style: Style): string {
  return since === undefined
    ? say(t`no run has ended yet`, style)
    : say(t`no run has ended since ${timeText(since)}`, style);
}

function runsText(count: number): Message {
  return count === 1 ? t`${amountText(count)} run` : t`${amountText(count)} runs`;
}

function planSegments(total: Figures, style: Style): string[] {
  const {runs, partial, plannedRuns, plans, revisions, replans} = total;
  if (plans === 0) return [];
  const of = partOf(style)(plannedRuns, runs - partial);
  return [
    say(t`made ${plans.toLocaleString('en-US')} in ${of} runs`, style),
    say(t`${revisions} {revision|revisions}`, style),
    say(t`${replans} {replan|replans}`, style),
  ];
}

function toolSegments({toolCalls, toolFailures, toolTimeouts}: Figures, style: Style): string[] {
  return failureSegments(toolCalls, toolFailures, toolTimeouts, style);
}

function callRows(sum: CallCounts, style: Style): Row[] {
  const {calls, failures, timeouts, unpriced, estimated} = sum;
  const priced = calls - unpriced;
  return [
    ['models', failureSegments(calls, failures, timeouts, style)],
    ['tokens', calls === 0 ? [] : [tokensText(sum, style)]],
    [
      'cost',
      [
        ...(priced > 0
          ? [say(t`${costText(sum.costUsd)} for ${partOf(style)(priced, calls)} calls`, style)]
          : []),
        ...(unpriced > 0 ? [say(t`${unpriced} {call|calls} without a known price`, style)] : []),
        ...(estimated > 0 && priced > 0
          ? [say(t`${estimated} {call|calls} estimated`, style)]
          : []),
      ],
    ],
  ];
}

function tokensText({inputTokens, cachedTokens, outputTokens}: CallCounts, style: Style): string {
  const [input, cached, output] = [inputTokens, cachedTokens, outputTokens].map(amountText);
  return say(t`in ${input ?? ''} (cached ${cached ?? ''}), out ${output ?? ''}`, style);
}

function failureSegments(
  calls: number,
  failures: number,
  timeouts: number,
  style: Style,
): string[] {
  if (calls === 0) return [];
  const part = partOf(style);
  return [
    say(t`failed ${part(failures, calls)}`, style),
    say(t`timed out ${part(timeouts, calls)}`, style),
  ];
}

/** Without ratings, undos are the only sign of satisfaction. */
function satisfactionRows({runs, ratedUp, ratedDown, undone}: Figures, style: Style): Row[] {
  const part = partOf(style);
  const rated = ratedUp + ratedDown;
  const shares = [part(rated, runs), part(ratedUp, rated), part(ratedDown, rated)] as const;
  return [
    [
      'ratings',
      [
        rated === 0
          ? say(t`none; quorate show ID --rate up|down`, style)
          : say(t`rated ${shares[0]} runs: up ${shares[1]}, down ${shares[2]}`, style),
      ],
    ],
    ['undo', [say(t`changes undone in ${part(undone, runs)} runs`, style)]],
  ];
}

/** Preceded by an empty line; none without a model. */
function modelTable(models: readonly ModelFigures[], {style, width}: PageView): string[] {
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
  return ['', ...tableLines(modelTitles, rows, style, width)];
}

/** Preceded by an empty line; none without a seat. */
function seatTable(seats: readonly SeatRecord[], {style, width}: PageView): string[] {
  if (seats.length === 0) return [];
  const rows = seats.map(({seat, rounds, agreement, decisive, spent}) => [
    amountText(rounds),
    agreement.of === 0 ? unknown : partOf(style)(agreement.count, agreement.of),
    rangeText(decisive),
    spent ? costCell(spent, style) : unknown,
    seat,
  ]);
  return ['', ...tableLines(seatTitles, rows, style, width)];
}

function rangeText({least, most}: Range): string {
  return least === most ? amountText(least) : `${amountText(least)}–${amountText(most)}`;
}

type Priced = Pick<SeatSpending, 'calls' | 'unpriced' | 'costUsd'>;

/** A dash when no call has a known price. */
function costCell({calls, unpriced, costUsd = 0}: Priced, style: Style): string {
  if (calls === unpriced) return unknown;
  return unpriced > 0 ? say(t`≥ ${costText(costUsd)}`, style) : costText(costUsd);
}

function partOf(style: Style): (count: number, all: number) => string {
  return (count, all) => say(t`${amountText(count)} of ${amountText(all)}{:part}`, style);
}

function amountText(count: number): string {
  return count.toLocaleString('en-US');
}
