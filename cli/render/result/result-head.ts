/** The head of a result: its status, the closing answer of a task, its summary, its error. */

import {formTraits} from '../../../machines/domain/interaction-form.ts';
import {once} from '../../../machines/domain/once.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import {changedLine} from '../../../machines/forms/agent/closing/closing-answer.ts';
import {type Message, t} from '../../../machines/message.ts';
import {protocolWord, say, type Reader} from '../../language.ts';
import {withoutPrinted} from '../live/printed.ts';
import type {Paint} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';
import {titles} from './result-titles.ts';
import type {ResultView} from './result.ts';

const maxLine = 500;

/** For a run that waits for a person. */
const personCode = 4;

export function headLines(result: RunResult, {style, width, printed = []}: ResultView): string[] {
  const {status, error, exitCode, language} = result;
  const summary = withoutPrinted(shownSummary(result), printed, language);
  const paint = status === 'completed' ? style.green : style.red;
  const state = status === 'waiting' && exitCode !== personCode ? 'suspended' : status;
  const word = statusWord(state, result);
  const head = statedOnce(word, summary);
  const [first = '', ...rest] = proseRows(head, width);
  const cause =
    error && !summary.includes(error.message)
      ? [style.red(`${oneLine(error.code, 60)}: ${oneLine(error.message, maxLine)}`)]
      : [];
  return [
    paintStart(first, word, (text) => style.bold(paint(text))),
    ...rest.map(asProse),
    ...cause,
  ];
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

/** The closing answer of a task is below the first line; the summary does not repeat it. */
function shownSummary(result: RunResult): string {
  const {form, status, answer = '', summary} = result;
  if (formTraits[form].endsWithDocument || status !== 'completed' || answer === '') return summary;
  const said = new Set([...answer.split('\n').map(flatText), ...outputsIn(answer, result)]);
  const [first = '', ...rest] = summary.split('\n');
  const unsaid = rest.filter((line) => !said.has(flatText(line)));
  const start = unsaid.findIndex((line) => line.trim() !== '');
  const left = start === -1 ? [] : unsaid.slice(start);
  const lines = answerText(result).split('\n');
  const kept = withoutRepeated(lines, left);
  const shown = kept.join('\n');
  // A full text replaces its repetition: it answers the request, so it comes first.
  const parts = [shown, left.join('\n')].filter((text) => text !== '');
  const ordered = kept.length < lines.length ? parts.toReversed() : parts;
  return [first, ordered.join('\n\n')].join('\n').trimEnd();
}

/** Leaves out lines that repeat several lines of the full text, or the beginning of a line that was cut. */
function withoutRepeated(lines: readonly string[], full: readonly string[]): readonly string[] {
  const repeats = (line: string): boolean => {
    const isCut = line.endsWith('…');
    const said = flatText(isCut ? line.slice(0, -1) : line);
    return full.some((from, index) => {
      const isShort = said === '' || (!isCut && said.length <= flatText(from).length);
      return !isShort && flatText(full.slice(index).join('\n')).startsWith(said);
    });
  };
  return lines.filter((line) => !repeats(line));
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

/** One-line outputs that the answer quotes behind their commands and that are not in a longer output. */
function outputsIn(answer: string, {tasks = []}: RunResult): readonly string[] {
  const outputs = tasks.map(({output}) => output.trim());
  const long = outputs.filter((output) => output.includes('\n'));
  return outputs.filter(
    (output) =>
      output !== '' &&
      answer.split('\n').some((line) => line.endsWith(`: ${output}`)) &&
      !long.some((other) => other.split('\n').includes(output)),
  );
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
  return everyTitle().has(row.replace(/^[#\s]+/, '').trim()) ? `| ${row}` : row;
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
