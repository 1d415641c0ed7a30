/**
 * One ReAct loop: a model thinks, tools act, until it answers.
 *
 * thinking → acting → thinking … → answered / exhausted / failed; backingOff
 */

import {assign, enqueueActions, log, sendParent, setup} from 'xstate';

import type {ActionReviewed} from './action-review.ts';
import {compact} from './domain/compaction.ts';
import {type Failure, toFailure} from './domain/failure.ts';
import {mayRetry, type ModelOutcome, type ModelReply, type ModelRequest} from './domain/model.ts';
import {
  callActor,
  delayOf,
  isInvalidTooOften,
  isRepeated,
  isTurnOver,
  mayCompact,
  mayMend,
  mended,
  opened,
  outputOf,
  recorded,
  started,
  timeLeft,
  turnClosed,
  type TurnLoopInput,
  type TurnLoopOutput,
  turnOpened,
  type TurnState,
} from './domain/turn-state.ts';
import {evidenceOf, failureOf, nextCalls, type OpenCall, type StopReason} from './domain/turn.ts';
import {callModel, type Delivered} from './ports.ts';
import {
  type ActionDenied,
  toolCallMachine,
  type ToolCallInput,
  type ToolSettled,
} from './tool-call.ts';

export const turnLoopMachine = setup({
  types: {} as {
    context: TurnState;
    input: TurnLoopInput;
    output: TurnLoopOutput;
    events: ToolSettled | ActionReviewed | ActionDenied | {type: 'time.out'};
  },
  actors: {callModel, toolCall: toolCallMachine},
  actions: {
    openTurn: assign(({context}, reply: ModelReply & Delivered) => turnOpened(context, reply)),
    startCalls: enqueueActions(({context, enqueue}) => {
      const next = nextCalls(context.waiting, context.running);
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
    recordResult: assign(({context, event}) =>
      event.type === 'tool.settled' ? recorded(context, event.callId, event.result, event.ms) : {},
    ),
    dismissCall: enqueueActions(({context, event, enqueue}) => {
      const index =
        event.type === 'tool.settled' ? context.calls.findIndex(({id}) => id === event.callId) : -1;
      enqueue.stopChild(`call:${context.turns}.${index}`);
    }),
    closeTurn: assign(({context}) => turnClosed(context)),
    takeAnswer: assign(({context}, reply: ModelReply & Delivered) => ({
      answer: reply.text,
      turns: context.turns + 1,
      spentMs: context.spentMs + reply.ms,
    })),
    noteOutcome: assign(({context}, outcome: ModelOutcome & Delivered) => ({
      last: outcome,
      spentMs: context.spentMs + outcome.ms,
    })),
    countAttempt: assign(({context}) => ({attempts: context.attempts + 1})),
    askAgain: assign(({context}, outcome: ModelOutcome) => mended(context, outcome)),
    shorten: assign(({context}) => ({
      transcript: compact(context.transcript),
      compactions: context.compactions + 1,
    })),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    stop: assign((_, stopped: StopReason) => ({stopped})),
    pass: sendParent(({event}) => event),
    startTimer: enqueueActions(({context, enqueue}) => {
      if (context.timeLimitMs === undefined) return;
      enqueue.raise({type: 'time.out'}, {id: 'time', delay: timeLeft(context) ?? 0});
    }),
    stopTimer: enqueueActions(({context, enqueue}) => {
      if (context.timeLimitMs !== undefined) enqueue.cancel('time');
    }),
    reportThought: log(({context}, {text}: ModelReply) =>
      text.trim() === '' ? undefined : {type: 'thought', text, task: context.task},
    ),
    reportRetry: log(({context}) => ({
      type: 'model.retried',
      model: context.model,
      attempt: context.attempts,
      delayMs: delayOf(context),
      reason: context.last ? failureOf(context.last).message : '',
    })),
  },
  guards: {
    isAnswer: (_, outcome: ModelOutcome) => outcome.kind === 'ok' && outcome.calls.length === 0,
    isRepeated: ({context}, outcome: ModelOutcome) => isRepeated(context, outcome),
    isToolTurn: (_, {kind}: ModelOutcome) => kind === 'ok',
    mayRetry: ({context}, outcome: ModelOutcome) => mayRetry(outcome, context.attempts),
    mayMend: ({context}, outcome: ModelOutcome) => mayMend(context, outcome),
    mayCompact: ({context}, outcome: ModelOutcome) => mayCompact(context, outcome),
    isTurnOver: ({context}) => isTurnOver(context),
    isLastTurnOver: ({context}) => isTurnOver(context) && context.turns >= context.maxTurns,
    isInvalidTooOften: ({context}) => isInvalidTooOften(context),
  },
  delays: {retryDelay: ({context}) => delayOf(context)},
}).createMachine({
  id: 'turn-loop',
  context: ({input}) => opened(input),
  initial: 'thinking',
  states: {
    thinking: {
      entry: 'startTimer',
      exit: 'stopTimer',
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
      on: {'time.out': {target: 'exhausted', actions: {type: 'stop', params: 'time_limit'}}},
    },
    backingOff: {
      entry: 'reportRetry',
      after: {retryDelay: {target: 'thinking', actions: 'countAttempt'}},
    },
    acting: {
      entry: 'startCalls',
      always: [
        {
          guard: 'isInvalidTooOften',
          target: 'exhausted',
          actions: ['closeTurn', {type: 'stop', params: 'invalid_calls'}],
        },
        {
          guard: 'isLastTurnOver',
          target: 'exhausted',
          actions: ['closeTurn', {type: 'stop', params: 'max_turns'}],
        },
        {guard: 'isTurnOver', target: 'thinking', actions: 'closeTurn'},
      ],
      on: {
        'tool.settled': {actions: ['recordResult', 'dismissCall', 'startCalls']},
        'action.reviewed': {actions: 'pass'},
        'action.denied': {actions: 'pass'},
      },
    },
    answered: {type: 'final'},
    exhausted: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context}) => outputOf(context),
});

function modelRequest({
  purpose,
  model,
  system,
  transcript,
  offered,
  settings,
}: TurnState): ModelRequest {
  return {
    purpose,
    model,
    system,
    transcript,
    tools: offered,
    toolChoice: 'auto',
    maxOutputTokens: settings.maxOutputTokens,
  };
}

/** For `params` behind a guard that has seen an `ok` outcome. */
function replyOf(outcome: ModelOutcome & Delivered): ModelReply & Delivered {
  return outcome.kind === 'ok'
    ? outcome
    : {kind: 'ok', text: '', calls: [], at: outcome.at, ms: outcome.ms};
}

function toolCallInput(state: TurnState, open: OpenCall): ToolCallInput {
  const {call, risk} = open;
  const {offered, settings, brief, results, context, task, rejectionsInARow} = state;
  const tool = offered.includes(call.name)
    ? settings.tools.find(({name}) => name === call.name)
    : undefined;
  return {
    call,
    holder: `${state.name}/${callActor(state, open)}`,
    tool,
    offered,
    settings,
    brief:
      risk === 'high' ? {...brief, evidence: [...brief.evidence, ...evidenceOf(results)]} : brief,
    context,
    task,
    rejectionsInARow,
    timeLeftMs: timeLeft(state),
  };
}
