/** The recounted rounds of a run beside the recorded ones. */

import type {InteractionRow} from '../../../actors/journal/journal.ts';
import type {RunState} from '../../../actors/runtime-api.ts';
import {t} from '../../../machines/message.ts';
import type {RecountedRound, Recounting, Terms} from '../../../machines/panel/recorded-votes.ts';
import {ruleText} from '../../../machines/panel/rule.ts';
import {say, type Reader, protocolWord} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';
import {tableLines} from './table.ts';

const titles = [t``, t`#`, t`RECORDED`, t`COUNTED AGAIN`, t`VOTE ON`];
const verdicts = {
  approved: t`approved`,
  rejected: t`rejected`,
  noQuorum: t`no quorum`,
  unknown: t`unknown`,
};

export interface RecountedRun extends Recounting {
  readonly row: Pick<InteractionRow, 'id' | 'form' | 'status'>;
  readonly state: RunState;
  readonly terms: Terms;
}

const marks = {no: '=', yes: '≠', unknown: '?'} as const;
/** `width`: of the terminal. */
export function recountLines(
  run: RecountedRun,
  {style, width}: {readonly style: Style; readonly width: number},
): string[] {
  const {row, state, terms, rounds} = run;
  const status = row.status === undefined ? state : `${state}: ${row.status}`;
  const head = `${style.bold(oneLine(row.id))} ${oneLine(row.form)} · ${oneLine(status)} · ${say(t`${rounds.length} {vote|votes}`, style)}`;
  if (rounds.length === 0) return [head, say(t`No panel has decided anything in it.`, style)];
  const table = tableLines(
    titles,
    rounds.map((round) => cellsOf(round, style)),
    style,
    width,
  );
  const conclusions = conclusionsOn(run, style).flatMap((text) => proseRows(text, width));
  return [head, ...proseRows(termsText(terms, style), width), '', ...table, '', ...conclusions];
}

function cellsOf({number, recorded, recounted}: RecountedRound, reader: Reader): string[] {
  return [
    marks[recounted.differs],
    String(number),
    `${say(verdicts[recorded.verdict], reader)} ${recorded.summary} ${recorded.rule}`,
    `${say(verdicts[recounted.verdict], reader)} ${recounted.summary} ${recounted.rule}`,
    voteText(recorded, reader),
  ];
}

function voteText({kind, title, round}: RecountedRound['recorded'], reader: Reader): string {
  return say(t`${protocolWord(kind)} "${title}", round ${round}`, reader);
}

function termsText({rule, without}: Terms, reader: Reader): string {
  const seats = [...without].join(', ');
  const by = rule ? t`by ${ruleText(rule)}` : t`by the rule of each`;
  return say(
    without.size === 0 ? t`counted again ${by}` : t`counted again ${by}, without ${seats}`,
    reader,
  );
}

function conclusionsOn(
  {rounds, differsFrom, mayDifferFrom, row, state}: RecountedRun,
  reader: Reader,
): string[] {
  const explained = Map.groupBy(rounds, ({recounted}) => whyOf(recounted, reader));
  return [
    ...[...explained].flatMap(([why, of]) =>
      why === undefined ? [] : [`${of.map(({number}) => number).join(', ')}: ${why}.`],
    ),
    outcomeText(differsFrom, mayDifferFrom, reader),
    ...(row.status === undefined
      ? [say(t`The run is ${state}: more votes may follow.`, reader)]
      : []),
  ];
}

/** Details beyond the verdict. */
function whyOf(
  {verdict, refusedBy, unheard: missing}: RecountedRound['recounted'],
  reader: Reader,
): string | undefined {
  const [refusing, silent] = [refusedBy.join(', '), missing.join(', ')];
  if (refusedBy.length > 0) {
    return say(t`rejected under every rule, as ${refusing} refused it`, reader);
  }
  if (verdict !== 'unknown') return undefined;
  return say(
    missing.length > 0
      ? t`unknown, as ${silent} did not vote and could have decided it`
      : t`unknown: the record lacks data for the count`,
    reader,
  );
}

function outcomeText(
  certain: number | undefined,
  possible: number | undefined,
  reader: Reader,
): string {
  const after = t`later rounds depend on that decision`;
  if (certain === undefined) {
    return possible === undefined
      ? say(t`No vote would have ended otherwise.`, reader)
      : say(t`The outcome may differ from ${possible} on: ${after}.`, reader);
  }
  const also = possible === undefined ? t`` : t`, and may do so from ${possible}`;
  return say(t`The outcome differs from ${certain} on${also}: ${after}.`, reader);
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
