/** The work that was really done, according to the outcomes of tools and persons, not to the charts. */

import type {Task} from '../../machines/domain/plan.ts';
import {
  decisionOf,
  kindOf,
  listIn,
  type History,
  requestsOf,
  settlementsOf,
  under,
} from './laws-record.ts';

/** True when the last outcome of a call says that it was done: of its tool, or of a person in doubt. */
export function isCallDone(record: History, call: string): boolean {
  const last = under(record, call).findLast(({type}) => type === 'settled' || type === 'fired');
  if (last?.type !== 'settled') return false;
  if (last.port === 'askHuman') {
    return last.request.kind === 'in-doubt' && decisionOf(last.outcome) === 'done';
  }
  return last.port === 'runTool' && kindOf(last.outcome) === 'succeeded';
}

/** True when a task's exact call was done, or when its model's work was, judged by the outcomes of its calls. */
export function isTaskDone(record: History, execution: string, task: Task): boolean {
  const path = `${execution}/task:${encodeURIComponent(task.id)}`;
  if (task.tool !== undefined && task.args) return isCallDone(record, `${path}/call`);
  return isWorkDone(under(record, path), `${path}/turns`, task);
}

/**
 * True when the model answered, the tool that the task names was used, one of its calls was done (of its changes, if it tried
 * any), and its last change was not rejected.
 */
export function isWorkDone(record: History, loop: string, {tool}: Task): boolean {
  const calls = callsBeforeAnswer(record, loop);
  if (!calls) return false;
  const isDone = ({path}: MadeCall): boolean => isCallDone(record, path);
  const changes = calls.filter(isChange);
  const tried = changes.length > 0 ? changes : calls;
  const isUsed = tool === undefined || calls.some((call) => call.name === tool && isDone(call));
  return isUsed && (tried.length === 0 || tried.some(isDone)) && !isWorkSkipped(record, loop);
}

/** True when the last call that changes something was reviewed and never ran, and the model answered nevertheless. */
export function isWorkSkipped(record: History, loop: string): boolean {
  const change = lastChange(callsBeforeAnswer(record, loop) ?? []);
  if (!change) return false;
  const isBelow = ({path}: {readonly path: string}) => path.startsWith(`${change.path}/`);
  const isReviewed = settlementsOf(record, 'previewTool').some(
    (one) => isBelow(one) && kindOf(one.outcome) === 'ready',
  );
  return isReviewed && !requestsOf(record, 'runTool').some(isBelow);
}

/** True when the turns of a task were used up: its model was asked for a report in the end. */
export function isWorkStopped(record: History, loop: string): boolean {
  const asked = requestsOf(under(record, loop), 'callModel').findLast(
    ({request}) => request.purpose === 'act',
  );
  return asked?.request.toolChoice === 'none';
}

function lastChange(calls: readonly MadeCall[]): MadeCall | undefined {
  return calls.findLast(isChange);
}

function isChange({name}: MadeCall): boolean {
  return name !== 'read_file' && name !== 'unknown_tool';
}

/** Undefined when the loop did not end with an answer. */
function callsBeforeAnswer(record: History, loop: string): MadeCall[] | undefined {
  const [last, ...earlier] = settlementsOf(record, 'callModel')
    .filter(({request}) => request.purpose === 'act')
    .toReversed();
  if (!last || kindOf(last.outcome) !== 'ok' || listIn(last.outcome, 'calls').length > 0)
    return undefined;
  if (last.request.toolChoice === 'none') return undefined;
  return callsOf(
    earlier.toReversed().map(({outcome}) => outcome),
    loop,
  );
}

export interface MadeCall {
  readonly name: string;
  readonly path: string;
  readonly call: unknown;
}

/** The calls that a model made, with the paths of the actors that carry them out: by turn, then by place. */
export function callsOf(replies: readonly object[], loop: string): MadeCall[] {
  const turns = replies.filter((reply) => listIn(reply, 'calls').length > 0);
  return turns.flatMap((reply, turn) =>
    listIn(reply, 'calls').map((call, place) => ({
      name: nameOf(call),
      path: `${loop}/call:${turn + 1}.${place}`,
      call,
    })),
  );
}

function nameOf(call: unknown): string {
  return typeof call === 'object' && call !== null && 'name' in call ? String(call.name) : '';
}
