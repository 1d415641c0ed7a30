/** The output of an action's review: the decision on each call. */

import {type Failure, toFailure} from '../domain/failure.ts';
import type {Grant} from '../domain/human.ts';
import type {ReviewRound} from '../domain/review.ts';
import type {PreviewOutcome} from '../domain/tool.ts';
import type {HumanGateOutput} from '../human-gate.ts';
import {onCall} from '../panel/calls.ts';
import {
  type Action,
  type ActionReviewContext,
  isForPerson,
  isGranted,
  proposedActions,
  standingRuleOf,
} from './action-state.ts';
import {
  type ActionReviewOutput,
  type CallReview,
  type ReadyPreview,
  reasonsAgainst,
  voided,
} from './action.ts';

const notDecided: Failure = toFailure('not decided');

export function allowed(context: ActionReviewContext): ActionReviewOutput {
  const by = standingRuleOf(context)
    ? 'person'
    : (context.approved ?? (isGranted(context) ? context.granted : context.word))?.by;
  return reviewsBy(context, ({preview}) => allowedBy(preview, by));
}

function allowedBy(
  preview: ReadyPreview,
  by: Grant['by'] | HumanGateOutput['by'] | undefined,
): CallReview {
  return {kind: 'allowed', preview, ...(by === 'person' ? {by} : {})};
}

/** Rejected by the panel, or at the gate after it. */
export function rejected(context: ActionReviewContext): ActionReviewOutput {
  const {round, word} = context;
  if (!word) return reviewsBy(context, (_, at) => rejectedCall(round, at));
  const panel = round && !round.approved ? reasonsAgainst(round) : [];
  const {decision, by} = word;
  const givenReason =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  const who = by === 'person' ? 'a person' : by;
  const reasons = [`${who} rejected it${givenReason}`, ...panel];
  return reviewsBy(context, () => ({kind: 'rejected', reasons}));
}

/** Without a call that the panel has rejected by itself, all are rejected together. */
function rejectedCall(round: ReviewRound | undefined, at: number): CallReview {
  const reasons = round ? reasonsAgainst(round) : [];
  const decisions = round?.calls;
  const isSingled = decisions?.some(({verdict}) => verdict === 'rejected');
  if (!round || !isSingled) return {kind: 'rejected', reasons};
  return decisions?.[at]?.verdict === 'rejected'
    ? {kind: 'rejected', reasons: reasonsAgainst(onCall(round, at + 1))}
    : voided('another call of the same turn was not allowed, so this one was not decided');
}

/** How many calls of a proposal that the panel did not approve may run: those before the first that it did not approve by itself. */
function approvedCalls(context: ActionReviewContext): number {
  const {calls: decisions = []} = context.round ?? {};
  const actions = proposedActions(context);
  const first = decisions.findIndex(({verdict}, at) => {
    const action = actions[at];
    return verdict !== 'approved' || !action || isForPerson(action);
  });
  return first === -1 ? decisions.length : first;
}

export function isPartlyApproved(context: ActionReviewContext): boolean {
  return approvedCalls(context) > 0;
}

export function partlyAllowed(context: ActionReviewContext): ActionReviewOutput {
  const count = approvedCalls(context);
  return reviewsBy(context, ({preview}, at) =>
    at < count ? allowedBy(preview, undefined) : rejectedCall(context.round, at),
  );
}

/** For a call that its turn's review has allowed, a refusal means that its effect has changed since. */
export function refused(context: ActionReviewContext): ActionReviewOutput {
  const {failure = notDecided, approved} = context;
  if (approved) {
    const why = context.failure ? ` (${context.failure.message})` : '';
    return [voided(`what it was based on has changed since it was allowed${why}`)];
  }
  return reviewsBy(context, () => ({kind: 'refused', failure}));
}

/** `review` receives the proposed actions with their place in the proposal. */
function reviewsBy(
  context: ActionReviewContext,
  review: (action: Action, at: number) => CallReview,
): ActionReviewOutput {
  const {calls, actions, failure} = context;
  const proposed = proposedActions(context);
  return calls.map((_, at) => {
    const action = actions[at];
    if (action) {
      const place = proposed.indexOf(action);
      return place === -1 ? {kind: 'left'} : review(action, place);
    }
    if (!failure) return {kind: 'left'};
    return at === actions.length
      ? {kind: 'refused', failure}
      : voided('a call before it in the same turn is not valid');
  });
}

/** For `params` of a transition whose guard has checked that the preview is ready. */
export function readyOf(outcome: PreviewOutcome): ReadyPreview {
  return outcome.kind === 'ready' ? outcome : {kind: 'ready', args: {}, preview: ''};
}

export function failureOf(outcome: PreviewOutcome): Failure {
  return outcome.kind === 'ready'
    ? toFailure('the preview was ready')
    : {code: outcome.code, message: outcome.message};
}
