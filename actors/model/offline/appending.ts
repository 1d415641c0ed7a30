/** The skill that adds lines at the end of a file, with the line ends that it has. */

import {firstReading, phrase, type Slots} from './phrase.ts';
import {done, refusal, type Skill, type Use, type Work} from './skill.ts';
import {isReport, lineEnd, readOld, withLineEnds} from './write-whole.ts';

const what = '[the|a|this] [new] [line|text|lines|word|words|sentence]';
const place = '[the] [very] [end of|bottom of] [the] [file] {path:file}';
const phrases = [
  `(append|add) ${what} {content:quoted} (to|at) ${place}`,
  `(write|put) ${what} {content:quoted} (to|at) the [very] (end|bottom) of [the] [file] {path:file}`,
  `(append|add) to ${place} ${what} {content:quoted}`,
  `(append|add) to ${place} : {content:quoted}`,
  '{path:file} [の末尾|の最後] (に|へ) {content:quoted} [を|という行を|と] (追記して|追記する|追加して|追加する|書き足して|書き加えて)',
  '{content:quoted} を {path:file} [の末尾|の最後] (に|へ) (追記して|追記する|追加して|追加する|書き足して)',
].map(phrase);
const bare = [`append to ${place} : {rest}`].map(phrase);

interface Order {
  readonly path: string;
  readonly content: string;
}

export const appending: Skill = {
  skill: 'appending',
  understand: (request) => {
    const order =
      firstReading(phrases, request, ({path, content}) => orderOf(path, content)) ??
      firstReading(bare, request, ({path, rest}: Slots) => orderOf(path, rest));
    if (!order) return undefined;
    const {path} = order;
    return {
      objective: `Append to ${path}`,
      reasoning: 'The file is read first, so that the end of it is known.',
      tasks: [
        {
          id: 'append',
          description: `Read ${path} and add the text of the request at its end`,
          expected_outcome: `${path} ends with the text of the request`,
        },
      ],
      work: () => append(order),
    };
  },
};

function orderOf(path: string | undefined, content: string | undefined): Order | undefined {
  return path === undefined || content === undefined || content === ''
    ? undefined
    : {path, content};
}

function* append({path, content}: Order): Work {
  const old = yield* readOld(path);
  if (isReport(old)) return old;
  const end = lineEnd(old.text);
  const line = withLineEnds(content.endsWith('\n') ? content : `${content}\n`, end);
  if (old.text === undefined || old.text === '') {
    return yield* make({tool: 'write_file', args: {path, content: line, create_dirs: true}}, path);
  }
  const tail = uniqueTail(old.text);
  const joint = old.text.endsWith('\n') ? '' : end;
  const use = {tool: 'edit_file', args: {path, old_text: tail, new_text: `${tail}${joint}${line}`}};
  return yield* make(use, path);
}

function* make(use: Use, path: string): Work {
  const [answer] = yield [use];
  return !answer || answer.isError
    ? refusal(`${path} was not changed`, answer)
    : done(`Appended to ${path}.`);
}

/** The shortest run of whole lines at the end that occurs nowhere else. */
function uniqueTail(text: string): string {
  const lines = text.split(/(?<=\n)/);
  for (let count = 1; count < lines.length; count += 1) {
    const tail = lines.slice(-count).join('');
    if (text.indexOf(tail) === text.length - tail.length) return tail;
  }
  return text;
}
