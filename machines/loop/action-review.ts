/**
 * Whether one high-risk call may run.
 *
 * previewing → (previewed, if no plan that was allowed spells it out) → voting → (weighing → awaitingPerson) → allowed / rejected; refused when the call itself is no good
 */

import {type AnyActorRef, assign, sendTo, setup} from 'xstate';

import {type Failure, toFailure} from '../domain/failure.ts';
import type {Grant, HumanQuestion} from '../domain/human.ts';
import {type Proposal, type ReviewRound, vetoText} from '../domain/review.ts';
import {callHash, type PreviewOutcome, type ToolInfo} from '../domain/tool.ts';
import type {ToolCall} from '../domain/transcript.ts';
import {crashIn, outputIn} from '../ended.ts';
import {humanGateMachine, type HumanGateOutput} from '../human-gate.ts';
import {quorumMachine} from '../panel/quorum.ts';
import type {QuorumInput} from '../panel/round.ts';
import {previewTool} from '../ports.ts';
import {type LockEvent, lockOf, rejectionsIn} from '../tree/lock.ts';
import {rejectionsBefore, wasGivenUp} from '../tree/record.ts';
import {
  type ActionBrief,
  actionProposal,
  givenUpNote,
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
  /** The same call was in doubt in this run, and was given up. */
  readonly isGivenUp: boolean;
  readonly round?: ReviewRound;
  /** Rejected actions in a row, this one included. */
  readonly row: number;
  /** What was said at the gate. */
  readonly word?: HumanGateOutput;
  readonly failure?: Failure;
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
    takePreview: assign(({context, self}, preview: ReadyPreview) => ({
      preview,
      isGivenUp: wasGivenUp(self, callHash(context.call.name, preview.args)),
    })),
    takeRound: assign((_, round: ReviewRound) => ({round})),
    countRow: assign(({system}) => ({row: rejectionsIn(system) + 1})),
    countRejection: sendTo(
      ({system}) => lockOf(system),
      (): LockEvent => ({type: 'action.rejected'}),
    ),
    takeWord: assign((_, word: HumanGateOutput) => ({word})),
    takeFailure: assign((_, failure: Failure) => ({failure})),
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
  context: ({input}) => ({...input, isGivenUp: false, row: 0}),
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
            guard: {type: 'isReady', params: outputIn},
            target: 'previewed',
            actions: {type: 'takePreview', params: ({event}) => readyOf(event.output)},
          },
          {
            target: 'refused',
            actions: {type: 'takeFailure', params: ({event}) => failureOf(event.output)},
          },
        ],
        onError: {target: 'refused', actions: {type: 'takeFailure', params: crashIn}},
      },
    },
    previewed: {
      always: [{guard: 'isGranted', target: 'allowed'}, {target: 'voting'}],
    },
    voting: {
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => quorumInput(context),
        onDone: [
          {
            guard: {type: 'isCleared', params: outputIn},
            target: 'allowed',
          },
          {
            guard: {type: 'isForPerson', params: outputIn},
            target: 'awaitingPerson',
            actions: {type: 'takeRound', params: outputIn},
          },
          {target: 'weighing', actions: {type: 'takeRound', params: outputIn}},
        ],
        onError: {target: 'refused', actions: {type: 'takeFailure', params: crashIn}},
      },
    },
    weighing: {
      entry: 'countRow',
      always: [{guard: 'isRowFull', target: 'awaitingPerson'}, {target: 'rejected'}],
    },
    awaitingPerson: {
      tags: 'waitsForPerson',
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context, self}) => ({question: actionQuestion(context, historyOf(context, self))}),
        onDone: [
          {
            guard: {type: 'isAllowed', params: outputIn},
            target: 'allowed',
            actions: {type: 'takeWord', params: outputIn},
          },
          {target: 'rejected', actions: {type: 'takeWord', params: outputIn}},
        ],
        onError: {target: 'refused', actions: {type: 'takeFailure', params: crashIn}},
      },
    },
    allowed: {type: 'final', output: ({context}) => allowed(context)},
    rejected: {
      type: 'final',
      entry: 'countRejection',
      output: ({context}) => rejected(context),
    },
    refused: {type: 'final', output: ({context}) => refused(context)},
  },
  output: ({event}) => event.output as ActionReviewOutput,
});

function readyPreview({call, preview}: ActionReviewContext): ReadyPreview {
  return preview ?? {kind: 'ready', args: call.args, preview: ''};
}

function proposalOf(context: ActionReviewContext): Proposal {
  const {call, tool, brief, isGivenUp} = context;
  return actionProposal({call, ready: readyPreview(context), brief, tool, isGivenUp});
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

/**
 * A person's word for a plan covers the calls that it spells out, and a mode's those that need no person; neither covers
 * one that was given up.
 */
function isGranted(context: ActionReviewContext): boolean {
  const {granted, call, isGivenUp} = context;
  if (isGivenUp || granted?.hash !== callHash(call.name, call.args)) return false;
  return granted.by === 'person' || !isProtected(context);
}

function isProtected({preview}: ActionReviewContext): boolean {
  return preview?.protectedReason !== undefined;
}

/** The vote on it; where it is the last of several that were rejected in a row, theirs as well. */
function historyOf({round, row}: ActionReviewContext, self: AnyActorRef): readonly ReviewRound[] {
  if (!round) return [];
  return row < rejectionsUntilPerson
    ? [round]
    : [...rejectionsBefore(self, round, rejectionsUntilPerson - 1), round];
}

function actionQuestion(
  context: ActionReviewContext,
  history: readonly ReviewRound[],
): HumanQuestion {
  const {brief, preview, isGivenUp} = context;
  const proposal = proposalOf(context);
  return {
    kind: isProtected(context) ? 'protected' : 'action',
    request: brief.request,
    reason: questionReason(context),
    preview: [proposal.title, preview?.preview ?? '', ...(isGivenUp ? [givenUpNote] : [])].join(
      '\n',
    ),
    proposalHash: proposal.hash,
    history,
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

function allowed(context: ActionReviewContext): ActionReviewOutput {
  const by = isGranted(context) ? context.granted?.by : context.word?.by;
  return {
    kind: 'allowed',
    preview: readyPreview(context),
    ...(by === 'person' ? {by} : {}),
  };
}

/** By the panel, or by whoever answered at the gate after it. */
function rejected({round, word}: ActionReviewContext): ActionReviewOutput {
  const panel = round && !round.approved ? reasonsAgainst(round) : [];
  if (!word) return {kind: 'rejected', reasons: panel};
  const {decision, by} = word;
  const said =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  const who = by === 'person' ? 'a person' : by;
  return {kind: 'rejected', reasons: [`${who} rejected it${said}`, ...panel]};
}

function refused({failure}: ActionReviewContext): ActionReviewOutput {
  return {kind: 'refused', failure: failure ?? toFailure('not decided')};
}

/** For `params` behind a guard that has seen a preview that is ready. */
function readyOf(outcome: PreviewOutcome): ReadyPreview {
  return outcome.kind === 'ready' ? outcome : {kind: 'ready', args: {}, preview: ''};
}

function failureOf(outcome: PreviewOutcome): Failure {
  return outcome.kind === 'ready'
    ? toFailure('the preview was ready')
    : {code: outcome.code, message: outcome.message};
}
