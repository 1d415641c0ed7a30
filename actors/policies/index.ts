/** The policy reviewers: seats of a panel that decide by rule, without a model. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Ballot} from '../../machines/domain/ballot.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {evidence, evidenceRules} from './evidence.ts';
import {safety, safetyRules} from './safety.ts';
import {scope, scopeRules} from './scope.ts';

/** A reviewer by rule. Add one by adding an entry; it must be pure and never throw. */
export type PolicyReviewer = (proposal: Proposal) => Ballot;

export const policies: Readonly<Record<string, PolicyReviewer>> = {safety, scope, evidence};

/**
 * The names of reviewers beside the built-in ones. Throws AppError `config` for the name of one that is built in:
 * nobody takes its seat unseen.
 */
export function ownPolicies(own: Readonly<Record<string, PolicyReviewer>>): readonly string[] {
  const names = Object.keys(own);
  const taken = names.find((name) => Object.hasOwn(policies, name));
  if (taken === undefined) return names;
  throw new AppError(
    'config',
    `the policy reviewer "${taken}" is taken twice: one of that name is built in; give yours another name`,
  );
}

/** Every rule, for the documentation. */
export const policyRules = [
  ...safetyRules.map(({id, refuses}) => ({policy: 'safety', id, refuses})),
  ...scopeRules.map(({id, refuses}) => ({policy: 'scope', id, refuses})),
  ...evidenceRules.map(({id, refuses}) => ({policy: 'evidence', id, refuses})),
];

/** The ballot of a policy, by `safety` or `policy/safety`. An unknown policy abstains. */
export function consultPolicy(
  policy: string,
  proposal: Proposal,
  known: Readonly<Record<string, PolicyReviewer>> = policies,
): Ballot {
  const name = policy.replace(/^policy\//, '');
  const reviewer = Object.hasOwn(known, name) ? known[name] : undefined;
  if (reviewer) return reviewer(proposal);
  const names = Object.keys(known).join(', ');
  const reason = `there is no policy reviewer ${name}; there is ${names}`;
  return {verdict: 'abstain', reasons: [reason], confidence: 0};
}
