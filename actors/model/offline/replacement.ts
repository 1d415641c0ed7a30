/** The skill that replaces a text, or renames an identifier, in every file of a scope that holds it. */

import {namePlaces} from '../../../tools/text/name-places.ts';
import {languageOf} from './languages.ts';
import {isWhole} from './listing.ts';
import {type FoundMatches, findMatches, leftOut} from './matches.ts';
import {escaped, firstReading, phrases, type Slots} from './phrase.ts';
import {
  describeScope,
  isMeant,
  missingExceptions,
  readJapaneseScope,
  readScope,
  type Scope,
} from './scope.ts';
import {
  type Answer,
  done,
  notDone,
  partlyDone,
  plainJob,
  refusal,
  type Report,
  type Skill,
  type Use,
  type Work,
} from './skill.ts';
import {editUse} from './write-whole.ts';

/** Files that are changed in one run; of more, none is. */
const maxFiles = 200;

interface Swap {
  readonly from: string;
  readonly to: string;
  readonly scope: Scope;
  /** Every occurrence, one that is a whole word, or one that is a name in code. */
  readonly of: 'text' | 'word' | 'name';
}

const occurrences =
  '[all|every|each|the] [occurrences of|occurrence of|instances of|instance of|text|string|word|words]';
const symbol =
  '[the] [identifier|function|variable|class|type|constant|method|symbol|interface|parameter|property]';

const japaneseVerb =
  '(置換して|置換する|置き換えて|置き換える|変更して|変更する|変えて|変える|直して|直す|修正して|修正する)';
const japaneseRename =
  '(名前を変えて|名前を変える|名前を変更して|名前を変更する|リネームして|リネームする|改名して)';

const rows = (
  [
    [
      'text',
      [
        `(replace|change|substitute|swap) ${occurrences} {from:text} (with|by|to|into|for) {to:text} [{scope:words}]`,
        `{scope:words} [,] (replace|change) ${occurrences} {from:text} (with|by|to|into) {to:text}`,
        `{from:text} (を|という名前を) {to:text} に ${japaneseVerb}`,
        `{japanese:words} (で|の中で|内で|にある|の) {from:text} (を|という名前を) {to:text} に ${japaneseVerb}`,
      ],
    ],
    [
      'word',
      [
        `(fix|correct|change|replace) the (typo|misspelling|spelling) [of] {from:text} (to|into|with|as|by) {to:text} [{scope:words}]`,
        `(fix|correct) the (typo|misspelling|spelling) [of] {from:text} [{scope:words}]`,
        `[{japanese:words}] [の] (誤字|タイプミス|綴り) {from:text} を {to:text} に ${japaneseVerb}`,
      ],
    ],
    [
      'name',
      [
        `rename ${symbol} {from:identifier} (to|into|as) {to:identifier} [{scope:words}]`,
        `{from:identifier} (を|という名前を) {to:identifier} に ${japaneseRename}`,
        `{japanese:words} (で|の中で|内で|にある|の) {from:identifier} (を|という名前を) {to:identifier} に ${japaneseRename}`,
      ],
    ],
  ] as const
).map(([of, says]) => ({of, forms: phrases(says)}));

/** Typos that have one correction. */
const corrections: Readonly<Record<string, string>> = {
  teh: 'the',
  adn: 'and',
  recieve: 'receive',
  recieved: 'received',
  seperate: 'separate',
  occured: 'occurred',
  definately: 'definitely',
  lenght: 'length',
};

export const replacement: Skill = {
  skill: 'replacement',
  forms: rows.flatMap(({forms}) => forms),
  understand: (request) => {
    const swap = rows
      .values()
      .map(({of, forms}) => firstReading(forms, request, (slots) => readSwap(slots, of)))
      .find((found) => found !== undefined);
    if (!swap) return undefined;
    const objective = `Replace ${swap.from} by ${swap.to} in ${describeScope(swap.scope)}`;
    return plainJob('edit', objective, () => work(swap));
  },
};

function readSwap(
  {from = '', to, scope: words, japanese}: Slots,
  of: Swap['of'],
): Swap | undefined {
  const scope = japanese === undefined ? readScope(words) : readJapaneseScope(japanese);
  const next = to ?? corrections[from.toLowerCase()];
  if (next === undefined || !scope || ['', next].includes(from)) return undefined;
  return from.includes('\n') || (of === 'name' && isFileName(from))
    ? undefined
    : {from, to: next, scope, of};
}

/** `Rename a.txt to b.txt` means the file. */
function isFileName(from: string): boolean {
  return /[/]|\.\w{1,5}$/.test(from);
}

function* work(swap: Swap): Work {
  const {from, scope} = swap;
  const missing = yield* missingExceptions(scope);
  if (missing) return missing;
  const found = yield* findMatches(patternOf(swap), scope);
  if ('refused' in found) return refusal(`${from} can't be searched`, found.refused);
  const paths = [...new Set(found.matches.map(({path}) => path))];
  if (paths.length === 0) {
    return notDone(`${from} is found nowhere in ${describeScope(scope)}.${leftOut(found)}`);
  }
  if (!found.isComplete || paths.length > maxFiles) return tooMany(swap, found);
  const answers = yield paths.map((path) => ({tool: 'read_file', args: {path, limit: 100_000}}));
  const unread = answers.find(({isError, text}) => isError || !isWhole(text));
  if (unread) {
    return refusal(
      'not every file that holds it can be read as a whole, so none was changed',
      lastLine(unread),
    );
  }
  const changes = paths.map((path, index) => changeOf(path, answers[index]?.text ?? '', swap));
  const uses = changes.flatMap(({use}) => use ?? []);
  if (uses.length === 0)
    return notDone(`${from} stands only in strings and paths: ${leftIn(changes)}.`);
  const settled = yield uses;
  return yield* reported(swap, settled, {found, changes});
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

function patternOf({from, of}: Swap): string {
  const literal = escaped(from);
  return of !== 'text' ? String.raw`(?<![\w$])${literal}(?![\w$])` : literal;
}

interface Change {
  readonly use: Use | undefined;
  /** `src/main.js:1`, where a name stands in a string or a path and is left. */
  readonly left: readonly string[];
  readonly quoted: readonly string[];
}

function changeOf(path: string, text: string, swap: Swap): Change {
  const {from, to, of} = swap;
  const places = of === 'name' ? namePlaces(languageOf(path), text, expression(swap)) : [];
  const kept = places.filter(({isRenamed}) => !isRenamed);
  const starts = new Set(kept.map(({index}) => index));
  const after = text.replaceAll(expression(swap), (_, at: number) => (starts.has(at) ? from : to));
  const quoted = places.filter(({isRenamed, isQuoted}) => isRenamed && isQuoted);
  const at = ({line}: {line: number}) => `${path}:${line}`;
  return {
    use: after === text ? undefined : editUse(path, text, after),
    left: kept.map(at),
    quoted: quoted.map(at),
  };
}

function leftIn(changes: readonly Change[]): string {
  return changes.flatMap(({left}) => left).join(', ');
}

function expression(swap: Swap): RegExp {
  return new RegExp(patternOf(swap), 'g');
}

function* reported(
  swap: Swap,
  settled: readonly Answer[],
  {found, changes}: {readonly found: FoundMatches; readonly changes: readonly Change[]},
): Work {
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
  const left = leftIn(changes);
  const quoted = changes.flatMap((change) => change.quoted).join(', ');
  const notes = `${left && `\nLeft in a string or path: ${left}.`}${quoted && `\nAlso changed in a string: ${quoted}.`}${leftOut(found)}`;
  if (expression(swap).test(to)) return done(`${summary}${notes}`);
  const again = yield* findMatches(patternOf(swap), scope, {isAgain: true});
  if ('refused' in again) return partlyDone(`${summary} Whether any is left could not be checked.`);
  const kept = new Set(changes.flatMap((change) => change.left));
  const more = again.matches.filter(
    ({path, line}) => isMeant(scope, path) && !kept.has(`${path}:${line}`),
  ).length;
  return more === 0
    ? done(`${summary}${left === '' ? ' None is left.' : ''}${notes}`)
    : partlyDone(`${summary} Still left: ${more} lines.`);
}
