/** The policy reviewers: they decide by rule, without a model, and may have seats on a panel. */

import {toFailure} from '../../machines/domain/failure.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {policyBallot} from '../../machines/port-natures.ts';
import {type Ballot, noVerdict} from '../../machines/questions/ballot.ts';
import type {Effect} from '../../tools/commands/understanding.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import {safetyDiffRules} from './diff.ts';
import {evidence, evidenceDiffRules, evidenceRules} from './evidence.ts';
import {
  builtInPolicies,
  type BuiltInPolicy,
  isBuiltIn,
  policyDeadlineMs,
  policyName,
} from './names.ts';
import {safety, safetyRules} from './safety.ts';
import {scope, scopeDiffRules, scopeRules} from './scope.ts';

/** To add a policy, add an entry here and its name to `builtInPolicies`. */
export const policies: Readonly<Record<(typeof builtInPolicies)[number], BuiltInPolicy>> = {
  safety,
  scope,
  evidence,
};

/** Every rule, for the documentation. */
export const policyRules = [
  ...safetyRules.map(({id, refuses}) => ({policy: 'safety', id, refuses})),
  ...scopeRules.map(({id, refuses}) => ({policy: 'scope', id, refuses})),
  ...evidenceRules.map(({id, refuses}) => ({policy: 'evidence', id, refuses})),
];

/** Every rule about a diff, for the documentation. */
export const diffRules = Object.entries({
  safety: safetyDiffRules,
  scope: scopeDiffRules,
  evidence: evidenceDiffRules,
}).flatMap(([policy, rules]) =>
  rules.map(({id, refuses, severity}) => ({policy, id, refuses, severity})),
);

/** The ballot of a built-in policy, by `safety` or `policy/safety`. Throws Error for another name. */
export function consultPolicy(
  policy: string,
  proposal: Proposal,
  analysis: CommandAnalysis,
): Ballot {
  const name = policyName(policy);
  if (!isBuiltIn(name)) {
    throw new Error(`there is no policy reviewer ${name}; there are ${builtInPolicies.join(', ')}`);
  }
  return policies[name](proposal, analysis);
}

export type Answer = 'approve' | 'refuse' | 'cannot_judge';

/** The common verdict of the built-in policies on a proposal, and its grounds. */
export interface Judgement {
  /** `approve` if all approve, `refuse` if any refuses, otherwise `cannot_judge`. */
  readonly verdict: Answer;
  readonly by: {
    readonly safety: Answer;
    /** Null: there is no request, so scope was not consulted. */
    readonly scope: Answer | null;
    readonly evidence: Answer;
  };
  /** For example `safety/mass-delete`; without duplicates. */
  readonly rules: readonly string[];
  /** The words that were not understood, without duplicates. */
  readonly unknown: readonly string[];
  readonly reasons: readonly string[];
  readonly effects: readonly Effect[];
}

export function judge(proposal: Proposal, analysis: CommandAnalysis): Judgement {
  const isAsked = proposal.facts.request.trim() !== '';
  const ballots = {
    safety: safety(proposal, analysis),
    ...(isAsked ? {scope: scope(proposal, analysis)} : {}),
    evidence: evidence(proposal, analysis),
  };
  const all = Object.entries(ballots);
  const verdict = together(all.map(([, ballot]) => answerIn(ballot)));
  const decisive = all.filter(([, ballot]) => answerIn(ballot) === verdict);
  return {
    verdict,
    by: {
      safety: answerIn(ballots.safety),
      scope: ballots.scope ? answerIn(ballots.scope) : null,
      evidence: answerIn(ballots.evidence),
    },
    rules: all.flatMap(([policy, {rules = []}]) => rules.map((rule) => `${policy}/${rule}`)),
    unknown: [...new Set(all.flatMap(([, {unknown = []}]) => unknown))],
    reasons: [...new Set(decisive.flatMap(([, {reasons}]) => reasons))],
    effects: analysis.calls.flatMap((understanding) => understanding?.effects ?? []),
  };
}

function answerIn({verdict}: Ballot): Answer {
  if (verdict === 'abstain') return 'cannot_judge';
  return verdict === 'reject' ? 'refuse' : 'approve';
}

function together(answers: readonly Answer[]): Answer {
  if (answers.includes('refuse')) return 'refuse';
  return answers.includes('cannot_judge') ? 'cannot_judge' : 'approve';
}

// Gets the ballot of one policy reviewer. Without a valid ballot in time, the result is a refusal.

/** The most characters of a ballot as JSON. It is stored in the journal, and appears in the prompts of later rounds. */
const maxBallot = 200_000;

export interface VerdictContext {
  readonly signal: AbortSignal;
  /** Reports why a reviewer gave no valid ballot. */
  readonly onWarning: (message: string) => void;
}

/** `judge` calls the reviewer with the proposal. Never rejects. */
export async function verdictOf(
  policy: string,
  castBallot: () => Ballot | Promise<Ballot>,
  {signal, onWarning}: VerdictContext,
): Promise<Ballot> {
  try {
    const given = castBallot();
    return checkedBallot(isPending(given) ? await inTime(given, signal) : given);
  } catch (error) {
    const reason = `${policy} gave no valid verdict: ${toFailure(error).message}`;
    if (!signal.aborted) onWarning(`${reason}; a proposal that it cannot judge is refused`);
    return {verdict: 'reject', reasons: [reason], confidence: 1, rules: [noVerdict]};
  }
}

function isPending(given: Ballot | Promise<Ballot>): given is Promise<Ballot> {
  return typeof Object(given).then === 'function';
}

async function inTime(pending: Promise<Ballot>, signal: AbortSignal): Promise<Ballot> {
  const {promise: late, reject} = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer in ${policyDeadlineMs / 1_000} s`)),
    policyDeadlineMs,
  );
  const abort = (): void => reject(new Error('it was no longer needed'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, {once: true});
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** A copy that the reviewer cannot change later. Throws Error for anything but a ballot with a known verdict and a reason. */
function checkedBallot(given: Ballot): Ballot {
  const text = JSON.stringify({ballot: given});
  if (text.length > maxBallot) {
    throw new Error(`its ballot has ${text.length} characters; the limit is ${maxBallot}`);
  }
  const outcome: unknown = JSON.parse(text);
  const problem = isJsonObject(outcome) ? policyBallot(outcome, 'the answer') : undefined;
  if (problem !== undefined) throw new Error(problem);
  const copy: Ballot = JSON.parse(JSON.stringify(given));
  return copy;
}
