/** The terms of `recount` on the command line, checked against the recorded rounds. */

import {t} from '../../machines/message.ts';
import type {RecordedRound, Terms} from '../../machines/panel/recorded-votes.ts';
import {isReachable, type QuorumRule, ruleText, tryParseRule} from '../../machines/panel/rule.ts';
import type {Globals} from '../line/command.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';

export interface GivenTerms extends Pick<Globals, 'overrides'> {
  /** Names of seats; several with commas. */
  readonly without: readonly string[];
}

/** Throws AppError `usage` for an unknown seat, and for terms without a panel that could decide. */
export function termsOf(
  {without: names, overrides}: GivenTerms,
  rounds: readonly RecordedRound[],
): Terms {
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
