/**
 * The review of a high-risk call, or of those of a turn as one proposal.
 *
 * previewing → previewing the next, on the ones before → previewed → voting → (weighed → awaitingPerson) → allowed / rejected
 *
 * awaitingPerson → revised, if a person asks for another action
 * weighed → partlyAllowed, if the panel approves the first calls of a proposal and not the rest
 * previewed → allowed, if an approved plan contains the call, or the review of its turn has allowed it with this effect;
 *   refused, if the effect is another one; for a turn, if all calls are reviewed by themselves
 * previewed → exempted → allowed, if a person has permanently allowed exactly this call
 * previewed → screening → exempted, if a person has permanently allowed its prefix and no policy rejects it; else voting
 * refused, when the call itself is invalid
 */

import {type AnyActorRef, assign, sendTo, setup} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../actor-end.ts';
import {type Failure, toFailure} from '../domain/failure.ts';
import {type Grant, type HumanQuestion, isApproval} from '../domain/human.ts';
import {type ReviewRound, undecidedText, vetoText} from '../domain/review.ts';
import {callSummary} from '../domain/tool-facts.ts';
import type {PreviewOutcome} from '../domain/tool.ts';
import {rejectionsBefore} from '../facts/fact.ts';
import {factsAround, report} from '../facts/record.ts';
import {humanGateMachine, type HumanGateOutput} from '../human-gate.ts';
import {isUnopposed, onCall, quorumMachine} from '../panel/quorum.ts';
import {type PortOutcome, previewTool, screenProposal} from '../ports.ts';
import {type LockEvent, lockOf, rejectionsIn} from '../tree/lock.ts';
import {pathOf} from '../tree/path.ts';
import {
  type Action,
  type ActionReviewContext,
  type ActionReviewInput,
  byRule,
  hasMore,
  isApproved,
  isForPerson,
  isForPersonAlone,
  isGranted,
  isRowFull,
  lastingSubject,
  previewed,
  previewRequest,
  proposalOf,
  proposedActions,
  quorumInput,
  rejectionsUntilPerson,
  screeningInput,
  standingRuleOf,
  withoutRule,
} from './action-state.ts';
import {
  type ActionReviewOutput,
  type CallReview,
  doubtNote,
  type ReadyPreview,
  reasonsAgainst,
  voided,
} from './action.ts';

export const actionReviewMachine = setup({
  types: {} as {
    context: ActionReviewContext;
    input: ActionReviewInput;
    output: ActionReviewOutput;
    tags: 'choice' | 'waitsForPerson' | 'failure';
  },
  actors: {previewTool, screenProposal, quorum: quorumMachine, humanGate: humanGateMachine},
  actions: {
    takePreview: assign(({context, self}, preview: ReadyPreview) =>
      previewed(context, preview, self),
    ),
    dropRule: assign(({context}) => withoutRule(context)),
    takeRound: assign((_, round: ReviewRound) => ({round})),
    countRow: assign(({system}) => ({row: rejectionsIn(system) + 1})),
    countRejection: sendTo(
      ({system}) => lockOf(system),
      (): LockEvent => ({type: 'action.rejected'}),
    ),
    takeDecision: assign((_, word: HumanGateOutput) => ({word})),
    reportStanding: report(({context, self}) => {
      const {hash, title} = proposalOf(context);
      return {
        ...byRule(context),
        type: 'human.decided',
        gate: pathOf(self),
        proposalHash: hash,
        title,
        detail: {},
      };
    }),
    takeFailure: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isReady: (_, {kind}: PreviewOutcome) => kind === 'ready',
    hasMore: ({context}, outcome: PreviewOutcome) =>
      outcome.kind === 'ready' && hasMore(context, outcome),
    hasActions: ({context}) => context.actions.length > 0,
    isApproved: ({context}) => isApproved(context),
    isStale: ({context}) => context.approved !== undefined,
    isGranted: ({context}) => isGranted(context),
    isStanding: ({context}) => standingRuleOf(context)?.match === 'exact',
    isLikeStanding: ({context}) => standingRuleOf(context)?.match === 'prefix',
    isLeft: ({context}) => proposedActions(context).length === 0,
    isUnopposed: ({context}, outcome: PortOutcome<'screenProposal'>) =>
      isUnopposed(screeningInput(context), outcome),
    isCleared: ({context}, round: ReviewRound) => round.approved && !isForPersonAlone(context),
    isForPerson: (_, {approved, verdict}: ReviewRound) => approved || verdict === 'noQuorum',
    isRowFull: ({context}) => isRowFull(context),
    isPartlyApproved: ({context}) => isPartlyApproved(context),
    isAllowed: (_, {decision}: HumanGateOutput) => isApproval(decision),
    isRevision: (_, {decision}: HumanGateOutput) => decision.decision === 'revise',
  },
  delays: {deadline: ({context}) => context.panel.quorum.deadlineMs},
}).createMachine({
  id: 'action-review',
  context: ({input}) => ({...input, actions: [], row: 0}),
  initial: 'previewing',
  states: {
    previewing: {
      invoke: {
        src: 'previewTool',
        id: 'preview',
        input: ({context}) => previewRequest(context),
        onDone: [
          {
            guard: {type: 'hasMore', params: outputIn},
            target: 'previewing',
            reenter: true,
            actions: {type: 'takePreview', params: ({event}) => readyOf(event.output)},
          },
          {
            guard: {type: 'isReady', params: outputIn},
            target: 'previewed',
            actions: {type: 'takePreview', params: ({event}) => readyOf(event.output)},
          },
          {
            guard: 'hasActions',
            target: 'previewed',
            actions: {type: 'takeFailure', params: ({event}) => failureOf(event.output)},
          },
          {
            target: 'refused',
            actions: {type: 'takeFailure', params: ({event}) => failureOf(event.output)},
          },
        ],
        onError: onCrash('refused', 'takeFailure'),
      },
    },
    previewed: {
      tags: 'choice',
      always: [
        {guard: 'isApproved', target: 'allowed'},
        {guard: 'isStale', target: 'refused'},
        {guard: 'isLeft', target: 'allowed'},
        {guard: 'isGranted', target: 'allowed'},
        {guard: 'isStanding', target: 'exempted'},
        {guard: 'isLikeStanding', target: 'screening'},
        {target: 'voting'},
      ],
    },
    screening: {
      invoke: {
        src: 'screenProposal',
        id: 'screen',
        input: ({context}) => screeningInput(context),
        onDone: [when('isUnopposed', 'exempted'), {target: 'voting', actions: 'dropRule'}],
        onError: {target: 'voting', actions: 'dropRule'},
      },
      after: {deadline: {target: 'voting', actions: 'dropRule'}},
    },
    exempted: {
      tags: 'choice',
      entry: 'reportStanding',
      always: 'allowed',
    },
    voting: {
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => quorumInput(context),
        onDone: [
          when('isCleared', 'allowed'),
          when('isForPerson', 'awaitingPerson', 'takeRound'),
          otherwise('weighed', 'takeRound'),
        ],
        onError: onCrash('refused', 'takeFailure'),
      },
    },
    weighed: {
      tags: 'choice',
      entry: 'countRow',
      always: [
        {guard: 'isRowFull', target: 'awaitingPerson'},
        {guard: 'isPartlyApproved', target: 'partlyAllowed'},
        {target: 'rejected'},
      ],
    },
    awaitingPerson: {
      tags: 'waitsForPerson',
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context, self}) => ({question: actionQuestion(context, historyOf(context, self))}),
        onDone: [
          when('isAllowed', 'allowed', 'takeDecision'),
          when('isRevision', 'revised', 'takeDecision'),
          otherwise('rejected', 'takeDecision'),
        ],
        onError: onCrash('refused', 'takeFailure'),
      },
    },
    allowed: {type: 'final', output: ({context}) => allowed(context)},
    partlyAllowed: {
      type: 'final',
      entry: 'countRejection',
      output: ({context}) => partlyAllowed(context),
    },
    rejected: {
      type: 'final',
      tags: 'failure',
      entry: 'countRejection',
      output: ({context}) => rejected(context),
    },
    revised: {type: 'final', tags: 'failure', output: ({context}) => rejected(context)},
    refused: {type: 'final', tags: 'failure', output: ({context}) => refused(context)},
  },
  output: ({event}) => event.output as ActionReviewOutput,
});

// The decision on the calls of a review: the question to a person, and the output.

/** The vote on the action, preceded by the votes on the actions rejected before it, if a person is asked because of the row. */
function historyOf({round, row}: ActionReviewContext, self: AnyActorRef): readonly ReviewRound[] {
  if (!round) return [];
  return row < rejectionsUntilPerson
    ? [round]
    : [...rejectionsBefore(factsAround(self), round, rejectionsUntilPerson - 1), round];
}

function actionQuestion(
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

function allowed(context: ActionReviewContext): ActionReviewOutput {
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
function rejected(context: ActionReviewContext): ActionReviewOutput {
  const {round, word} = context;
  if (!word) return reviewsBy(context, (_, at) => rejectedCall(round, at));
  const panel = round && !round.approved ? reasonsAgainst(round) : [];
  const reasons = [decidedText(word), ...panel];
  return reviewsBy(context, () => ({kind: 'rejected', reasons}));
}

function decidedText({decision, by}: HumanGateOutput): string {
  if (decision.decision === 'revise') return 'a person asked for another action instead';
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

function isPartlyApproved(context: ActionReviewContext): boolean {
  return approvedCalls(context) > 0;
}

function partlyAllowed(context: ActionReviewContext): ActionReviewOutput {
  const count = approvedCalls(context);
  return reviewsBy(context, ({preview}, at) =>
    at < count ? allowedBy(preview, undefined) : rejectedCall(context.round, at),
  );
}

/** For a call that its turn's review has allowed, a refusal means that its effect has changed since. */
function refused(context: ActionReviewContext): ActionReviewOutput {
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
function readyOf(outcome: PreviewOutcome): ReadyPreview {
  return outcome.kind === 'ready' ? outcome : {kind: 'ready', args: {}, preview: ''};
}

function failureOf(outcome: PreviewOutcome): Failure {
  return outcome.kind === 'ready'
    ? toFailure('the preview was ready')
    : {code: outcome.code, message: outcome.message};
}
