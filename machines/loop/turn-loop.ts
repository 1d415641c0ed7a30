/**
 * One ReAct loop: a model thinks, tools act, until it answers.
 *
 * thinking → acting → thinking … → answered / exhausted / degraded / failed
 * thinking → unserved, while the model can't be called → thinking
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

import {type Failure, toFailure} from '../domain/failure.ts';
import {isOutage, type ModelOutcome, type ModelReply} from '../domain/model.ts';
import {lackIn} from '../domain/outage.ts';
import {modelCallMachine} from '../model-call.ts';
import {awaitResume, type Delivered} from '../ports.ts';
import {report} from '../report.ts';
import {record} from '../tree/record.ts';
import {toolCallMachine} from './tool-call.ts';
import {
  crashed,
  endOfTurns,
  isDegraded,
  isRepeated,
  isTurnOver,
  mayCompact,
  mayMend,
  mended,
  modelRequest,
  opened,
  outputOf,
  recorded,
  shortened,
  startCalls,
  timeLeft,
  turnClosed,
  type TurnLoopInput,
  type TurnLoopOutput,
  turnOpened,
  type TurnState,
} from './turn-state.ts';
import {type CallEnd, failureOf, stepsOf, type StopReason} from './turn.ts';

type CallId = `call:${string}`;

export const turnLoopMachine = setup({
  types: {} as {
    context: TurnState;
    input: TurnLoopInput;
    output: TurnLoopOutput;
    events:
      | DoneActorEvent<CallEnd, CallId>
      | ErrorActorEvent<unknown, CallId>
      | {type: 'time.over'};
  },
  actors: {awaitResume, modelCall: modelCallMachine, toolCall: toolCallMachine},
  actions: {
    startClock: enqueueActions(({context, enqueue}) => {
      const delay = timeLeft(context);
      if (delay !== undefined) enqueue.raise({type: 'time.over'}, {id: 'clock', delay});
    }),
    stopClock: cancel('clock'),
    openTurn: assign(({context, spawn}, reply: ModelReply & Delivered) =>
      startCalls(turnOpened(context, reply), ({id, input}) => spawn('toolCall', {id, input})),
    ),
    takeResult: assign(({context, spawn}, end: CallEnd) =>
      startCalls(recorded(context, end), ({id, input}) => spawn('toolCall', {id, input})),
    ),
    takeCrash: assign(({context, spawn}, {actorId, error}: {actorId: string; error: unknown}) =>
      startCalls(crashed(context, actorId, toFailure(error)), ({id, input}) =>
        spawn('toolCall', {id, input}),
      ),
    ),
    dismissCall: stopChild((_, actorId: string) => actorId),
    recordSteps: record(({context}) => ({type: 'steps.taken', steps: stepsOf(context.turn)})),
    closeTurn: assign(({context}) => turnClosed(context)),
    takeAnswer: assign(({context}, reply: ModelReply & Delivered) => ({
      answer: reply.text,
      turns: context.turns + 1,
      spentMs: context.spentMs + reply.ms,
    })),
    askAgain: assign(({context}, outcome: ModelOutcome & Delivered) => mended(context, outcome)),
    shorten: assign(({context}, outcome: Delivered) => shortened(context, outcome)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    takeOutage: assign(({context}, outcome: ModelOutcome) => ({
      outage: {model: context.input.model, ...failureOf(outcome)},
    })),
    stop: assign((_, stopped: StopReason | undefined) => (stopped ? {stopped} : {})),
    reportThought: report(({context}, {text}: ModelReply) =>
      text.trim() === '' ? undefined : {type: 'thought', text, task: context.input.task},
    ),
  },
  guards: {
    isAnswer: (_, outcome: ModelOutcome) => outcome.kind === 'ok' && outcome.calls.length === 0,
    isRepeated: ({context}, outcome: ModelOutcome) => isRepeated(context, outcome),
    isToolTurn: (_, {kind}: ModelOutcome) => kind === 'ok',
    isUnserved: (_, {kind}: ModelOutcome) => isOutage(kind),
    mayMend: ({context}, outcome: ModelOutcome) => mayMend(context, outcome),
    mayCompact: ({context}, outcome: ModelOutcome) => mayCompact(context, outcome),
    isTurnOver: ({context}) => isTurnOver(context),
    isSpent: ({context}) => endOfTurns(context) !== undefined,
    isDegraded: ({context}) => isDegraded(context),
  },
}).createMachine({
  id: 'turn-loop',
  context: ({input}) => opened(input),
  initial: 'thinking',
  states: {
    thinking: {
      entry: 'startClock',
      exit: 'stopClock',
      invoke: {
        src: 'modelCall',
        id: 'call',
        input: ({context}) => modelRequest(context),
        onDone: [
          {
            guard: {type: 'isAnswer', params: ({event}) => event.output},
            target: 'answered',
            actions: {type: 'takeAnswer', params: ({event}) => replyOf(event.output)},
          },
          {
            guard: {type: 'isRepeated', params: ({event}) => event.output},
            target: 'exhausted',
            actions: {type: 'stop', params: 'repeated_call'},
          },
          {
            guard: {type: 'isToolTurn', params: ({event}) => event.output},
            target: 'acting',
            actions: [
              {type: 'reportThought', params: ({event}) => replyOf(event.output)},
              {type: 'openTurn', params: ({event}) => replyOf(event.output)},
            ],
          },
          {
            guard: {type: 'mayCompact', params: ({event}) => event.output},
            target: 'thinking',
            reenter: true,
            actions: {type: 'shorten', params: ({event}) => event.output},
          },
          {
            guard: {type: 'mayMend', params: ({event}) => event.output},
            target: 'thinking',
            reenter: true,
            actions: {type: 'askAgain', params: ({event}) => event.output},
          },
          {
            guard: {type: 'isUnserved', params: ({event}) => event.output},
            target: 'unserved',
            actions: {type: 'takeOutage', params: ({event}) => event.output},
          },
          {
            target: 'failed',
            actions: {type: 'takeFailure', params: ({event}) => failureOf(event.output)},
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
      on: {'time.over': {target: 'exhausted', actions: {type: 'stop', params: 'time_limit'}}},
    },
    unserved: {
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => lackIn(context),
        onDone: 'thinking',
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    acting: {
      always: [
        {
          guard: 'isDegraded',
          target: 'degraded',
          actions: ['recordSteps', 'closeTurn', {type: 'stop', params: 'tool_failure'}],
        },
        {
          guard: 'isSpent',
          target: 'exhausted',
          actions: [
            {type: 'stop', params: ({context}) => endOfTurns(context)},
            'recordSteps',
            'closeTurn',
          ],
        },
        {guard: 'isTurnOver', target: 'thinking', actions: ['recordSteps', 'closeTurn']},
      ],
      on: {
        'xstate.done.actor.*': {
          actions: [
            {type: 'takeResult', params: ({event}) => event.output},
            {type: 'dismissCall', params: ({event}) => event.actorId},
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            {type: 'takeCrash', params: ({event}) => event},
            {type: 'dismissCall', params: ({event}) => event.actorId},
          ],
        },
      },
    },
    answered: {type: 'final', output: ({context}) => outputOf(context, 'answered')},
    exhausted: {type: 'final', output: ({context}) => outputOf(context, 'exhausted')},
    degraded: {type: 'final', output: ({context}) => outputOf(context, 'degraded')},
    failed: {type: 'final', output: ({context}) => outputOf(context, 'failed')},
  },
  output: ({event}) => event.output as TurnLoopOutput,
});

/** For `params` behind a guard that has seen an `ok` outcome. */
function replyOf(outcome: ModelOutcome & Delivered): ModelReply & Delivered {
  return outcome.kind === 'ok'
    ? outcome
    : {kind: 'ok', text: '', calls: [], at: outcome.at, ms: outcome.ms};
}
