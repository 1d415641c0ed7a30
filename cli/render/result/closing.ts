/** What a person wants to know at the end of a task beside the answer: checks that ran, what was not done, objections, commands. */

import type {CallFact, RunResult, TaskResult} from '../../../machines/domain/result.ts';
import {ranLine} from '../../../machines/forms/agent/closing.ts';
import {t} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import {printedLines, testsText} from '../live/calls.ts';
import type {PageView} from '../style.ts';
import {readTestReport} from '../test-report.ts';
import {oneLine, proseRows} from '../text.ts';

const maxCommand = 120;

/** Without the lines on commands that are listed as checks. */
export function withoutChecks(answer: string, {tasks = [], language}: RunResult): string {
  const said = new Set(
    checksIn(tasks).flatMap(({command, calls}) =>
      calls.map(({exitCode = 0}) => ranLine(command, exitCode, language ?? 'en')),
    ),
  );
  return answer
    .split('\n')
    .filter((line) => !said.has(line))
    .join('\n');
}

/** `npm test: 12 passed`: each check with its last run. */
export function checkLines({tasks = [], language}: RunResult, {style, width}: PageView): string[] {
  return checksIn(tasks).map(({command, calls}) => {
    const {exitCode = 0, text = ''} = calls.at(-1) ?? {};
    const report = readTestReport(text);
    const figures = report ? testsText(report, {language}) : say(t`exit ${exitCode}`, {language});
    const line = oneLine(`${oneLine(command, maxCommand)}: ${figures}`, width - 2);
    return exitCode === 0 ? line : style.red(line);
  });
}

/** The output of the only task, a command, unless the answer has it: it is what was asked for. */
export function soleOutput(
  {tasks = [], answer = ''}: RunResult,
  view: PageView,
): readonly string[] {
  const [task] = tasks;
  const isAlone = tasks.length === 1 && task && isOneCommand(task);
  if (!isAlone || answer.includes(task.output.trim())) return [];
  return printedLines(task.output, {...view, isWhole: false});
}

/** True if the output of the task is that of its only call. */
export function isOneCommand({calls = [], output}: TaskResult): boolean {
  const [call, another] = calls;
  return another === undefined && call?.exitCode !== undefined && call.text === output;
}

interface Check {
  readonly command: string;
  readonly calls: readonly CallFact[];
}

/** In the order of their last runs. */
function checksIn(tasks: readonly TaskResult[]): readonly Check[] {
  const checks = new Map<string, CallFact[]>();
  for (const call of tasks.flatMap(({calls = []}) => calls)) {
    const {command} = call.args;
    if (!call.checks || typeof command !== 'string') continue;
    const earlier = checks.get(command) ?? [];
    checks.delete(command);
    checks.set(command, [...earlier, call]);
  }
  return [...checks].map(([command, calls]) => ({command, calls}));
}

/** The reasons of reviewers that were outvoted, in full. */
export function objectionLines(
  {reviews = [], language}: RunResult,
  {style, width}: PageView,
): string[] {
  const votes = reviews
    .filter(({approved}) => approved)
    .flatMap((round) => round.votes.filter(({verdict}) => verdict === 'reject'));
  const groups = Map.groupBy(votes, ({reasons, reasoning}) => reasons.join('; ') || reasoning);
  return [...groups].flatMap(([reason, own]) => {
    const seats = [...new Set(own.map(({model}) => model))];
    const said = say(
      t`${seats.length} {reviewer|reviewers} objected: ${oneLine(reason, maxReason)} (${seats.join(', ')})`,
      {language},
    );
    return proseRows(said, width).map(style.yellow);
  });
}

const maxReason = 2_000;

/** The commands that show the run and take its changes back. */
export function hintText({interaction, changes = []}: RunResult): string {
  const id = oneLine(interaction);
  return [`quorate show ${id}`, ...(changes.length > 0 ? [`quorate undo ${id}`] : [])].join(' · ');
}

/** True for a task that did its work and has an answer: its record is not printed. */
export function isClosed({form, status, answer = ''}: RunResult): boolean {
  return form === 'agent' && status === 'completed' && answer !== '';
}
