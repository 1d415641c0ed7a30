/** Laws 5 and 14: a run that has ended says truthfully how, and claims nothing that the recorded facts contradict. */

import {endCodes} from '../../actors/run/run-result.ts';
import {
  type Findings,
  type Law,
  outcomeIn,
  type RecordIndex,
  textOf,
} from '../../actors/verify/record-index.ts';
import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {interactionIn} from '../../machines/tree/path.ts';

export const honestResult: Law = (record, findings) => {
  const {closed, entries} = record;
  const ends = entries.filter(({type}) => type === 'closed');
  for (const {seq} of ends) {
    if (seq !== closed?.seq) findings.violated(5, seq, 'the run continues after its end');
  }
  checkTasks(record, findings);
  if (closed) checkStatus(record, closed.result, closed.seq, findings);
};

const exitCodes: Readonly<Record<string, number>> = endCodes;

function checkStatus(
  record: RecordIndex,
  result: JsonObject,
  seq: number,
  {violated}: Findings,
): void {
  const status = textOf(result['status']);
  if (result['interaction'] !== record.id) violated(5, seq, 'the result is that of another run');
  if (exitCodes[status] !== result['exitCode']) violated(5, seq, `${status} has another exit code`);
  for (const child of listOf(result['interactions'])) {
    if (child['status'] === 'active') violated(5, seq, `${textOf(child['id'])} has not ended`);
  }
  if (status !== 'completed') return;
  if (result['error'] !== undefined) violated(5, seq, 'completed, and the result has an error');
  if (record.opened?.settings.agent.phaseScope === 'plan-only') return;
  checkClaims(record, listOf(result['tasks']), seq, violated);
}

/** `tasks`: of a completed run. */
function checkClaims(
  record: RecordIndex,
  tasks: readonly JsonObject[],
  seq: number,
  violated: Findings['violated'],
): void {
  const reported = statusesIn(record);
  for (const task of tasks) {
    const [name, end] = [textOf(task['id']), textOf(task['status'])];
    if (end !== 'succeeded' && !isTakenUp(task))
      violated(5, seq, `completed, and the task ${name} is ${end}`);
    const known = reported.get(name) ?? end;
    if (end === 'succeeded' && known !== end)
      violated(14, seq, `the task ${name} is claimed as succeeded, and was ${known}`);
  }
}

/** True if a later plan redoes the task, or drops it with a reason. */
function isTakenUp({redoneBy, dropped}: JsonObject): boolean {
  return redoneBy !== undefined || dropped !== undefined;
}

/** How each task of the root ended, as the charts reported it: interactions below it may use the same ids. */
function statusesIn({replayed}: RecordIndex): ReadonlyMap<string, string> {
  const own = (replayed?.reports ?? []).filter(({actor}) => interactionIn(actor, '') === '');
  return new Map(
    own.flatMap(({report}) =>
      report.type === 'task.settled' ? [[report.task, report.status] as const] : [],
    ),
  );
}

/** A task with an exact call succeeds only if that call did, or a person says so. */
function checkTasks(
  {replayed, outcomesBelow, personDecisions}: RecordIndex,
  {violated}: Findings,
): void {
  for (const {report, actor, entry} of replayed?.reports ?? []) {
    if (report.type !== 'task.settled' || report.status !== 'succeeded') continue;
    const path = `i/${actor}/call`;
    const last = outcomesBelow(path).findLast(
      ({key, seq}) => key.startsWith(`${path}/run#`) && seq <= entry,
    );
    const isSaid = personDecisions.some(
      ({note, actor: gate}) => note['decision'] === 'done' && `i/${gate}`.startsWith(`${path}/`),
    );
    if (last && outcomeIn(last)['kind'] !== 'succeeded' && !isSaid)
      violated(14, entry, `the task ${report.task} succeeded, and its call did not`);
  }
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => isJsonObject(each)) : [];
}
