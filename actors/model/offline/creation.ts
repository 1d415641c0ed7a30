/** The skill that writes a file with a given content: a new one, or, when that is what was asked for, over an old one. */

import {firstReading, phrase, type Slots, unquoted} from './phrase.ts';
import {done, notDone, refusal, type Job, type Skill, type Work} from './skill.ts';
import {isReport, lineEnd, readOld, withLineEnds} from './write-whole.ts';

interface Order {
  readonly path: string;
  readonly content: string;
  /** When the file exists: say so, have nothing to do, or replace it. */
  readonly whenThere: 'refuse' | 'leave' | 'replace';
}

const file =
  '[a|the|an] [new|empty|text|new text|new empty|markdown] [file|text file] [called|named] {path:file} [file]';
const holding =
  '(with|containing|that says|that contains|which says|which contains|saying) [the] [exact] [content|contents|text|line|words|text content] [of]';
const unless =
  "(if it does not exist|if it does not exist yet|if it does not exist already|if it doesn't exist|if it doesn't exist yet|if there is none|if there is none yet|unless it exists|unless it already exists|unless there is one)";
const into = `(to|into|in|as) ${file}`;
const literal = 'the text|the line|the word|the words|the string|the content|text';

const creations = [
  `(create|make|add|write) ${file} ${holding} {content:quoted}`,
  `(write|put|save|store) [${literal}] {content:quoted} ${into}`,
  `create an empty file [called|named] {path:file}`,
  `create {path:file} as an empty file`,
  `touch {path:file}`,
].map(phrase);
const conditional = [
  `(create|make|add|write) ${file} ${holding} {content:quoted} ${unless}`,
  `${unless} (create|make|add|write) ${file} ${holding} {content:quoted}`,
  `(write|put|save) [${literal}] {content:quoted} ${into} ${unless}`,
].map(phrase);
const greetings = [
  `(write|put|save) {words} ${into}`,
  `(create|make) ${file} ${holding} {words}`,
].map(phrase);
const bare = [
  `(create|make|add|write) ${file} ${holding} {rest}`,
  `(write|put|save) (${literal}) {words} ${into}`,
].map(phrase);
const replacements = [
  `(replace|overwrite|change|set) [the] [whole|entire] (content|contents) of [the] [file] {path:file} (with|by|to) {content:quoted}`,
  `overwrite [the] [file] {path:file} with [the] [content|contents|text|line] {content:quoted}`,
].map(phrase);
const japanese = [
  '{path:file} [を] {content:quoted} (という内容で|と書いて|の内容で|という内容の) (作成して|作成する|作って|作る|新規作成して)',
  '{path:file} (というファイルを|を) {content:quoted} (という内容で|の内容で) (作成して|作成する|作って|作る)',
  '{path:file} に {content:quoted} (と書いて|と書く|を書いて|を保存して|を書き込んで)',
  '{content:quoted} (という内容で|の内容で|と書いた|という内容の) {path:file} を (作成して|作って)',
  '{content:quoted} を {path:file} に (書いて|保存して|書き込んで)',
].map(phrase);

/** What people write as a first try: no description of something, but the words themselves. */
const greeting = /^(?:["'“]?)(?:hello,? world|hello|hi there|hi)[!.]?(?:["'”]?)$/i;

export const creation: Skill = {
  skill: 'creation',
  understand: (request) => {
    const order =
      firstReading(conditional, request, (slots) => orderOf(slots, 'leave')) ??
      firstReading([...creations, ...japanese], request, (slots) => orderOf(slots, 'refuse')) ??
      firstReading(replacements, request, (slots) => orderOf(slots, 'replace')) ??
      firstReading(greetings, request, greetingOrder) ??
      firstReading(bare, request, bareOrder);
    return order && jobOf(order);
  },
};

function orderOf({path, content = ''}: Slots, whenThere: Order['whenThere']): Order | undefined {
  return path === undefined || path === '' ? undefined : {path, content, whenThere};
}

function greetingOrder({path, words = ''}: Slots): Order | undefined {
  return greeting.test(words) ? orderOf({path, content: words}, 'refuse') : undefined;
}

/** Without quotes nobody knows where a content ends, unless a colon says that all the rest is meant. */
function bareOrder({path, words, rest = ''}: Slots): Order | undefined {
  const [, colon, text] = /^\s*(:?)\s*([^]*)$/.exec(words ?? rest) ?? [];
  const content = bareContent(text ?? '', colon === ':' || words !== undefined);
  return content === undefined ? undefined : orderOf({path, content}, 'refuse');
}

const sentence = /["“「`]|\b(?:and|if|unless|except|but|then|about|for|of|a|an|the|some)\b/i;

function bareContent(text: string, isMarked: boolean): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (!/^["“「`]/.test(trimmed)) return isMarked || !sentence.test(text) ? text : undefined;
  const content = unquoted(trimmed);
  return content === trimmed ? undefined : content;
}

function jobOf(order: Order): Job {
  const {path, content, whenThere} = order;
  const verb = whenThere === 'replace' ? 'Replace the content of' : 'Create';
  return {
    objective: `${verb} ${path}`,
    reasoning: reasons[whenThere],
    tasks: [
      {
        id: whenThere === 'replace' ? 'replace' : 'create',
        description: `${look[whenThere]} ${path}${short(content)}`,
        expected_outcome: `${path} exists with that content`,
      },
    ],
    work: () => work(order),
  };
}

const reasons: Readonly<Record<Order['whenThere'], string>> = {
  refuse: 'The request gives the name and the whole content. A file that exists is not replaced.',
  leave: 'The request gives the name and the whole content, for when there is no such file.',
  replace: 'The file is read before it is replaced, so that what goes is known.',
};
const look: Readonly<Record<Order['whenThere'], string>> = {
  refuse: 'Look whether it exists, and if not, write',
  leave: 'Look whether it exists, and if not, write',
  replace: 'Read it, and write',
};

/** What is written, for those who vote on the plan. */
function short(content: string): string {
  if (content === '') return ', empty';
  const text = JSON.stringify(content);
  return text.length > 300
    ? `, ${content.length} characters: ${text.slice(0, 300).toWellFormed()}…`
    : `: ${text}`;
}

function* work({path, content, whenThere}: Order): Work {
  const old = yield* readOld(path);
  if (isReport(old)) return old;
  if (old.text !== undefined && whenThere !== 'replace') {
    const stands = `${path} exists already, ${begins(old.text)}`;
    if (whenThere === 'leave') return done(`${stands}. It was left as it is.`);
    return notDone(
      `${stands}. It was not replaced. Ask for what you want: Append "…" to ${path}, or: Replace the content of ${path} with "…".`,
    );
  }
  const text = withLineEnds(content, lineEnd(old.text));
  const [written] = yield [{tool: 'write_file', args: {path, content: text, create_dirs: true}}];
  if (!written || written.isError) return refusal(`${path} was not written`, written);
  return done(`${old.text === undefined ? 'Created' : 'Replaced the content of'} ${path}.`);
}

function begins(text: string): string {
  if (text === '') return 'empty';
  const [first = ''] = text.split('\n');
  const line = first.trim().slice(0, 80).toWellFormed();
  return `with ${text.length} characters that begin: ${line}`;
}
