/** Types and names of the policy reviewers, without their rules: those are loaded when a policy is consulted. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';

/**
 * A policy reviewer: judges a proposal and the analysis of its commands. A construct that it cannot judge is listed in
 * `unknown`, with the verdict `abstain`. A reviewer that throws, rejects, takes longer than {@link policyDeadlineMs}, or
 * returns anything but a ballot with at least one reason refuses the proposal.
 */
export type PolicyReviewer = (
  proposal: Proposal,
  analysis: CommandAnalysis,
) => Ballot | Promise<Ballot>;

/** Decides synchronously. */
export type BuiltInPolicy = (proposal: Proposal, analysis: CommandAnalysis) => Ballot;

/** The time limit for a program's own reviewer, ms. */
export const policyDeadlineMs = 10_000;

export const builtInPolicies = ['safety', 'scope', 'evidence'] as const;

/** Without `policy/`. */
export function policyName(policy: string): string {
  return policy.replace(/^policy\//, '');
}

export function isBuiltIn(name: string): name is (typeof builtInPolicies)[number] {
  return builtInPolicies.some((known) => known === name);
}

/**
 * The names of reviewers besides the built-in ones. Throws AppError `config` for a built-in name: a built-in reviewer cannot
 * be replaced.
 */
export function ownPolicies(own: Readonly<Record<string, PolicyReviewer>>): readonly string[] {
  const taken = builtInPolicies.find((name) => Object.hasOwn(own, name));
  if (taken === undefined) return Object.keys(own);
  throw new AppError(
    'config',
    `the name of the policy reviewer "${taken}" is taken twice: a built-in reviewer has it; choose another name`,
  );
}
