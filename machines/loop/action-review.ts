/**
 * Whether one high-risk call may run.
 *
 * previewing → (previewed, if no plan that was allowed spells it out) → voting → (weighing → awaitingPerson) → allowed / rejected; refused when the call itself is no good
 */

import {assign, sendTo, setup} from 'xstate';

import {type Failure, toFailure} from '../domain/failure.ts';
import type {Grant, HumanQuestion} from '../domain/human.ts';
import {type ReviewRound, vetoText} from '../domain/review.ts';
import {callHash, type PreviewOutcome, type ToolInfo} from '../domain/tool.ts';
import type {ToolCall} from '../domain/transcript.ts';
import {humanGateMachine, type HumanGateOutput} from '../human-gate.ts';
import {quorumMachine} from '../panel/quorum.ts';
import type {QuorumInput} from '../panel/round.ts';
import {previewTool} from '../ports.ts';
import {type LockEvent, lockOf, rejectionsIn} from '../tree/lock.ts';
import {
  type ActionBrief,
  actionProposal,
  type ActionReviewOutput,
  type PanelRules,
  type ReadyPreview,
  reasonsAgainst,
} from './action.ts';

/** A person is asked at this many rejected actions in a row, wherever in the tree. */
const rejectionsUntilPerson = 3;

export interface ActionReviewInput {
  readonly call: ToolCall;
  /** Its tool's entry in the catalogue. */
  readonly tool: ToolInfo | undefined;
  readonly panel: PanelRules;
  /** Set when the call was allowed with the plan that spells it out. */
  readonly granted?: Grant;
  readonly brief: ActionBrief;
  /** What reviewers may read beside the call. */
  readonly background: string;
}

export interface ActionReviewContext extends ActionReviewInput {
  readonly preview?: ReadyPreview;
  readonly round?: ReviewRound;
  /** Rejected actions in a row, this one included. */
  readonly row: number;
  readonly output: ActionReviewOutput;
}

export const actionReviewMachine = setup({
  types: {} as {
    context: ActionReviewContext;
    input: ActionReviewInput;
    output: ActionReviewOutput;
    tags: 'waitsForPerson';
  },
  actors: {previewTool, quorum: quorumMachine, humanGate: humanGateMachine},
  actions: {
    takePreview: assign((_, preview: PreviewOutcome) =>
      preview.kind === 'ready' ? {preview} : {},
    ),
    takeRound: assign((_, round: ReviewRound) => ({round})),
    countRow: assign(({system}) => ({row: rejectionsIn(system) + 1})),
    countRejection: sendTo(
      ({system}) => lockOf(system),
      (): LockEvent => ({type: 'action.rejected'}),
    ),
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
    isGranted: ({context}) => isGranted(context),
    isCleared: ({context}, round: ReviewRound) => round.approved && !isProtected(context),
    isForPerson: (_, {approved, verdict}: ReviewRound) => approved || verdict === 'noQuorum',
    isRowFull: ({context}) => context.row >= rejectionsUntilPerson,
    isAllowed: (_, {decision}: HumanGateOutput) => decision.decision === 'approve',
  },
}).createMachine({
  id: 'action-review',
  context: ({input}) => ({...input, row: 0, output: crash('not decided')}),
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
            target: 'previewed',
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
    previewed: {
      always: [{guard: 'isGranted', target: 'allowed', actions: 'allow'}, {target: 'voting'}],
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
            actions: 'allow',
          },
          {
            guard: {type: 'isForPerson', params: ({event}) => event.output},
            target: 'awaitingPerson',
            actions: {type: 'takeRound', params: ({event}) => event.output},
          },
          {target: 'weighing', actions: {type: 'takeRound', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'refused',
          actions: {type: 'refuseCrash', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    weighing: {
      entry: 'countRow',
      always: [
        {guard: 'isRowFull', target: 'awaitingPerson'},
        {target: 'rejected', actions: 'reject'},
      ],
    },
    awaitingPerson: {
      tags: 'waitsForPerson',
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({question: actionQuestion(context)}),
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
    rejected: {type: 'final', entry: 'countRejection'},
    refused: {type: 'final'},
  },
  output: ({context}) => context.output,
});

function proposalOf({call, tool, preview, brief}: ActionReviewContext) {
  const ready = preview ?? {kind: 'ready', args: call.args, preview: ''};
  return actionProposal(call, ready, brief, tool ? [tool] : []);
}

function quorumInput(context: ActionReviewContext): QuorumInput {
  const {seats, quorum, maxOutputTokens} = context.panel;
  return {
    round: 1,
    proposal: proposalOf(context),
    seats,
    settings: quorum,
    maxOutputTokens,
    background: context.background,
    history: [],
  };
}

/** A person's word for a plan covers the calls that it spells out, and a mode's those that need no person. */
function isGranted(context: ActionReviewContext): boolean {
  const {granted, call} = context;
  if (granted?.hash !== callHash(call.name, call.args)) return false;
  return granted.by === 'person' || !isProtected(context);
}

function isProtected({preview}: ActionReviewContext): boolean {
  return preview?.protectedReason !== undefined;
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
  const veto = vetoText(round);
  const last = veto === undefined ? '' : ` The last was ${veto}.`;
  return `The panel rejected ${rejectionsUntilPerson} actions in a row.${last}`;
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
