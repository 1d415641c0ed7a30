/** Statistics for people: every rate with its denominator, a dash where nothing is known. */

import type {Figures, Statistics, StatsOptions} from '../../../actors/metrics/metrics-api.ts';
import {sumOfModels} from '../../../actors/metrics/statistics.ts';
import {wordIn} from '../live/texts.ts';
import {costText, durationText, timeText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {padTo, widthOfText, wrapWords} from '../text.ts';
import {amountText, groupTable, modelTable} from './stats-tables.ts';
import {statsTexts} from './stats-texts.ts';

export interface StatsView {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
}

const unknown = '—';

export function statsLines(
  statistics: Statistics,
  by: StatsOptions['by'],
  view: StatsView,
): string[] {
  const {total, groups} = statistics;
  const {style, width} = view;
  const head = headLines(statistics, view);
  if (total.runs === 0) return head;
  const models = modelTable(total.models, view);
  if (by === 'model') return [...head, ...models];
  const groupLines = by === undefined ? [] : ['', ...groupTable(groups, by, view)];
  const rows = rowsOf(total, style);
  const labels = statsTexts(style).labels;
  const column = Math.max(...Object.values(labels).map(widthOfText)) + 2;
  const lines = rows.flatMap(([label, segments]) => {
    const text = segments.length === 0 ? unknown : segments.join(', ');
    return wrapWords(text, width - column).map((row, index) =>
      index === 0 ? style.bold(padTo(labels[label], column)) + row : ' '.repeat(column) + row,
    );
  });
  return [...head, '', ...lines, ...models, ...groupLines];
}

function headLines(
  {since, first, open, unread, total}: Statistics,
  {style, width}: StatsView,
): string[] {
  const texts = statsTexts(style);
  const from = since ?? first;
  const runs = texts.runs(total.runs);
  const over =
    total.runs === 0 || from === undefined
      ? texts.none(since === undefined ? undefined : timeText(since))
      : texts.ended(runs, timeText(from));
  const left = [
    ...(open > 0 ? [texts.open(open)] : []),
    ...(unread > 0 ? [texts.unread(unread)] : []),
  ];
  return [
    ...wrapWords(over, width),
    ...(left.length > 0 ? wrapWords(`${texts.left}: ${left.join(', ')}`, width) : []),
    ...(total.partial > 0 ? wrapWords(texts.partial(texts.runs(total.partial)), width) : []),
  ];
}

type Label = keyof ReturnType<typeof statsTexts>['labels'];
type Row = readonly [label: Label, segments: readonly string[]];

function rowsOf(total: Figures, style: Style): Row[] {
  return [
    ['runs', statusSegments(total, style)],
    ...courseRows(total, style),
    ...decisionRows(total, style),
    ...callRows(total, style),
    ...satisfactionRows(total, style),
  ];
}

const statuses = ['completed', 'failed', 'rejected', 'cancelled', 'limited', 'error'];

/** Completed ones are always shown, other ends where there are any. */
function statusSegments({runs, statuses: counts}: Figures, style: Style): string[] {
  const {of} = statsTexts(style);
  const names = [...new Set([...statuses, ...Object.keys(counts)])];
  return names
    .filter((name) => name === 'completed' || (counts[name] ?? 0) > 0)
    .map((name) => `${wordIn(name, style)} ${of(amountText(counts[name] ?? 0), amountText(runs))}`);
}

function courseRows(total: Figures, style: Style): Row[] {
  const texts = statsTexts(style);
  const {runs, workedMs, waitedMs, askedRuns, plannedRuns, plans, revisions, replans} = total;
  const ofRuns = (count: number) => texts.of(amountText(count), amountText(runs));
  return [
    [
      'time',
      [
        texts.atWork(durationText(workedMs)),
        ...(askedRuns > 0 ? [texts.waited(durationText(waitedMs), ofRuns(askedRuns))] : []),
      ],
    ],
    [
      'plans',
      plans === 0
        ? []
        : [
            texts.plans(plans, ofRuns(plannedRuns)),
            texts.revised(revisions),
            texts.replanned(replans),
          ],
    ],
    [
      'limits',
      Object.entries(total.limits).map(([name, count]) => texts.limit(name, ofRuns(count))),
    ],
  ];
}

function decisionRows(total: Figures, style: Style): Row[] {
  const texts = statsTexts(style);
  const part = partsOf(style);
  const {roundsApproved, roundsRejected, roundsNoQuorum, roundsEarly, callsSaved} = total;
  const {ballotsApprove, ballotsReject, ballotsAbstain, ballotsFailed} = total;
  const {approvedByPerson, rejectedByPerson, otherByPerson, overrides} = total;
  const {approvedByRule, approvedByMode, rejectedByMode, denied} = total;
  const votes = roundsApproved + roundsRejected + roundsNoQuorum;
  const ballots = ballotsApprove + ballotsReject + ballotsAbstain + ballotsFailed;
  const decisions = approvedByPerson + rejectedByPerson + otherByPerson;
  return [
    [
      'votes',
      part(votes, [
        [texts.approved, roundsApproved, true],
        [texts.rejected, roundsRejected, true],
        [texts.noQuorum, roundsNoQuorum],
      ]),
    ],
    [
      'ballots',
      part(ballots, [
        [texts.forIt, ballotsApprove, true],
        [texts.against, ballotsReject, true],
        [texts.abstained, ballotsAbstain],
        [texts.failed, ballotsFailed],
      ]),
    ],
    [
      'early',
      votes === 0
        ? []
        : [texts.early(texts.of(amountText(roundsEarly), amountText(votes)), callsSaved)],
    ],
    [
      'people',
      part(decisions, [
        [texts.approved, approvedByPerson, true],
        [texts.rejected, rejectedByPerson, true],
        [texts.other, otherByPerson],
        [texts.overrides, overrides, true],
      ]),
    ],
    [
      'others',
      [
        ...(approvedByRule > 0 ? [texts.byRule(approvedByRule)] : []),
        ...(approvedByMode + rejectedByMode > 0
          ? [texts.byMode(approvedByMode, rejectedByMode)]
          : []),
        ...(denied > 0 ? [texts.denied(denied)] : []),
      ],
    ],
  ];
}

function callRows(total: Figures, style: Style): Row[] {
  const texts = statsTexts(style);
  const part = partsOf(style);
  const {toolCalls, toolFailures, toolTimeouts, toolRefusals} = total;
  const sum = sumOfModels(total.models);
  const priced = sum.calls - sum.unpriced;
  return [
    [
      'tools',
      [
        ...part(toolCalls, [
          [texts.failed, toolFailures, true],
          [texts.refused, toolRefusals],
        ]),
        ...(toolTimeouts > 0 ? [texts.timedOut(toolTimeouts)] : []),
      ],
    ],
    [
      'models',
      [
        ...part(sum.calls, [
          [texts.failed, sum.failures, true],
          [texts.aborted, sum.aborted],
        ]),
        ...(sum.timeouts > 0 ? [texts.timedOut(sum.timeouts)] : []),
        ...(sum.retries > 0 ? [texts.retries(sum.retries)] : []),
        ...(sum.notMade > 0 ? [texts.notMade(sum.notMade)] : []),
        ...Object.entries(sum.failed).map(([kind, count]) => `${kind} ${amountText(count)}`),
      ],
    ],
    [
      'tokens',
      sum.calls === 0
        ? []
        : [
            texts.tokens(
              amountText(sum.inputTokens),
              amountText(sum.cachedTokens),
              amountText(sum.outputTokens),
            ),
          ],
    ],
    [
      'cost',
      [
        ...(priced > 0
          ? [texts.cost(costText(sum.costUsd), texts.of(amountText(priced), amountText(sum.calls)))]
          : []),
        ...(sum.unpriced > 0 ? [texts.unpriced(sum.unpriced)] : []),
        ...(sum.estimated > 0 && priced > 0 ? [texts.estimated(sum.estimated)] : []),
      ],
    ],
  ];
}

/** Without ratings, overrides and undos are the only signs of satisfaction. */
function satisfactionRows(total: Figures, style: Style): Row[] {
  const texts = statsTexts(style);
  const {runs, ratedUp, ratedDown, undone} = total;
  const rated = ratedUp + ratedDown;
  const of = (count: number, all: number) => texts.of(amountText(count), amountText(all));
  return [
    [
      'ratings',
      [
        rated === 0
          ? texts.unrated
          : texts.ratings(of(rated, runs), of(ratedUp, rated), of(ratedDown, rated)),
      ],
    ],
    ['undo', [texts.undone(of(undone, runs))]],
  ];
}

/** Segments with their denominator; a zero only if it must be shown. */
function partsOf(style: Style) {
  const {of} = statsTexts(style);
  return (
    all: number,
    parts: readonly (readonly [text: (part: string) => string, count: number, isShown?: true])[],
  ): string[] =>
    all === 0
      ? []
      : parts
          .filter(([, count, isShown]) => count > 0 || isShown)
          .map(([text, count]) => text(of(amountText(count), amountText(all))));
}
