/** The closing answer by rule: what was done and found, in the language of the request. */

import {escapePattern} from '../../../domain/escape-pattern.ts';
import {isJapanese, type Language} from '../../../domain/language.ts';
import {type Change, writtenBeside} from '../../../domain/patch.ts';
import type {CallFact, TaskResult} from '../../../domain/result.ts';
import {lineOf} from '../../../domain/text-limits.ts';
import {textsAt} from '../../../domain/tool-facts.ts';

/** Limits in bytes: of one worker's report, and of one command. */
const maxReport = 800;
const maxCommand = 120;

/** Maximum number of files, commands or tasks in a list. */
const maxNamed = 8;

interface Words {
  readonly language: Language;
  readonly changed: (files: string) => string;
  readonly unchanged: string;
  readonly written: (files: string) => string;
  readonly ran: (command: string, code: number, found: string) => string;
  readonly read: (files: string) => string;
  readonly idle: string;
  readonly stopped: string;
  readonly failed: (task: string) => string;
  readonly notDone: (task: string) => string;
  readonly more: (count: number) => string;
  readonly comma: string;
}

const english: Words = {
  language: 'en',
  changed: (files) => `Changed: ${files}.`,
  unchanged: 'No file was changed.',
  written: (files) => `Written: ${files}.`,
  ran: (command, code, found) =>
    `Ran \`${command}\` (exit code ${code})${found === '' ? '.' : `: ${found}`}`,
  read: (files) => `Read: ${files}.`,
  idle: 'Nothing was done: no tool was called.',
  stopped: 'Nothing was done: no call was carried out.',
  failed: (task) => `Failed: ${task}`,
  notDone: (task) => `Not done: ${task}`,
  more: (count) => `and ${count} more`,
  comma: ', ',
};

const japanese: Words = {
  language: 'ja',
  changed: (files) => `変更したファイル: ${files}`,
  unchanged: 'ファイルは変更していません。',
  written: (files) => `書き込んだファイル: ${files}`,
  ran: (command, code, found) =>
    `\`${command}\` を実行しました（終了コード ${code}）${found === '' ? '。' : `: ${found}`}`,
  read: (files) => `読んだファイル: ${files}`,
  idle: '何も実行していません（ツールの呼び出しはありません）。',
  stopped: '何も実行していません（実行された呼び出しはありません）。',
  failed: (task) => `失敗: ${task}`,
  notDone: (task) => `未実施: ${task}`,
  more: (count) => `ほか ${count} 件`,
  comma: '、',
};

interface Closed {
  readonly request: string;
  readonly workspace: string;
  readonly tasks: readonly TaskResult[];
  readonly changes: readonly Change[];
  /** The reports of the workers on the last plan. */
  readonly reports: readonly string[];
}

export function closingByRule(closed: Closed): string {
  const {request, workspace, tasks, changes, reports} = closed;
  const written = tasks.flatMap((task) => task.written);
  const words = wordsFor(request, tasks);
  const calls = tasks
    .flatMap((task) => task.calls ?? [])
    .filter(({status}) => status === 'succeeded' || status === 'failed');
  const open = tasks.filter(
    ({status, redoneBy, dropped}) => status !== 'succeeded' && !redoneBy && !dropped,
  );
  return [
    ...reports.map((report) => lineOf(report, maxReport)),
    ...(calls.length === 0
      ? [words.idle]
      : doneLines(
          calls,
          {
            changes,
            unrecorded: writtenBeside(changes, written, workspace),
            isReported: changes.every((one) => isReported(one, reports)),
          },
          words,
        )),
    ...firstNames(
      open.map(({id, description, status}) =>
        words[status === 'failed' ? 'failed' : 'notDone'](
          lineOf(`${id}: ${description}`, maxCommand),
        ),
      ),
      words,
    ),
  ].join('\n');
}

/** The line that names the changed files. The same changes give the same line, so that a view can recognize it. */
export function changedLine(changes: readonly Change[], language: Language): string {
  const words = language === 'ja' ? japanese : english;
  if (changes.length === 0) return words.unchanged;
  const files = changes.map(({path, added, removed}) => `${path} (+${added} −${removed})`);
  return words.changed(namedIn(files, words));
}

/** The line that names a command without a short output. */
export function ranLine(command: string, code: number, language: Language): string {
  const words = language === 'ja' ? japanese : english;
  return words.ran(lineOf(command, maxCommand), code, '');
}

const deed =
  /\b(?:(?:chang|creat|delet|remov|mov|renam|copi|replac|add|append|updat|edit|fix|insert|bump|correct|modifi)ed|wrote|put|set)\b|ました/i;
const denial = /\b(?:not|no|never|without)\b|n['’]t\b|\bun\w+ed\b|ません|ない/i;

/** True if a sentence of a report says that the file was changed. */
function isReported({path}: Change, reports: readonly string[]): boolean {
  const name = new RegExp(String.raw`(?<![\w./-])${escapePattern(path)}(?![\w/-]|\.\w)`);
  return reports
    .flatMap((report) => lineOf(report, maxReport).split(/(?<=[.!?])\s|(?<=[。！？])/))
    .some((sentence) => name.test(sentence) && deed.test(sentence) && !denial.test(sentence));
}

interface Changed {
  readonly changes: readonly Change[];
  /** Files that a tool has written without a record of the change. */
  readonly unrecorded: readonly string[];
  /** True if the reports mention every change. */
  readonly isReported: boolean;
}

function doneLines(
  calls: readonly CallFact[],
  {changes, unrecorded, isReported: isSaid}: Changed,
  words: Words,
): readonly string[] {
  const commands = calls.flatMap((call) => {
    const {args, exitCode, text} = call;
    const [command = ''] = textsAt(args, ['command']);
    return exitCode === undefined
      ? []
      : [words.ran(lineOf(command, maxCommand), exitCode, foundIn(text))];
  });
  const read = calls.flatMap(({tool, args, status}) =>
    tool === 'read_file' && status === 'succeeded' ? textsAt(args, ['path']) : [],
  );
  const places = [...new Set(read)].filter((path) => !changes.some((each) => each.path === path));
  return [
    ...firstNames([...new Set(commands)], words),
    ...(isSaid && changes.length + unrecorded.length > 0
      ? []
      : [changedLine(changes, words.language)]),
    ...(unrecorded.length === 0 ? [] : [words.written(namedIn(unrecorded, words))]),
    ...(places.length === 0 ? [] : [words.read(namedIn(places, words))]),
  ];
}

/** If calls were made, but none was carried out, the text for "nothing was done" says so. */
function wordsFor(request: string, tasks: readonly TaskResult[]): Words {
  const words = isJapanese(request) ? japanese : english;
  const isTried = tasks.some(({calls = []}) => calls.length > 0);
  return isTried ? {...words, idle: words.stopped} : words;
}

/** The output of a command if it is one short line. A longer output does not belong in an answer. */
function foundIn(output: string): string {
  const text = output.trim();
  return text.length > maxCommand || text.includes('\n') || text === '(no output)' ? '' : text;
}

function namedIn(items: readonly string[], words: Words): string {
  return firstNames(items, words).join(words.comma);
}

function firstNames(items: readonly string[], words: Words): readonly string[] {
  const rest = items.length - maxNamed;
  return rest <= 0 ? items : [...items.slice(0, maxNamed), words.more(rest)];
}
