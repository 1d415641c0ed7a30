/** The tasks of a run in its result: how each ended, the output of failed ones, and the reports of stopped ones. */

import type {Language} from '../../../machines/domain/language.ts';
import type {TaskResult} from '../../../machines/domain/result.ts';
import {callSummary} from '../../../machines/domain/tool-facts.ts';
import {t} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import {printedLines} from '../live/calls.ts';
import {oneLine} from '../text.ts';
import {statusWord} from './result-head.ts';
import type {ResultView} from './result.ts';

const maxLine = 500;

interface TaskView extends Required<Pick<ResultView, 'style' | 'width' | 'isWhole'>> {
  /** The summary of the run, which is not repeated. */
  readonly summary: string;
  /** Of the request. */
  readonly language: Language | undefined;
}

export function taskLines(task: TaskResult, view: TaskView): string[] {
  const {style, summary} = view;
  const head = `${oneLine(task.id, 60)} ${oneLine(task.description, maxLine)}`;
  if (task.status === 'succeeded') {
    return [
      `${style.green('✓')} ${head}`,
      ...(view.isWhole ? commandLines(task, view) : unrepeatedOutput(task, view)),
    ];
  }
  const {status} = task;
  if (status === 'failed' || status === 'stopped') {
    const {message = statusWord(status, view)} = task.failure ?? {};
    const isSaid = summary.includes(`${task.id} ${status}: ${message}`);
    const why = isSaid ? '' : `: ${oneLine(message, maxLine)}`;
    return [
      `${style.red('✗')} ${head}${why}${sequelText(task, view)}`,
      ...printedLines(withoutStart(task.output, message), view),
      ...(view.isWhole ? commandLines(task, view) : []),
      ...(status === 'failed' ? failedCallLines(task, view) : []),
    ];
  }
  return [`${style.dim('–')} ${head}: ${statusWord(status, view)}`];
}

/** The output of a command that no summary repeats. */
function unrepeatedOutput({calls = [], output}: TaskResult, view: TaskView): readonly string[] {
  const [call, another] = calls;
  const isRepeated = view.summary.includes(output.trim());
  const isCommand = another === undefined && call?.exitCode !== undefined && call.text === output;
  return isCommand && !isRepeated ? printedLines(output, view) : [];
}

/** The commands of a task, each with its exit code and its output, unless the summary has the output. */
function commandLines({calls = []}: TaskResult, view: TaskView): readonly string[] {
  return calls.flatMap(({tool, args, exitCode, text}) => {
    if (exitCode === undefined) return [];
    const head = `${callSummary(tool, args)} · ${say(t`exit ${exitCode}`, view)}`;
    const isRepeated = text.trim() !== '' && view.summary.includes(text.trim());
    const rows = isRepeated ? [] : printedLines(text, {...view, isWhole: false});
    return [view.style.dim(`    ${oneLine(head, view.width - 6)}`), ...rows];
  });
}

/** How a later plan treats a failed task: redone or dropped. */
function sequelText({redoneBy, dropped}: TaskResult, view: TaskView): string {
  const words =
    redoneBy === undefined
      ? dropped && say(t`given up: ${dropped}`, view)
      : say(t`redone by task ${redoneBy}`, view);
  return words === undefined ? '' : view.style.dim(` (${oneLine(words, maxLine)})`);
}

/** A worker may report a failed call in its own words; the output of the call follows them. */
function failedCallLines({calls = [], output}: TaskResult, view: TaskView): readonly string[] {
  const failed = calls.findLast(({status}) => status === 'failed');
  const isListed = view.isWhole && failed?.exitCode !== undefined;
  if (!failed || isListed || output.includes(failed.text.trim())) return [];
  const {tool, args, text} = failed;
  return [
    view.style.dim(`    ${oneLine(callSummary(tool, args), view.width - 6)}`),
    ...printedLines(text, view),
  ];
}

/** The output of a failed command without the reason that precedes it in the same text. */
function withoutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length).replace(/^\n/, '') : text;
}
