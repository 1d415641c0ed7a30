/** What plans came to, as planners and judges read it: the words of the workers beside what is known of their calls. */

import {cap, capBytes} from '../../domain/buffer.ts';
import {bytesOf} from '../../domain/bytes.ts';
import type {Change} from '../../domain/change.ts';
import type {Plan} from '../../domain/plan.ts';
import type {CallFact, TaskResult} from '../../domain/result.ts';
import {bullets} from '../../domain/sections.ts';
import {fateOf, openWork, type PlanRun} from './open-work.ts';

/** UTF-16 units of one call: its arguments, what came of it, the diffs of what it changed. */
const maxArgs = 600;
const maxOutcome = 2_000;
const maxDiffs = 3_000;

/** Bytes; no task has less than this, however many there are. */
const leastShare = 500;

/** What was found wrong with the plans so far, each under its objective. */
export function feedbackText(runs: readonly PlanRun[]): string {
  return runs
    .flatMap(({plan, evaluation}) => {
      if (!evaluation) return [];
      const {problems, feedback} = evaluation;
      return [joined(`Plan: ${plan.objective}`, bullets(problems), feedback)];
    })
    .join('\n\n');
}

/** What no later plan has taken up yet. */
export function openText(runs: readonly PlanRun[]): string {
  return bullets(openWork(runs).map(({id, description}) => `${id}: ${description}`));
}

/**
 * All results, those of earlier plans first, each with what was expected and what a later plan makes of it. At most about
 * `max` bytes, of which every task has its share.
 */
export function resultsText(runs: readonly PlanRun[], max: number): string {
  const plans = runs.map(({plan}) => plan);
  const texts = runs.flatMap(({plan, results}, index) =>
    results.map((result) => resultText(result, plan, plans.slice(index + 1))),
  );
  const share = Math.max(leastShare, Math.floor(max / Math.max(1, texts.length)));
  const isTooLong = texts.reduce((sum, text) => sum + bytesOf(text), 0) > max;
  return (isTooLong ? texts.map((text) => capBytes(text, share)) : texts).join('\n\n');
}

function resultText(result: TaskResult, plan: Plan, later: readonly Plan[]): string {
  const task = plan.tasks.find(({id}) => id === result.id);
  const isOpen = task !== undefined && result.status !== 'succeeded';
  const {redoneBy, dropped} = (isOpen ? fateOf(task, later) : undefined) ?? {};
  const {calls = []} = result;
  const isCall = task?.args !== undefined;
  return joined(
    `Task ${result.id} (${result.status}): ${result.description}`,
    task?.expected_outcome === undefined ? '' : `Expected: ${task.expected_outcome}`,
    redoneBy === undefined ? '' : `Done over by task ${redoneBy}`,
    dropped === undefined ? '' : `Dropped by a later plan: ${dropped}`,
    `Result: ${result.output.trimEnd()}`,
    doneText(calls, isCall),
  );
}

/** An exact call's result is what came of it: it is not told twice. */
function doneText(calls: readonly CallFact[], isCall: boolean): string {
  if (calls.length > 0) {
    return joined('Done:', calls.map((call) => callText(call, isCall)).join('\n'));
  }
  return isCall ? '' : 'Done: no call was made.';
}

function callText(call: CallFact, isCall: boolean): string {
  const {tool, args, status, text, exitCode, confined, changes = []} = call;
  const code = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  const place = confined === false ? ', unconfined' : '';
  return joined(
    `- ${tool} ${cap(JSON.stringify(args), maxArgs)}: ${status}${code}${place}`,
    isCall ? '' : indented(cap(text, maxOutcome)),
    indented(cap(changes.map(changeText).join('\n'), maxDiffs)),
  );
}

function changeText({path, added, removed, diff = ''}: Change): string {
  return joined(`${path} +${added} −${removed}`, diff);
}

function indented(text: string): string {
  return text === '' ? '' : text.trimEnd().replaceAll(/^/gm, '  ');
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
