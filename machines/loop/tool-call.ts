/**
 * One use of one tool, from validation to outcome.
 *
 * validating → running / (reviewing → exclusive / spawning) → succeeded / refused / rejected / failed
 * validating → refused / rejected, if the review of its turn has decided so
 * running → retrying · inDoubt, also in `exclusive`, where a high-risk call holds the lock.
 */

import {assign, cancel, enqueueActions, setup} from 'xstate';

import {onCrash, otherwise, when} from '../actor-end.ts';
import type {Failure} from '../domain/failure.ts';
import type {HumanDecision} from '../domain/human.ts';
import {contextModes} from '../domain/interaction-form.ts';
import type {FinalStatus, FormOutput} from '../domain/result.ts';
import {cap, capBytes, maxResultChars} from '../domain/text-limits.ts';
import {textsAt} from '../domain/tool-facts.ts';
import {riskOf, type ToolOutcome, type ToolResult} from '../domain/tool.ts';
import {report} from '../facts/record.ts';
import {humanGateMachine} from '../human-gate.ts';
import {type Delivered, runTool} from '../ports.ts';
import {type ChildEvent, spawnBelow, type SpawnOrder} from '../tree/children.ts';
import {hold} from '../tree/lock.ts';
import {withUsualWay} from '../usual-way.ts';
import {actionReviewMachine} from './action-review.ts';
import type {CallReview} from './action.ts';
import {
  calledReport,
  callEnd,
  callOf,
  type CallState,
  deniedOf,
  doubtQuestion,
  ended,
  isUnoffered,
  mayRetry,
  openedCall,
  refusedResult,
  retriedReport,
  reviewed,
  reviewIn,
  reviewInput,
  settledFact,
  timedOut,
  timeLeftOf,
  type ToolCallInput,
  toolRequest,
  toolResult,
  wordOutcome,
} from './call-state.ts';
import type {CallEnd} from './turn.ts';

const retryPauseMs = 250;

const chart = setup({
  types: {} as {
    context: CallState;
    input: ToolCallInput;
    output: CallEnd;
    events: {type: 'lock.granted'} | {type: 'time.over'} | ChildEvent;
    tags: 'choice' | 'waitsForPerson' | 'failure';
  },
  actors: {
    actionReview: actionReviewMachine,
    hold,
    humanGate: humanGateMachine,
    runTool,
    spawnBelow,
  },
  actions: {
    startClock: enqueueActions(({context, enqueue}) => {
      const delay = timeLeftOf(context);
      if (delay !== undefined) enqueue.raise({type: 'time.over'}, {id: 'clock', delay});
    }),
    stopClock: cancel('clock'),
    takeReview: assign(({context}, review: CallReview) => reviewed(context.input.call, review)),
    takeOutcome: assign(({context}, outcome: ToolOutcome & Delivered) => taken(context, outcome)),
    takeDoubt: assign(({context}, outcome: ToolOutcome) => ended(context, outcome)),
    takeChild: assign(({context}, event: ChildEvent) => ({result: spawnedResult(context, event)})),
    takeCrash: assign(({context}, failure: Failure) =>
      ended(context, {kind: 'failed', ...failure}),
    ),
    takeTimeOut: assign(({context}) => timedOut(context)),
    takeDecision: assign(({context}, {decision}: HumanDecision) =>
      ended(context, wordOutcome(decision)),
    ),
    countAttempt: assign(({context}) => ({attempts: context.attempts + 1})),
    reportCall: report(({context}) => calledReport(context)),
    reportResult: report(({context}) => settledFact(context)),
    reportDenial: report(({context}) => settledFact(context, deniedOf(context))),
    reportRetry: report(({context}) => retriedReport(context)),
  },
  guards: {
    isUnoffered: ({context: {input}}) => isUnoffered(input),
    isLowRisk: ({context}) => isLowRisk(context),
    isAllowed: (_, {kind}: CallReview) => kind === 'allowed',
    isSpawn: ({context}, {kind}: CallReview) =>
      kind === 'allowed' && context.input.tool?.spawns !== undefined,
    isLeftAlone: ({context}) => !isAwaited(context),
    isCompleted: (_, status: FinalStatus) => status === 'completed',
    isRejected: (_, {kind}: CallReview) => kind === 'rejected',
    isDecided: ({context: {input}}, kind: CallReview['kind']) => input.decided?.kind === kind,
    isSuccess: (_, {kind}: ToolOutcome) => kind === 'succeeded',
    isRefusal: (_, {kind}: ToolOutcome) => kind === 'refused',
    isInDoubt: (_, {kind}: ToolOutcome) => kind === 'inDoubt',
    mayRetry: ({context}, outcome: ToolOutcome) => mayRetry(context, outcome),
    isRetry: (_, {decision}: HumanDecision) => decision === 'retry',
    isDone: (_, {decision}: HumanDecision) => decision === 'done',
  },
  delays: {retryPause: ({context}) => retryPauseMs * context.attempts},
});

const running = chart.createStateConfig({
  entry: ['reportCall', 'startClock'],
  exit: 'stopClock',
  invoke: {
    src: 'runTool',
    id: 'run',
    input: ({context}) => toolRequest(context),
    onDone: [
      when('isSuccess', '#tool-call.succeeded', 'takeOutcome'),
      when('isInDoubt', 'inDoubt', 'takeDoubt'),
      when('mayRetry', 'retrying', 'takeOutcome'),
      when('isRefusal', '#tool-call.refused', 'takeOutcome'),
      otherwise('#tool-call.failed', 'takeOutcome'),
    ],
    onError: onCrash('#tool-call.failed', 'takeCrash'),
  },
  on: {'time.over': {target: '#tool-call.failed', actions: 'takeTimeOut'}},
});

const retrying = chart.createStateConfig({
  entry: 'reportRetry',
  after: {retryPause: {target: 'running', actions: 'countAttempt'}},
});

const inDoubt = chart.createStateConfig({
  tags: 'waitsForPerson',
  invoke: {
    src: 'humanGate',
    id: 'gate',
    input: ({context}) => ({
      question: doubtQuestion(callOf(context), context.input.brief, context.result?.text),
    }),
    onDone: [
      {guard: {type: 'isRetry', params: ({event}) => event.output.decision}, target: 'running'},
      {
        guard: {type: 'isDone', params: ({event}) => event.output.decision},
        target: '#tool-call.succeeded',
        actions: {type: 'takeDecision', params: ({event}) => event.output.decision},
      },
      {
        target: '#tool-call.failed',
        actions: {type: 'takeDecision', params: ({event}) => event.output.decision},
      },
    ],
    onError: onCrash('#tool-call.failed', 'takeCrash'),
  },
});

const taking = {
  type: 'takeChild',
  params: ({event}: {event: ChildEvent}) => event,
} as const;

/** The call's time limit is paused and no lock is held: the spawned interaction has limits and votes of its own. */
const spawning = chart.createStateConfig({
  entry: 'reportCall',
  invoke: {
    src: 'spawnBelow',
    id: 'child',
    input: ({context}) => spawnOrder(context),
    onError: onCrash('failed', 'takeCrash'),
  },
  on: {
    'child.refused': {target: 'refused', actions: taking},
    'child.spawned': {guard: 'isLeftAlone', target: 'succeeded', actions: taking},
    'child.settled': [
      {
        guard: {type: 'isCompleted', params: ({event}) => event.result.status},
        target: 'succeeded',
        actions: taking,
      },
      {target: 'failed', actions: taking},
    ],
  },
});

const machine = chart.createMachine({
  id: 'tool-call',
  context: ({input}) => openedCall(input),
  initial: 'validating',
  states: {
    validating: {
      tags: 'choice',
      always: [
        {guard: 'isUnoffered', target: 'refused'},
        {guard: 'isLowRisk', target: 'running'},
        {guard: {type: 'isDecided', params: 'rejected'}, target: 'rejected'},
        {guard: {type: 'isDecided', params: 'refused'}, target: 'refused'},
        {target: 'reviewing'},
      ],
    },
    running,
    retrying,
    inDoubt,
    reviewing: {
      invoke: {
        src: 'actionReview',
        id: 'review',
        input: ({context}) => reviewInput(context),
        onDone: [
          {
            guard: {type: 'isSpawn', params: reviewIn},
            target: 'spawning',
            actions: {type: 'takeReview', params: reviewIn},
          },
          {
            guard: {type: 'isAllowed', params: reviewIn},
            target: 'exclusive',
            actions: {type: 'takeReview', params: reviewIn},
          },
          {
            guard: {type: 'isRejected', params: reviewIn},
            target: 'rejected',
            actions: {type: 'takeReview', params: reviewIn},
          },
          {target: 'refused', actions: {type: 'takeReview', params: reviewIn}},
        ],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    exclusive: {
      invoke: {
        src: 'hold',
        id: 'lock',
        onError: onCrash('failed', 'takeCrash'),
      },
      initial: 'queueing',
      states: {
        queueing: {on: {'lock.granted': 'running'}},
        running,
        retrying,
        inDoubt,
      },
    },
    spawning,
    succeeded: {type: 'final', entry: 'reportResult'},
    failed: {type: 'final', tags: 'failure', entry: 'reportResult'},
    refused: {type: 'final', tags: 'failure', entry: 'reportResult'},
    rejected: {type: 'final', tags: 'failure', entry: 'reportDenial'},
  },
  output: ({context}) => callEnd(context),
});

export const toolCallMachine = withUsualWay(machine, {
  from: 'running',
  to: 'succeeded',
  isTaken: (state: CallState) =>
    !isUnoffered(state.input) && isLowRisk(state) && timeLeftOf(state) === undefined,
  ended: (state, outcome: ToolOutcome & Delivered) =>
    outcome.kind === 'succeeded' ? {...state, ...taken(state, outcome)} : undefined,
  begins: calledReport,
  ends: settledFact,
});

function isLowRisk({input: {tool, call}}: CallState): boolean {
  return tool !== undefined && riskOf(tool, call.args) === 'low';
}

function taken(
  state: CallState,
  outcome: ToolOutcome & Delivered,
): Pick<CallState, 'result' | 'ms'> {
  return {...ended(state, outcome), ms: state.ms + outcome.ms};
}

// A call that spawns an interaction: the spawn, and the result of the call.

/** The spawn, from the allowed arguments of the call. */
function spawnOrder(state: CallState): SpawnOrder {
  const {args} = callOf(state);
  const contextMode = contextModes.find((mode) => mode === args['context_mode']);
  return {
    form: state.input.tool?.spawns ?? 'ask',
    request: textsAt(args, ['request']).join(''),
    by: 'model',
    isAwaited: isAwaited(state),
    ...(contextMode ? {contextMode} : {}),
  };
}

/** True if the call waits for the end of the spawned interaction. */
function isAwaited(state: CallState): boolean {
  return callOf(state).args['wait'] !== false;
}

/** The result when the spawned interaction has ended or was refused, or has started if the call does not wait. */
function spawnedResult(state: CallState, event: ChildEvent): ToolResult {
  const call = callOf(state);
  if (event.type === 'child.refused') {
    return refusedResult(call, event.error.code, event.error.message);
  }
  if (event.type === 'child.spawned') {
    const text = `Started as the interaction ${event.id}. Continue with your work: you receive its result once it has ended, unless you are done by then.`;
    return toolResult(call, {kind: 'succeeded', text});
  }
  const {id, result, text} = event;
  return toolResult(
    call,
    outcomeOf(id, result, cap(capBytes(text, state.input.maxMessageBytes), maxResultChars)),
  );
}

/** Files that it wrote count as evidence of its spawner; files that it read do not. */
function outcomeOf(id: string, result: FormOutput, text: string): ToolOutcome {
  const {status, sources, changes} = result;
  if (status !== 'completed') {
    const message = `The interaction ${id} did not complete (${status}).\n${text}`;
    return {kind: 'failed', code: 'child_failed', message};
  }
  return {
    kind: 'succeeded',
    text,
    ...(sources ? {sources} : {}),
    ...(changes ? {written: changes.map(({path}) => path)} : {}),
  };
}
