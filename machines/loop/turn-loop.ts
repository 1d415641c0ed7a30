/**
 * One ReAct loop: a model thinks, tools act, until it answers.
 *
 * thinking → acting → thinking … → answered / exhausted / degraded / failed
 * thinking → unserved, while the model can't be called → thinking
 */

import {assign, type DoneActorEvent, type ErrorActorEvent, setup, stopChild} from 'xstate';

import {type Failure, toFailure} from '../domain/failure.ts';
import {isOutage, type ModelOutcome, type ModelReply} from '../domain/model.ts';
import {lackIn} from '../domain/outage.ts';
import {modelCallMachine} from '../model-call.ts';
import {awaitResume, type Delivered} from '../ports.ts';
import {report} from '../report.ts';
import {record} from '../tree/record.ts';
import {toolCallMachine} from './tool-call.ts';
import {
  callActor,
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
  started,
  timeLeft,
  toolCallInput,
  turnClosed,
  type TurnLoopInput,
  type TurnLoopOutput,
  turnOpened,
  type TurnState,
} from './turn-state.ts';
import {type CallEnd, failureOf, nextCalls, stepsOf, type StopReason} from './turn.ts';

type CallId = `call:${string}`;

export const turnLoopMachine = setup({
  types: {} as {
    context: TurnState;
    input: TurnLoopInput;
    output: TurnLoopOutput;
    events: DoneActorEvent<CallEnd, CallId> | ErrorActorEvent<unknown, CallId>;
  },
  actors: {awaitResume, modelCall: modelCallMachine, toolCall: toolCallMachine},
  actions: {
    openTurn: assign(({context}, reply: ModelReply & Delivered) => turnOpened(context, reply)),
    startCalls: assign(({context, spawn}) => {
      const next = nextCalls(context.turn.waiting, context.turn.running);
      for (const open of next) {
        spawn('toolCall', {id: callActor(context, open), input: toolCallInput(context, open)});
      }
      return next.length > 0 ? started(context, next) : {};
    }),
    takeResult: assign(({context}, end: CallEnd) => recorded(context, end)),
    takeCrash: assign(({context}, {actorId, error}: {actorId: string; error: unknown}) =>
      crashed(context, actorId, toFailure(error)),
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
    isTimed: ({context}) => context.input.timeLimitMs !== undefined,
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
  delays: {timeLeft: ({context}) => timeLeft(context) ?? 0},
}).createMachine({
  id: 'turn-loop',
  context: ({input}) => opened(input),
  initial: 'thinking',
  states: {
    thinking: {
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
      initial: 'choosing',
      states: {
        choosing: {always: [{guard: 'isTimed', target: 'timed'}, {target: 'untimed'}]},
        timed: {
          after: {
            timeLeft: {
              target: '#turn-loop.exhausted',
              actions: {type: 'stop', params: 'time_limit'},
            },
          },
        },
        untimed: {},
      },
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
      entry: 'startCalls',
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
            'startCalls',
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            {type: 'takeCrash', params: ({event}) => event},
            {type: 'dismissCall', params: ({event}) => event.actorId},
            'startCalls',
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
