/** What is known of the policy reviewers before one is consulted, which loads them. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Ballot} from '../../machines/domain/ballot.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import type {Study} from './study.ts';

/**
 * A reviewer by rule, of a proposal and what is known of its commands. It must be pure and never throw. What it does not
 * understand stands in its ballot as `unknown`, with the verdict `abstain`.
 */
export type PolicyReviewer = (proposal: Proposal, study: Study) => Ballot;

export const builtInPolicies = ['safety', 'scope', 'evidence'] as const;

/**
 * The names of reviewers beside the built-in ones. Throws AppError `config` for the name of one that is built in:
 * nobody takes its seat unseen.
 */
export function ownPolicies(own: Readonly<Record<string, PolicyReviewer>>): readonly string[] {
  const taken = builtInPolicies.find((name) => Object.hasOwn(own, name));
  if (taken === undefined) return Object.keys(own);
  throw new AppError(
    'config',
    `the policy reviewer "${taken}" is taken twice: one of that name is built in; give yours another name`,
  );
}
