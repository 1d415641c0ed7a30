/** The skill that collects TODO and FIXME comments into a file, or tells them. */

import type {Match} from './listing.ts';
import {leftOut} from './matches.ts';
import {firstReading, phrase, type Slots} from './phrase.ts';
import {describeScope, readJapaneseScope, readScope, type Scope} from './scope.ts';
import {done, partlyDone, type Skill, type Work, workedOut} from './skill.ts';
import {bothMarks, type Comments, findComments, isComments, type Mark} from './todo-comments.ts';
import {writeWhole} from './write-whole.ts';

const named =
  '[all|every|open] [of] [the|my|our|open] {marks} [comments|comment|items|marks|notes|lines]';
const target = '(to|into|in|as) [the|a] [new] [file] [called|named] {path:file}';
const collecting = '(collect|gather|list|write|put|save|extract|find|copy)';

const english = [
  `${collecting} ${named} ${target}`,
  `${collecting} ${named} {scope:words} ${target}`,
  `${collecting} ${named} ${target} {scope:words}`,
  `(collect|gather|list|find|show|show me|print|tell me|give me|what are) ${named}`,
  `(collect|gather|list|find|show|show me|print|tell me|give me|what are) ${named} {scope:words}`,
  `(are there|which|what|how many) ${named} [are there]`,
  `(are there|which|what|how many) ${named} [are there] {scope:words}`,
  `where are ${named}`,
  `where are ${named} {scope:words}`,
  named,
].map(phrase);
const japanese = [
  '{marks} を [すべて|全部] {path:file} に (まとめて|書いて|書き出して|集めて)',
  '{scope:words} の {marks} を [すべて|全部] {path:file} に (まとめて|書いて|書き出して|集めて)',
  '{marks} (の一覧を出して|の一覧を見せて|を一覧にして|を一覧表示して|を列挙して|を探して|を見せて)',
  '{marks} は (どこ|どこですか|どこにありますか|ありますか|いくつ|いくつありますか)',
  '{scope:words} の {marks} は (どこ|どこですか|どこにありますか|ありますか|いくつ|いくつありますか)',
  '{scope:words} の {marks} (の一覧を出して|の一覧を見せて|を一覧にして|を一覧表示して|を列挙して|を探して|を見せて)',
].map(phrase);

interface Order {
  readonly marks: readonly Mark[];
  readonly scope: Scope;
  /** Undefined: the report tells them. */
  readonly path: string | undefined;
}

export const todos: Skill = {
  skill: 'todos',
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
  return (
    firstReading(english, request, (slots) => orderOf(slots, readScope)) ??
    firstReading(japanese, request, (slots) => orderOf(slots, readJapaneseScope))
  );
}

function orderOf(
  {marks: said = '', scope: words, path}: Slots,
  read: (words: string | undefined) => Scope | undefined,
): Order | undefined {
  const scope = read(words);
  return scope && {marks: marksOf(said), scope, path};
}

function marksOf(said: string): readonly Mark[] {
  return bothMarks.filter((mark) => said.toUpperCase().includes(mark));
}

function jobOf(order: Order) {
  const {path, scope} = order;
  const said = order.marks.join(' and ');
  const where = describeScope(scope);
  if (path === undefined) {
    return workedOut(
      {id: 'list', description: `Find the ${said} comments in ${where}`},
      {
        objective: `List the ${said} comments in ${where}`,
        reasoning: 'A search finds them; nothing is written.',
        work: () => tell(order),
      },
    );
  }
  return workedOut(
    {
      id: 'write',
      description: `Find the ${said} comments in ${where} and write them to ${path}`,
      tool: 'write_file',
      expected_outcome: `${path} lists every comment with its file and line`,
    },
    {
      objective: `Collect ${said} comments of ${where} into ${path}`,
      reasoning: 'The comments are searched first, then written down with their places.',
      work: () => collect(order, path),
    },
  );
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
  const head = `# ${wanted.join(' and ')}\n\n${count(comments.length, wanted)} in ${paths.length} files.\n`;
  return [head, ...sections, ...notes(found).map((note) => `${note}\n`)].join('\n');
}
