/** Tool calls in progress: their output, their changes, their outcomes. */

import type {Change} from '../../../machines/domain/patch.ts';
import type {Confinement} from '../../../machines/domain/tool.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {t} from '../../../machines/message.ts';
import {protocolWord, say, type Reader} from '../../language.ts';
import {diffRows} from '../diff.ts';
import {secondsText} from '../numbers.ts';
import type {Screen, Style} from '../style.ts';
import {readTestReport, type TestReport} from '../test-report.ts';
import {escapedLines, oneLine, truncate, widthOfText} from '../text.ts';
import type {CallView} from '../view/run-view.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;

/** Rows of a diff, and of the head and the tail of an output, that are shown without -v. */
const fewRows = 12;
const fewChanges = 5;

export function callLines(event: Of<'tool.called'>, screen: Screen): readonly string[] {
  const {style, width, level} = screen;
  const {tool, summary, words, confinement, task} = event;
  // One line tells how the command of a task ended.
  if (confinement && task !== undefined && level !== 'verbose') return [];
  const raw = summary.startsWith(tool) ? summary : `${tool} ${summary}`;
  const label = level === 'verbose' || words === undefined ? raw : doesText(words, style);
  const place = confinement ? say(t` (${confinementText(confinement, style)})`, style) : '';
  return [style.dim(`    ${oneLine(label, width - 4 - widthOfText(place))}${place}`)];
}

/** Sentences of tools in the words of the screen; others are shown as they come. */
const sentences = [
  t`calculates ${''}`,
  t`reads the list of files`,
  t`reads ${''}`,
  t`searches the files for a pattern with ${''}`,
  t`searches the files for a pattern`,
  t`searches the documents for a pattern`,
  t`searches the documents for ${''}`,
  t`searches the files for ${''}`,
];

function doesText(words: string, reader: Reader): string {
  for (const {text} of sentences) {
    const [all, value = ''] = new RegExp(`^${text.replace('{0}', '(.*)')}$`, 's').exec(words) ?? [];
    if (all !== undefined) return say({text, values: [value]}, reader);
  }
  return words;
}

export function confinementText(confinement: Confinement, reader: Reader): string {
  return confinement === 'none' ? say(t`unconfined`, reader) : confinement;
}

/** The output of a running command, for a person at a terminal: of one that they have typed, or with -v. */
export function outputLines(event: Of<'tool.output'>, screen: Screen): readonly string[] {
  const isShown = event.task === undefined ? isWatched(screen) : screen.level === 'verbose';
  return isShown ? printedRows(event.text, screen) : [];
}

export function settledLines(event: Of<'tool.settled'>, screen: Screen): readonly string[] {
  const {status, changes = []} = event;
  const {ended, level} = screen;
  if (ended?.confinement && level !== 'verbose')
    return [
      ...commandLines(event, ended, screen),
      ...changedRows(
        changes.map(({path, added, removed}) => ({path, added, removed})),
        screen,
      ),
    ];
  if (status !== 'succeeded') return failureLines(event, screen);
  const changed = changedRows(changes, screen);
  // Outside of a plan's tasks, the call's output is the result.
  const isQuiet = screen.level !== 'verbose' && event.task !== undefined;
  return isQuiet || changes.length > 0 ? changed : [toolEndText(event, event.message, screen)];
}

const fewLines = 5;

/** `✗ npm test · exit 1 · 1 of 2 failed · 0.7 s`; of one that failed, the failed tests, or else its last lines. */
function commandLines(
  event: Of<'tool.settled'>,
  call: CallView,
  screen: Screen,
): readonly string[] {
  const {style, width} = screen;
  const {status, output = ''} = event;
  const {tool, summary} = call;
  const isGood = status === 'succeeded';
  const report = readTestReport(output);
  const command = summary.startsWith(`${tool} `) ? summary.slice(tool.length + 1) : summary;
  const rest = endSegments(event, call, report, style).map((segment) => ` · ${segment}`);
  const name = oneLine(command, Math.max(leastCommand, width - 6 - widthOfText(rest.join(''))));
  const mark = isGood ? style.green('✓') : style.red('✗');
  const isShown = event.task === undefined && isWatched(screen);
  const rows = isGood || isShown ? [] : failedRows(report, output);
  return [
    `    ${mark} ${name}${style.dim(truncate(rest.join(''), width - 6 - widthOfText(name)))}`,
    ...rows.flatMap((row) => printedRows(row, {style, width})),
  ];
}

/** `exit 1`, or why it has no exit code; its tests, its time, its confinement. */
function endSegments(
  {status, exitCode, message, at}: Of<'tool.settled'>,
  {startedAt = at, confinement = 'none'}: CallView,
  report: TestReport | undefined,
  reader: Reader,
): readonly string[] {
  const [problem = ''] = message.split('\n');
  const failure = exitCode === undefined ? oneLine(problem) : say(t`exit ${exitCode}`, reader);
  return [
    ...(status === 'succeeded' ? [] : [failure]),
    ...(report ? [testsText(report, reader)] : []),
    secondsText(at - startedAt),
    confinementText(confinement, reader),
  ];
}

const leastCommand = 20;

/** `1 of 3 failed`, `3 passed` */
export function testsText({passed, failed}: TestReport, reader: Reader): string {
  if (failed === 0) return say(t`${passed ?? 0} passed`, reader);
  return passed === undefined
    ? say(t`${failed} failed`, reader)
    : say(t`${failed} of ${passed + failed} failed`, reader);
}

function failedRows(report: TestReport | undefined, output: string): readonly string[] {
  if (report && report.failing.length > 0) return report.failing.slice(0, fewLines);
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-fewLines);
}

/** A command may change any number of files. */
function changedRows(changes: readonly Change[], screen: Screen): readonly string[] {
  const shown = screen.level === 'verbose' ? changes : changes.slice(0, fewChanges);
  const left = changes.length - shown.length;
  return [
    ...shown.flatMap((change) => changeRows(change, screen)),
    ...(left > 0
      ? [screen.style.dim(`    ${say(t`[${left} {more file|more files}]`, screen.style)}`)]
      : []),
  ];
}

/** `notes.md +3 −1` */
export function changeText({path, added, removed}: Omit<Change, 'diff' | 'net'>): string {
  return `${oneLine(path)} +${added} −${removed}`;
}

/** The rows of a unified diff, without its head, each cut to the width. */
function diffLines(diff: string, style: Style, width: number): string[] {
  const lines = escapedLines(diff).filter((line) => !/^(?:---|\+\+\+) /.test(line));
  return diffRows(lines, style, width);
}

function isWatched({isLive, level}: Screen): boolean {
  return isLive || level === 'verbose';
}

function failureLines(event: Of<'tool.settled'>, screen: Screen): readonly string[] {
  const {message, output} = event;
  if (output === undefined) return [toolEndText(event, message, screen)];
  const [first = ''] = message.split('\n');
  const printed = isWatched(screen) ? [] : printedLines(output, {...screen, isWhole: false});
  return [toolEndText(event, first, screen), ...printed];
}

function toolEndText({tool, status}: Of<'tool.settled'>, message: string, screen: Screen): string {
  const words = oneLine(
    say(t`${tool} ${protocolWord(status)}: ${message}`, screen.style),
    screen.width - 6,
  );
  return status === 'succeeded'
    ? screen.style.dim(`    ${words}`)
    : screen.style.yellow(`    ${words}`);
}

function printedRows(text: string, {style, width}: Pick<Screen, 'style' | 'width'>): string[] {
  return escapedLines(text.replace(/\n+$/, '')).map((line) =>
    style.dim(`    │ ${truncate(line, width - 6)}`.trimEnd()),
  );
}

/** The output of a call, below its line. */
export function printedLines(
  text: string,
  view: Pick<Screen, 'style' | 'width'> & {readonly isWhole: boolean},
): readonly string[] {
  const rows = text.trim() === '' ? [] : printedRows(text, view);
  const left = rows.length - 2 * fewRows;
  if (view.isWhole || left <= 0) return rows;
  const cut = `    │ ${say(t`[${left} {line|lines} left out]`, view.style)}`;
  return [...rows.slice(0, fewRows), cut, ...rows.slice(-fewRows)];
}

/** A change with its whole diff. */
export function wholeChange(
  change: Change,
  {style, width}: Pick<Screen, 'style' | 'width'>,
): string[] {
  return [changeText(change), ...changeDiff(change, {style, width})];
}

/** All changes of a run. Of a file that is as before the run, only that. */
export function changesLines(
  changes: readonly Change[],
  undone: ReadonlySet<string>,
  {style, width}: Pick<Screen, 'style' | 'width'>,
): string[] {
  const paths = [...new Set(changes.map(({path}) => path))].filter((path) => undone.has(path));
  const kept = changes.filter(({path}) => !undone.has(path));
  return [
    ...paths.map((path) =>
      style.dim(oneLine(say(t`${path} is as it was before the task`, style), width)),
    ),
    ...kept.flatMap((change) => wholeChange(change, {style, width})),
  ];
}

/** The whole diff of a change, for below its line. */
export function changeDiff(
  {diff = ''}: {readonly diff?: string | undefined},
  {style, width}: Pick<Screen, 'style' | 'width'>,
): string[] {
  return diffLines(diff, style, width - 2).map((row) => `  ${row}`);
}

/** The first rows of the diff, or all with -v. */
function changeRows(change: Change, {style, width, level}: Screen): string[] {
  const rows = diffLines(change.diff ?? '', style, width - 6);
  const shown = level === 'verbose' ? rows : rows.slice(0, fewRows);
  const left = rows.length - shown.length;
  return [
    `    ${changeText(change)}`,
    ...shown.map((row) => `      ${row}`),
    ...(left > 0
      ? [
          style.dim(
            `      ${say(t`[${left} {more line|more lines}; quorate show has them all]`, style)}`,
          ),
        ]
      : []),
  ];
}
