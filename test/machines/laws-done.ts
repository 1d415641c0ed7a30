/** What was truly done, as tools and persons said, whatever the charts make of it. */

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

/** What a tool, or a person about a doubt, last said of a call: whether it was done. */
export function isCallDone(record: History, call: string): boolean {
  const last = under(record, call).findLast(({type}) => type === 'settled' || type === 'fired');
  if (last?.type !== 'settled') return false;
  if (last.port === 'askHuman') {
    return last.request.kind === 'in-doubt' && decisionOf(last.outcome) === 'done';
  }
  return last.port === 'runTool' && kindOf(last.outcome) === 'succeeded';
}

/** Whether a task did what it was to do: its exact call, or what its model tried, told by what came of its calls. */
export function isTaskDone(record: History, execution: string, task: Task): boolean {
  const path = `${execution}/task:${encodeURIComponent(task.id)}`;
  if (task.tool !== undefined && task.args) return isCallDone(record, `${path}/call`);
  return isWorkDone(under(record, path), `${path}/turns`, task);
}

/** The model has answered, the tool that the task names was used, and the last change that it tried succeeded. */
export function isWorkDone(record: History, loop: string, {tool}: Task): boolean {
  const calls = callsBeforeAnswer(record, loop);
  if (!calls) return false;
  const isUsed = calls.some(({name, path}) => name === tool && isCallDone(record, path));
  const change = lastChange(calls);
  return (tool === undefined || isUsed) && (!change || isCallDone(record, change.path));
}

/** Its last call that would act was reviewed and never ran, and its model answered none the less. */
export function isWorkSkipped(record: History, loop: string): boolean {
  const change = lastChange(callsBeforeAnswer(record, loop) ?? []);
  if (!change) return false;
  const isBelow = ({path}: {readonly path: string}) => path.startsWith(`${change.path}/`);
  const isReviewed = settlementsOf(record, 'previewTool').some(
    (one) => isBelow(one) && kindOf(one.outcome) === 'ready',
  );
  return isReviewed && !requestsOf(record, 'runTool').some(isBelow);
}

function lastChange(calls: readonly MadeCall[]): MadeCall | undefined {
  return calls.findLast(({name}) => name !== 'read_file' && name !== 'unknown_tool');
}

/** Undefined when the loop did not end with an answer. */
function callsBeforeAnswer(record: History, loop: string): MadeCall[] | undefined {
  const [last, ...earlier] = settlementsOf(record, 'callModel')
    .filter(({request}) => request.purpose === 'act')
    .toReversed();
  if (!last || kindOf(last.outcome) !== 'ok' || listIn(last.outcome, 'calls').length > 0)
    return undefined;
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
