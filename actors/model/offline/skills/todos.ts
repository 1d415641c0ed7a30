/** The skill that lists TODO and FIXME comments, in a file or in the report. */

import type {Match} from '../listing.ts';
import {findMatches, type FoundMatches, leftOut} from '../matches.ts';
import {describeScope, type Scope, scopeIn} from '../scope.ts';
import {
  done,
  jobOf,
  partlyDone,
  refusal,
  type Report,
  skillOf,
  type Steps,
  type Work,
} from './skill.ts';
import {writeWhole} from './write-whole.ts';

type Mark = 'TODO' | 'FIXME';
export const bothMarks: readonly Mark[] = ['TODO', 'FIXME'];

export const todos = skillOf(
  {
    comments: (slots) => {
      const {path, marks: said = ''} = slots;
      const scope = scopeIn(slots);
      if (!scope) return undefined;
      const marks = bothMarks.filter((mark) => said.toUpperCase().includes(mark));
      const comments = `the ${marks.join(' and ')} comments in ${describeScope(scope)}`;
      return path === undefined
        ? jobOf('list', `List ${comments}`, () => listComments(marks, scope))
        : jobOf('write', `Collect ${comments} into ${path}`, () => collect(marks, scope, path));
    },
  },
  `
comments
<collecting> <named> [{scope:words}] <target>
<collecting> <named> <target> {scope:words}
<listing> <named> [are there] [{scope:words}]
<named>
[{japanese:words}] [の] {marks} を [すべて|全部] {path:file} に (まとめて|書いて|書き出して|集めて)
[{japanese:words}] [の] {marks} は (どこ|どこですか|どこにありますか|ありますか|いくつ|いくつありますか)
[{japanese:words}] [の] {marks} (の一覧を出して|の一覧を見せて|を一覧にして|を一覧表示して|を列挙して|を探して|を見せて)
`,
  {
    named: [
      '[all|every|open] [of] [the|my|our|open] {marks} [comments|comment|items|marks|notes|lines]',
    ],
    target: ['(to|into|in|as) [the|a] [new] [file] [called|named] {path:file}'],
    collecting: ['(collect|gather|list|write|put|save|extract|find|copy)'],
    listing: [
      '(collect|gather|list|find|show|show me|print|tell me|give me|what are|where are|are there|which|what|how many)',
    ],
  },
);

function* listComments(wanted: readonly Mark[], scope: Scope): Work {
  const found = yield* findComments(scope, wanted);
  if ('isDone' in found) return found;
  const lines = found.comments.map(({path, line, text}) => `${path}:${line}: ${text.trim()}`);
  const head = `${count(lines.length, wanted)} in ${describeScope(scope)}.`;
  const report = [head, ...lines, ...notesOn(found)].join('\n');
  return found.unseen > 0 ? partlyDone(report) : done(report);
}

function* collect(wanted: readonly Mark[], scope: Scope, path: string): Work {
  const others = {...scope, except: [...scope.except, path]};
  const found = yield* findComments(others, wanted);
  if ('isDone' in found) return found;
  const summary = `It lists ${count(found.comments.length, wanted)}.${leftOut(found)}`;
  const report = yield* writeWhole(path, listText(wanted, found), summary);
  return found.unseen > 0 && report.isDone
    ? partlyDone([report.text, ...notesOn(found)].join(' '))
    : report;
}

function count(comments: number, wanted: readonly Mark[]): string {
  return `${comments} ${wanted.join(' and ')} ${comments === 1 ? 'comment' : 'comments'}`;
}

function notesOn({notes, unseen}: Comments): string[] {
  const more = `${unseen} more lines contain such a word; name a folder to see them all.`;
  return [...(unseen > 0 ? [more] : []), ...notes.map((note) => `Left out: ${note}.`)];
}

function listText(wanted: readonly Mark[], found: Comments): string {
  const {comments} = found;
  const files = [...Map.groupBy(comments, ({path}) => path)];
  const sections = files.map(
    ([path, own]) =>
      `## ${path}\n\n${own.map(({line, text}) => `- line ${line}: ${text.trim()}\n`).join('')}`,
  );
  const head = `# ${wanted.join(' and ')}\n\n${count(comments.length, wanted)} in ${files.length} ${files.length === 1 ? 'file' : 'files'}.\n`;
  return [head, ...sections, ...notesOn(found).map((note) => `${note}\n`)].join('\n');
}

interface Comments extends Pick<FoundMatches, 'notes'> {
  readonly comments: readonly Match[];
  /** The number of lines that were found but not shown, so that they may or may not be comments. */
  readonly unseen: number;
}

export function* findComments(scope: Scope, marks: readonly Mark[]): Steps<Comments | Report> {
  const found = yield* findMatches(String.raw`\b(?:${marks.join('|')})\b`, scope);
  if ('refused' in found) return refusal("the comments can't be searched", found.refused);
  const {matches, total, notes} = found;
  const comments = matches.filter((match) => isComment(match, marks));
  return {comments, notes, unseen: Math.max(0, total - matches.length)};
}

const prose = /\.(?:md|mdx|txt|rst|adoc|org)$/i;

/** In code, a mark counts after a comment sign; in prose, at the start of a line or in a hidden comment. */
function isComment({path, text}: Match, marks: readonly Mark[]): boolean {
  const mark = `(?:${marks.join('|')})`;
  const pattern = prose.test(path)
    ? String.raw`^\s*(?:[-*+>]\s+|\d+\.\s+)*(?:\[[ xX]\]\s*)?[*_]{0,2}${mark}\b(?!\s+and\b)|<!--.*\b${mark}\b`
    : String.raw`(?:\/\/|\/\*|^\s*\*|#|<!--|--|;|%|"""|''').*\b${mark}\b`;
  return new RegExp(pattern).test(text);
}
