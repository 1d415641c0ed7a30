/**
 * One task of an approved plan.
 *
 * preparing → calling / working → succeeded / failed / skipped
 */

import {
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  sendParent,
  setup,
} from 'xstate';

import {cap, resultBuffer} from '../../domain/buffer.ts';
import type {Evidence} from '../../domain/evidence.ts';
import {type Failure, toFailure} from '../../domain/failure.ts';
import type {Plan, Task} from '../../domain/plan.ts';
import type {TaskResult} from '../../domain/result.ts';
import type {Settings} from '../../domain/settings.ts';
import type {ToolResult} from '../../domain/tool.ts';
import type {ActionReviewed} from '../../loop/action-review.ts';
import type {RetryRule, ToolCallInput} from '../../loop/call-state.ts';
import {type ActionDenied, toolCallMachine} from '../../loop/tool-call.ts';
import {turnLoopMachine} from '../../loop/turn-loop.ts';
import type {TurnLoopInput, TurnLoopOutput} from '../../loop/turn-state.ts';
import {type CallEnd, rejectionsAfter} from '../../loop/turn.ts';
import {report} from '../../report.ts';
import {laneOf} from '../../tree/lane.ts';
import {resultOfCall, resultOfLoop, skippedResult} from './task-result.ts';
import {taskMessage, workerSystem} from './worker-prompt.ts';

export interface TaskInput {
  readonly task: Task;
  readonly request: string;
  readonly plan: Plan;
  readonly context: string;
  readonly earlier: readonly TaskResult[];
  readonly settings: Settings;
  readonly workspace: string;
  readonly evidence: readonly Evidence[];
  readonly rejectionsInARow: number;
  /** Unique in the run: prefixes the names under which the lane finds tool calls. */
  readonly name: string;
}

export interface TaskContext extends TaskInput {
  readonly result: TaskResult;
}

/** A task's last word. */
export interface TaskEnd {
  readonly result: TaskResult;
  readonly rejectionsInARow: number;
}

export const taskMachine = setup({
  types: {} as {
    context: TaskContext;
    input: TaskInput;
    output: TaskEnd;
    events:
      | DoneActorEvent<CallEnd, 'call'>
      | ErrorActorEvent<unknown, 'call'>
      | ActionReviewed
      | ActionDenied;
  },
  actors: {toolCall: toolCallMachine, turnLoop: turnLoopMachine},
  actions: {
    startCall: enqueueActions(({context, enqueue}) => {
      const input = callInput(context);
      enqueue.spawnChild('toolCall', {id: 'call', systemId: input.holder, input});
    }),
    freeLane: enqueueActions(({context, system, enqueue}) => {
      enqueue.sendTo(laneOf(system), {type: 'lane.leave', holder: callInput(context).holder});
    }),
    takeCall: assign(({context}, result: ToolResult) => ({
      result: bounded(resultOfCall(context.task, result, context.settings.tools), context.settings),
      rejectionsInARow: rejectionsAfter(context.rejectionsInARow, result, context.settings.tools),
    })),
    takeLoop: assign(({context}, output: TurnLoopOutput) => ({
      result: bounded(resultOfLoop(context.task, output, context.settings.tools), context.settings),
      rejectionsInARow: output.rejectionsInARow,
    })),
    takeCrash: assign(({context}, failure: Failure) => ({
      result: {...context.result, status: 'failed' as const, output: failure.message, failure},
    })),
    pass: sendParent(({event}) => event),
    reportResult: report(({context}) => ({
      type: 'task.settled',
      task: context.task.id,
      status: context.result.status,
      message: context.result.failure?.message ?? context.result.output,
    })),
  },
  guards: {
    isExactCall: ({context}) => context.task.tool !== undefined && context.task.args !== undefined,
    isSuccess: (_, {status}: ToolResult) => status === 'succeeded',
    isRejection: (_, {status}: ToolResult) => status === 'rejected',
    isDone: ({context}, output: TurnLoopOutput) =>
      resultOfLoop(context.task, output, context.settings.tools).status === 'succeeded',
  },
}).createMachine({
  id: 'task',
  context: ({input}) => ({...input, result: skippedResult(input.task, 'not reached')}),
  initial: 'preparing',
  states: {
    preparing: {
      always: [{guard: 'isExactCall', target: 'calling'}, {target: 'working'}],
    },
    calling: {
      entry: 'startCall',
      on: {
        'xstate.done.actor.call': [
          {
            guard: {type: 'isSuccess', params: ({event}) => event.output.result},
            target: 'succeeded',
            actions: {type: 'takeCall', params: ({event}) => event.output.result},
          },
          {
            guard: {type: 'isRejection', params: ({event}) => event.output.result},
            target: 'skipped',
            actions: {type: 'takeCall', params: ({event}) => event.output.result},
          },
          {target: 'failed', actions: {type: 'takeCall', params: ({event}) => event.output.result}},
        ],
        'xstate.error.actor.call': {
          target: 'failed',
          actions: ['freeLane', {type: 'takeCrash', params: ({event}) => toFailure(event.error)}],
        },
        'action.*': {actions: 'pass'},
      },
    },
    working: {
      invoke: {
        src: 'turnLoop',
        id: 'turns',
        input: ({context}) => loopInput(context),
        onDone: [
          {
            guard: {type: 'isDone', params: ({event}) => event.output},
            target: 'succeeded',
            actions: {type: 'takeLoop', params: ({event}) => event.output},
          },
          {target: 'failed', actions: {type: 'takeLoop', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeCrash', params: ({event}) => toFailure(event.error)},
        },
      },
      on: {'action.*': {actions: 'pass'}},
    },
    succeeded: {type: 'final', entry: 'reportResult'},
    failed: {type: 'final', entry: 'reportResult'},
    skipped: {type: 'final', entry: 'reportResult'},
  },
  output: ({context: {result, rejectionsInARow}}) => ({result, rejectionsInARow}),
});

function briefOf({request, workspace, evidence, task}: TaskContext) {
  return {request, workspace, evidence, purpose: task.description};
}

function callInput(context: TaskContext): ToolCallInput {
  const {task, settings, name, rejectionsInARow} = context;
  const tool = settings.tools.find((info) => info.name === task.tool);
  return {
    call: {id: 'call', name: task.tool ?? '', args: task.args ?? {}},
    holder: `${name}/call`,
    tool,
    offered: settings.tools.map((info) => info.name),
    settings,
    retries: retryRule(settings),
    brief: briefOf(context),
    context: context.context,
    task: task.id,
    rejectionsInARow,
    timeLeftMs: task.timeoutMs,
  };
}

function loopInput(context: TaskContext): TurnLoopInput {
  const {task, settings, name, rejectionsInARow, earlier, request, plan} = context;
  const {explorationModel, decisionModel, maxToolTurns} = settings.agent;
  const isHarmless = settings.tools.some((info) => info.name === task.tool && info.risk === 'low');
  return {
    purpose: 'act',
    model: isHarmless ? explorationModel : decisionModel,
    system: workerSystem,
    message: taskMessage({
      request,
      plan,
      task,
      context: context.context,
      earlier: resultBuffer(earlier, settings.context),
    }),
    offered: settings.tools.map((info) => info.name),
    settings,
    maxTurns: maxToolTurns,
    retries: retryRule(settings),
    isDegradable: false,
    isWithheld: false,
    tellsSteps: false,
    brief: briefOf(context),
    context: context.context,
    name,
    task: task.id,
    ...(task.timeoutMs === undefined ? {} : {timeLimitMs: task.timeoutMs}),
    rejectionsInARow,
  };
}

/** An agent repeats passing faults only: what else fails is for the model to correct. */
function retryRule({agent}: Settings): RetryRule {
  return {maxRetries: agent.maxToolRetries, isForAnyFailure: false};
}

function bounded(result: TaskResult, {context}: Settings): TaskResult {
  return {...result, output: cap(result.output, context.maxEntryBytes)};
}
