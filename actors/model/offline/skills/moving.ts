/** The skill that deletes, copies and moves files and creates folders, with a command that the panel votes on. */

import {itemsOf, type Slots} from '../phrase.ts';
import {done, type Job, jobOf, notDone, partlyDone, refusal, skillOf, type Work} from './skill.ts';
import {exists, lookFor} from './write-whole.ts';

interface Order {
  readonly objective: string;
  readonly command: string;
  readonly report: string;
  readonly from?: readonly string[];
  /** Files of `from` that must not exist afterwards. */
  readonly gone?: readonly string[];
  /** Files that must not exist before, and must exist afterwards. */
  readonly to?: readonly string[];
}

export const moving = skillOf(
  {
    move: (slots) => pairJob(slots, true),
    copy: (slots) => pairJob(slots, false),
    delete: ({paths = ''}) => {
      const from = itemsOf(paths);
      const named = from.join(' and ');
      const command = `rm -- ${from.map(word).join(' ')}`;
      const report = `Deleted ${named}.`;
      return moveJob({objective: `Delete ${named}`, command, report, from, gone: from});
    },
    folder: ({to: folder = ''}) =>
      moveJob({
        objective: `Create the folder ${folder}`,
        command: `mkdir -p -- ${word(folder)}`,
        report: `Created the folder ${folder}.`,
      }),
  },
  `
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
`,
);

function pairJob({path = '', to = ''}: Slots, isMove: boolean): Job | undefined {
  if (path === to) return undefined;
  const folder = to.includes('/') && `mkdir -p -- ${word(to.slice(0, to.lastIndexOf('/')))} && `;
  return moveJob({
    objective: `${isMove ? 'Move' : 'Copy'} ${path} to ${to}`,
    command: `${folder || ''}${isMove ? 'mv' : 'cp'} -n -- ${word(path)} ${word(to)}`,
    report: isMove
      ? `Moved ${path} to ${to}. Files that name it were not changed.`
      : `Copied ${path} to ${to}.`,
    from: [path],
    gone: isMove ? [path] : [],
    to: [to],
  });
}

function moveJob(order: Order): Job {
  const {objective, command} = order;
  const description = `${objective}: ${command}`;
  return jobOf('move', objective, () => work(order), {description, tool: 'run_command'});
}

function* work({command, report, from = [], gone = [], to = []}: Order): Work {
  const before = yield [...from, ...to].map(lookFor);
  const missing = from.filter((path, index) => !exists(path, before[index]));
  if (missing.length > 0) return notDone(`there is no file ${missing.join(' or ')}.`);
  const taken = to.find((path, index) => exists(path, before[from.length + index]));
  if (taken !== undefined) return notDone(`${taken} exists already, and was not replaced.`);
  const [answer] = yield [{tool: 'run_command', args: {command}}];
  if (!answer || answer.isError) return refusal(`${command} did not succeed`, answer);
  const after = yield [...gone, ...to].map(lookAgain);
  const left = gone.filter((path, index) => exists(path, after[index]));
  if (left.length > 0) return partlyDone(`${command} left ${left.join(' and ')} where it was.`);
  return to.every((path, index) => exists(path, after[gone.length + index]))
    ? done(report)
    : notDone(`${command} did not create ${to.join()}.`);
}

/** The same search with an explicit limit, so that its key differs and it is made again. */
function lookAgain(path: string) {
  const {tool, args} = lookFor(path);
  return {tool, args: {...args, max_results: 1}};
}

function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
