/**
 * One ReAct loop: a model thinks, tools act, until it answers.
 *
 * thinking → acting → thinking … → answered / exhausted / degraded / failed
 * thinking → reviewing → acting, if a reply has several high-risk calls: they are one proposal
 * acting → reporting, at the limit of turns → exhausted
 * thinking, reporting → unserved, while the model can't be called → thinking, reporting
 *
 * At each thought it reads the messages that its interaction received meanwhile, after the results of its calls.
 */

import {
  assign,
  cancel,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  setup,
  stopChild,
} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../actor-end.ts';
import {type Failure, outageIn, toFailure} from '../domain/failure.ts';
import {
  isOutage,
  type ModelOutcome,
  type ModelReply,
  textCall,
  textCallRepair,
} from '../domain/model.ts';
import {report} from '../facts/record.ts';
import {modelCallMachine, type ModelCallOutput} from '../model-call.ts';
import {awaitResume} from '../ports.ts';
import {engineLine} from '../prompts/section-text.ts';
import {appendMessages} from '../prompts/transcript.ts';
import {messagesFor} from '../tree/messages.ts';
import {actionReviewMachine} from './action-review.ts';
import type {ActionReviewOutput} from './action.ts';
import {fitted, requestTokens} from './context-window.ts';
import {toolCallMachine} from './tool-call.ts';
import {
  endOfCrash,
  endOfTurns,
  isDegraded,
  isRepeated,
  isToReport,
  modelRequest,
  proposedCalls,
  reportRequest,
  startCalls,
  timeLeft,
  turnReviewed,
  turnReviewInput,
} from './turn-requests.ts';
import {
  type CallEnd,
  callEnded,
  type CallTime,
  failureOf,
  frameOf,
  isLastCall,
  isMendable,
  opened,
  outputOf,
  stepsOf,
  type StopReason,
  timeSpent,
  turnClosed,
  type TurnLoopInput,
  type TurnLoopOutput,
  turnOpened,
  type TurnState,
  withEnd,
  withReceivedMessages,
} from './turn.ts';

type CallId = `call:${string}`;
type CallOver = DoneActorEvent<CallEnd, CallId> | ErrorActorEvent<unknown, CallId>;

const chart = setup({
  types: {} as {
    context: TurnState;
    input: TurnLoopInput;
    output: TurnLoopOutput;
    events: CallOver | {type: 'time.over'};
  },
  actors: {
    actionReview: actionReviewMachine,
    awaitResume,
    modelCall: modelCallMachine,
    toolCall: toolCallMachine,
  },
  actions: {
    startClock: enqueueActions(({context, enqueue}) => {
      const delay = timeLeft(context);
      if (delay !== undefined) enqueue.raise({type: 'time.over'}, {id: 'clock', delay});
    }),
    stopClock: cancel('clock'),
    readMessages: enqueueActions(({context, self, enqueue}) => {
      const pendingMessages = messagesFor(self, context.received.readCount);
      if (pendingMessages.items.length === 0) return;
      enqueue.assign(withReceivedMessages(context, pendingMessages));
      enqueue(report(() => ({type: 'messages.read', count: pendingMessages.readCount})));
    }),
    openTurn: assign(({context, spawn}, reply: ModelReply & CallTime) =>
      startCalls(turnOpened(context, reply), ({id, input}) => spawn('toolCall', {id, input})),
    ),
    takeProposal: assign(({context}, reply: ModelReply & CallTime) => turnOpened(context, reply)),
    takeReviews: assign(({context, spawn}, reviews: ActionReviewOutput | Failure) =>
      startCalls(turnReviewed(context, reviews), ({id, input}) => spawn('toolCall', {id, input})),
    ),
    takeEnd: assign(({context, spawn}, end: CallEnd) =>
      startCalls(callEnded(context, end), ({id, input}) => spawn('toolCall', {id, input})),
    ),
    reportSteps: report(({context}, end: CallEnd) => ({
      type: 'steps.taken',
      steps: stepsOf(withEnd(context.turn, end)),
    })),
    closeTurn: assign(({context}, end: CallEnd) => turnClosed(context, end)),
    dismissCall: stopChild((_, actorId: string) => actorId),
    takeAnswer: assign(({context}, reply: ModelReply & CallTime) => ({
      answer: reply.text,
      turns: context.turns + 1,
      spentMs: timeSpent(context, reply),
    })),
    takeReport: assign((_, outcome: ModelOutcome) =>
      outcome.kind === 'ok' ? {answer: outcome.text} : {},
    ),
    askAgain: assign(({context}, outcome: ModelCallOutput) => mended(context, outcome)),
    shorten: assign(({context}, outcome: ModelCallOutput) => shortened(context, outcome)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    takeOutage: assign(({context}, outcome: ModelOutcome) => ({
      outage: {model: context.input.model, ...failureOf(outcome)},
    })),
    stop: assign((_, stopped: StopReason) => ({stopped})),
    takeReason: assign(({context}, end: CallEnd) => {
      const stopped = endOfTurns(context, end);
      return stopped ? {stopped} : {};
    }),
    reportThought: report(({context}, {text}: ModelReply) =>
      text.trim() === '' ? undefined : {type: 'thought', text, task: context.input.task},
    ),
  },
  guards: {
    isAnswer: (_, outcome: ModelOutcome) => outcome.kind === 'ok' && outcome.calls.length === 0,
    isRepeated: ({context}, outcome: ModelOutcome) => isRepeated(context, outcome),
    isProposal: ({context}, outcome: ModelCallOutput) =>
      outcome.kind === 'ok' &&
      outcome.calls.length > 1 &&
      proposedCalls(turnOpened(context, outcome)).length > 0,
    isToolTurn: (_, {kind}: ModelOutcome) => kind === 'ok',
    isUnserved: (_, {kind}: ModelOutcome) => isOutage(kind),
    mayMend: ({context}, outcome: ModelOutcome) => mayMend(context, outcome),
    mayCompact: ({context}, outcome: ModelOutcome) => mayCompact(context, outcome),
    isTurnOpen: ({context}) => !isLastCall(context.turn),
    isDegraded: ({context}, end: CallEnd) => isDegraded(context, end),
    isSpent: ({context}, end: CallEnd) => endOfTurns(context, end) !== undefined,
    isToReport: ({context}, end: CallEnd) => isToReport(context, end),
    isAtLimit: ({context}) => context.stopped !== undefined,
  },
});

/** The end of a call, also when its actor crashed, which is a bug. */
const endIn = ({context, event}: {context: TurnState; event: CallOver}): CallEnd =>
  'output' in event ? event.output : endOfCrash(context, event.actorId, toFailure(event.error));

const closing = [
  {type: 'reportSteps', params: endIn},
  {type: 'closeTurn', params: endIn},
] as const;

const dismissing = {
  type: 'dismissCall',
  params: ({event}: {event: CallOver}) => event.actorId,
} as const;

const callOver = [
  {guard: 'isTurnOpen', actions: [{type: 'takeEnd', params: endIn}, dismissing]},
  {
    guard: {type: 'isDegraded', params: endIn},
    target: 'degraded',
    actions: [{type: 'stop', params: 'tool_failure'}, ...closing],
  },
  {
    guard: {type: 'isToReport', params: endIn},
    target: 'reporting',
    actions: [{type: 'takeReason', params: endIn}, ...closing, dismissing],
  },
  {
    guard: {type: 'isSpent', params: endIn},
    target: 'exhausted',
    actions: [{type: 'takeReason', params: endIn}, ...closing],
  },
  {target: 'thinking', actions: [...closing, dismissing]},
] as const;

// Repairs after an unusable reply: the loop asks again, or shortens the conversation.

/** Maximum number of unusable replies in a row that are requested again. */
const maxMends = 2;
const maxCompactions = 2;

export const turnLoopMachine = chart.createMachine({
  id: 'turn-loop',
  context: ({input}) => opened(input),
  initial: 'thinking',
  states: {
    thinking: {
      entry: ['readMessages', 'startClock'],
      exit: 'stopClock',
      invoke: {
        src: 'modelCall',
        id: 'model',
        input: ({context}) => modelRequest(context),
        onDone: [
          {
            guard: {type: 'isAnswer', params: outputIn},
            target: 'answered',
            actions: {type: 'takeAnswer', params: ({event}) => replyOf(event.output)},
          },
          {
            guard: {type: 'isRepeated', params: outputIn},
            target: 'exhausted',
            actions: {type: 'stop', params: 'repeated_call'},
          },
          {
            guard: {type: 'isProposal', params: outputIn},
            target: 'reviewing',
            actions: [
              {type: 'reportThought', params: ({event}) => replyOf(event.output)},
              {type: 'takeProposal', params: ({event}) => replyOf(event.output)},
            ],
          },
          {
            guard: {type: 'isToolTurn', params: outputIn},
            target: 'acting',
            actions: [
              {type: 'reportThought', params: ({event}) => replyOf(event.output)},
              {type: 'openTurn', params: ({event}) => replyOf(event.output)},
            ],
          },
          {
            guard: {type: 'mayCompact', params: outputIn},
            target: 'thinking',
            reenter: true,
            actions: {type: 'shorten', params: outputIn},
          },
          {
            guard: {type: 'mayMend', params: outputIn},
            target: 'thinking',
            reenter: true,
            actions: {type: 'askAgain', params: outputIn},
          },
          when('isUnserved', 'unserved', 'takeOutage'),
          {
            target: 'failed',
            actions: {type: 'takeFailure', params: ({event}) => failureOf(event.output)},
          },
        ],
        onError: onCrash('failed', 'takeFailure'),
      },
      on: {'time.over': {target: 'exhausted', actions: {type: 'stop', params: 'time_limit'}}},
    },
    unserved: {
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => outageIn(context),
        onDone: [{guard: 'isAtLimit', target: 'reporting'}, {target: 'thinking'}],
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    reporting: {
      invoke: {
        src: 'modelCall',
        id: 'model',
        input: ({context}) => reportRequest(context),
        onDone: [
          when('isUnserved', 'unserved', 'takeOutage'),
          {
            guard: {type: 'mayCompact', params: outputIn},
            target: 'reporting',
            reenter: true,
            actions: {type: 'shorten', params: outputIn},
          },
          otherwise('exhausted', 'takeReport'),
        ],
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    reviewing: {
      invoke: {
        src: 'actionReview',
        id: 'review',
        input: ({context}) => turnReviewInput(context),
        onDone: otherwise('acting', 'takeReviews'),
        onError: onCrash('acting', 'takeReviews'),
      },
    },
    acting: {on: {'xstate.done.actor.*': callOver, 'xstate.error.actor.*': callOver}},
    answered: {type: 'final', output: ({context}) => outputOf(context, 'answered')},
    exhausted: {
      type: 'final',
      tags: 'failure',
      output: ({context}) => outputOf(context, 'exhausted'),
    },
    degraded: {type: 'final', output: ({context}) => outputOf(context, 'degraded')},
    failed: {type: 'final', tags: 'failure', output: ({context}) => outputOf(context, 'failed')},
  },
  output: ({event}) => event.output as TurnLoopOutput,
});

/** For `params` of a transition whose guard has checked that the outcome is `ok`. */
function replyOf(outcome: ModelCallOutput): ModelReply & CallTime {
  if (outcome.kind === 'ok') return outcome;
  const {ms, pausedMs} = outcome;
  return {kind: 'ok', text: '', calls: [], ms, pausedMs};
}

/** A model whose server does not read its calls would only repeat them as text. */
function mayMend({repairs}: TurnState, outcome: ModelOutcome): boolean {
  return isMendable(outcome) && repairs.mends < (isTextCall(outcome) ? 1 : maxMends);
}

function isTextCall(outcome: ModelOutcome): boolean {
  return outcome.kind !== 'ok' && outcome.code === textCall;
}

export function mended(state: TurnState, outcome: ModelCallOutput): Partial<TurnState> {
  const {message} = failureOf(outcome);
  return {
    repairs: {...state.repairs, mends: state.repairs.mends + 1},
    spentMs: timeSpent(state, outcome),
    transcript: appendMessages(
      state.transcript,
      {role: 'assistant', text: '(no usable reply)', calls: []},
      {
        role: 'user',
        text: isTextCall(outcome)
          ? textCallRepair
          : engineLine`Your last reply could not be used: ${message}. Reply again.`,
      },
    ),
  };
}

function mayCompact(state: TurnState, {kind}: ModelOutcome): boolean {
  return kind === 'contextOverflow' && shortenedTranscript(state) !== undefined;
}

function shortened(state: TurnState, outcome: ModelCallOutput): Partial<TurnState> {
  return {...shortenedTranscript(state), spentMs: timeSpent(state, outcome)};
}

/** Undefined if nothing can be shortened: the same request would fail again. The request is as large as the window at most. */
function shortenedTranscript(
  state: TurnState,
): Pick<TurnState, 'transcript' | 'repairs'> | undefined {
  const {transcript, repairs} = state;
  if (repairs.compactions >= maxCompactions) return undefined;
  const frame = frameOf(state);
  const window = Math.min(frame.window, requestTokens(transcript, frame));
  const shorter = fitted(transcript, {...frame, window});
  if (requestTokens(shorter, frame) >= requestTokens(transcript, frame)) return undefined;
  return {transcript: shorter, repairs: {...repairs, compactions: repairs.compactions + 1, window}};
}
