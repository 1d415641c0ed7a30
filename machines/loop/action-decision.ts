/** The decision on the calls of a review: the question to a person, and the output. */

import type {AnyActorRef} from 'xstate';

import {type Failure, toFailure} from '../domain/failure.ts';
import type {Grant, HumanQuestion} from '../domain/human.ts';
import {type ReviewRound, undecidedText, vetoText} from '../domain/review.ts';
import {callSummary, type PreviewOutcome} from '../domain/tool.ts';
import {rejectionsBefore} from '../facts/fact.ts';
import {factsAround} from '../facts/record.ts';
import type {HumanGateOutput} from '../human-gate.ts';
import {onCall} from '../panel/count.ts';
import {
  type Action,
  type ActionReviewContext,
  isForPerson,
  isForPersonAlone,
  isGranted,
  lastingSubject,
  proposalOf,
  proposedActions,
  rejectionsUntilPerson,
  standingRuleOf,
} from './action-state.ts';
import {
  type ActionReviewOutput,
  type CallReview,
  doubtNote,
  type ReadyPreview,
  reasonsAgainst,
  voided,
} from './action.ts';

/** The vote on the action, preceded by the votes on the actions rejected before it, if a person is asked because of the row. */
export function historyOf(
  {round, row}: ActionReviewContext,
  self: AnyActorRef,
): readonly ReviewRound[] {
  if (!round) return [];
  return row < rejectionsUntilPerson
    ? [round]
    : [...rejectionsBefore(factsAround(self), round, rejectionsUntilPerson - 1), round];
}

export function actionQuestion(
  context: ActionReviewContext,
  history: readonly ReviewRound[],
): HumanQuestion {
  const {brief} = context;
  const proposal = proposalOf(context);
  const lasting = lastingSubject(context);
  return {
    kind: isForPersonAlone(context) ? 'protected' : 'action',
    request: brief.request,
    reason: questionReason(context),
    preview: [proposal.title, ...previewLines(proposedActions(context))].join('\n'),
    proposalHash: proposal.hash,
    history,
    ...(lasting ? {lasting} : {}),
    allowed: ['approve', ...(lasting ? (['always'] as const) : []), 'reject', 'revise'],
  };
}

/** Several calls are numbered. */
function previewLines(actions: readonly Action[]): string[] {
  return actions.flatMap(({call, tool, preview, isDoubted}, at) => {
    const title = `${at + 1}. ${callSummary(call.name, preview.args, tool)}`;
    return [
      ...(actions.length > 1 ? ['', title] : []),
      preview.preview,
      ...(isDoubted ? [doubtNote] : []),
    ];
  });
}

function questionReason(context: ActionReviewContext): string {
  const {round} = context;
  const actions = proposedActions(context);
  if (round?.approved === true) {
    const {personReason} = actions.find((action) => action.personReason !== undefined) ?? {};
    const why = actions.some(({isDoubted}) => isDoubted)
      ? 'The end of its first try was not recorded: only a person may allow another.'
      : 'Only a person may allow this.';
    return personReason ?? why;
  }
  const what = actions.length > 1 ? 'these actions' : 'this action';
  if (round?.verdict === 'noQuorum') return undecidedText(round, what);
  const veto = vetoText(round);
  const last = veto === undefined ? '' : ` The last was ${veto}.`;
  return `The panel rejected ${rejectionsUntilPerson} actions in a row.${last}`;
}

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
  const reasons = [decidedText(word), ...panel];
  return reviewsBy(context, () => ({kind: 'rejected', reasons}));
}

function decidedText({decision, by}: HumanGateOutput): string {
  if (decision.decision === 'revise')
    return 'a person asks for another action, in the message that follows';
  const why =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  return `${by === 'person' ? 'a person' : by} rejected it${why}`;
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
