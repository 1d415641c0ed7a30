/** Counts the votes of a run again: by other terms, from its journal alone; as rows beside the recorded ones. */

import {roundsIn} from '../../actors/history/recorded-facts.ts';
import type {InteractionRow, Journal} from '../../actors/journal/journal.ts';
import type {RunState} from '../../actors/runtime-api.ts';
import {runStateOf} from '../../actors/sessions/run-state.ts';
import {t} from '../../machines/message.ts';
import {
  type RecordedRound,
  recountAll,
  type RecountedRound,
  type Recounting,
  type Terms,
} from '../../machines/panel/recorded-votes.ts';
import {isReachable, type QuorumRule, ruleText, tryParseRule} from '../../machines/panel/rule.ts';
import {protocolWord, type Reader, say} from '../language.ts';
import type {Globals} from '../line/command.ts';
import {meant, usageError} from '../line/usage-error.ts';
import type {PageView} from '../render/style.ts';
import {tableLines} from '../render/tables/table.ts';
import {oneLine, proseRows} from '../render/text.ts';
import {findOrNewest} from './find-run.ts';

interface RecountWanted {
  /** The ID or its beginning. Absent: the newest run of the folder. */
  readonly wanted: string | undefined;
  readonly folder?: string | undefined;
  readonly terms: GivenTerms;
}

/** Rejects as `findOrNewest` and `termsOf` do. `damage`: of the journal after the counted votes. */
export async function recountOf(
  journal: Journal,
  {wanted, folder, terms: given}: RecountWanted,
): Promise<{readonly counted: RecountedRun; readonly damage?: Error | undefined}> {
  const row = await findOrNewest(journal, wanted, folder);
  const {entries, damage} = await journal.log.salvage(row.id);
  const rounds = roundsIn(entries);
  const terms = termsOf(given, rounds);
  const state = await runStateOf(row, journal);
  return {counted: {row, state, terms, ...recountAll(rounds, terms)}, damage};
}

// The terms of `recount` on the command line, checked against the recorded rounds.

interface GivenTerms extends Pick<Globals, 'overrides'> {
  /** Names of seats; several with commas. */
  readonly without: readonly string[];
}

/** Throws AppError `usage` for an unknown seat, and for terms without a panel that could decide. */
function termsOf({without: names, overrides}: GivenTerms, rounds: readonly RecordedRound[]): Terms {
  const seats = [...new Set(rounds.flatMap((round) => round.seats))];
  const named = names.flatMap((list) => list.split(',')).map((name) => name.trim());
  const screening = rounds.flatMap(({screened = []}) => screened.map(({policy}) => policy));
  const without = new Set(named.map((name) => seatNamed(name, {seats, screening})));
  const text = overrides.findLast(({key}) => key === 'quorum.rule')?.value;
  const rule = typeof text === 'string' ? tryParseRule(text) : undefined;
  const largest = Math.max(0, ...rounds.map((round) => seatsLeft(round, without)));
  if (rounds.length > 0) requirePanel(largest, rule);
  return {without, ...(rule ? {rule} : {})};
}

/** By its own name, by its model's name with the provider, or by a policy's name without its prefix. */
function seatNamed(
  name: string,
  {seats, screening}: {readonly seats: readonly string[]; readonly screening: readonly string[]},
): string {
  const seat =
    seats.find((one) => one === name) ??
    seats.find((one) => name.endsWith(`/${one}`) || one.endsWith(`/${name}`));
  if (seat !== undefined) return seat;
  if (screening.includes(name)) {
    throw usageError(
      t`--without: ${name} has no seat: it screens proposals before the panel votes, and its refusals stay`,
    );
  }
  const [wanted, near] = [oneLine(name, 80), meant(name, seats)];
  const known = seats.length === 0 ? t`no panel has voted in it` : oneLine(seats.join(', '));
  throw usageError(t`--without: "${wanted}" has no seat in this run (${known})${near}`);
}

function seatsLeft({seats}: RecordedRound, without: ReadonlySet<string>): number {
  return seats.filter((seat) => !without.has(seat)).length;
}

function requirePanel(seats: number, rule: QuorumRule | undefined): void {
  if (seats === 0) {
    throw usageError(t`--without leaves no seat on the panel`);
  }
  if (!rule || isReachable(rule, seats)) return;
  const least = ruleText(rule);
  throw usageError(
    seats === 1
      ? t`--rule ${least} can't be reached: the largest panel has one seat`
      : t`--rule ${least} can't be reached: the largest panel has ${seats} seats`,
  );
}

// The recounted rounds of a run beside the recorded ones.

const titles = [t``, t`#`, t`RECORDED`, t`COUNTED AGAIN`, t`VOTE ON`];
const verdicts = {
  approved: t`approved`,
  rejected: t`rejected`,
  noQuorum: t`no quorum`,
  unknown: t`unknown`,
};

interface RecountedRun extends Recounting {
  readonly row: Pick<InteractionRow, 'id' | 'form' | 'status'>;
  readonly state: RunState;
  readonly terms: Terms;
}

const marks = {no: '=', yes: '≠', unknown: '?'} as const;
/** `width`: of the terminal. */
export function recountLines(run: RecountedRun, {style, width}: PageView): string[] {
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
