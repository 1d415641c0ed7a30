/** The result of a task. Its status follows from its calls; a report can only worsen it. */

import {evidenceOf, filesWritten} from '../../../domain/evidence.ts';
import type {Failure} from '../../../domain/failure.ts';
import type {Task} from '../../../domain/plan.ts';
import {
  type CallFact,
  failedChecks,
  failedCheckText,
  type TaskResult,
  type TaskStatus,
} from '../../../domain/result.ts';
import {cap, lineOf} from '../../../domain/text-limits.ts';
import type {ToolInfo, ToolResult} from '../../../domain/tool.ts';
import {voidCode} from '../../../loop/action.ts';
import type {StopReason, TurnLoopOutput} from '../../../loop/turn.ts';

/** The result of a task with an exact call. It succeeds only if the call did; a rejected call skips it. */
export function resultOfCall(
  task: Task,
  result: ToolResult,
  tools: readonly ToolInfo[],
): TaskResult {
  const evidence = evidenceOf([result], tools);
  const status =
    result.status === 'succeeded'
      ? 'succeeded'
      : result.status === 'rejected'
        ? 'skipped'
        : 'failed';
  return {
    id: task.id,
    description: task.description,
    status,
    output: result.text,
    ...(result.failure ? {failure: result.failure} : {}),
    evidence,
    written: filesWritten(evidence),
    calls: [callFact(result)],
  };
}

/** A task that a model works on in a turn loop. */
export interface WorkedTask {
  readonly task: Task;
  readonly tools: readonly ToolInfo[];
  /** It redoes a task that did not succeed. */
  readonly isRedo: boolean;
}

/**
 * The result of a task that a model did in a turn loop. Failed calls are facts for the evaluator; code fails the task only
 * if nothing was done, if the last run of a check failed, or if the report says that it is not done. If its last acting
 * call was rejected, the task is skipped.
 */
export function resultOfLoop(worked: WorkedTask, output: TurnLoopOutput): TaskResult {
  const {id, description} = worked.task;
  const failure = loopFailure(worked, output);
  return {
    id,
    description,
    status: failure ? (ends[failure.code] ?? 'failed') : 'succeeded',
    output: output.answer === '' ? (failure?.message ?? '') : output.answer,
    ...(failure ? {failure} : {}),
    evidence: output.evidence,
    written: filesWritten(output.evidence),
    calls: output.steps.map(callFact),
  };
}

/** By the code of a failure. All other failures fail the task. */
const ends: Readonly<Record<string, TaskStatus>> = {rejected: 'skipped', max_turns: 'stopped'};

const stopTexts: Readonly<Record<StopReason, string>> = {
  max_turns: 'its turns were used up',
  repeated_call: 'the same call was made several times in a row',
  time_limit: 'its time was over',
  invalid_calls: 'too many calls in a row were refused',
  tool_failure: 'a tool failed',
};

function loopFailure(worked: WorkedTask, output: TurnLoopOutput): Failure | undefined {
  const {failure, stopped, steps, answer} = output;
  if (failure) return failure;
  if (stopped) return {code: stopped, message: stopTexts[stopped]};
  return (
    undecidedAction(worked, steps) ??
    nothingDone(worked, steps) ??
    unusedTool(worked, steps) ??
    failedCheck(steps) ??
    saidUndone(answer)
  );
}

/** Acting calls change something, run a command, or spawn an agent. */
function isActing(tool: ToolInfo): boolean {
  return tool.risk === 'high' && !isConsulting(tool);
}

/** Spawns an interaction that changes nothing. */
function isConsulting({spawns = 'agent'}: ToolInfo): boolean {
  return spawns !== 'agent';
}

/** The last acting call was rejected, or it is unknown whether it happened. */
function undecidedAction({tools}: WorkedTask, results: readonly ToolResult[]): Failure | undefined {
  const acting = new Set(tools.filter(isActing).map(({name}) => name));
  const actions = results.filter(({tool}) => acting.has(tool));
  // A call that did not run because of another says nothing about the work.
  const last = actions.findLast(({failure}) => failure?.code !== voidCode) ?? actions.at(-1);
  if (last?.status !== 'rejected' && last?.status !== 'inDoubt') return undefined;
  return last.failure ?? {code: last.status, message: last.text};
}

/**
 * No call succeeded; or changes were tried and none was made, so that what was read does not count. A consultation that was
 * not allowed does not count: the worker did without.
 */
function nothingDone(
  {tools, isRedo}: WorkedTask,
  steps: readonly ToolResult[],
): Failure | undefined {
  const consulting = new Set(tools.filter(isConsulting).map(({name}) => name));
  const results = steps.filter(({tool, status}) => status === 'succeeded' || !consulting.has(tool));
  if (results.length === 0)
    return isRedo ? {code: 'no_call', message: 'no call was made'} : undefined;
  const changing = new Set(tools.filter(isChanging).map(({name}) => name));
  const tries = results.filter(({tool}) => changing.has(tool));
  const isChanged = results.some(
    ({tool, status, changes = []}) =>
      status === 'succeeded' && (changing.has(tool) || changes.length > 0),
  );
  const isDone = tries.length > 0 ? isChanged : results.some(({status}) => status === 'succeeded');
  if (isDone) return undefined;
  const last = tries.at(-1) ?? results.at(-1);
  return last?.failure ?? {code: 'failed', message: last?.text ?? ''};
}

/** Acting, and no command: a failed command may have been a look around. */
function isChanging(tool: ToolInfo): boolean {
  return isActing(tool) && tool.runs === undefined && tool.program === undefined;
}

function unusedTool(
  {task: {tool}}: WorkedTask,
  results: readonly ToolResult[],
): Failure | undefined {
  if (tool === undefined) return undefined;
  const isUsed = results.some((result) => result.tool === tool && result.status === 'succeeded');
  if (isUsed) return undefined;
  return {
    code: 'tool_not_used',
    message: `The task was to use ${tool}, and no call of it succeeded.`,
  };
}

function failedCheck(results: readonly ToolResult[]): Failure | undefined {
  const [failed] = failedChecks(results);
  return failed && {code: 'check_failed', message: failedCheckText(failed)};
}

/** The report of a worker that begins so says that its task is not done. */
const undone = /^\W*not done\b/i;

function saidUndone(report: string): Failure | undefined {
  if (!undone.test(report)) return undefined;
  return {code: 'not_done', message: lineOf(report, maxSaid)};
}

/** In bytes. */
const maxSaid = 300;

/** Limit for the output of a call, in UTF-16 units. */
const maxCallText = 4_000;

function callFact(result: ToolResult): CallFact {
  const {tool, args, status, text, output, exitCode, changes, checks, confinement, allowedBy} =
    result;
  return {
    tool,
    args,
    status,
    text: cap(output ?? text, maxCallText),
    ...(exitCode === undefined ? {} : {exitCode}),
    ...(changes ? {changes} : {}),
    ...(checks ? {checks} : {}),
    ...(confinement ? {confinement} : {}),
    ...(allowedBy ? {allowedBy} : {}),
  };
}

/** A task that never ran. */
export function skippedResult(task: Task, because: string): TaskResult {
  return {
    id: task.id,
    description: task.description,
    status: 'skipped',
    output: because,
    failure: {code: 'skipped', message: because},
    evidence: [],
    written: [],
  };
}

/** A task of an active run. */
export function openResult(
  {id, description}: Task,
  status: Extract<TaskStatus, 'pending' | 'running'>,
): TaskResult {
  return {id, description, status, output: '', evidence: [], written: []};
}

export function failedResult(task: Task, failure: Failure): TaskResult {
  return {
    id: task.id,
    description: task.description,
    status: 'failed',
    output: failure.message,
    failure,
    evidence: [],
    written: [],
  };
}
