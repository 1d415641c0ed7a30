/** The head of a result: its status, the closing answer of a task, its summary, its error. */

import {stripVTControlCharacters} from 'node:util';

import {formTraits} from '../../../machines/domain/interaction-form.ts';
import {once} from '../../../machines/domain/once.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import {lineOf} from '../../../machines/domain/text-limits.ts';
import {changedLine} from '../../../machines/forms/agent/closing.ts';
import {type Message, t} from '../../../machines/message.ts';
import {protocolWord, say, type Reader} from '../../language.ts';
import type {Paint} from '../style.ts';
import {maxLine, oneLine, proseRows} from '../text.ts';
import {isClosed, withoutChecks} from './closing.ts';
import {titles} from './result-titles.ts';
import type {ResultView} from './result.ts';

/** As in the summary of a task, bytes. */
const maxObjective = 2_000;

/** For a run that waits for a person. */
const personCode = 4;

export function headLines(result: RunResult, view: ResultView): string[] {
  const {style, width} = view;
  const {status, error, exitCode} = result;
  const summary = shownSummary(result, view);
  const paint = status === 'completed' ? style.green : style.red;
  const state = status === 'waiting' && exitCode !== personCode ? 'suspended' : status;
  const word = statusWord(state, result);
  const head = statedOnce(word, summary);
  const [first = '', ...rest] = rowsOf(head, result, view);
  const cause =
    error && isOutputAbove(result, view)
      ? [style.red(`${oneLine(error.code, 60)}: ${oneLine(error.message, maxLine)}`)]
      : [];
  return [
    paintStart(first, word, (text) => style.bold(paint(text))),
    ...rest.map(asProse),
    ...cause,
    ...(view.isWhole && error?.detail !== undefined ? proseRows(error.detail, width, '  ') : []),
  ];
}

/** Of a task that did its work, the objective, and the answer below it. */
function rowsOf(head: string, result: RunResult, view: ResultView): readonly string[] {
  const {width, prose = proseRows} = view;
  if (!isClosed(result)) return proseRows(head, width);
  const [objective = '', ...answer] = head.split('\n');
  return [...proseRows(objective, width), ...prose(answer.join('\n'), width)];
}

/** How a run or a task has ended, where that is not the word of the protocol. */
const statuses: Readonly<Record<string, Message>> = {
  pending: t`not reached`,
  limited: t`limited{:status}`,
  waiting: t`waiting{:status}`,
};

/** The status of a run or a task. */
export function statusWord(status: string, reader: Reader): string {
  return say(statuses[status] ?? protocolWord(status), reader);
}

/** The beginning of a summary that states the status itself. */
const opening = /^(?:Waiting for a person: |Stopped by a limit: |Suspended\b[^:]*?(?:: |\.$))/;

/** The status, then the summary without it; listed problems are below. */
function statedOnce(word: string, summary: string): string {
  if (summary.toLowerCase().startsWith(word)) return `${word}${summary.slice(word.length)}`;
  const rest = summary.replace(opening, '');
  if (rest === '') return word;
  return rest.startsWith('- ') ? `${word}:\n${rest}` : `${word}: ${rest}`;
}

/**
 * For a task, its objective, the closing answer and what was not done. The output of a command is above it on the same screen.
 */
function shownSummary(result: RunResult, view: ResultView): string {
  const {summary} = result;
  if (isClosed(result)) return closedSummary(result, view.isWhole === true);
  return isOutputAbove(result, view) ? (summary.split('\n', 1)[0] ?? '') : summary;
}

/** Otherwise the summary has the output of the command, and the message of an error. */
function isOutputAbove({form}: RunResult, {isBrief}: ResultView): boolean {
  return formTraits[form].input === 'command' && isBrief === true;
}

function closedSummary(result: RunResult, isWhole: boolean): string {
  const {summary, plan} = result;
  const lines = summary.split('\n');
  const objective = plan ? lines.indexOf(lineOf(plan.objective, maxObjective)) : 0;
  const start = Math.max(0, objective) + 1;
  const answer = isWhole ? answerText(result) : withoutChecks(answerText(result), result);
  const rest = isWhole ? lines.slice(-1) : notDone(lines, result);
  return [...lines.slice(0, start), answer, ...(rest.length > 0 ? ['', ...rest] : [])]
    .join('\n')
    .trimEnd();
}

/** The last line of the summary, unless every task succeeded. */
function notDone(lines: readonly string[], {tasks = []}: RunResult): readonly string[] {
  return tasks.every(({status}) => status === 'succeeded') ? [] : lines.slice(-1);
}

/** The closing answer without its line on the changed files: they have their own section. */
export function answerText({answer = '', changes = [], language}: RunResult): string {
  if (changes.length === 0) return answer;
  const line = changedLine(changes, language ?? 'en');
  return answer
    .split('\n')
    .filter((one) => one !== line)
    .join('\n');
}

/** In every language. */
const everyTitle = once(
  () =>
    new Set(
      Object.values(titles).flatMap((title) => [say(title, {}), say(title, {language: 'ja'})]),
    ),
);

/** Text of a model or a program can't begin a section of the result. */
function asProse(row: string): string {
  const text = stripVTControlCharacters(row)
    .replace(/^[#\s]+/, '')
    .trim();
  return everyTitle().has(text) ? `| ${row}` : row;
}

/** A narrow row may end within the painted words. */
function paintStart(row: string, start: string, paint: Paint): string {
  const length = Math.min(row.length, start.length);
  return paint(row.slice(0, length)) + row.slice(length);
}

/** The text without its line breaks and quotation marks. */
export function flatText(text: string): string {
  return text.replaceAll(/[\s>|]+/g, ' ').trim();
}
