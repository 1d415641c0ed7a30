/**
 * Whether one high-risk call may run.
 *
 * previewing → voting → (awaitingHuman) → allowed / rejected; refused when the call itself is no good
 */

import {assign, sendParent, setup} from 'xstate';

import {type Failure, toFailure} from '../domain/failure.ts';
import type {HumanQuestion} from '../domain/human.ts';
import type {ReviewRound} from '../domain/review.ts';
import type {Settings} from '../domain/settings.ts';
import type {PreviewOutcome} from '../domain/tool.ts';
import type {ToolCall} from '../domain/transcript.ts';
import {humanGateMachine, type HumanGateOutput} from '../human-gate.ts';
import {quorumMachine} from '../panel/quorum.ts';
import {previewTool} from '../ports.ts';
import {
  type ActionBrief,
  actionProposal,
  type ActionReviewOutput,
  type ReadyPreview,
  reasonsAgainst,
} from './action.ts';

/** A person is asked at this many rejected actions in a row. */
const rejectionsUntilHuman = 3;

export interface ActionReviewInput {
  readonly call: ToolCall;
  readonly settings: Settings;
  readonly brief: ActionBrief;
  readonly context: string;
  /** Rejected actions right before this one. */
  readonly rejectionsInARow: number;
}

/** Passed up to the agent as it happens, so that a run cut short still tells what was voted. */
export interface ActionReviewed {
  readonly type: 'action.reviewed';
  readonly round: ReviewRound;
}

export interface ActionReviewContext extends ActionReviewInput {
  readonly preview?: ReadyPreview;
  readonly round?: ReviewRound;
  readonly output: ActionReviewOutput;
}

export const actionReviewMachine = setup({
  types: {} as {context: ActionReviewContext; input: ActionReviewInput; output: ActionReviewOutput},
  actors: {previewTool, quorum: quorumMachine, humanGate: humanGateMachine},
  actions: {
    takePreview: assign((_, preview: PreviewOutcome) =>
      preview.kind === 'ready' ? {preview} : {},
    ),
    takeRound: assign((_, round: ReviewRound) => ({round})),
    passRound: sendParent((_, round: ReviewRound): ActionReviewed => ({
      type: 'action.reviewed',
      round,
    })),
    refuse: assign((_, outcome: PreviewOutcome) => ({output: refusal(outcome)})),
    refuseCrash: assign((_, failure: Failure) => ({output: {kind: 'refused' as const, failure}})),
    allow: assign(({context}) => ({output: allowed(context)})),
    reject: assign(({context}) => ({output: rejected(context)})),
    rejectByGate: assign(({context}, answer: HumanGateOutput) => ({
      output: rejectedByGate(context, answer),
    })),
  },
  guards: {
    isReady: (_, {kind}: PreviewOutcome) => kind === 'ready',
    isCleared: ({context}, round: ReviewRound) => round.approved && !isProtected(context),
    needsHuman: ({context}, round: ReviewRound) => needsHuman(context, round),
    isAllowed: (_, {decision}: HumanGateOutput) => decision.decision === 'approve',
  },
}).createMachine({
  id: 'action-review',
  context: ({input}) => ({...input, output: crash('not decided')}),
  initial: 'previewing',
  states: {
    previewing: {
      invoke: {
        src: 'previewTool',
        id: 'preview',
        input: ({context}) => ({
          tool: context.call.name,
          args: context.call.args,
          workspace: context.brief.workspace,
        }),
        onDone: [
          {
            guard: {type: 'isReady', params: ({event}) => event.output},
            target: 'voting',
            actions: {type: 'takePreview', params: ({event}) => event.output},
          },
          {target: 'refused', actions: {type: 'refuse', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'refused',
          actions: {type: 'refuseCrash', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    voting: {
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => quorumInput(context),
        onDone: [
          {
            guard: {type: 'isCleared', params: ({event}) => event.output},
            target: 'allowed',
            actions: [{type: 'passRound', params: ({event}) => event.output}, 'allow'],
          },
          {
            guard: {type: 'needsHuman', params: ({event}) => event.output},
            target: 'awaitingHuman',
            actions: [
              {type: 'takeRound', params: ({event}) => event.output},
              {type: 'passRound', params: ({event}) => event.output},
            ],
          },
          {
            target: 'rejected',
            actions: [
              {type: 'takeRound', params: ({event}) => event.output},
              {type: 'passRound', params: ({event}) => event.output},
              'reject',
            ],
          },
        ],
        onError: {
          target: 'refused',
          actions: {type: 'refuseCrash', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    awaitingHuman: {
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({
          hilMode: context.settings.agent.hilMode,
          question: actionQuestion(context),
        }),
        onDone: [
          {
            guard: {type: 'isAllowed', params: ({event}) => event.output},
            target: 'allowed',
            actions: 'allow',
          },
          {target: 'rejected', actions: {type: 'rejectByGate', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'refused',
          actions: {type: 'refuseCrash', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    allowed: {type: 'final'},
    rejected: {type: 'final'},
    refused: {type: 'final'},
  },
  output: ({context}) => context.output,
});

function proposalOf({call, preview, brief, settings}: ActionReviewContext) {
  const ready = preview ?? {kind: 'ready', args: call.args, preview: ''};
  return actionProposal(call, ready, brief, settings.tools);
}

function quorumInput(context: ActionReviewContext) {
  const {settings, context: text} = context;
  return {
    round: 1,
    proposal: proposalOf(context),
    seats: settings.panel,
    settings: settings.quorum,
    maxOutputTokens: settings.maxOutputTokens,
    context: text,
    history: [],
  };
}

function isProtected({preview}: ActionReviewContext): boolean {
  return preview?.protectedReason !== undefined;
}

/** After the vote: what only a person may allow, what found no quorum, and the third rejection in a row. */
function needsHuman(context: ActionReviewContext, round: ReviewRound): boolean {
  if (round.approved || round.verdict === 'noQuorum') return true;
  return context.rejectionsInARow + 1 >= rejectionsUntilHuman;
}

function actionQuestion(context: ActionReviewContext): HumanQuestion {
  const {brief, preview, round} = context;
  const proposal = proposalOf(context);
  return {
    kind: isProtected(context) ? 'protected' : 'action',
    request: brief.request,
    reason: questionReason(context),
    preview: `${proposal.title}\n${preview?.preview ?? ''}`,
    proposalHash: proposal.hash,
    history: round ? [round] : [],
    allowed: ['approve', 'reject'],
  };
}

function questionReason({preview, round}: ActionReviewContext): string {
  if (round?.approved === true) return preview?.protectedReason ?? 'Only a person may allow this.';
  if (round?.verdict === 'noQuorum') return 'Too few reviewers voted on this action.';
  return `The panel rejected ${rejectionsUntilHuman} actions in a row.`;
}

function allowed({preview, call}: ActionReviewContext): ActionReviewOutput {
  return {kind: 'allowed', preview: preview ?? {kind: 'ready', args: call.args, preview: ''}};
}

function rejected({round}: ActionReviewContext): ActionReviewOutput {
  return {kind: 'rejected', reasons: round ? reasonsAgainst(round) : []};
}

function rejectedByGate(
  {round}: ActionReviewContext,
  {decision, by}: HumanGateOutput,
): ActionReviewOutput {
  const said =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  const panel = round && !round.approved ? reasonsAgainst(round) : [];
  return {
    kind: 'rejected',
    reasons: [`${by === 'person' ? 'a person' : by} rejected it${said}`, ...panel],
  };
}

function refusal(outcome: PreviewOutcome): ActionReviewOutput {
  if (outcome.kind === 'ready') return crash('the preview was ready');
  return {kind: 'refused', failure: {code: outcome.code, message: outcome.message}};
}

function crash(error: unknown): ActionReviewOutput {
  return {kind: 'refused', failure: toFailure(error)};
}
