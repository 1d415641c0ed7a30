/** Laws of asking: only read-only tools, guardrails on input and output, and a status that fits the answer. */

import type {Played} from '../support/played.ts';
import {stopFaults} from './laws-agent.ts';
import {callsOf} from './laws-done.ts';
import {
  kindOf,
  listIn,
  outputOf,
  type History,
  requestsOf,
  settlementsOf,
  unless,
  valueIn,
} from './laws-record.ts';
import {workFaults} from './laws-turns.ts';

const harmless = new Set<string>([
  'checkText',
  'surveyWorkspace',
  'callModel',
  'runTool',
  'awaitResume',
]);

/** `path` is that of the form's actor. */
export function askFaults(played: Played, path: string, maxSteps: number): string[] {
  const record = played.log;
  const strange = record.filter((each) => each.type === 'requested' && !harmless.has(each.port));
  const changes = requestsOf(record, 'runTool').filter(({request}) => request.tool !== 'read_file');
  const isGuarded =
    verdictOf(record, 'input') !== undefined && verdictOf(record, 'input') !== 'block';
  return [
    ...unless(strange.length === 0, 'a request of another kind is made'),
    ...unless(changes.length === 0, 'a tool that changes something runs'),
    ...unless(isGuarded || requestsOf(record, 'callModel').length === 0, 'an unguarded question'),
    ...workFaults(record, `${path}/turns`, maxSteps),
    ...stopFaults(played),
    ...(played.status() === 'done' ? endFaults(played, path) : []),
  ];
}

/** The last verdict of the guardrails on a stage; undefined before the first. */
function verdictOf(record: History, stage: 'input' | 'output'): unknown {
  const last = settlementsOf(record, 'checkText').findLast(({request}) => request.stage === stage);
  return valueIn(last?.outcome, 'action');
}

function endFaults(played: Played, path: string): string[] {
  const record = played.log;
  const output = outputOf(played);
  const [status, reason] = [valueIn(output, 'status'), valueIn(output, 'stoppedReason')];
  const answer = valueIn(output, 'answer');
  const isBlocked = [verdictOf(record, 'input'), verdictOf(record, 'output')].includes('block');
  return [
    ...unless(answer === undefined || isChecked(record, answer), 'an unguarded answer'),
    ...unless(
      isBlocked === (status === 'rejected'),
      `blocked is ${String(isBlocked)}, it ended as ${String(status)}`,
    ),
    ...unless(
      status !== 'completed' || reason === reasonOf(record, path),
      `the reason is ${String(reason)}`,
    ),
    ...unless(status !== 'completed' || answer !== undefined, 'completed without an answer'),
    ...unless(status !== 'limited' || reason !== 'completed', 'limited without a limit'),
    ...unless(status !== 'error' || isFailure(record), 'an error without a fault'),
    ...unless(listIn(output, 'steps').length <= callsMade(record, path), 'more steps than calls'),
  ];
}

/** True when exactly this text passed the guardrails, after a model wrote it. */
function isChecked(record: History, answer: unknown): boolean {
  const check = settlementsOf(record, 'checkText').findLast(
    ({request}) => request.stage === 'output',
  );
  const said = settlementsOf(record, 'callModel').at(-1)?.outcome;
  const text = check?.request.text ?? '';
  const isAllowed = ['allow', 'warn'].includes(String(valueIn(check?.outcome, 'action')));
  return isAllowed && text === answer && text.endsWith(String(valueIn(said, 'text')));
}

/** The reason of a completed run: its loop answered, possibly with an empty text, or a tool failed for good. */
function reasonOf(record: History, path: string): string {
  const replies = settlementsOf(record, 'callModel');
  const last = replies.findLast((each) => each.path.startsWith(`${path}/turns`));
  const isAnswer = kindOf(last?.outcome) === 'ok' && listIn(last?.outcome, 'calls').length === 0;
  return isAnswer ? 'completed' : 'tool_failure_degraded';
}

function isFailure(record: History): boolean {
  const last = record.findLast(({type}) => type === 'settled');
  if (last?.type !== 'settled') return false;
  const isEmpty = kindOf(last.outcome) === 'ok' && valueIn(last.outcome, 'text') === '';
  return last.port === 'checkText'
    ? valueIn(last.outcome, 'action') === undefined
    : isEmpty || kindOf(last.outcome) !== 'ok';
}

function callsMade(record: History, path: string): number {
  const replies = settlementsOf(record, 'callModel').map(({outcome}) => outcome);
  return callsOf(replies, `${path}/turns`).length;
}
