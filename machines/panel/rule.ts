/**
 * The rules of a panel's decision: pure arithmetic over seats, independent of the models on them. A new rule needs changes
 * only here: its spelling, its help text and its arithmetic.
 */

export type QuorumRule =
  | {readonly kind: 'majority'}
  | {readonly kind: 'unanimous'}
  | {readonly kind: 'at_least'; readonly count: number}
  | {readonly kind: 'percent'; readonly percent: number};

/** A seat in a count, with its vote. `weight` counts in majority and percent; the other rules count seats. */
export interface CountedSeat {
  readonly seat: string;
  readonly weight: number;
  readonly veto: boolean;
  /** `unjudged`: an abstention of a reviewer by rule that can't judge the proposal. `out`: no ballot yet, or withdrawn. */
  readonly vote: 'approve' | 'reject' | 'abstain' | 'unjudged' | 'out';
}

/** How a recorded vote counts. Absent vote: `out`. */
export function countedVoteOf(
  vote:
    | {readonly verdict: 'approve' | 'reject' | 'abstain'; readonly unknown?: readonly string[]}
    | undefined,
): CountedSeat['vote'] {
  if (!vote) return 'out';
  return vote.verdict === 'abstain' && (vote.unknown?.length ?? 0) > 0 ? 'unjudged' : vote.verdict;
}

export type Verdict = 'approved' | 'rejected' | 'noQuorum';

/** The rules for help and completion: `start` is the part of the spelling that a user types, or an example of it. */
export const ruleForms = [
  {spelling: 'majority', start: 'majority', meaning: 'more than half of the seats approve'},
  {spelling: 'unanimous', start: 'unanimous', meaning: 'all seats approve'},
  {spelling: 'at_least:N', start: 'at_least:', meaning: 'N seats or more approve'},
  {spelling: 'N%', start: '75%', meaning: 'N percent of the seats or more approve'},
] as const;

/** The spellings in a sentence. */
export const ruleSpellings = ruleForms
  .map(({spelling}) => spelling)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

/** For messages about a text that is not a rule. */
export const ruleHelp = `${ruleSpellings} (N from 1 to 100)`;

/** Applies to an unreadable rule, and to a panel of policy reviewers. */
export const strictestRule: QuorumRule = {kind: 'unanimous'};

/** Parses one of `ruleForms`. Undefined for another text. */
export function tryParseRule(text: string): QuorumRule | undefined {
  if (text === 'majority' || text === 'unanimous') return {kind: text};
  const atLeast = /^at_least:(\d{1,4})$/.exec(text);
  if (atLeast) return positive(Number(atLeast[1]), (count) => ({kind: 'at_least', count}));
  const percent = /^(\d{1,3})%$/.exec(text);
  if (percent && Number(percent[1]) <= 100) {
    return positive(Number(percent[1]), (value) => ({kind: 'percent', percent: value}));
  }
  return undefined;
}

function positive(value: number, make: (value: number) => QuorumRule): QuorumRule | undefined {
  return value >= 1 ? make(value) : undefined;
}

/** The rule that the text spells, or the strictest one. */
export function ruleOrStrictest(text: string): QuorumRule {
  return tryParseRule(text) ?? strictestRule;
}

export function ruleText(rule: QuorumRule): string {
  if (rule.kind === 'at_least') return `at_least:${rule.count}`;
  return rule.kind === 'percent' ? `${rule.percent}%` : rule.kind;
}

/**
 * The decision, with every missing ballot counted as an abstention. A rejection by a seat with a veto decides with any
 * participation. If such a seat can't judge, and no seat rejects, there is no quorum: a person must decide.
 */
export function decide(
  rule: QuorumRule,
  seats: readonly CountedSeat[],
  minParticipation: number,
): Verdict {
  if (seats.some(({veto, vote}) => veto && vote === 'reject')) return 'rejected';
  const cast = seats.filter(({vote}) => vote === 'approve' || vote === 'reject').length;
  if (cast < minParticipation) return 'noQuorum';
  if (isLeftUnjudged(seats)) return 'noQuorum';
  const vetoesApprove = seats.every(({veto, vote}) => !veto || vote === 'approve');
  return vetoesApprove && reaches(rule, seats) ? 'approved' : 'rejected';
}

function isLeftUnjudged(seats: readonly CountedSeat[]): boolean {
  const isUnjudged = seats.some(({veto, vote}) => veto && vote === 'unjudged');
  return isUnjudged && !seats.some(({vote}) => vote === 'reject');
}

/** The number of approvals that the rule requires on a panel with equal weights. */
export function approvalsNeeded(rule: QuorumRule, seats: number): number {
  if (rule.kind === 'majority') return Math.floor(seats / 2) + 1;
  if (rule.kind === 'unanimous') return seats;
  return rule.kind === 'at_least' ? rule.count : Math.ceil((seats * rule.percent) / 100);
}

/** False when the panel is too small for the rule. */
export function isReachable(rule: QuorumRule, seats: number): boolean {
  return approvalsNeeded(rule, seats) <= seats;
}

/**
 * True if `next` requires at least as many approvals as `now` on a panel of each size. With weights, seats can't be counted:
 * only the strictest rule is safe.
 */
export function isAsStrict(
  next: QuorumRule,
  now: QuorumRule,
  {sizes, weighted}: {readonly sizes: readonly number[]; readonly weighted: boolean},
): boolean {
  if (next.kind === strictestRule.kind) return true;
  if (weighted) return false;
  return sizes.every((seats) => approvalsNeeded(next, seats) >= approvalsNeeded(now, seats));
}

/** Sums of weights such as 0.1 are inexact: without this margin the order of the seats could break a tie. */
const rounding = 1e-12;

function reaches(rule: QuorumRule, seats: readonly CountedSeat[]): boolean {
  const approvals = seats.filter(({vote}) => vote === 'approve');
  const weigh = (list: readonly CountedSeat[]) => list.reduce((sum, {weight}) => sum + weight, 0);
  const total = weigh(seats);
  if (rule.kind === 'majority') return weigh(approvals) * 2 > total * (1 + rounding);
  if (approvals.length === 0) return false;
  if (rule.kind === 'percent') {
    return weigh(approvals) * 100 >= rule.percent * total * (1 - rounding);
  }
  return approvals.length >= approvalsNeeded(rule, seats.length);
}

/**
 * The decision as soon as the remaining ballots can't change it; undefined before. Approvals are monotonic in every rule, so
 * it is enough to try the extremes: all remaining seats approve, or all reject, or all abstain.
 */
export function decideEarly(
  rule: QuorumRule,
  seats: readonly CountedSeat[],
  minParticipation: number,
): Verdict | undefined {
  const suppose = (vote: CountedSeat['vote']) =>
    decide(
      rule,
      seats.map((seat) => (seat.vote === 'out' ? {...seat, vote} : seat)),
      minParticipation,
    );
  const [best, worst, silent] = [suppose('approve'), suppose('reject'), suppose('abstain')];
  return best === worst && worst === silent ? best : undefined;
}
