/**
 * The work of a task or a question that takes several calls: it yields the calls of one turn and receives their answers in
 * the same order. Each turn replays it from the transcript, so nothing is kept between turns.
 */

import {canonicalJson} from '../../../machines/domain/digest.ts';
import {escapePattern} from '../../../machines/domain/escape-pattern.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import type {Language} from '../../../machines/domain/language.ts';
import type {Message} from '../../../machines/prompts/transcript.ts';
import {withoutNumbers} from '../../../tools/read/read.ts';

export interface Use {
  readonly tool: string;
  readonly args: JsonObject;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export type Steps<Result> = Generator<readonly Use[], Result, readonly Answer[]>;

/** Returns the report. Throws `NotDone` for work that was not done, or not completely. */
export type Work = Steps<string>;

export class NotDone extends Error {}

/** The next calls, or the report. Throws `NotDone`. */
export function advance(work: Work, messages: readonly Message[]): readonly Use[] | string {
  const answers = answersIn(messages);
  let step = work.next();
  while (step.done !== true) {
    const known = step.value.map(({tool, args}) => answers.get(canonicalJson([tool, args])));
    const open = step.value.filter((_, at) => known[at] === undefined);
    if (open.length > 0) return open;
    step = work.next(known.filter((answer) => answer !== undefined));
  }
  return step.value;
}

function answersIn(messages: readonly Message[]): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  const keys = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const {id, name, args} of message.calls) keys.set(id, canonicalJson([name, args]));
    if (message.role !== 'tool') continue;
    const {callId, name, text, isError} = message;
    const plain = name === 'read_file' ? withoutNumbers(text) : text;
    answers.set(keys.get(callId) ?? '', {text: plain, isError});
  }
  return answers;
}

/** The text of one call. */
export function* call(tool: string, args: JsonObject): Steps<string> {
  const [answer] = yield [{tool, args}];
  if (!answer || answer.isError) throw new NotDone(answer?.text);
  return answer.text;
}

function* exists(path: string): Steps<boolean> {
  const listed = yield* call('glob_search', {pattern: path.replaceAll(/[*?[{]/g, '[$&]')});
  return listed.includes('\t');
}

/** Makes a file by a call, unless the file exists. */
export function* makeFile(path: string, {tool, args}: Use, language: Language): Work {
  const isEnglish = language === 'en';
  if (yield* exists(path))
    throw new NotDone(isEnglish ? `${path} exists already.` : `${path} はすでにあります。`);
  yield* call(tool, args);
  return isEnglish ? `Created ${path}.` : `${path} を作成しました。`;
}

function changed(paths: readonly string[], language: Language): string {
  return language === 'en'
    ? `Changed ${paths.join(', ')}.`
    : `${paths.join('、')} を変更しました。`;
}

/** Adds a line at the end of a file. Of a long file, the end is read separately. */
export function* append(path: string, line: string, language: Language): Work {
  let text = yield* call('read_file', {path});
  const length = /\n\[lines \d+ to \d+ of (\d+);[^\n]*\]$/.exec(text)?.[1];
  if (length !== undefined)
    text = yield* call('read_file', {path, offset: Math.max(1, Number(length) - 20)});
  const added = `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  const lines = text.split(/(?<=\n)/);
  const ends = lines.map((_, at) => lines.slice(-1 - at).join(''));
  const end = ends.find((each) => text.indexOf(each) === text.lastIndexOf(each)) ?? text;
  const edit = {old_text: end, new_text: `${end}${added}`};
  yield* text === ''
    ? call('write_file', {path, content: added})
    : call('edit_file', {path, edits: [edit]});
  return changed([path], language);
}

/** Throws `NotDone` if there are more matches than one search lists. Notes name files that were not searched. */
function* searchAll(args: JsonObject) {
  const lines = (yield* call('grep_search', args)).split('\n');
  const totals = lines.at(-1) ?? '';
  if (totals.endsWith(' shown')) throw new NotDone(totals);
  const matches = lines.flatMap((line) => {
    const [, path, text = ''] = /^(.+?):\d+: (.*)$/.exec(line) ?? [];
    return path === undefined ? [] : {path, line, text};
  });
  return {matches, totals, notes: lines.filter((line) => line.startsWith('…'))};
}

type Pair = readonly [old: string, text: string];

/** Replaces a text in every file that contains it. */
export function* replaceAll([old, text]: Pair, scope: JsonObject, language: Language): Work {
  const {matches, totals, notes} = yield* searchAll({pattern: escapePattern(old), ...scope});
  const paths = [...new Set(matches.map(({path}) => path))];
  if (paths.length === 0) throw new NotDone([`“${old}”: ${totals}`, ...notes].join('\n'));
  yield paths.map((path) => ({tool: 'read_file', args: {path}}));
  const edits = [{old_text: old, new_text: text, replace_all: true}];
  const answers = yield paths.map((path) => ({tool: 'edit_file', args: {path, edits}}));
  if (answers.some(({isError}) => isError))
    throw new NotDone(answers.map((answer) => answer.text).join('\n'));
  return [changed(paths, language), ...notes].join('\n');
}

/** A mark counts after a comment sign; in prose, where `#` begins a heading, only in a hidden comment. */
const comment = String.raw`(?://|/\*|^\s*\*|#|<!--|--\s).*\b(?:TODO|FIXME)\b`;
const prose = /\.(?:md|txt|rst|adoc)$/i;

export function* collectTodos(target: string, language: Language): Work {
  const {matches, notes} = yield* searchAll({pattern: comment});
  const comments = matches.filter(
    ({path, text}) => path !== target && (!prose.test(path) || text.includes('<!--')),
  );
  const lines = comments.map(({line}) => `- ${line}`);
  yield* writeOver(target, `# TODO and FIXME\n\n${[...lines, ...notes].join('\n')}\n`);
  return `${target}: ${comments.length} ${language === 'ja' ? '件のコメント' : 'comments'}`;
}

/** Reads an existing file before it replaces it: the reviewers reject a write over a file that was not read. */
function* writeOver(path: string, content: string): Steps<void> {
  if (yield* exists(path)) yield* call('read_file', {path});
  yield* call('write_file', {path, content, create_dirs: true});
}

const manifests = /^(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|Makefile)$/;

/** Describes the repository by its listing and the first lines of its README and its manifests. */
export function* overview(target: string, language: Language): Work {
  const isEnglish = language === 'en';
  const listed = (yield* call('glob_search', {pattern: '**/*', max_results: 2_000})).split('\n');
  const paths = listed.flatMap((line) => /^(.+)\t\d+$/.exec(line)?.[1] ?? []);
  const files = paths.filter((path) => path !== target);
  const own = files.filter((path) => path === 'README.md' || manifests.test(path));
  const answers =
    own.length > 0 ? yield own.map((path) => ({tool: 'read_file', args: {path, limit: 15}})) : [];
  const heads = own.map((path, at) => {
    const text = answers[at]?.text.trim() ?? '';
    return `## ${path}\n\n${text.replaceAll(/^/gm, '    ')}`;
  });
  const count = isEnglish ? `${files.length} files` : `ファイル ${files.length} 個`;
  const text = [
    isEnglish ? '# Overview' : '# 概要',
    [count, ...listed.filter((line) => line.startsWith('…'))].join('\n'),
    `## ${isEnglish ? 'Kinds of files' : 'ファイルの種類'}\n\n${countsBy(files, /[^/](\.\w+)$/)}`,
    `## ${isEnglish ? 'Folders' : 'フォルダー'}\n\n${countsBy(files, /^(.+?\/)/)}`,
    ...heads,
  ].join('\n\n');
  yield* writeOver(target, `${text}\n`);
  return `${target}: ${count}`;
}

function countsBy(paths: readonly string[], part: RegExp): string {
  const groups = [...Map.groupBy(paths, (path) => part.exec(path)?.[1] ?? './')];
  const sorted = groups.toSorted(([, one], [, other]) => other.length - one.length).slice(0, 12);
  return sorted.map(([name, {length}]) => `- \`${name}\`: ${length}`).join('\n');
}
