/** The skill that replaces a text, or renames an identifier, in every file of a scope that contains it. */

import {escapePattern} from '../../../../machines/domain/escape-pattern.ts';
import {namePlaces} from '../../../../tools/text/name-places.ts';
import {languageOf} from '../languages.ts';
import {isWhole} from '../listing.ts';
import {findMatches, type FoundMatches, lacksNamed, leftOut} from '../matches.ts';
import type {Slots} from '../phrase.ts';
import {describeScope, missingExceptions, type Scope, scopeIn} from '../scope.ts';
import {
  type Job,
  jobOf,
  notDone,
  partlyDone,
  refusal,
  settle,
  skillOf,
  type Use,
  type Work,
} from './skill.ts';
import {editUse, readWhole} from './write-whole.ts';

/** The limit of changed files. If more files match, none is changed. */
const maxFiles = 200;

interface Swap {
  readonly from: string;
  readonly to: string;
  readonly scope: Scope;
  /** The kind of occurrence: any text, whole words, or names in code. */
  readonly of: 'text' | 'word' | 'name';
}

const corrections = new Map(
  'teh the, adn and, recieve receive, recieved received, seperate separate, occured occurred, definately definitely, lenght length'
    .matchAll(/(\w+) (\w+)/g)
    .map(([, typo = '', word = '']) => [typo, word]),
);

export const replacement = skillOf(
  {
    text: (slots, request) => (isSetting(slots, request) ? undefined : swapJob(slots, 'text')),
    word: (slots) => swapJob(slots, 'word'),
    name: (slots) => swapJob(slots, 'name'),
  },
  `
text
(replace|change|substitute) <occurrences> {from:text} (with|by|to|into|for) {to:text} [{scope:words}]
{scope:words} [,] (replace|change) <occurrences> {from:text} (with|by|to|into) {to:text}
{from:text} (を|という名前を) {to:text} に <replaced>
{japanese:words} (で|の中で|内で|にある|の) {from:text} (を|という名前を) {to:text} に <replaced>

word
(fix|correct|change|replace) the (typo|misspelling|spelling) [of] {from:text} (to|into|with|as|by) {to:text} [{scope:words}]
(fix|correct) the (typo|misspelling|spelling) [of] {from:text} [{scope:words}]
[{japanese:words}] [の] (誤字|タイプミス|綴り) {from:text} を {to:text} に <replaced>

name
rename <symbol> {from:identifier} (to|into|as) {to:identifier} [{scope:words}]
{from:identifier} (を|という名前を) {to:identifier} に <renamed>
{japanese:words} (で|の中で|内で|にある|の) {from:identifier} (を|という名前を) {to:identifier} に <renamed>
`,
  {
    occurrences: [
      '[all|every|each]',
      '[all|every|each|the] (occurrences of|occurrence of|instances of|instance of|text|string|word|words)',
    ],
    symbol: [
      '[the] [identifier|function|variable|class|type|constant|method|symbol|interface|parameter|property]',
    ],
    replaced: [
      '(置換して|置換する|置き換えて|置き換える|変更して|変更する|変えて|変える|直して|直す|修正して|修正する)',
    ],
    renamed: [
      '(名前を変えて|名前を変える|名前を変更して|名前を変更する|リネームして|リネームする|改名して)',
    ],
  },
);

function swapJob(slots: Slots, of: Swap['of']): Job | undefined {
  const {from = '', to = corrections.get(from.toLowerCase())} = slots;
  const scope = scopeIn(slots);
  if (to === undefined || !scope || ['', to].includes(from) || from.includes('\n'))
    return undefined;
  // `Rename a.txt to b.txt` refers to the file.
  if (of === 'name' && /[/]|\.\w{1,5}$/.test(from)) return undefined;
  const objective = `Replace ${from} with ${to} in ${describeScope(scope)}`;
  return jobOf('edit', objective, () => work({from, to, scope, of}));
}

/** True for requests such as `Change port to 8080`, which refer to the value of a key in an unknown file. */
function isSetting({from = '', to = '', scope, japanese}: Slots, request: string): boolean {
  const isBare = !/["“「`']/.test(request) && /^[\p{L}_][\p{L}\w]*$/u.test(from);
  const isChange = (scope ?? japanese) === undefined && /\bchange\b|[変更]/i.test(request);
  return isBare && (isChange || /^(?:-?\d[\d.]*|true|false|null|on|off)$/i.test(to));
}

function* work(swap: Swap): Work {
  const {from, scope} = swap;
  const missing = yield* missingExceptions(scope);
  if (missing) return missing;
  const found = yield* findMatches(patternOf(swap), scope);
  if ('refused' in found) return refusal(`${from} can't be searched`, found.refused);
  const paths = [...new Set(found.matches.map(({path}) => path))];
  if (paths.length === 0) {
    return notDone(`${from} does not occur in ${searchedScope(scope, found)}.${leftOut(found)}`);
  }
  if (!found.isComplete || paths.length > maxFiles) {
    return notDone(
      `${from} occurs in ${found.total} lines of ${found.files} files (${describeScope(scope)}), and the offline model changes at most ${maxFiles} files. Nothing was changed. Name a folder or a kind of file, such as: in src, in *.md.`,
    );
  }
  const answers = yield* readWhole(paths);
  const unread = answers.find(({isError, text}) => isError || !isWhole(text));
  if (unread) {
    // The last line of an incomplete file is a note about the missing part.
    return refusal('not every file that contains it can be read as a whole, so none was changed', {
      ...unread,
      text: unread.text.slice(unread.text.lastIndexOf('\n') + 1),
    });
  }
  const changes = paths.map((path, index) => changeOf(path, answers[index]?.text ?? '', swap));
  const uses = changes.flatMap(({use}) => use ?? []);
  if (uses.length === 0)
    return notDone(`${from} occurs only in strings and paths: ${leftIn(changes)}.`);
  const report = settle(yield uses, reportOn(swap, changes, leftOut(found)));
  return report.isDone && lacksNamed(found, scope) ? partlyDone(report.text) : report;
}

function searchedScope(scope: Scope, {notes}: FoundMatches): string {
  const named = describeScope(scope);
  return notes.length === 0 ? named : `the files that were searched (${named})`;
}

function patternOf({from, of}: Swap): string {
  const literal = escapePattern(from);
  return of !== 'text' ? String.raw`(?<![\w$])${literal}(?![\w$])` : literal;
}

interface Change {
  readonly use: Use | undefined;
  /** Unchanged places, such as `src/main.js:1`: the name is in a string or a path. */
  readonly left: readonly string[];
  /** Places in strings that were changed. */
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

/** All files with a match were read, so the remaining occurrences are known without another search. */
function reportOn({from, to, scope}: Swap, changes: readonly Change[], unsearched: string): string {
  const changed = changes.filter(({use}) => use !== undefined).length;
  const left = leftIn(changes);
  const among = unsearched === '' ? '' : ' in the files that were searched';
  const quoted = changes.flatMap((change) => change.quoted).join(', ');
  return [
    `Replaced ${from} with ${to} in ${describeScope(scope)}: ${changed} ${changed === 1 ? 'file' : 'files'} changed.`,
    left === '' && !to.includes(from) ? ` No occurrence is left${among}.` : '',
    left && `\nLeft in a string or path: ${left}.`,
    quoted && `\nAlso changed in a string: ${quoted}.`,
    unsearched,
  ].join('');
}
