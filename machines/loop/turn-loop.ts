/**
 * One ReAct loop: a model thinks, tools act, until it answers.
 *
 * thinking → acting → thinking … → answered / exhausted / degraded / failed; backingOff
 */

import {
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  sendParent,
  setup,
  stopChild,
} from 'xstate';

import {type Failure, toFailure} from '../domain/failure.ts';
import {mayRetry, type ModelOutcome, type ModelReply} from '../domain/model.ts';
import {callModel, type Delivered, neverMs} from '../ports.ts';
import {report} from '../report.ts';
import {laneOf} from '../tree/lane.ts';
import type {ActionReviewed} from './action-review.ts';
import {type ActionDenied, toolCallMachine} from './tool-call.ts';
import {modelRequest, retryReport, toolCallInput} from './turn-requests.ts';
import {
  callActor,
  crashed,
  delayOf,
  endOfTurns,
  isDegraded,
  isRepeated,
  isTurnOver,
  mayCompact,
  mayMend,
  mended,
  opened,
  outputOf,
  recorded,
  shortened,
  started,
  stepsOf,
  timeLeft,
  type TurnClosed,
  turnClosed,
  type TurnLoopInput,
  type TurnLoopOutput,
  turnOpened,
  type TurnState,
} from './turn-state.ts';
import {type CallEnd, failureOf, nextCalls, type StopReason} from './turn.ts';

type CallId = `call:${string}`;

export const turnLoopMachine = setup({
  types: {} as {
    context: TurnState;
    input: TurnLoopInput;
    output: TurnLoopOutput;
    events:
      | DoneActorEvent<CallEnd, CallId>
      | ErrorActorEvent<unknown, CallId>
      | ActionReviewed
      | ActionDenied;
  },
  actors: {callModel, toolCall: toolCallMachine},
  actions: {
    openTurn: assign(({context}, reply: ModelReply & Delivered) => turnOpened(context, reply)),
    startCalls: enqueueActions(({context, enqueue}) => {
      const next = nextCalls(context.turn.waiting, context.turn.running);
      for (const open of next) {
        const input = toolCallInput(context, open);
        enqueue.spawnChild('toolCall', {
          id: callActor(context, open),
          systemId: input.holder,
          input,
        });
      }
      if (next.length > 0) enqueue.assign(started(context, next));
    }),
    recordResult: assign(({context}, end: CallEnd) => recorded(context, end)),
    recordCrash: assign(({context}, {actorId, error}: {actorId: string; error: unknown}) =>
      crashed(context, actorId, toFailure(error)),
    ),
    dismissCall: stopChild((_, actorId: string) => actorId),
    closeTurn: assign(({context}) => turnClosed(context)),
    tellSteps: enqueueActions(({context, enqueue}) => {
      if (!context.input.tellsSteps) return;
      const steps = stepsOf(context.turn);
      enqueue(sendParent((): TurnClosed => ({type: 'turn.closed', steps})));
    }),
    takeAnswer: assign(({context}, reply: ModelReply & Delivered) => ({
      answer: reply.text,
      turns: context.turns + 1,
      spentMs: context.spentMs + reply.ms,
    })),
    noteOutcome: assign(({context}, outcome: ModelOutcome & Delivered) => ({
      tries: {...context.tries, last: outcome},
      spentMs: context.spentMs + outcome.ms,
    })),
    countAttempt: assign(({context}) => ({
      tries: {...context.tries, attempts: context.tries.attempts + 1},
    })),
    askAgain: assign(({context}, outcome: ModelOutcome) => mended(context, outcome)),
    shorten: assign(({context}) => shortened(context)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    stop: assign((_, stopped: StopReason | undefined) => (stopped ? {stopped} : {})),
    pass: sendParent(({event}) => event),
    reportThought: report(({context}, {text}: ModelReply) =>
      text.trim() === '' ? undefined : {type: 'thought', text, task: context.input.task},
    ),
    reportRetry: report(({context}) => retryReport(context)),
    freeLane: enqueueActions(({context, system, enqueue}, actorId: string) => {
      const holder = `${context.input.name}/${actorId}`;
      enqueue.sendTo(laneOf(system), {type: 'lane.leave', holder});
    }),
  },
  guards: {
    isAnswer: (_, outcome: ModelOutcome) => outcome.kind === 'ok' && outcome.calls.length === 0,
    isRepeated: ({context}, outcome: ModelOutcome) => isRepeated(context, outcome),
    isToolTurn: (_, {kind}: ModelOutcome) => kind === 'ok',
    mayRetry: ({context}, outcome: ModelOutcome) => mayRetry(outcome, context.tries.attempts),
    mayMend: ({context}, outcome: ModelOutcome) => mayMend(context, outcome),
    mayCompact: ({context}, outcome: ModelOutcome) => mayCompact(context, outcome),
    isTurnOver: ({context}) => isTurnOver(context),
    isSpent: ({context}) => endOfTurns(context) !== undefined,
    isDegraded: ({context}) => isDegraded(context),
  },
  delays: {
    retryDelay: ({context}) => delayOf(context),
    timeLeft: ({context}) => timeLeft(context) ?? neverMs,
  },
}).createMachine({
  id: 'turn-loop',
  context: ({input}) => opened(input),
  initial: 'thinking',
  states: {
    thinking: {
      invoke: {
        src: 'callModel',
        id: 'model',
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
            guard: {type: 'mayRetry', params: ({event}) => event.output},
            target: 'backingOff',
            actions: {type: 'noteOutcome', params: ({event}) => event.output},
          },
          {
            guard: {type: 'mayCompact', params: ({event}) => event.output},
            target: 'thinking',
            reenter: true,
            actions: 'shorten',
          },
          {
            guard: {type: 'mayMend', params: ({event}) => event.output},
            target: 'thinking',
            reenter: true,
            actions: {type: 'askAgain', params: ({event}) => event.output},
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
      after: {timeLeft: {target: 'exhausted', actions: {type: 'stop', params: 'time_limit'}}},
    },
    backingOff: {
      entry: 'reportRetry',
      after: {retryDelay: {target: 'thinking', actions: 'countAttempt'}},
    },
    acting: {
      entry: 'startCalls',
      always: [
        {
          guard: 'isDegraded',
          target: 'degraded',
          actions: ['tellSteps', 'closeTurn', {type: 'stop', params: 'tool_failure'}],
        },
        {
          guard: 'isSpent',
          target: 'exhausted',
          actions: [
            {type: 'stop', params: ({context}) => endOfTurns(context)},
            'tellSteps',
            'closeTurn',
          ],
        },
        {guard: 'isTurnOver', target: 'thinking', actions: ['tellSteps', 'closeTurn']},
      ],
      on: {
        'xstate.done.actor.*': {
          actions: [
            {type: 'recordResult', params: ({event}) => event.output},
            {type: 'dismissCall', params: ({event}) => event.actorId},
            'startCalls',
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            {type: 'recordCrash', params: ({event}) => event},
            {type: 'freeLane', params: ({event}) => event.actorId},
            {type: 'dismissCall', params: ({event}) => event.actorId},
            'startCalls',
          ],
        },
        'action.reviewed': {actions: 'pass'},
        'action.denied': {actions: 'pass'},
      },
    },
    answered: {type: 'final'},
    exhausted: {type: 'final'},
    degraded: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context}) => outputOf(context),
});

/** For `params` behind a guard that has seen an `ok` outcome. */
function replyOf(outcome: ModelOutcome & Delivered): ModelReply & Delivered {
  return outcome.kind === 'ok'
    ? outcome
    : {kind: 'ok', text: '', calls: [], at: outcome.at, ms: outcome.ms};
}
