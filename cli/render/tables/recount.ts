/** The recounted rounds of a run beside the recorded ones. */

import type {InteractionRow} from '../../../actors/journal/journal.ts';
import type {Recounting, RecountedRound, Terms} from '../../../machines/panel/recount.ts';
import {ruleText} from '../../../machines/panel/rule.ts';
import type {InteractionState} from '../../past/run-status.ts';
import {countText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';
import {tableLines} from './table.ts';

export interface RecountedRun extends Recounting {
  readonly row: Pick<InteractionRow, 'id' | 'form' | 'status'>;
  readonly state: InteractionState;
  readonly terms: Terms;
}

const marks = {no: '=', yes: '≠', unknown: '?'} as const;
const verdictWords = {
  approved: 'approved',
  rejected: 'rejected',
  noQuorum: 'no quorum',
  unknown: 'unknown',
} as const;

/** `width`: of the terminal. */
export function recountLines(
  run: RecountedRun,
  {style, width}: {readonly style: Style; readonly width: number},
): string[] {
  const {row, state, terms, rounds} = run;
  const stateText = row.status === undefined ? state : `${state}: ${row.status}`;
  const head = `${style.bold(oneLine(row.id))} ${oneLine(row.form)} · ${oneLine(stateText)} · ${countText(rounds.length, 'vote')}`;
  if (rounds.length === 0) return [head, 'No panel has decided anything in it.'];
  const table = tableLines(
    ['', '#', 'RECORDED', 'COUNTED AGAIN', 'VOTE ON'],
    rounds.map(cellsOf),
    style,
    width,
  );
  const conclusions = conclusionsOn(run).flatMap((text) => proseRows(text, width));
  return [head, ...proseRows(termsText(terms), width), '', ...table, '', ...conclusions];
}

function cellsOf({number, recorded, recounted}: RecountedRound): string[] {
  return [
    marks[recounted.differs],
    String(number),
    `${verdictWords[recorded.verdict]} ${recorded.summary} ${recorded.rule}`,
    `${verdictWords[recounted.verdict]} ${recounted.summary} ${recounted.rule}`,
    `${recorded.kind} "${recorded.title}", round ${recorded.round}`,
  ];
}

function termsText({rule, without}: Terms): string {
  const by = rule ? `by ${ruleText(rule)}` : 'by the rule of each';
  return without.size === 0
    ? `counted again ${by}`
    : `counted again ${by}, without ${[...without].join(', ')}`;
}

function conclusionsOn({rounds, differsFrom, mayDifferFrom, row, state}: RecountedRun): string[] {
  const explained = Map.groupBy(rounds, ({recounted}) => whyOf(recounted));
  return [
    ...[...explained].flatMap(([why, of]) =>
      why === undefined ? [] : [`${of.map(({number}) => number).join(', ')}: ${why}.`],
    ),
    outcomeText(differsFrom, mayDifferFrom),
    ...(row.status === undefined ? [`The run is ${state}: more votes may follow.`] : []),
  ];
}

/** Details beyond the verdict. */
function whyOf({verdict, refusedBy, unheard}: RecountedRound['recounted']): string | undefined {
  if (refusedBy.length > 0)
    return `rejected whatever the rule, as ${refusedBy.join(', ')} refused it`;
  if (verdict !== 'unknown') return undefined;
  if (unheard.length > 0)
    return `unknown, as ${unheard.join(', ')} did not vote and could have decided it`;
  return 'unknown, as the record is of an earlier version, which did not tell all that counts';
}

function outcomeText(certain: number | undefined, possible: number | undefined): string {
  const after = 'what came after it rests on what was decided there';
  if (certain === undefined && possible === undefined) return 'Nothing would have ended otherwise.';
  if (certain === undefined) return `The outcome may differ from ${possible} on: ${after}.`;
  const sure = `The outcome differs from ${certain} on`;
  return possible === undefined
    ? `${sure}: ${after}.`
    : `${sure}, and may do so from ${possible}: ${after}.`;
}

/** As data, in the shape of `recount --output json`. */
export function recountData({row, state, terms, rounds, differsFrom, mayDifferFrom}: RecountedRun) {
  return {
    interaction: row.id,
    state,
    ...(row.status === undefined ? {} : {status: row.status}),
    ...(terms.rule ? {rule: ruleText(terms.rule)} : {}),
    without: [...terms.without],
    rounds: rounds.map(({number, recorded, recounted}) => ({
      number,
      round: recorded.round,
      kind: recorded.kind,
      title: recorded.title,
      recorded: {rule: recorded.rule, verdict: recorded.verdict, summary: recorded.summary},
      recounted,
    })),
    ...(differsFrom === undefined ? {} : {differsFrom}),
    ...(mayDifferFrom === undefined ? {} : {mayDifferFrom}),
  };
}
