/**
 * Runs one task of an approved plan.
 *
 * preparing → (task.begin) calling / working → succeeded / failed / skipped / stopped
 */

import {assign, sendTo, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../../actor-end.ts';
import type {Evidence} from '../../../domain/evidence.ts';
import type {Failure} from '../../../domain/failure.ts';
import type {Grant} from '../../../domain/human.ts';
import type {Plan, Task} from '../../../domain/plan.ts';
import type {TaskResult, TaskStatus} from '../../../domain/result.ts';
import type {AgentSettings} from '../../../domain/settings.ts';
import {capBytes} from '../../../domain/text-limits.ts';
import {callHash, riskOf, type ToolInfo} from '../../../domain/tool.ts';
import {report} from '../../../facts/record.ts';
import {type ActionBrief, panelRules} from '../../../loop/action.ts';
import type {RetryRule, ToolCallInput} from '../../../loop/call-state.ts';
import {guarded, vouchersOf} from '../../../loop/leak-guard.ts';
import {toolCallMachine} from '../../../loop/tool-call.ts';
import {turnLoopMachine} from '../../../loop/turn-loop.ts';
import type {CallEnd, TurnLoopInput, TurnLoopOutput} from '../../../loop/turn.ts';
import {withRules} from '../../../prompts/sections.ts';
import {currentRequest, messagesFor, type PendingMessage} from '../../../tree/messages.ts';
import {triggerFired, ownInteraction} from '../../../tree/rules.ts';
import type {Work} from '../agent-state.ts';
import {resultsText} from '../evaluation/results-text.ts';
import {knownTo, surroundingSections} from '../gathering/background.ts';
import {answeringTask, type PlanRun, redoneIn, resultsOf} from './open-work.ts';
import {resultOfCall, resultOfLoop, skippedResult, type WorkedTask} from './task-result.ts';
import {taskMessage, workerSystem} from './worker-prompt.ts';

export interface TaskInput {
  readonly work: Work;
  readonly task: Task;
  readonly plan: Plan;
  /** The plans that ran, and the current one with its results up to now. */
  readonly runs: readonly PlanRun[];
  readonly evidence: readonly Evidence[];
  /** Set if the plan, and with it the task's exact call, was allowed at a gate. */
  readonly grantedBy?: Grant['by'] | undefined;
  /** The state of the file that the call was based on, if it writes one. */
  readonly basedOn?: string | undefined;
}

export interface TaskContext extends TaskInput {
  readonly result: TaskResult;
}

export const taskMachine = setup({
  types: {} as {
    context: TaskContext;
    input: TaskInput;
    output: TaskResult;
    events: {readonly type: 'task.begin'};
  },
  actors: {toolCall: toolCallMachine, turnLoop: turnLoopMachine},
  actions: {
    takeCall: assign(({context}, {result}: CallEnd) => ({
      result: bounded(resultOfCall(context.task, result, context.work.settings.tools), context),
    })),
    takeLoop: assign(({context}, output: TurnLoopOutput) => ({
      result: bounded(resultOfLoop(workedIn(context), output), context),
    })),
    takeCrash: assign(({context}, failure: Failure) => ({
      result: {...context.result, status: 'failed' as const, output: failure.message, failure},
    })),
    reportFailure: sendTo(ownInteraction, triggerFired('task.failed')),
    reportResult: report(({context}) => ({
      type: 'task.settled',
      task: context.task.id,
      status: context.result.status,
      message: context.result.failure?.message ?? context.result.output,
      detail: {result: context.result},
    })),
  },
  guards: {
    isExactCall: ({context}) => context.task.tool !== undefined && context.task.args !== undefined,
    isSuccess: (_, {result}: CallEnd) => result.status === 'succeeded',
    isRejection: (_, {result}: CallEnd) => result.status === 'rejected',
    isDone: ({context}, output: TurnLoopOutput) => loopStatus(context, output) === 'succeeded',
    isSkipped: ({context}, output: TurnLoopOutput) => loopStatus(context, output) === 'skipped',
    isStopped: ({context}, output: TurnLoopOutput) => loopStatus(context, output) === 'stopped',
  },
}).createMachine({
  id: 'task',
  context: ({input}) => ({...input, result: skippedResult(input.task, 'not reached')}),
  initial: 'preparing',
  states: {
    preparing: {
      on: {'task.begin': [{guard: 'isExactCall', target: 'calling'}, {target: 'working'}]},
    },
    calling: {
      invoke: {
        src: 'toolCall',
        id: 'call',
        input: ({context, self}) => callInput(context, messagesFor(self, 0).items),
        onDone: [
          when('isSuccess', 'succeeded', 'takeCall'),
          when('isRejection', 'skipped', 'takeCall'),
          otherwise('failed', 'takeCall'),
        ],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    working: {
      invoke: {
        src: 'turnLoop',
        id: 'turns',
        input: ({context}) => loopInput(context),
        onDone: [
          when('isDone', 'succeeded', 'takeLoop'),
          when('isSkipped', 'skipped', 'takeLoop'),
          when('isStopped', 'stopped', 'takeLoop'),
          otherwise('failed', 'takeLoop'),
        ],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    succeeded: {type: 'final', entry: 'reportResult'},
    failed: {type: 'final', tags: 'failure', entry: ['reportResult', 'reportFailure']},
    skipped: {type: 'final', entry: 'reportResult'},
    stopped: {type: 'final', entry: 'reportResult'},
  },
  output: ({context}) => context.result,
});

function loopStatus(context: TaskContext, output: TurnLoopOutput): TaskStatus {
  return resultOfLoop(workedIn(context), output).status;
}

function workedIn({task, work, runs}: TaskContext): WorkedTask {
  const isRedo = redoneIn(task, runs).some(({results}) => results.length > 0);
  return {task, tools: work.settings.tools, isRedo};
}

function briefOf(
  context: TaskContext,
  pendingMessages: readonly PendingMessage[] = [],
): ActionBrief {
  const {work, evidence, task} = context;
  const {workspace, quoted, inherited} = work;
  const hasRetoldText =
    inherited !== undefined || pendingMessages.some(({from}) => from === 'interaction');
  return {
    ...currentRequest(work, pendingMessages),
    workspace,
    evidence,
    purpose: task.description,
    quoted,
    ...(hasRetoldText ? {hasRetoldText} : {}),
  };
}

/** The brief includes pending messages. A turn loop reads them itself. */
function callInput(
  context: TaskContext,
  pendingMessages: readonly PendingMessage[],
): ToolCallInput {
  const {task, work} = context;
  const {tools, agent, context: limits} = work.settings;
  const {tool: name = '', args = {}} = task;
  const call = {id: 'call', name, args};
  const plain = briefOf(context, pendingMessages);
  const vouchers = vouchersOf(plain, [], tools);
  const brief = vouchers ? {...plain, vouchers} : plain;
  return {
    // A person who approved a plan has seen the addresses in it.
    call: context.grantedBy === 'person' ? call : guarded(call, brief, [], tools),
    ...grantedIn(context),
    tool: tools.find((info) => info.name === task.tool),
    offered: tools.map((info) => info.name),
    panel: panelRules(work.settings),
    retries: retryRule(agent),
    maxMessageBytes: limits.maxEntryBytes,
    brief,
    background: knownTo(work),
    task: task.id,
    timeLeftMs: task.timeout_ms,
  };
}

function grantedIn({task, grantedBy, basedOn}: TaskContext): Pick<ToolCallInput, 'granted'> {
  if (grantedBy === undefined) return {};
  const hash = callHash(task.tool ?? '', task.args ?? {});
  return {granted: {by: grantedBy, hash, ...(basedOn === undefined ? {} : {basedOn})}};
}

function loopInput(context: TaskContext): TurnLoopInput {
  const {task, runs, plan, work} = context;
  const {agent, context: buffer, tools, maxOutputTokens} = work.settings;
  const background = knownTo(work);
  const isHarmless = tools.some(
    (info) => info.name === task.tool && riskOf(info, task.args ?? {}) === 'low',
  );
  const message = taskMessage({
    request: work.request,
    plan,
    task,
    background: [
      ...background,
      ...surroundingSections(work.surroundings, resultsOf(runs), buffer.maxEntryBytes),
    ],
    // A fresh task gets only the work that it continues.
    earlier: resultsText(
      task.context_mode === 'fresh' ? redoneIn(task, runs) : runs,
      buffer.maxTotalBytes,
      buffer,
    ),
  });
  return {
    purpose: 'act',
    model: isHarmless ? agent.explorationModel : agent.decisionModel,
    system: withRules(workerSystem(answeringTask(plan) !== undefined), message),
    message,
    offered: offeredTo(task, tools),
    ...(task.tool === undefined ? {} : {found: [task.tool]}),
    tools,
    panel: panelRules(work.settings),
    maxOutputTokens,
    maxTurns: agent.maxToolTurns,
    reportsAtLimit: true,
    maxRefusedTurns: agent.maxToolRetries,
    maxMessageBytes: buffer.maxEntryBytes,
    retries: retryRule(agent),
    isDegradable: false,
    isWithheld: false,
    brief: briefOf(context),
    background,
    task: task.id,
    ...(task.timeout_ms === undefined ? {} : {timeLimitMs: task.timeout_ms}),
  };
}

/** A task that names a tool is offered no spawning tools, except the one that it names. */
function offeredTo({tool}: Task, tools: readonly ToolInfo[]): string[] {
  return tools
    .filter(({name, spawns}) => spawns === undefined || tool === undefined || tool === name)
    .map(({name}) => name);
}

/** An agent retries only transient faults. The model corrects other failures. */
function retryRule({maxToolRetries}: AgentSettings): RetryRule {
  return {maxRetries: maxToolRetries, isForAnyFailure: false};
}

function bounded(result: TaskResult, {work}: TaskContext): TaskResult {
  return {...result, output: capBytes(result.output, work.settings.context.maxEntryBytes)};
}
