/** The terms of `recount` on the command line, checked against the recorded rounds. */

import type {RecordedRound, Terms} from '../../machines/panel/recount.ts';
import {isReachable, type QuorumRule, ruleText, tryParseRule} from '../../machines/panel/rule.ts';
import type {Parsed} from '../line/command.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';

/** Throws AppError `usage` for an unknown seat, and for terms without a panel that could decide. */
export function termsOf(
  {flags, overrides}: Pick<Parsed, 'flags' | 'overrides'>,
  rounds: readonly RecordedRound[],
): Terms {
  const seats = [...new Set(rounds.flatMap((round) => round.seats))];
  const named = (flags['without'] ?? [])
    .flatMap((list) => list.split(','))
    .map((name) => name.trim());
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
    throw usageError({
      en: `--without: ${name} has no seat: it screens proposals before the panel votes, and its refusals stay`,
      ja: `--without: ${name} に席はありません。投票の前に提案を調べる係で、その拒否は残ります`,
    });
  }
  const [wanted, near] = [oneLine(name, 80), meant(name, seats)];
  const known =
    seats.length === 0
      ? {en: 'no panel has voted in it', ja: '投票した合議体はありません'}
      : {en: oneLine(seats.join(', ')), ja: oneLine(seats.join(', '))};
  throw usageError({
    en: `--without: "${wanted}" has no seat in this run (${known.en})${near.en}`,
    ja: `--without: "${wanted}" の席はこの実行にありません（${known.ja}）${near.ja}`,
  });
}

function seatsLeft({seats}: RecordedRound, without: ReadonlySet<string>): number {
  return seats.filter((seat) => !without.has(seat)).length;
}

function requirePanel(seats: number, rule: QuorumRule | undefined): void {
  if (seats === 0) {
    throw usageError({
      en: '--without leaves no seat on the panel',
      ja: '--without を適用すると、合議体に誰も残りません',
    });
  }
  if (!rule || isReachable(rule, seats)) return;
  throw usageError({
    en: `--rule ${ruleText(rule)} can't be reached: the largest panel has ${seats === 1 ? 'one seat' : `${seats} seats`}`,
    ja: `--rule ${ruleText(rule)} は満たせません。数える合議体は最大でも ${seats} 席です`,
  });
}
