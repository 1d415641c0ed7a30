/** Questions to a person, and the decisions that they allow. */

import type {AllowSubject} from './allow-rule.ts';
import type {JsonObject} from './json.ts';
import type {Plan} from './plan.ts';
import type {ReviewRound} from './review.ts';

/**
 * Why a person is asked: the panel could not agree on a plan, a plan needs confirmation before it runs, an action was
 * rejected too often, an action touches something that only a person may allow, a result found no quorum, a debate leaves
 * grave objections open, or it is unknown whether an effect happened.
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
  /** The subject of the decision: a diff, a command line, a result. */
  readonly preview?: string;
  /** SHA-256 of exactly the subject of the decision. */
  readonly proposalHash: string;
  readonly history: readonly ReviewRound[];
  /** The calls that `always` would allow permanently; absent if no rule can describe them. */
  readonly lasting?: AllowSubject;
  readonly allowed: readonly HumanDecision['decision'][];
}

export type HumanDecision =
  | {readonly decision: 'approve'; readonly reason?: string}
  /** From now on: exactly this command in this folder, or every command that begins with `prefix`. */
  | {readonly decision: 'always'; readonly prefix?: string; readonly reason?: string}
  | {readonly decision: 'reject'; readonly reason?: string}
  /** The plan in the shape of {@link Plan}, as it was given: it is read and checked before it runs. */
  | {readonly decision: 'edit'; readonly plan: JsonObject; readonly reason?: string}
  /** Make the proposal again with these words, which become part of the request. */
  | {readonly decision: 'revise'; readonly reason: string}
  | {readonly decision: 'retry'}
  | {readonly decision: 'done'}
  | {readonly decision: 'fail'};

/** An approval given at a gate: exactly this plan or call may be carried out. */
export interface Grant {
  readonly by: 'person' | 'auto_approve';
  /** SHA-256: the `planDigest` of a plan, the `callHash` of a call. */
  readonly hash: string;
  /** For a call: `basedOn` of its preview when it was allowed. Absent: nothing that may change. */
  readonly basedOn?: string;
}

/** A decision, addressed to the gate that it names. */
export type GateDecision = HumanDecision & {readonly gate?: string};

/** True for an approval, whether for once or permanently. */
export function isApproval({decision}: Pick<HumanDecision, 'decision'>): boolean {
  return decision === 'approve' || decision === 'always';
}

/** Questions that only a person can answer: no `hil_mode` decides them. */
export function needsPerson(kind: HumanQuestionKind): boolean {
  return kind === 'in-doubt' || kind === 'protected';
}
