/** The skill that writes a new file with a given content, or, if requested, overwrites an existing file. */

import {parsed} from '../../../../tools/text/json-text.ts';
import {ended} from '../../../../tools/text/line-text.ts';
import {itemsOf, type Slots, unquoted} from '../phrase.ts';
import {done, type Job, jobOf, notDone, skillOf, type Work} from './skill.ts';
import {readAll, writeOver} from './write-whole.ts';

interface Order {
  readonly path: string;
  readonly content: string;
  /** If the file exists: `refuse` fails, `leave` succeeds without a change, `replace` overwrites it. */
  readonly whenThere: 'refuse' | 'leave' | 'replace';
}

const file =
  '[a|the|an] [new|empty|text|new text|new empty|markdown|JSON] [file|text file] [called|named] {path:file} [file]';

export const creation = skillOf(
  {
    leave: (slots) => creationJob(slots, 'leave'),
    refuse: (slots) => creationJob(slots, 'refuse'),
    replace: (slots) => creationJob(slots, 'replace'),
  },
  `
leave
<made> <content> <unless>
<unless> <made> <content>
(write|put|save) <literal> <content> <into> <unless>

refuse
<made> [:] <content>
(write|put|save|store) <literal> <content> <into>
create an empty file [called|named] {path:file}
create {path:file} as an empty file
touch {path:file}
{path:file} [を] <content> (という内容で|と書いて|の内容で|という内容の) <make>
{path:file} (というファイルを|を) <content> (という内容で|の内容で) <make>
{path:file} に <content> (と書いて|と書く|を書いて|を保存して|を書き込んで)
<content> (という内容で|の内容で|と書いた|という内容の) {path:file} を <make>
<content> を {path:file} に (書いて|保存して|書き込んで)
<made> : {rest}
<made> {greeting:greeting}
(write|put|save) {greeting:greeting} <into>

replace
(replace|overwrite|change|set) [the] [whole|entire] (content|contents) of [the] [file] {path:file} (with|by|to) <content>
{path:file} の (中身|内容) を <content> に (して|する|変更して|変えて|置き換えて|書き換えて)
overwrite [the] [file] {path:file} with [the] [content|contents|text|line] <content>
`,
  {
    content: ['{content:quoted}', '{object:object}', '[the] lines {list:quotedList}'],
    literal: ['[the text|the line|the word|the words|the string|the content|text]'],
    into: [`(to|into|in|as) ${file}`],
    made: [
      `(create|make|add|write) ${file} (with|containing|that says|that contains|which says|which contains|saying) [the] [exact] [content|contents|text|line|words|heading|title|text content] [of]`,
    ],
    unless: [
      "(if it does not exist|if it does not exist yet|if it does not exist already|if it doesn't exist|if it doesn't exist yet|if there is none|if there is none yet|unless it exists|unless it already exists|unless there is one)",
    ],
    make: ['(作成して|作成する|作って|作る|新規作成して)'],
  },
);

function creationJob(slots: Slots, whenThere: Order['whenThere']): Job | undefined {
  const {path = ''} = slots;
  const text = contentIn(slots);
  if (path === '' || text === undefined || isBrokenJson(slots, text)) return undefined;
  const content = ended(text);
  const description = `${path}${short(content.replace(/\n$/, ''))}`;
  const run = (): Work => work({path, content, whenThere});
  return whenThere === 'replace'
    ? jobOf('replace', `Replace the content of ${path}`, run, {
        description: `Read it, and write ${description}`,
      })
    : jobOf('create', `Create ${path}`, run, {
        description: `Check whether it exists; if not, write ${description}`,
      });
}

/** Text without quotes is content only after a colon, because its end is unknown otherwise. */
function contentIn({content, object, list = '', greeting, rest}: Slots): string | undefined {
  if (rest === undefined) return content ?? object ?? greeting ?? itemsOf(list).join('\n');
  const text = rest.trim();
  const isQuotedInPart = /^["“「`]/.test(text) && unquoted(text) === text;
  return text === '' || isQuotedInPart ? undefined : unquoted(text);
}

function isBrokenJson({object, path}: Slots, text: string): boolean {
  const isJson = object !== undefined || (path?.endsWith('.json') && /^\s*[{[]/.test(text));
  return isJson === true && parsed(text) === undefined;
}

function short(content: string): string {
  if (content === '') return ', empty';
  const text = JSON.stringify(content);
  return text.length > 300
    ? `, ${content.length} characters: ${text.slice(0, 300).toWellFormed()}…`
    : `: ${text}`;
}

function* work({path, content, whenThere}: Order): Work {
  const files = yield* readAll([path]);
  if ('isDone' in files) return files;
  const [old = {}] = files;
  if (old.text !== undefined && whenThere !== 'replace') {
    const stands = `${path} exists already${short(old.text)}`;
    if (whenThere === 'leave') return done(`${stands}. It was left as it is.`);
    return notDone(
      `${stands}. It was not replaced. Ask for what you want: Append "…" to ${path}, or: Replace the content of ${path} with "…".`,
    );
  }
  const deed = old.text === undefined ? 'Created' : 'Replaced the content of';
  return yield* writeOver(path, content, old, `${deed} ${path}.`);
}
