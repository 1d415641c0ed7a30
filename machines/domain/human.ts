/** What a person is asked, and what they may answer. */

import type {AllowSubject} from './allow-rule.ts';
import type {JsonObject} from './json.ts';
import type {Plan} from './plan.ts';
import type {ReviewRound} from './review.ts';

/**
 * Why a person is asked: the panel could not agree on a plan, a plan wants confirming before it runs, an action was
 * rejected too often, an action touches what only a person may allow, a result found no quorum, a debate leaves grave
 * objections open, or nobody knows
 * whether an effect happened.
 */
export type HumanQuestionKind =
  | 'plan'
  | 'confirmation'
  | 'action'
  | 'protected'
  | 'result'
  | 'debate'
  | 'in-doubt';

export interface HumanQuestion {
  readonly kind: HumanQuestionKind;
  readonly request: string;
  /** One line: why a person is needed. */
  readonly reason: string;
  readonly plan?: Plan;
  /** What the decision covers: a diff, a command line, a result. */
  readonly preview?: string;
  /** SHA-256 of exactly what is decided on. */
  readonly proposalHash: string;
  readonly history: readonly ReviewRound[];
  /** What `always` would allow for good; absent where that can't be said. */
  readonly lasting?: AllowSubject;
  readonly allowed: readonly HumanDecision['decision'][];
}

export type HumanDecision =
  | {readonly decision: 'approve'; readonly reason?: string}
  /** From now on: exactly this command in this folder, or whatever begins with `prefix`. */
  | {readonly decision: 'always'; readonly prefix?: string; readonly reason?: string}
  | {readonly decision: 'reject'; readonly reason?: string}
  /** The plan in the shape of {@link Plan}, as it was given: it is read and checked before it runs. */
  | {readonly decision: 'edit'; readonly plan: JsonObject; readonly reason?: string}
  | {readonly decision: 'retry'}
  | {readonly decision: 'done'}
  | {readonly decision: 'fail'};

/** Somebody's word, given at a gate, that exactly this may be done. */
export interface Grant {
  readonly by: 'person' | 'auto_approve';
  /** SHA-256: the `planDigest` of a plan, the `callHash` of a call. */
  readonly hash: string;
  /** Of a call: what its preview was based on when it was allowed. Absent: nothing that may change. */
  readonly basedOn?: string;
}

/** A decision as it reaches the gate that it names. */
export type GateDecision = HumanDecision & {readonly gate?: string};

/** A yes, for once or for good. */
export function isApproval({decision}: Pick<HumanDecision, 'decision'>): boolean {
  return decision === 'approve' || decision === 'always';
}

/** Questions that only a person can answer: no `hil_mode` decides them. */
export function needsPerson(kind: HumanQuestionKind): boolean {
  return kind === 'in-doubt' || kind === 'protected';
}
