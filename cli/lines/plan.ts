/** A plan as a person reads it: in short while it is made, in full where it is decided on. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Plan, Task} from '../../machines/domain/plan.ts';
import {durationText} from './numbers.ts';
import type {Style} from './style.ts';
import {escapedLines, oneLine, proseRows, widthOfText, wrap} from './text.ts';

/** `1. Read README.md`, and below it the call that the task makes, with its arguments once they are known. */
export function taskLines(plan: Plan, style: Style, width: number): string[] {
  const tasks = plan.tasks.flatMap((task, index) => {
    const title = `${index + 1}. ${oneLine(task.description, width - 4)}`;
    const more = joined(callText(task), redoneText(task));
    return more === '' ? [title] : [title, `   ${style.dim(oneLine(more, width - 3))}`];
  });
  return [...tasks, ...droppedTexts(plan).map((text) => oneLine(text, width))];
}

/** All that the tasks say, and what is given up: nothing is cut, as a person approves it. */
export function wholeTaskLines(plan: Plan, width: number): string[] {
  const dropped = droppedTexts(plan).flatMap((text) => proseRows(text, width));
  return [...plan.tasks.flatMap((task, index) => wholeTask(task, index, width)), ...dropped];
}

function droppedTexts({drops = []}: Plan): string[] {
  return drops.map(({task_id: task, reason}) => `gives up task ${task}: ${reason}`);
}

function redoneText({redoes = []}: Task): string {
  return redoes.length === 0 ? '' : `does over: ${redoes.join(', ')}`;
}

function wholeTask(task: Task, index: number, width: number): string[] {
  const [title = '', ...more] = proseRows(`${index + 1}. ${task.description}`, width);
  const rest = [...more, ...wholeCall(task, width - 3), ...conditions(task, width - 3)];
  return [title, ...rest.map(below)];
}

function below(line: string): string {
  return `   ${line}`;
}

function callText(task: Task): string {
  const {tool = '', args} = task;
  return joined(tool !== '' && args ? `${tool} ${JSON.stringify(args)}` : tool, afterText(task));
}

function afterText({depends_on: needs = []}: Task): string {
  return needs.length > 0 ? `after ${needs.join(', ')}` : '';
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

/** On one row where it fits, and has no lines of its own; else each argument below the tool. */
function wholeCall(task: Task, width: number): string[] {
  const {tool = '', args} = task;
  const [short = '', ...others] = escapedLines(callText(task));
  const hasLines = Object.values(args ?? {}).some(isLong);
  if (!hasLines && others.length === 0 && widthOfText(short) <= width)
    return short === '' ? [] : [short];
  return [...proseRows(joined(tool, afterText(task)), width), ...argumentRows(args ?? {}, width)];
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.trimEnd().includes('\n');
}

function argumentRows(args: JsonObject, width: number): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (!isLong(value)) return proseRows(`${name}: ${text}`, width, '  ');
    return proseRows(`${name}:`, width, '  ').concat(blockRows(text, width));
  });
}

function blockRows(text: string, width: number): string[] {
  return escapedLines(text.replace(/\n$/, ''))
    .flatMap((line) => wrap(line, width - 6))
    .map((row) => `    │ ${row}`);
}

function conditions(task: Task, width: number): string[] {
  const {expected_outcome, timeout_ms, context_brief} = task;
  return [
    redoneText(task),
    ...(expected_outcome === undefined ? [] : [`expected: ${expected_outcome}`]),
    ...(timeout_ms === undefined ? [] : [`time limit: ${durationText(timeout_ms)}`]),
    ...(context_brief === undefined ? [] : [`it is told: ${context_brief}`]),
  ].flatMap((line) => (line === '' ? [] : proseRows(line, width)));
}
