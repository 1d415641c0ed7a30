/** The result of a task. Its status follows from its calls, never from a model's report. */

import {cap} from '../../../domain/buffer.ts';
import {evidenceOf, filesWritten} from '../../../domain/evidence.ts';
import type {Failure} from '../../../domain/failure.ts';
import type {Task} from '../../../domain/plan.ts';
import type {CallFact, TaskResult, TaskStatus} from '../../../domain/result.ts';
import {codeOf} from '../../../domain/tool-facts.ts';
import type {ToolInfo, ToolResult} from '../../../domain/tool.ts';
import {voidCode} from '../../../loop/action.ts';
import type {TurnLoopOutput} from '../../../loop/loop-input.ts';
import type {StopReason} from '../../../loop/turn.ts';

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

/** The result of a task that a model did in a turn loop. If its last acting call was rejected, the task is skipped. */
export function resultOfLoop(
  task: Task,
  output: TurnLoopOutput,
  tools: readonly ToolInfo[],
): TaskResult {
  const failure = loopFailure(task, output, tools);
  return {
    id: task.id,
    description: task.description,
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

function loopFailure(
  task: Task,
  output: TurnLoopOutput,
  tools: readonly ToolInfo[],
): Failure | undefined {
  if (output.failure) return output.failure;
  if (output.stopped) return {code: output.stopped, message: stopTexts[output.stopped]};
  return (
    lastActionFailure(output.steps, tools) ??
    unusedTool(task, output.steps) ??
    unresolvedFailure(output.steps, tools)
  );
}

function unusedTool({tool}: Task, results: readonly ToolResult[]): Failure | undefined {
  if (tool === undefined) return undefined;
  const isUsed = results.some((result) => result.tool === tool && result.status === 'succeeded');
  if (isUsed) return undefined;
  return {
    code: 'tool_not_used',
    message: `The task was to use ${tool}, and no call of it succeeded.`,
  };
}

/** Acting calls change something, or spawn an agent. If the last one did not succeed, the task did not either. */
function lastActionFailure(
  results: readonly ToolResult[],
  tools: readonly ToolInfo[],
): Failure | undefined {
  const acting = new Set(tools.filter(isActing).map(({name}) => name));
  const actions = results.filter(({tool}) => acting.has(tool));
  // A call that did not run because of another says nothing about the work.
  const last = actions.findLast(({failure}) => failure?.code !== voidCode) ?? actions.at(-1);
  if (!last || last.status === 'succeeded') return undefined;
  return last.failure ?? {code: last.status, message: last.text};
}

function isActing({risk, spawns = 'agent'}: ToolInfo): boolean {
  return risk === 'high' && spawns === 'agent';
}

/** A failed command is a failure until the same command has succeeded; other successes do not count. */
function unresolvedFailure(
  results: readonly ToolResult[],
  tools: readonly ToolInfo[],
): Failure | undefined {
  const commands = results.flatMap(({tool, args, status, failure}) => {
    const info = tools.find(({name}) => name === tool);
    const command = info && codeOf(info, args, 'shell');
    return command === undefined ? [] : [{command, status, failure}];
  });
  const last = new Map(commands.map((each) => [each.command, each]));
  const failed = [...last.values()].find(({status}) => status === 'failed');
  if (!failed) return undefined;
  const {command, failure} = failed;
  return {
    code: failure?.code ?? 'failed',
    message: `${failure?.message ?? 'it failed'} (${command}), and did not succeed later`,
  };
}

/** Limit for the output of a call, in UTF-16 units. */
const maxCallText = 4_000;

function callFact(result: ToolResult): CallFact {
  const {tool, args, status, text, output, exitCode, changes, confined, allowedBy} = result;
  return {
    tool,
    args,
    status,
    text: cap(output ?? text, maxCallText),
    ...(exitCode === undefined ? {} : {exitCode}),
    ...(changes ? {changes} : {}),
    ...(confined === undefined ? {} : {confined}),
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
