/** The skill that edits lines and JSON keys of files. Each rule has a reader that creates the edit. */

import {
  type Edit,
  addKey,
  parsed,
  type Problem,
  removeKey,
  setKey,
} from '../../../../tools/text/json-text.ts';
import {
  append,
  changeLine,
  deleteLine,
  insertAt,
  prepend,
} from '../../../../tools/text/line-text.ts';
import {isWhole} from '../listing.ts';
import {itemsOf, type Slots, unquoted} from '../phrase.ts';
import {type Job, jobOf, notDone, settle, skillOf, type Use, type Work} from './skill.ts';
import {editUse, readAll} from './write-whole.ts';

const parts = {
  content: [
    '[the|a|an|this] [new] [line|text|lines|word|words|sentence|row|heading|title|entry|item] {content:quoted}',
    '[the|these] [new] lines {list:quotedList}',
  ],
  file: ['[the] [file] {paths:oneFile}'],
  files: ['[the] [file|files] {paths:files}'],
  json: ['[the] [file] {paths:json}'],
  bump: ['(bump|update|change|set|raise|increase) [the] [package|project] version [number]'],
  line: ['line [number] {nth:nth}', '[the] {nth:nth} line', '[the] line {line:quoted}'],
  anchor: ['line [number] {nth:nth}', '[the] {nth:nth} line', '[the] [line] {line:quoted}'],
  ja: ['{nth:nth} 行目', '{nth:nth} の行', '{line:quoted} (の行|という行)'],
  deleted: ['(削除して|削除する|消して|消す|取り除いて)'],
  changed: ['(変更して|変更する|変えて|変える|して|書き換えて|置き換えて|更新して)'],
  raised: ['(上げて|上げる|変更して|変更する|変えて|変える|して|書き換えて|置き換えて|更新して)'],
  added: [
    '(追加して|追加する|挿入して|挿入する|入れて|書いて|書き足して|書き加えて|追記して|追記する)',
  ],
};

export const editing = skillOf(
  {
    end: (slots) => adding(slots, 'at the end of', append, true),
    top: (slots) => adding(slots, 'at the top of', prepend),
    after: (slots) =>
      adding(slots, `after ${lineOf(slots)} of`, (text) => insertAt(slots, text, 1)),
    before: (slots) =>
      adding(slots, `before ${lineOf(slots)} of`, (text) => insertAt(slots, text, 0)),
    delete: (slots) => editJob(slots, `Delete ${lineOf(slots)} of`, deleteLine(slots)),
    change: (slots) => {
      const {content = ''} = slots;
      const deed = `Put ${JSON.stringify(content)} in place of ${lineOf(slots)} of`;
      return editJob(slots, deed, changeLine(slots, content));
    },
    version: versionJob,
    set: (slots) => {
      const {key = '', value = '', from} = slots;
      const edit = setKey(key, (old) => valueFor(old, value, from));
      return editJob(slots, `Set ${key} to ${value} in`, edit);
    },
    add: (slots) => {
      const {key = '', value = ''} = slots;
      const text = jsonOf(value);
      if (text === undefined) return undefined;
      return editJob(slots, `Add the key ${key} with ${text} to`, addKey(key, text));
    },
    remove: (slots) => {
      const {key = ''} = slots;
      return editJob(slots, `Remove the key ${key} from`, removeKey(key));
    },
  },
  `
end
(append|add) <content> (to|at) [the] [very] [end of|bottom of] <files>
(write|put|insert) <content> (to|at) the [very] (end|bottom) of <files>
(append|add) to [the] [very] [end of|bottom of] <files> [:] <content>
append to <files> : {rest}
{paths:files} [の末尾|の最後] (に|へ) {content:quoted} [を|という行を|と] <added>
{content:quoted} を {paths:files} [の末尾|の最後] (に|へ) <added>

top
(insert|add|put|write) <content> (at|to) the [very] (top|beginning|start) of <files>
prepend <content> to <files>
{paths:files} の (先頭|最初|冒頭|一番上) に {content:quoted} [を|という行を|と] <added>

after
(insert|add|put) <content> (after|behind|below) <anchor> (in|of|to|into) <files>
{paths:oneFile} の <ja> の (後|後ろ|あと|次|下) に {content:quoted} [を|という行を|と] <added>

before
(insert|add|put) <content> (before|above) <anchor> (in|of|to|into) <files>
{paths:oneFile} の <ja> の (前|上) に {content:quoted} [を|という行を|と] <added>

delete
(delete|remove|erase) <line> (of|in|from) <file>
{paths:oneFile} (の|から) <ja> を <deleted>

change
(change|replace|rewrite|set) <line> (of|in) <file> (to|with|by) {content:quoted}
(change|replace|rewrite|set) <line> (to|with|by) {content:quoted} (of|in) <file>
{paths:oneFile} の <ja> を {content:quoted} に <changed>

version
<bump> to {value:version}
<bump> from {from:version} to {value:version}
<bump> from {from:version} to {value:version} (in|of) <json>
<bump> to {value:version} (in|of) <json>
<bump> (in|of) <json> to {value:version}
<bump> (in|of) <json> from {from:version} to {value:version}
bump [the] {level:level} version [number]
bump [the] {level:level} version [number] (in|of) <json>
[{paths:json}] [の] バージョン [番号] を {value:version} に <raised>
[{paths:json}] [の] バージョン [番号] を {from:version} から {value:version} に <raised>

set
set [the] [key|value of] {key:key} to {value:value} in <json>
set [the] [key|value of] {key:key} (in|of) <json> to {value:value}
(change|update) [the] [value of] {key:key} (in|of) <json> from {from:value} to {value:value}
(change|update) [the] [value of] {key:key} from {from:value} to {value:value} in <json>
(change|update) [the] [value of] {key:key} (in|of) <json> to {value:value}
(change|update) [the] [value of] {key:bareKey} to {value:value} in <json>
(change|update) [the] [value of] {key:key} to {value:literal} in <json>
make [the] {key:key} {value:literal} in <json>
{paths:json} の [キー] {key:key} を {value:value} に (設定して|設定する|して)
{paths:json} の [キー] {key:bareKey} を {value:value} に <changed>
{paths:json} の [キー] {key:key} を {from:value} から {value:value} に <changed>

add
add [the|a] [new] key {key:key} with [the] value {value:value} (to|in|into) <json>
add {key:quoted} : {value:value} (to|in|into) <json>
{paths:json} に キー {key:key} を [値] {value:value} で <added>

remove
(delete|remove) [the] (key|field|property|entry|setting) {key:key} (from|in|of) <json>
(delete|remove) [the] {key:key} (key|field|property|entry|setting) (from|in|of) <json>
{paths:json} (の|から) キー {key:key} を <deleted>
`,
  parts,
);

/** A missing file is created only if `creates`. `deed`, such as `Delete line 2 of`, precedes the names in the objective. */
function editJob(slots: Slots, deed: string, edit: Edit, creates = false): Job | undefined {
  const paths = itemsOf(slots['paths'] ?? 'package.json');
  if (paths.length === 0) return undefined;
  return jobOf('edit', `${deed} ${paths.join(' and ')}`, () => work(paths, edit, creates));
}

function adding(
  slots: Slots,
  place: string,
  edit: (content: string) => Edit,
  creates = false,
): Job | undefined {
  const {content, list, rest} = slots;
  const text = content ?? (list === undefined ? rest : itemsOf(list).join('\n'));
  if (text === undefined || text === '') return undefined;
  return editJob(slots, `Put ${JSON.stringify(text)} ${place}`, edit(text), creates);
}

function lineOf({nth, line = ''}: Slots): string {
  if (nth === undefined) return `the line ${JSON.stringify(line)}`;
  return /^\d/.test(nth)
    ? `line ${parseInt(nth, 10)}`
    : `the ${/first|最初/i.test(nth) ? 'first' : 'last'} line`;
}

function versionJob(slots: Slots): Job | undefined {
  const {from, value, level = ''} = slots;
  const next = value?.replace(/^v/i, '');
  const edit = setKey('version', (json) => {
    const old = unquoted(json);
    if (from !== undefined && from.replace(/^v/i, '') !== old)
      return {problem: `has the version ${old}, not ${from}`};
    if (next !== undefined) return JSON.stringify(next);
    if (!/^\d+\.\d+\.\d+$/.test(old))
      return {problem: `has the version ${old}, not one like 1.2.3`};
    return JSON.stringify(bumped(old.split('.').map(Number), level.toLowerCase()).join('.'));
  });
  return editJob(slots, `Set the version to ${next ?? `the next ${level} one`} in`, edit);
}

function bumped([major = 0, minor = 0, patch = 0]: readonly number[], level: string): number[] {
  if (level === 'major') return [major + 1, 0, 0];
  return level === 'minor' ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/** The JSON of a value in a request; quoted text is a string. Undefined for a word without quotes. */
function jsonOf(value: string): string | undefined {
  const text = unquoted(value);
  if (text !== value) return JSON.stringify(text);
  return parsed(value) === undefined ? undefined : value;
}

/** The new value of a key, or a problem if its type differs from the old value or the old value is not `from`. */
function valueFor(old: string, value: string, from: string | undefined): string | Problem {
  if (from !== undefined && unquoted(old) !== unquoted(from))
    return {problem: `has ${old} there, not ${from}`};
  const isWord = /^[A-Za-z_$][\w$-]*(?:\.\w[\w-]*)*$/.test(value) && old.startsWith('"');
  const text = jsonOf(value) ?? (isWord ? JSON.stringify(value) : undefined);
  return text !== undefined && (old === 'null' || kindOf(old) === kindOf(text))
    ? text
    : {problem: `has ${old} there, and ${value} is another kind of value`};
}

function kindOf(json: string): string {
  return /^["{[]/.test(json) ? json.charAt(0) : typeof parsed(json);
}

function* work(paths: readonly string[], edit: Edit, creates: boolean): Work {
  const files = yield* readAll(paths);
  if ('isDone' in files) return files;
  const uses = paths.map((path, index) => useFor(path, files[index]?.text, edit, creates));
  const problem = uses.find((use) => typeof use === 'string');
  if (problem !== undefined) return notDone(problem);
  const answers = yield uses.filter((use) => typeof use === 'object');
  const named = paths.join(' and ');
  return settle(answers, answers.length === 0 ? `${named} needs no change.` : `Changed ${named}.`);
}

/** The call that makes the edit; undefined if nothing changes; a message if the edit is not possible. */
function useFor(
  path: string,
  text: string | undefined,
  edit: Edit,
  creates: boolean,
): Use | string | undefined {
  if (text === undefined && !creates) return `there is no file ${path}.`;
  if (text !== undefined && !isWhole(text)) return `${path} is too long to be read as a whole.`;
  const before = (text ?? '').replaceAll('\r\n', '\n');
  const after = edit(before);
  if (typeof after !== 'string') return `${path} ${after.problem}.`;
  if (before === after) return undefined;
  return before === ''
    ? {tool: 'write_file', args: {path, content: after, create_dirs: true}}
    : editUse(path, before, after);
}
