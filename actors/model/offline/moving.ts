/** The skill that deletes, copies and moves files and makes folders, by a command that is voted on. */

import {firstReading, itemsOf, rulesIn, type Slots} from './phrase.ts';
import {done, notDone, partlyDone, refusal, type Skill, type Work, workedOut} from './skill.ts';
import {exists, lookFor} from './write-whole.ts';

interface Order {
  /** `Delete a.txt`. */
  readonly objective: string;
  readonly command: string;
  readonly report: string;
  /** Files that have to be there before. */
  readonly from: readonly string[];
  /** Of those, the ones that are there no more afterwards. */
  readonly gone: readonly string[];
  /** Files that may not be there before, and are afterwards. */
  readonly to: readonly string[];
}

const rules = rulesIn(`
move
(rename|move) [the] [file] {path:file} (to|into|as) [the] [file] [name] {to:file}
{path:file} (を|の名前を) {to:file} (に|へ) (変更して|変更する|リネームして|移動して|移動する|変えて|名前を変えて|名前を変更して|名前を変更する)

copy
(copy|duplicate) [the] [file] {path:file} (to|into|as) [the] [file] [name] {to:file}
make a copy of [the] [file] {path:file} (to|at|as|in|named|called) [the] [file] [name] {to:file}
{path:file} を {to:file} (に|へ|として) (コピーして|コピーする|複製して|複製する)

delete
(delete|remove|erase) [the] [file|files] {paths:files}
{paths:files} (を削除して|を削除する|を消して|を消す)

folder
(create|make|add) [a|an|the] [new] [empty] (folder|directory) [called|named] {to:folder}
{to:folder} (フォルダ|フォルダー|ディレクトリ|というフォルダ|というフォルダー) を (作成して|作って|作る)
`);

const orders: readonly (readonly [rule: string, order: (slots: Slots) => Order])[] = [
  [
    'move',
    ({path = '', to = ''}) => ({
      ...pair(path, to, 'mv -n'),
      objective: `Move ${path} to ${to}`,
      gone: [path],
      report: `Moved ${path} to ${to}. Files that name it were not changed.`,
    }),
  ],
  [
    'copy',
    ({path = '', to = ''}) => ({
      ...pair(path, to, 'cp -n'),
      objective: `Copy ${path} to ${to}`,
      report: `Copied ${path} to ${to}.`,
    }),
  ],
  [
    'delete',
    ({paths = ''}) => {
      const from = itemsOf(paths);
      return {
        objective: `Delete ${from.join(' and ')}`,
        command: `rm -- ${from.map(word).join(' ')}`,
        report: `Deleted ${from.join(' and ')}.`,
        from,
        gone: from,
        to: [],
      };
    },
  ],
  [
    'folder',
    ({to: folder = ''}) => ({
      objective: `Create the folder ${folder}`,
      command: `mkdir -p -- ${word(folder)}`,
      report: `Created the folder ${folder}.`,
      from: [],
      gone: [],
      to: [],
    }),
  ],
];

export const moving: Skill = {
  skill: 'moving',
  forms: [...rules.values()].flat(),
  understand: (request) => {
    for (const [rule, orderOf] of orders) {
      const order = firstReading(rules.get(rule) ?? [], request, orderOf);
      if (order && !order.from.some((path) => order.to.includes(path))) return jobOf(order);
    }
    return undefined;
  },
};

function pair(path: string, to: string, program: string) {
  const folder = to.includes('/')
    ? `mkdir -p -- ${word(to.slice(0, to.lastIndexOf('/')))} && `
    : '';
  return {
    command: `${folder}${program} -- ${word(path)} ${word(to)}`,
    from: [path],
    gone: [],
    to: [to],
  };
}

function jobOf(order: Order) {
  const {objective, command} = order;
  return workedOut(
    {id: 'move', description: `${objective}: ${command}`, tool: 'run_command'},
    {objective, work: () => work(order)},
  );
}

function* work(order: Order): Work {
  const {command, from, to} = order;
  const before = yield [...from, ...to].map(lookFor);
  const missing = from.filter((path, index) => !exists(path, before[index]));
  if (missing.length > 0) return notDone(`there is no file ${missing.join(' and ')}.`);
  const taken = to.find((path, index) => exists(path, before[from.length + index]));
  if (taken !== undefined) return notDone(`${taken} exists already, and was not replaced.`);
  const [answer] = yield [{tool: 'run_command', args: {command}}];
  return !answer || answer.isError
    ? refusal(`${command} did not succeed`, answer)
    : yield* checked(order);
}

function* checked({command, report, gone, to}: Order): Work {
  const after = yield [...gone, ...to].map(lookAgain);
  const left = gone.filter((path, index) => exists(path, after[index]));
  if (left.length > 0) return partlyDone(`${command} left ${left.join(' and ')} where it was.`);
  return to.every((path, index) => exists(path, after[gone.length + index]))
    ? done(report)
    : notDone(`${command} made no file ${to.join()}.`);
}

/** The same look spelt out, so that it counts as a new one. */
function lookAgain(path: string) {
  const {tool, args} = lookFor(path);
  return {tool, args: {...args, max_results: 1}};
}

/** One word of a shell. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
