/** The policy reviewers: seats of a panel that decide by rule, without a model. */

import type {Ballot} from '../../machines/domain/ballot.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {evidenceDiffRules} from './diff/diff-evidence.ts';
import {safetyDiffRules} from './diff/diff-safety.ts';
import {scopeDiffRules} from './diff/diff-scope.ts';
import {evidence, evidenceRules} from './evidence.ts';
import type {builtInPolicies, PolicyReviewer} from './names.ts';
import {safety, safetyRules} from './safety.ts';
import {scope, scopeRules} from './scope.ts';

/** Add one by adding an entry, and its name to those that are built in. */
export const policies: Readonly<Record<(typeof builtInPolicies)[number], PolicyReviewer>> = {
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
