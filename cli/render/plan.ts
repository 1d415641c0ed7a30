/** A plan for people: in short while it is drafted, in full for a decision. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Plan, PlannedChange, Task} from '../../machines/domain/plan.ts';
import {t} from '../../machines/message.ts';
import {type Reader, say} from '../language.ts';
import {diffRows} from './diff.ts';
import {durationText} from './numbers.ts';
import type {Style} from './style.ts';
import {escapedLines, oneLine, proseRows, widthOfText, wrap} from './text.ts';

/** Rows of a change below its task; /show and `quorate show` show all. */
const fewRows = 12;

/**
 * `1. Read README.md`, and below it the call of the task, with its arguments once they are known, and the change to the file
 * that it writes.
 */
export function taskLines(
  plan: Plan,
  style: Style,
  width: number,
  changes: readonly PlannedChange[] = [],
): string[] {
  const tasks = plan.tasks.flatMap((task, index) => {
    const title = `${index + 1}. ${oneLine(task.description, width - 4)}`;
    const more = joinedParts(
      callText(task, style),
      redoneText(task, style),
      contextText(task, style),
    );
    return [
      title,
      ...(more === '' ? [] : [style.dim(oneLine(more, width - 3))].map(below)),
      ...changeLines(task, changes, {style, width: width - 3}).map(below),
    ];
  });
  return [
    ...tasks,
    ...parameterLines(plan, width, style),
    ...droppedTexts(plan, style).map((text) => oneLine(text, width)),
  ];
}

/** The first rows of the change that a task's call makes. */
export function changeLines(
  {id}: Pick<Task, 'id'>,
  changes: readonly PlannedChange[],
  {style, width}: {readonly style: Style; readonly width: number},
): string[] {
  const {preview} = changes.find(({task}) => task === id) ?? {};
  if (preview === undefined) return [];
  const rows = diffRows(escapedLines(preview), style, width);
  const left = rows.length - fewRows;
  return left <= 0
    ? rows
    : [...rows.slice(0, fewRows), style.dim(say(t`[${left} {more line|more lines}]`, style))];
}

/** Values that several tasks share, in full. */
function parameterLines({parameters = {}}: Plan, width: number, reader: Reader): string[] {
  const rows = argumentRows(parameters, width);
  return rows.length === 0 ? [] : [say(t`Parameters for all tasks:`, reader), ...rows];
}

/** Empty for a task that sees everything, which is the default. */
function contextText({context_mode: mode}: Task, reader: Reader): string {
  return mode === 'full' ? '' : say(t`context: ${mode}`, reader);
}

/** All texts of the tasks and dropped tasks, uncut, as a person approves them. `around`: adds to the rows of a task. */
export function wholeTaskLines(
  plan: Plan,
  width: number,
  reader: Reader = {},
  around: (task: Task, rows: readonly string[]) => readonly string[] = (_, rows) => rows,
): string[] {
  const dropped = droppedTexts(plan, reader).flatMap((text) => proseRows(text, width));
  return [
    ...plan.tasks.flatMap((task, index) => around(task, wholeTask(task, index, {width, reader}))),
    ...parameterLines(plan, width, reader),
    ...dropped,
  ];
}

function droppedTexts({drops = []}: Plan, reader: Reader): string[] {
  return drops.map(({task_id: task, reason}) => say(t`gives up task ${task}: ${reason}`, reader));
}

function redoneText({redoes = []}: Task, reader: Reader): string {
  return redoes.length === 0 ? '' : say(t`redoes: ${redoes.join(', ')}`, reader);
}

interface TaskRoom {
  readonly width: number;
  readonly reader: Reader;
}

function wholeTask(task: Task, index: number, {width, reader}: TaskRoom): string[] {
  const [title = '', ...more] = proseRows(`${index + 1}. ${task.description}`, width);
  const rest = [
    ...more,
    ...wholeCall(task, {width: width - 3, reader}),
    ...conditions(task, {width: width - 3, reader}),
  ];
  return [title, ...rest.map(below)];
}

function below(line: string): string {
  return `   ${line}`;
}

function callText(task: Task, reader: Reader): string {
  const {tool = '', args} = task;
  return joinedParts(
    tool !== '' && args ? `${tool} ${JSON.stringify(args)}` : tool,
    afterText(task, reader),
  );
}

function afterText({depends_on: needs = []}: Task, reader: Reader): string {
  return needs.length > 0 ? say(t`after ${needs.join(', ')}`, reader) : '';
}

function joinedParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

/** On one row if it fits and has no line ends; else each argument below the tool. */
function wholeCall(task: Task, {width, reader}: TaskRoom): string[] {
  const {tool = '', args} = task;
  const [short = '', ...others] = escapedLines(callText(task, reader));
  const hasLines = Object.values(args ?? {}).some(isLong);
  if (!hasLines && others.length === 0 && widthOfText(short) <= width)
    return short === '' ? [] : [short];
  return [
    ...proseRows(joinedParts(tool, afterText(task, reader)), width),
    ...argumentRows(args ?? {}, width),
  ];
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

function conditions(task: Task, {width, reader}: TaskRoom): string[] {
  const {expected_outcome, timeout_ms, context_brief} = task;
  return [
    redoneText(task, reader),
    contextText(task, reader),
    ...(expected_outcome === undefined ? [] : [say(t`expected: ${expected_outcome}`, reader)]),
    ...(timeout_ms === undefined ? [] : [say(t`time limit: ${durationText(timeout_ms)}`, reader)]),
    ...(context_brief === undefined ? [] : [say(t`context brief: ${context_brief}`, reader)]),
  ].flatMap((line) => (line === '' ? [] : proseRows(line, width)));
}
