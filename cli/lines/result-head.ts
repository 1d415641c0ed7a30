/** The head of a result: its status, the closing answer of a task, its summary, its error. */

import type {RunResult} from '../../machines/domain/result.ts';
import {withoutPrinted} from './printed.ts';
import {titlesIn} from './result-titles.ts';
import type {ResultView} from './result.ts';
import type {Paint} from './style.ts';
import {oneLine, proseRows} from './text.ts';

const maxLine = 500;

/** Of a run that waits for a person. */
const personCode = 4;

export function headLines(result: RunResult, {style, width, printed = []}: ResultView): string[] {
  const {status, error, exitCode, language} = result;
  const summary = withoutPrinted(shownSummary(result), printed);
  const paint = status === 'completed' ? style.green : style.red;
  const state = status === 'waiting' && exitCode !== personCode ? 'suspended' : status;
  const word = titlesIn(language).statuses[state] ?? state;
  const isSaid = summary.toLowerCase().startsWith(word);
  const head = isSaid ? `${word}${summary.slice(word.length)}` : titled(word, summary);
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

function titled(word: string, summary: string): string {
  return summary === '' ? word : `${word}: ${summary}`;
}

/** The closing answer of a task stands below the first line; the summary does not repeat it. */
function shownSummary({form, status, answer = '', summary}: RunResult): string {
  if (form !== 'agent' || status !== 'completed' || answer === '') return summary;
  const said = new Set(answer.split('\n').map(flatText));
  const [first = '', ...rest] = summary.split('\n');
  const left = rest.filter((line) => !said.has(flatText(line)));
  return [first, answer, ...(left.length > 0 ? ['', ...left] : [])].join('\n');
}

const titles = new Set([...Object.values(titlesIn('en')), ...Object.values(titlesIn('ja'))]);

/** The words of a model or a program do not begin a section of the result. */
function asProse(row: string): string {
  return titles.has(row.replace(/^[#\s]+/, '').trim()) ? `| ${row}` : row;
}

/** A narrow row may end within the words that are painted. */
function paintStart(row: string, start: string, paint: Paint): string {
  const length = Math.min(row.length, start.length);
  return paint(row.slice(0, length)) + row.slice(length);
}

/** As it reads, whatever its lines and its marks of quotation are. */
export function flatText(text: string): string {
  return text.replaceAll(/[\s>|]+/g, ' ').trim();
}
