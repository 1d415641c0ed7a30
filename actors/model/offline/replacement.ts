/** The skill that replaces a text, or renames an identifier, in every file of a scope that holds it. */

import {isWhole} from './listing.ts';
import {type FoundMatches, findMatches, leftOut} from './matches.ts';
import {escaped, firstReading, phrase, type Slots} from './phrase.ts';
import {describeScope, isMeant, readJapaneseScope, readScope, type Scope} from './scope.ts';
import {
  type Answer,
  done,
  notDone,
  partlyDone,
  refusal,
  type Report,
  type Skill,
  type Use,
  type Work,
} from './skill.ts';

/** Files that are changed in one run; of more, none is. */
const maxFiles = 200;

interface Swap {
  readonly from: string;
  readonly to: string;
  readonly scope: Scope;
  /** Only where it stands as a word of its own. */
  readonly isName: boolean;
}

const occurrences =
  '[all|every|each|the] [occurrences of|occurrence of|instances of|instance of|text|string|word|words]';
const symbol =
  '[the] [identifier|function|variable|class|type|constant|method|symbol|interface|parameter|property]';

const texts = [
  `(replace|change|substitute|swap) ${occurrences} {from:text} (with|by|to|into|for) {to:text}`,
  `(replace|change|substitute|swap) ${occurrences} {from:text} (with|by|to|into|for) {to:text} {scope:words}`,
  `{scope:words} (replace|change) ${occurrences} {from:text} (with|by|to|into) {to:text}`,
].map(phrase);
const names = [
  `rename ${symbol} {from:identifier} (to|into|as) {to:identifier}`,
  `rename ${symbol} {from:identifier} (to|into|as) {to:identifier} {scope:words}`,
].map(phrase);
const verb =
  '(置換して|置換する|置き換えて|置き換える|変更して|変更する|変えて|変える|リネームして|リネームする)';
const japanese = [
  `{from:text} (を|という名前を) {to:text} に ${verb}`,
  `{scope:words} (で|の中で|内で|にある|の) {from:text} (を|という名前を) {to:text} に ${verb}`,
].map(phrase);

export const replacement: Skill = {
  skill: 'replacement',
  understand: (request) => {
    const swap =
      firstReading(texts, request, (slots) => readSwap(slots, readScope, false)) ??
      firstReading(names, request, (slots) => readSwap(slots, readScope, true)) ??
      firstReading(japanese, request, (slots) => readSwap(slots, readJapaneseScope, false));
    if (!swap) return undefined;
    const where = describeScope(swap.scope);
    return {
      objective: `Replace ${swap.from} by ${swap.to} in ${where}`,
      reasoning: `Every occurrence is found first; each file is read before its one edit, and the search is repeated. Of more than ${maxFiles} files none is changed.`,
      tasks: [
        {
          id: 'edit',
          description: `Find ${swap.from} in ${where}, read each file that holds it, and replace it by ${swap.to}`,
          tool: 'edit_file',
          expected_outcome: `${swap.from} is found no more in ${where}`,
        },
      ],
      work: () => work(swap),
    };
  },
};

function readSwap(
  {from, to, scope: words}: Slots,
  read: (words: string | undefined) => Scope | undefined,
  isName: boolean,
): Swap | undefined {
  const scope = read(words);
  if (from === undefined || from === '' || to === undefined || !scope || from === to)
    return undefined;
  return /\n/.test(from) || isFileName(from, isName) ? undefined : {from, to, scope, isName};
}

/** `Rename a.txt to b.txt` means the file. */
function isFileName(from: string, isName: boolean): boolean {
  return isName && /[/]|\.\w{1,5}$/.test(from);
}

function* work(swap: Swap): Work {
  const {from, scope} = swap;
  const found = yield* findMatches(patternOf(swap), scope);
  if ('refused' in found) return refusal(`${from} can't be searched`, found.refused);
  const paths = [...new Set(found.matches.map(({path}) => path))];
  if (paths.length === 0) {
    return notDone(`${from} is found nowhere in ${describeScope(scope)}.${leftOut(found)}`);
  }
  if (!found.isComplete || paths.length > maxFiles) return tooMany(swap, found);
  const answers = yield paths.map((path) => ({tool: 'read_file', args: {path, limit: 100_000}}));
  const edits = paths.flatMap((path, index) => editOf(path, answers[index], swap));
  if (edits.length < paths.length) {
    const unread = answers.find(({isError, text}) => isError || !isWhole(text));
    return refusal(
      'not every file that holds it can be read as a whole, so none was changed',
      lastLine(unread),
    );
  }
  const settled = yield edits;
  return yield* reported(swap, settled, found);
}

/** What a tool says of a file that it did not show as a whole stands in its last line. */
function lastLine(answer: Answer | undefined): Answer | undefined {
  return answer && {...answer, text: answer.text.slice(answer.text.lastIndexOf('\n') + 1)};
}

function tooMany({from, scope}: Swap, {total, files}: FoundMatches): Report {
  return notDone(
    `${from} stands in ${total} lines of ${files} files (${describeScope(scope)}), and the offline model changes ${maxFiles} files at most. Nothing was changed. Name a folder or a kind of file, such as: in src, in *.md.`,
  );
}

function patternOf({from, isName}: Swap): string {
  const literal = escaped(from);
  return isName ? String.raw`(?<![\w$])${literal}(?![\w$])` : literal;
}

/** One edit a file, from the line of its first occurrence to that of its last: such a passage occurs once. */
function editOf(path: string, answer: Answer | undefined, swap: Swap): Use[] {
  if (!answer || answer.isError || !isWhole(answer.text)) return [];
  const places = [...answer.text.matchAll(expression(swap))].map(({index}) => index);
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return [];
  const start = answer.text.lastIndexOf('\n', first - 1) + 1;
  const end = answer.text.indexOf('\n', last + swap.from.length);
  const passage = answer.text.slice(first === 0 ? 0 : start, end < 0 ? undefined : end);
  const replaced = passage.replaceAll(expression(swap), () => swap.to);
  return [{tool: 'edit_file', args: {path, old_text: passage, new_text: replaced}}];
}

function expression(swap: Swap): RegExp {
  return new RegExp(patternOf(swap), 'g');
}

function* reported(swap: Swap, settled: readonly Answer[], before: FoundMatches): Work {
  const {from, to, scope} = swap;
  const failed = settled.filter(({isError}) => isError);
  const changed = settled.length - failed.length;
  if (changed === 0) return refusal('no file was changed', failed[0]);
  const summary = `Replaced ${from} by ${to} in ${describeScope(scope)}, files changed: ${changed}.`;
  if (failed.length > 0) {
    return partlyDone(
      `${summary} Not allowed or failed: ${failed.map(({text}) => text).join('; ')}`,
    );
  }
  if (expression(swap).test(to)) return done(`${summary}${leftOut(before)}`);
  const again = yield* findMatches(patternOf(swap), scope, {isAgain: true});
  if ('refused' in again) return partlyDone(`${summary} Whether any is left could not be checked.`);
  const left = again.matches.filter(({path}) => isMeant(scope, path)).length;
  return left === 0
    ? done(`${summary} None is left.${leftOut(before)}`)
    : partlyDone(`${summary} Still left: ${left} lines.`);
}
