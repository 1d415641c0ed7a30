/**
 * The requests that the offline model understands. Each recipe has one anchored expression for English and one for Japanese: every
 * word is understood, or nothing is done. Its task is an exact call, or work of several calls.
 */

import {canonicalJson} from '../../../machines/domain/digest.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import {isJapanese, type Language} from '../../../machines/domain/language.ts';
import {escapePattern} from '../../../machines/domain/plain-text.ts';
import type {Message} from '../../../machines/prompts/transcript.ts';
import {withoutNumbers} from '../../../tools/read/read.ts';

export interface Recipe extends Readonly<Record<Language, Form>> {
  /** Returns undefined for values with which the request is not understood. */
  readonly task: (values: Values, language: Language) => Use | Work | undefined;
}

/** In the expression, spaces stand for white space, and `{name:slot}` for a named group. */
type Form = readonly [example: string, expression: string];

/** The texts of the named groups; an optional group may be missing. */
type Values = Readonly<Partial<Record<string, string>>>;

const slots: Readonly<Record<string, string>> = {
  file: String.raw`(?:[\p{L}\w.@+-]+/)*(?:[\p{L}\w@+-]*\.[\w.-]*\w|Makefile|Dockerfile|README|LICENSE)`,
  place: String.raw`[\p{L}\w@+*./-]*[\p{L}\w*/]`,
  quoted: '"[^"]*"|“[^”]*”|「[^」]*」|`[^`]*`',
};

export const recipes: readonly Recipe[] = [
  {
    en: [
      'Create a file notes.txt with the content "Hello"',
      '(?:create|write) (?:an? )?(?:new )?(?:file )?{path:file} with(?: the)?(?: content| text)?(?: {text:quoted}|: ?(?<rest>.+))',
    ],
    ja: [
      'notes.txt を「Hello」という内容で作成して',
      '{path:file} を {text:quoted} という内容で 作成して',
    ],
    task: ({path = '', text, rest = ''}, language) => {
      const content = unquoted(text ?? rest).replace(/(?<=[^\n])$/, '\n');
      const write = {tool: 'write_file', args: {path, content, create_dirs: true}};
      return makeFile(path, write, language);
    },
  },
  {
    en: [
      'Append the line "Done." to notes.txt',
      '(?:append|add) (?:the )?(?:line |text )?{text:quoted} to (?:the end of )?{path:file}',
    ],
    ja: ['notes.txt に「完了」を追加して', '{path:file} に {text:quoted} を (?:追加|追記)して'],
    task: ({path = '', text = ''}, language) => append(path, unquoted(text), language),
  },
  {
    en: [
      'Replace "colour" with "color" in docs',
      'replace {from:quoted} (?:with|by) {to:quoted}(?: in (?:the folder )?{scope:place})?',
    ],
    ja: [
      'docs の「colour」を「color」に置き換えて',
      '(?:{scope:place} の )?{from:quoted} を {to:quoted} に 置き換えて',
    ],
    task: ({from = '', to = '', scope}, language) => {
      const [old, text] = [unquoted(from), unquoted(to)];
      const isUnclear = old === '' || old === text || old.includes('\n');
      const place = scope?.includes('*') ? {file_pattern: scope} : scope && {path: scope};
      return isUnclear ? undefined : replaceAll([old, text], place || {}, language);
    },
  },
  {
    en: [
      'Run `npm test`',
      '(?:run|execute) (?<command>`[^`\\n]+`)(?: and report(?: the output)?)?',
    ],
    ja: ['`npm test` を実行して', '(?<command>`[^`\\n]+`) を 実行して'],
    task: ({command = ''}) => runs(unquoted(command)),
  },
  {
    en: ['Delete notes.txt', '(?:delete|remove) (?:the file )?{path:file}'],
    ja: ['notes.txt を削除して', '{path:file} を 削除して'],
    task: ({path = ''}) => runs(`rm -- ${path}`),
  },
  {
    en: [
      'Move notes.txt to docs/notes.txt',
      '(?:move|rename) (?:the file )?{from:file} to {to:file}',
    ],
    ja: ['notes.txt を docs/notes.txt に移動して', '{from:file} を {to:file} に 移動して'],
    task: ({from = '', to = ''}, language) => {
      const folder = to.includes('/') ? `mkdir -p -- ${to.slice(0, to.lastIndexOf('/'))} && ` : '';
      // With `-n`, mv keeps an existing file and reports no error.
      const move = runs(`${folder}mv -n -- ${from} ${to} && test ! -e ${from}`);
      return makeFile(to, move, language);
    },
  },
  {
    en: [
      'Collect all TODO and FIXME comments into TODO.md',
      'collect (?:all )?(?:the )?TODO and FIXME comments (?:in)?to {path:file}',
    ],
    ja: ['TODO と FIXME を TODO.md にまとめて', 'TODO と FIXME を {path:file} に まとめて'],
    task: ({path = ''}, language) => collectTodos(path, language),
  },
  {
    en: [
      'Write an overview of this repository to OVERVIEW.md',
      'write an overview of (?:this|the) repository to {path:file}',
    ],
    ja: [
      'このリポジトリの概要を OVERVIEW.md に書いて',
      'このリポジトリの概要を {path:file} に 書いて',
    ],
    task: ({path = ''}, language) => overview(path, language),
  },
];

/** The only task of the plan for a request: an exact call, or work. */
export function taskFor(request: string): Use | Work | undefined {
  for (const recipe of recipes)
    for (const language of ['en', 'ja'] as const) {
      const found = wholeRequest(recipe[language][1], language).exec(request);
      if (found) return recipe.task(found.groups ?? {}, language);
    }
  return undefined;
}

function wholeRequest(expression: string, language: Language): RegExp {
  const filled = expression.replaceAll(
    /\{(\w+):(\w+)\}/g,
    (_, name: string, slot: string) => `(?<${name}>${slots[slot] ?? ''})`,
  );
  const source =
    language === 'en'
      ? `(?:please )?(?:${filled})[.!]?`.replaceAll(' ', String.raw`\s+`)
      : `(?:${filled})(?:ください)?。?`.replaceAll(' ', String.raw`\s*`);
  return new RegExp(`^${source}$`, 'isu');
}

/** The example of the recipe with the same verb: the first word in English, the last one in Japanese. */
export function nearExample(request: string): string | undefined {
  const language = isJapanese(request) ? 'ja' : 'en';
  const verb = language === 'ja' ? /[^をにで」\s]+?(?=(?:ください)?。?$)/ : /\w+/;
  const verbOf = (text: string): string | undefined => verb.exec(text)?.[0].toLowerCase();
  return recipes
    .map((recipe) => recipe[language][0])
    .find((example) => verbOf(example) === verbOf(request));
}

function runs(command: string): Use {
  return {tool: 'run_command', args: {command}};
}

function unquoted(text: string): string {
  const isQuoted = new RegExp(`^(?:${slots['quoted'] ?? ''})$`).test(text.trim());
  return isQuoted ? text.trim().slice(1, -1) : text;
}

// The work of a task or a question that takes several calls: it yields the calls of one turn and receives their answers in
// the same order. Each turn replays it from the transcript, so nothing is kept between turns.

interface Use {
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
    const plain = {text: name === 'read_file' ? withoutNumbers(text) : text, isError};
    answers.set(keys.get(callId) ?? '', plain);
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
  return (yield* call('glob_search', {pattern: path.replaceAll(/[*?[{]/g, '[$&]')})).includes('\t');
}

/** Makes a file by a call, unless the file exists. */
function* makeFile(path: string, {tool, args}: Use, language: Language): Work {
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
function* append(path: string, line: string, language: Language): Work {
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

/** Throws `NotDone` if there are more matches than one result holds. Notes name files that were not searched. */
function* searchAll(args: JsonObject) {
  const lines = (yield* call('grep_search', args)).split('\n');
  const totals = lines.at(-1) ?? '';
  if (totals.endsWith(' shown') || lines.some((line) => cutNote.test(line)))
    throw new NotDone(`${totals}; too many to list`);
  const matches = lines.flatMap((line) => {
    const [, path, text = ''] = /^(.+?):\d+: (.*)$/.exec(line) ?? [];
    return path === undefined ? [] : {path, line, text};
  });
  return {matches, totals, notes: lines.filter((line) => line.startsWith('…'))};
}

type Pair = readonly [old: string, text: string];

/** Replaces a text in every file that contains it. */
function* replaceAll([old, text]: Pair, scope: JsonObject, language: Language): Work {
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

function* collectTodos(target: string, language: Language): Work {
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

const cutNote = /^\[… \d+ characters cut ….*(?:\n.*)?/m;
const manifests = /^(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|Makefile)$/;

/** Describes the repository by its listing and the first lines of its README and its manifests. */
function* overview(target: string, language: Language): Work {
  const isEnglish = language === 'en';
  const found = yield* call('glob_search', {pattern: '**/*', max_results: 2_000});
  const listed = found.replace(cutNote, '').split('\n');
  const paths = listed.flatMap((line) => /^(.+)\t\d+$/.exec(line)?.[1] ?? []);
  const files = paths.filter((path) => path !== target);
  const own = files.filter((path) => path === 'README.md' || manifests.test(path));
  const answers = yield own.map((path) => ({tool: 'read_file', args: {path, limit: 15}}));
  const texts = answers.map(({text}) => text.trim().replaceAll(/^/gm, '    '));
  const heads = own.map((path, at) => `## ${path}\n\n${texts[at] ?? ''}`);
  const size = files.length + (cutNote.test(found) ? '+' : '');
  const count = isEnglish ? `${size} files` : `ファイル ${size} 個`;
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
