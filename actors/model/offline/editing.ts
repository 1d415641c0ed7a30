/** The skills that edit files by their lines and keys. Each is a row of phrases and the edit that they mean. */

import {
  type Edit,
  addKey,
  parsed,
  type Problem,
  removeKey,
  setKey,
} from '../../../tools/write/json-text.ts';
import {append, changeLine, deleteLine, insertAt, prepend} from '../../../tools/write/line-text.ts';
import {isWhole} from './listing.ts';
import {firstReading, itemsOf, phrases, type Slots, unquoted} from './phrase.ts';
import {
  done,
  notDone,
  partlyDone,
  refusal,
  plainJob,
  type Skill,
  type Use,
  type Work,
} from './skill.ts';
import {editUse, isReport, readAll} from './write-whole.ts';

interface Order {
  /** `Delete line 2 of`, before the names of the files. */
  readonly deed: string;
  readonly edit: Edit;
  /** A file that does not exist is created. */
  readonly creates?: boolean;
}

interface Row {
  readonly skill: string;
  readonly says: readonly string[];
  readonly order: (slots: Slots) => Order | undefined;
}

const files = '[the] [file|files] {paths:files}';
const json = '[the] [file] {paths:json}';
const bump = '(bump|update|change|set|raise|increase) [the] [package|project] version [number]';
const parts = {
  content: [
    '[the|a|this] [new] [line|text|lines|word|words|sentence] {content:quoted}',
    '[the|these] [new] lines {list:quotedList}',
  ],
  line: ['line [number] {nth:nth}', '[the] {nth:nth} line', '[the] line {line:quoted}'],
  anchor: ['line [number] {nth:nth}', '[the] {nth:nth} line', '[the] [line] {line:quoted}'],
  ja: ['{nth:nth} 行目', '{nth:nth} の行', '{line:quoted} (の行|という行)'],
};
const delete_ = '(削除して|削除する|消して|消す|取り除いて)';
const change = '(変更して|変更する|変えて|変える|して|書き換えて|置き換えて|更新して)';
const add =
  '(追加して|追加する|挿入して|挿入する|入れて|書いて|書き足して|書き加えて|追記して|追記する)';

const rows: readonly Row[] = [
  {
    skill: 'appending',
    says: [
      `(append|add) <content> (to|at) [the] [very] [end of|bottom of] ${files}`,
      `(write|put|insert) <content> (to|at) the [very] (end|bottom) of ${files}`,
      `(append|add) to [the] [very] [end of|bottom of] ${files} [:] <content>`,
      `append to ${files} : {rest}`,
      `{paths:files} [の末尾|の最後] (に|へ) {content:quoted} [を|という行を|と] ${add}`,
      `{content:quoted} を {paths:files} [の末尾|の最後] (に|へ) ${add}`,
    ],
    order: (slots) => adding(slots, 'at the end of', append, true),
  },
  {
    skill: 'lines',
    says: [
      `(insert|add|put|write) <content> (at|to) the [very] (top|beginning|start) of ${files}`,
      `prepend <content> to ${files}`,
      `{paths:files} の (先頭|最初|冒頭|一番上) に {content:quoted} [を|という行を|と] ${add}`,
    ],
    order: (slots) => adding(slots, 'at the top of', prepend),
  },
  {
    skill: 'lines',
    says: [
      `(insert|add|put) <content> (after|behind|below) <anchor> (in|of|to|into) ${files}`,
      `{paths:files} の <ja> の (後|後ろ|あと|次|下) に {content:quoted} [を|という行を|と] ${add}`,
    ],
    order: (slots) =>
      adding(slots, `after ${lineOf(slots)} of`, (text) => insertAt(slots, text, 1)),
  },
  {
    skill: 'lines',
    says: [
      `(insert|add|put) <content> (before|above) <anchor> (in|of|to|into) ${files}`,
      `{paths:files} の <ja> の (前|上) に {content:quoted} [を|という行を|と] ${add}`,
    ],
    order: (slots) =>
      adding(slots, `before ${lineOf(slots)} of`, (text) => insertAt(slots, text, 0)),
  },
  {
    skill: 'lines',
    says: [
      `(delete|remove|erase) <line> (of|in|from) ${files}`,
      `{paths:files} (の|から) <ja> を ${delete_}`,
    ],
    order: (slots) => ({deed: `Delete ${lineOf(slots)} of`, edit: deleteLine(slots)}),
  },
  {
    skill: 'lines',
    says: [
      `(change|replace|rewrite|set) <line> (of|in) ${files} (to|with|by) {content:quoted}`,
      `(change|replace|rewrite|set) <line> (to|with|by) {content:quoted} (of|in) ${files}`,
      `{paths:files} の <ja> を {content:quoted} に ${change}`,
    ],
    order: (slots) => {
      const {content = ''} = slots;
      const deed = `Put ${JSON.stringify(content)} in place of ${lineOf(slots)} of`;
      return {deed, edit: changeLine(slots, content)};
    },
  },
  {
    skill: 'version',
    says: [
      `${bump} to {value:version}`,
      `${bump} from {from:version} to {value:version}`,
      `${bump} from {from:version} to {value:version} (in|of) ${json}`,
      `${bump} to {value:version} (in|of) ${json}`,
      `${bump} (in|of) ${json} to {value:version}`,
      `${bump} (in|of) ${json} from {from:version} to {value:version}`,
      'bump [the] {level:level} version [number]',
      `bump [the] {level:level} version [number] (in|of) ${json}`,
      `[{paths:json}] [の] バージョン [番号] を {value:version} に (上げて|上げる|${change.slice(1)}`,
      `[{paths:json}] [の] バージョン [番号] を {from:version} から {value:version} に (上げて|上げる|${change.slice(1)}`,
    ],
    order: versionOrder,
  },
  {
    skill: 'keys',
    says: [
      `set [the] [key|value of] {key:key} to {value:value} in ${json}`,
      `set [the] [key|value of] {key:key} (in|of) ${json} to {value:value}`,
      `(change|update) [the] [value of] {key:key} (in|of) ${json} from {from:value} to {value:value}`,
      `(change|update) [the] [value of] {key:key} from {from:value} to {value:value} in ${json}`,
      `(change|update) [the] [value of] {key:key} (in|of) ${json} to {value:value}`,
      `(change|update) [the] [value of] {key:bareKey} to {value:value} in ${json}`,
      `(change|update) [the] [value of] {key:key} to {value:literal} in ${json}`,
      `{paths:json} の [キー] {key:key} を {value:value} に (設定して|設定する|して)`,
      `{paths:json} の [キー] {key:bareKey} を {value:value} に ${change}`,
      `{paths:json} の [キー] {key:key} を {from:value} から {value:value} に ${change}`,
    ],
    order: ({key = '', value = '', from}) => ({
      deed: `Set ${key} to ${value} in`,
      edit: setKey(unquoted(key), (old) => valueFor(unquoted(key), value, {old, from})),
    }),
  },
  {
    skill: 'keys',
    says: [
      `add [the|a] [new] key {key:key} with [the] value {value:value} (to|in|into) ${json}`,
      `add {key:quoted} : {value:value} (to|in|into) ${json}`,
      `{paths:json} に キー {key:key} を [値] {value:value} で ${add}`,
    ],
    order: ({key = '', value = ''}) => {
      const text = jsonOf(value);
      return text === undefined
        ? undefined
        : {deed: `Add the key ${key} with ${text} to`, edit: addKey(key, text)};
    },
  },
  {
    skill: 'keys',
    says: [
      `(delete|remove) [the] key {key:key} (from|in|of) ${json}`,
      `(delete|remove) [the] {key:key} key (from|in|of) ${json}`,
      `{paths:json} (の|から) キー {key:key} を ${delete_}`,
    ],
    order: ({key = ''}) => ({deed: `Remove the key ${key} from`, edit: removeKey(key)}),
  },
];

function adding(
  {content, list, rest}: Slots,
  place: string,
  edit: (content: string) => Edit,
  creates = false,
): Order | undefined {
  const text = content ?? (list === undefined ? rest : itemsOf(list).join('\n'));
  if (text === undefined || text === '') return undefined;
  return {deed: `Put ${JSON.stringify(text)} ${place}`, edit: edit(text), creates};
}

function lineOf({nth, line = ''}: Slots): string {
  if (nth === undefined) return `the line ${JSON.stringify(line)}`;
  return /^\d/.test(nth)
    ? `line ${parseInt(nth, 10)}`
    : `the ${/first|最初/i.test(nth) ? 'first' : 'last'} line`;
}

function versionOrder({from, value, level}: Slots): Order {
  const next = value?.replace(/^v/i, '');
  return {
    deed: `Set the version to ${next ?? `the next ${level} one`} in`,
    edit: setKey('version', (old) => {
      const known = /^(\d+)\.(\d+)\.(\d+)$/.exec(String(old));
      if (from !== undefined && from.replace(/^v/i, '') !== old)
        return {problem: `has the version ${String(old)}, not ${from}`};
      if (next !== undefined) return JSON.stringify(next);
      if (!known)
        return {problem: `has the version ${String(old)}, which is not of the form 1.2.3`};
      const [major = 0, minor = 0, patch = 0] = known.slice(1).map(Number);
      if (level === 'major') return `"${major + 1}.0.0"`;
      return level === 'minor' ? `"${major}.${minor + 1}.0"` : `"${major}.${minor}.${patch + 1}"`;
    }),
  };
}

/** The JSON of a value in words: quoted text is a string. Undefined for a word without quotes. */
function jsonOf(value: string): string | undefined {
  const text = unquoted(value);
  if (text !== value) return JSON.stringify(text);
  return parsed(value) === undefined ? undefined : value;
}

/** The new value of a key as JSON: of the kind that it has, and only if the old one is the one that was named. */
function valueFor(
  key: string,
  value: string,
  {old, from}: {readonly old: unknown; readonly from: string | undefined},
): string | Problem {
  const has = `has ${JSON.stringify(old)} at "${key}"`;
  if (from !== undefined && String(old) !== unquoted(from) && JSON.stringify(old) !== from)
    return {problem: `${has}, not ${from}`};
  const text = jsonOf(value) ?? (typeof old === 'string' ? JSON.stringify(value) : undefined);
  const isOther = text !== undefined && old !== null && typeof parsed(text) !== typeof old;
  return text === undefined || isOther
    ? {problem: `${has}, and ${value} is another kind of value`}
    : text;
}

export const editing: readonly Skill[] = rows.map(({skill, says, order}) => {
  const forms = phrases(says, parts);
  return {
    skill,
    forms,
    understand: (request) =>
      firstReading(forms, request, (slots) => {
        const found = order(slots);
        const paths = slots['paths'] === undefined ? ['package.json'] : itemsOf(slots['paths']);
        if (!found || paths.length === 0) return undefined;
        return plainJob('edit', `${found.deed} ${paths.join(' and ')}`, () => work(found, paths));
      }),
  };
});

function* work({edit, creates = false}: Order, paths: readonly string[]): Work {
  const files = yield* readAll(paths);
  if (isReport(files)) return files;
  const uses: Use[] = [];
  for (const [index, path] of paths.entries()) {
    const text = files[index]?.text;
    if (text === undefined && !creates) return notDone(`there is no file ${path}.`);
    if (text !== undefined && !isWhole(text))
      return notDone(`${path} is too long to be read as a whole.`);
    const before = (text ?? '').replaceAll('\r\n', '\n');
    const after = edit(before);
    if (typeof after !== 'string') return notDone(`${path} ${after.problem}.`);
    if (before === '')
      uses.push({tool: 'write_file', args: {path, content: after, create_dirs: true}});
    else if (before !== after) uses.push(editUse(path, before, after));
  }
  const named = paths.join(' and ');
  if (uses.length === 0) return done(`${named} is so already.`);
  const answers = yield uses;
  const failed = answers.find(({isError}) => isError);
  if (!failed) return done(`Changed ${named}.`);
  const isPart = answers.some(({isError}) => !isError);
  return isPart
    ? partlyDone(`not every file was changed. ${failed.text}`)
    : refusal(`${named} was not changed`, failed);
}
