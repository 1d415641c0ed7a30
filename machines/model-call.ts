/**
 * One request to one model, repeated while the failure is transient, and once with another limit of the reply if the outcome
 * proposes one.
 *
 * callingModel → replied; backingOff; failed. With `waits`: unserved while the model can't be called → callingModel
 */

import {assign, setup} from 'xstate';

import {otherwise, outputIn, when} from './actor-end.ts';
import {type Outage, toFailure} from './domain/failure.ts';
import {
  isOutage,
  mayRetry,
  type ModelFailure,
  type ModelOutcome,
  type ModelRequest,
  retryDelayMs,
} from './domain/model.ts';
import {report} from './facts/record.ts';
import {awaitResume, callModel, type Delivered} from './ports.ts';
import {modelNow} from './tree/mode.ts';
import {withUsualWay} from './usual-way.ts';

export interface ModelCallInput extends ModelRequest {
  /** The caller stops waiting after this time, in ms. Absent: it waits as long as the call is repeated. */
  readonly waitMs?: number | undefined;
  /** If the model can't be called, it is called again when the run is resumed. Absent: the call fails. */
  readonly waits?: boolean;
}

export interface ModelCallContext {
  readonly request: ModelRequest;
  readonly waitMs: number | undefined;
  readonly waits: boolean;
  readonly attempts: number;
  /** `ms` is the sum over all attempts. */
  readonly last: ModelOutcome & Delivered;
  /** Pauses between attempts, ms. */
  readonly pausedMs: number;
}

export type ModelCallOutput = ModelOutcome & Delivered & Pick<ModelCallContext, 'pausedMs'>;

const chart = setup({
  types: {} as {context: ModelCallContext; input: ModelCallInput; output: ModelCallOutput},
  actors: {awaitResume, callModel},
  actions: {
    noteOutcome: assign(({context}, last: ModelOutcome & Delivered) => noted(context, last)),
    changeLimit: assign(({context: {request}}, outcome: ModelOutcome) => ({
      request: {...request, ...nextLimit(outcome)},
    })),
    countAttempt: assign(({context: {attempts, pausedMs, last}}) => ({
      attempts: attempts + 1,
      pausedMs: pausedMs + retryDelayMs(last, attempts),
    })),
    beginAgain: assign(begun),
    reportRetry: report(({context}) => ({
      type: 'model.retried',
      model: context.request.model,
      attempt: context.attempts,
      delayMs: retryDelayMs(context.last, context.attempts),
      reason: context.last.kind === 'ok' ? '' : context.last.message,
    })),
  },
  guards: {
    isReply: (_, {kind}: ModelOutcome) => kind === 'ok',
    isUnserved: ({context: {waits}}, {kind}: ModelOutcome) => waits && isOutage(kind),
    mayRetry: ({context}, outcome: ModelOutcome & Delivered) =>
      mayRetry(outcome, {...context, spentMs: context.pausedMs + context.last.ms + outcome.ms}),
    hasNextLimit: ({context: {request}}, outcome: ModelOutcome) =>
      request.outputTokens === undefined && nextLimit(outcome) !== undefined,
  },
  delays: {retryDelay: ({context}) => retryDelayMs(context.last, context.attempts)},
}).createMachine({
  id: 'model-call',
  context: ({input: {waitMs, waits = false, ...request}}) => ({request, waitMs, waits, ...begun()}),
  initial: 'callingModel',
  states: {
    callingModel: {
      invoke: {
        src: 'callModel',
        id: 'model',
        input: ({context: {request}, self}) => ({
          ...request,
          model: modelNow(self, request.model),
        }),
        onDone: [
          {
            guard: {type: 'hasNextLimit', params: outputIn},
            target: 'callingModel',
            reenter: true,
            actions: [
              {type: 'noteOutcome', params: outputIn},
              {type: 'changeLimit', params: outputIn},
            ],
          },
          when('mayRetry', 'backingOff', 'noteOutcome'),
          when('isReply', 'replied', 'noteOutcome'),
          when('isUnserved', 'unserved', 'noteOutcome'),
          otherwise('failed', 'noteOutcome'),
        ],
        onError: {
          target: 'failed',
          actions: {type: 'noteOutcome', params: ({event}) => crashed(event.error)},
        },
      },
    },
    backingOff: {
      entry: 'reportRetry',
      after: {retryDelay: {target: 'callingModel', actions: 'countAttempt'}},
    },
    unserved: {
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => outageOf(context),
        onDone: {target: 'callingModel', actions: 'beginAgain'},
        onError: {
          target: 'failed',
          actions: {type: 'noteOutcome', params: ({event}) => crashed(event.error)},
        },
      },
    },
    replied: {type: 'final'},
    failed: {type: 'final', tags: 'failure'},
  },
  output: ({context: {last, pausedMs}}) => ({...last, pausedMs}),
});

export const modelCallMachine = withUsualWay(chart, {
  from: 'callingModel',
  to: 'replied',
  ended: (context: ModelCallContext, outcome: ModelOutcome & Delivered) =>
    outcome.kind === 'ok' ? {...context, ...noted(context, outcome)} : undefined,
});

function noted(
  context: ModelCallContext,
  outcome: ModelOutcome & Delivered,
): Pick<ModelCallContext, 'last'> {
  return {last: {...lastOf(context, outcome), ms: context.last.ms + outcome.ms}};
}

/** No attempt was made yet. */
function begun(): Pick<ModelCallContext, 'attempts' | 'last' | 'pausedMs'> {
  return {attempts: 1, last: crashed(undefined), pausedMs: 0};
}

function outageOf({request: {model}, last}: ModelCallContext): Outage {
  return {model, code: last.kind, message: last.kind === 'ok' ? '' : last.message};
}

function nextLimit(outcome: ModelOutcome): Pick<ModelRequest, 'outputTokens'> | undefined {
  const next = outcome.kind === 'ok' ? undefined : outcome.nextOutputTokens;
  return next === undefined ? undefined : {outputTokens: next};
}

/** A truncated reply remains the outcome if the provider rejects the higher limit. */
function lastOf(
  {request, last}: ModelCallContext,
  outcome: ModelOutcome & Delivered,
): typeof outcome {
  const isRejected = request.outputTokens !== undefined && outcome.kind === 'unsupported';
  return isRejected && last.kind === 'truncated' ? last : outcome;
}

/** The performer has a bug: nothing is known about the call. */
function crashed(error: unknown): ModelFailure & Delivered {
  return {kind: 'internal', ...toFailure(error), at: 0, ms: 0};
}
