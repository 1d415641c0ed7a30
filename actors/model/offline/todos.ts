/** The skill that collects TODO and FIXME comments into a file, or tells them. */

import type {Match} from './listing.ts';
import {leftOut} from './matches.ts';
import {firstReading, phrases} from './phrase.ts';
import {describeScope, readJapaneseScope, readScope, type Scope} from './scope.ts';
import {done, partlyDone, plainJob, type Skill, type Work} from './skill.ts';
import {bothMarks, type Comments, findComments, isComments, type Mark} from './todo-comments.ts';
import {writeWhole} from './write-whole.ts';

const named =
  '[all|every|open] [of] [the|my|our|open] {marks} [comments|comment|items|marks|notes|lines]';
const target = '(to|into|in|as) [the|a] [new] [file] [called|named] {path:file}';
const collecting = '(collect|gather|list|write|put|save|extract|find|copy)';

const telling =
  '(collect|gather|list|find|show|show me|print|tell me|give me|what are|where are|are there|which|what|how many)';
const shown =
  '(の一覧を出して|の一覧を見せて|を一覧にして|を一覧表示して|を列挙して|を探して|を見せて)';
const asked = '(どこ|どこですか|どこにありますか|ありますか|いくつ|いくつありますか)';

const forms = phrases([
  `${collecting} ${named} [{scope:words}] ${target}`,
  `${collecting} ${named} ${target} {scope:words}`,
  `${telling} ${named} [are there] [{scope:words}]`,
  named,
  '[{japanese:words}] [の] {marks} を [すべて|全部] {path:file} に (まとめて|書いて|書き出して|集めて)',
  `[{japanese:words}] [の] {marks} は ${asked}`,
  `[{japanese:words}] [の] {marks} ${shown}`,
]);

interface Order {
  readonly marks: readonly Mark[];
  readonly scope: Scope;
  /** Undefined: the report tells them. */
  readonly path: string | undefined;
}

export const todos: Skill = {
  skill: 'todos',
  forms,
  understand: (request) => {
    const order = orderIn(request);
    return order && jobOf(order);
  },
};

/** The work of a question that asks for no file. */
export function todosAsked(question: string): Work | undefined {
  const order = orderIn(question);
  return order?.path === undefined ? order && tell(order) : undefined;
}

function orderIn(request: string): Order | undefined {
  return firstReading(forms, request, ({marks: said = '', scope: words, japanese, path}) => {
    const scope = japanese === undefined ? readScope(words) : readJapaneseScope(japanese);
    return scope && {marks: marksOf(said), scope, path};
  });
}

function marksOf(said: string): readonly Mark[] {
  return bothMarks.filter((mark) => said.toUpperCase().includes(mark));
}

function jobOf(order: Order) {
  const {path, scope} = order;
  const comments = `the ${order.marks.join(' and ')} comments in ${describeScope(scope)}`;
  return path === undefined
    ? plainJob('list', `List ${comments}`, () => tell(order))
    : plainJob('write', `Collect ${comments} into ${path}`, () => collect(order, path));
}

function* tell({marks: wanted, scope}: Order): Work {
  const found = yield* findComments(scope, wanted);
  if (!isComments(found)) return found;
  const lines = found.comments.map(({path, line, text}) => `${path}:${line}: ${text.trim()}`);
  const head = `${count(lines.length, wanted)} in ${describeScope(scope)}.`;
  const report = [head, ...lines, ...notes(found)].join('\n');
  return found.unseen > 0 ? partlyDone(report) : done(report);
}

function* collect({marks: wanted, scope}: Order, path: string): Work {
  const others = {...scope, except: [...scope.except, path]};
  const found = yield* findComments(others, wanted);
  if (!isComments(found)) return found;
  const {comments} = found;
  const report = yield* writeWhole(
    path,
    listText(comments, wanted, found),
    `It lists ${count(comments.length, wanted)}.${leftOut(found)}`,
  );
  return found.unseen > 0 && report.isDone
    ? partlyDone([report.text, ...notes(found)].join(' '))
    : report;
}

function count(comments: number, wanted: readonly Mark[]): string {
  return `${comments} ${wanted.join(' and ')} ${comments === 1 ? 'comment' : 'comments'}`;
}

function notes({notes: skipped, unseen}: Comments): string[] {
  return [
    ...(unseen > 0
      ? [`${unseen} more lines hold such a word; name a folder to see them all.`]
      : []),
    ...skipped.map((note) => `Left out: ${note}.`),
  ];
}

function listText(comments: readonly Match[], wanted: readonly Mark[], found: Comments): string {
  const paths = [...new Set(comments.map(({path}) => path))];
  const sections = paths.map((path) => {
    const own = comments.filter((comment) => comment.path === path);
    return [
      `## ${path}`,
      '',
      ...own.map(({line, text}) => `- line ${line}: ${text.trim()}`),
      '',
    ].join('\n');
  });
  const head = `# ${wanted.join(' and ')}\n\n${count(comments.length, wanted)} in ${paths.length} ${paths.length === 1 ? 'file' : 'files'}.\n`;
  return [head, ...sections, ...notes(found).map((note) => `${note}\n`)].join('\n');
}
