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

import {assign, sendTo, setup} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../actor-end.ts';
import type {Failure} from '../domain/failure.ts';
import {isApproval} from '../domain/human.ts';
import type {ReviewRound} from '../domain/review.ts';
import type {PreviewOutcome} from '../domain/tool.ts';
import {report} from '../facts/record.ts';
import {humanGateMachine, type HumanGateOutput} from '../human-gate.ts';
import {isUnopposed} from '../panel/count.ts';
import {quorumMachine} from '../panel/quorum.ts';
import {type PortOutcome, previewTool, screenProposal} from '../ports.ts';
import {type LockEvent, lockOf, rejectionsIn} from '../tree/lock.ts';
import {pathOf} from '../tree/path.ts';
import {
  actionQuestion,
  allowed,
  failureOf,
  historyOf,
  isPartlyApproved,
  partlyAllowed,
  readyOf,
  refused,
  rejected,
} from './action-decision.ts';
import {
  type ActionReviewContext,
  type ActionReviewInput,
  byRule,
  hasMore,
  isApproved,
  isForPersonAlone,
  isGranted,
  isRowFull,
  previewed,
  previewRequest,
  proposalOf,
  proposedActions,
  quorumInput,
  screeningInput,
  standingRuleOf,
  withoutRule,
} from './action-state.ts';
import type {ActionReviewOutput, ReadyPreview} from './action.ts';

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
