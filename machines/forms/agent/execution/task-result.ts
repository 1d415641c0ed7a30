/** What a task comes to: decided by what its calls did, whatever was said about them. */

import {cap} from '../../../domain/buffer.ts';
import {evidenceOf, filesWritten} from '../../../domain/evidence.ts';
import type {Failure} from '../../../domain/failure.ts';
import type {Task} from '../../../domain/plan.ts';
import type {CallFact, TaskResult, TaskStatus} from '../../../domain/result.ts';
import {codeOf} from '../../../domain/tool-facts.ts';
import type {ToolInfo, ToolResult} from '../../../domain/tool.ts';
import type {TurnLoopOutput} from '../../../loop/loop-input.ts';

/** A task that named a tool and its arguments: it succeeds only if the call did. A rejected call skips it. */
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

/** A task that a model worked out in a turn loop. When the panel rejected its last call that would act, it is skipped. */
export function resultOfLoop(
  task: Task,
  output: TurnLoopOutput,
  tools: readonly ToolInfo[],
): TaskResult {
  const failure = loopFailure(task, output, tools);
  return {
    id: task.id,
    description: task.description,
    status: failure ? (failure.code === 'rejected' ? 'skipped' : 'failed') : 'succeeded',
    output: output.answer === '' ? (failure?.message ?? '') : output.answer,
    ...(failure ? {failure} : {}),
    evidence: output.evidence,
    written: filesWritten(output.evidence),
    calls: output.steps.map(callFact),
  };
}

function loopFailure(
  task: Task,
  output: TurnLoopOutput,
  tools: readonly ToolInfo[],
): Failure | undefined {
  if (output.failure) return output.failure;
  if (output.stopped)
    return {code: output.stopped, message: `The task was stopped: ${output.stopped}.`};
  return (
    lastActionFailure(output.steps, tools) ??
    unusedTool(task, output.steps) ??
    unmendedFailure(output.steps, tools)
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

/** What changes something counts, or has an agent do so: if the last such call did not succeed, neither did the task. */
function lastActionFailure(
  results: readonly ToolResult[],
  tools: readonly ToolInfo[],
): Failure | undefined {
  const acting = new Set(tools.filter(isActing).map(({name}) => name));
  const last = results.findLast(({tool}) => acting.has(tool));
  if (!last || last.status === 'succeeded') return undefined;
  return last.failure ?? {code: last.status, message: last.text};
}

function isActing({risk, spawns = 'agent'}: ToolInfo): boolean {
  return risk === 'high' && spawns === 'agent';
}

/** A command that failed is a failure until the same one has succeeded, whatever else did meanwhile. */
function unmendedFailure(
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

/** Of what came of a call, UTF-16 units. */
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

/** A task that never ran because one that it depends on did not succeed. */
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

/** A task of a run that has not ended. */
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
