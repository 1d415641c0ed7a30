/** The policy reviewers: they decide by rule, without a model, and may have seats on a panel. */

import type {Proposal} from '../../machines/domain/review.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import type {Effect} from '../../tools/commands/understanding.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import {evidenceDiffRules} from './diff/diff-evidence.ts';
import {safetyDiffRules} from './diff/diff-safety.ts';
import {scopeDiffRules} from './diff/diff-scope.ts';
import {evidence, evidenceRules} from './evidence.ts';
import {type BuiltInPolicy, builtInPolicies, isBuiltIn, policyName} from './names.ts';
import {safety, safetyRules} from './safety.ts';
import {scope, scopeRules} from './scope.ts';

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
