/** Answers questions about a name in code: only the lines that define, call or contain it. */

import {type Label, labelsFor} from '../japanese.ts';
import type {Match} from '../listing.ts';
import {findMatches, type FoundMatches, leftOutText} from '../matches.ts';
import {everywhere, type Scope} from '../scope.ts';
import type {Answer, Steps} from '../skills/skill.ts';
import {callsName, definingWords, namePattern, namesIn} from './names.ts';

const maxShown = 20;
const maxExcerpt = 20;

/** True for the name of a package; its entry in a manifest, or an import, counts as its definition. */
function isPackage(name: string): boolean {
  return /[-/@]/.test(name);
}

export interface LookedUp {
  readonly name: string;
  readonly definitions: readonly Match[];
  readonly uses: FoundMatches;
}

export function* lookUp(asked: string, scope: Scope): Steps<LookedUp | {readonly refused: Answer}> {
  const name = isPackage(asked) ? asked : (asked.split(/[.:#]/).at(-1) ?? asked);
  const word = namePattern(name);
  const defining = yield* findMatches(definingPattern(word), scope, {isQuick: true});
  const uses = yield* findMatches(word, scope, {isQuick: true});
  if ('refused' in defining) return defining;
  if ('refused' in uses) return uses;
  return {name, definitions: ranked(defining.matches), uses};
}

/** Returns undefined if the question contains no name in the code. */
export function* answerOnNames(question: string): Steps<string | undefined> {
  const label = labelsFor(question);
  const answers: string[] = [];
  for (const {name, isCertain} of namesIn(question)) {
    const found = yield* lookUp(name, everywhere);
    if ('refused' in found || (!isCertain && found.definitions.length === 0)) continue;
    answers.push(yield* answerOn(question, found, label));
  }
  return answers.length > 0 ? answers.join('\n\n') : undefined;
}

const ofCalls = /\b(?:calls?|called|callers?|invoke[sd]?|instantiate[sd]?)\b|呼/i;
const ofUses =
  /\b(?:uses?|used|usages?|imports?|imported|depends?|references?|referenced)\b|使|参照|利用|依存/i;
const ofPlaces = /\b(?:where|(?:which|what) files?)\b|どこ|どのファイル/i;

function* answerOn(question: string, found: LookedUp, label: Label): Steps<string> {
  const isOfCalls = ofCalls.test(question);
  if (isOfCalls || ofUses.test(question)) {
    const used = usedText(found, isOfCalls, label);
    if (used !== undefined) return used;
  }
  const [first] = found.definitions;
  const isWhole = first === undefined || ofPlaces.test(question);
  return `${definedText(found, label)}${isWhole ? '' : yield* excerpt(first)}`;
}

export function usedText(
  {name, definitions, uses}: LookedUp,
  isOfCalls: boolean,
  label: Label,
): string | undefined {
  const defining = new Set(definitions.map(placeOf));
  const others = uses.matches.filter((match) => isPackage(name) || !defining.has(placeOf(match)));
  const calls = isOfCalls ? others.filter(({text}) => callsName(text, name)) : [];
  const lines = ranked(calls.length > 0 ? calls : others);
  if (lines.length === 0) return undefined;
  const head = calls.length > 0 ? '$1 is called on $2 line{|s}:' : '$1 is used on $2 line{|s}:';
  const defined = definitions
    .slice(0, isPackage(name) ? 0 : 1)
    .map((match) => `${label('$1 is defined in:', name)} ${matchText(match)}`);
  return withNotes(
    [label(head, name, lines.length), ...shown(lines, label), ...defined],
    uses,
    label,
  );
}

export function definedText({name, definitions, uses}: LookedUp, label: Label): string {
  if (uses.matches.length === 0)
    return withNotes([label('No searched file contains $1.', name)], uses, label);
  const best = definitions.filter(({path}) => !aside.test(path));
  const lines = best.length > 0 ? best : definitions;
  const isDefined = lines.length > 0;
  const head = isDefined
    ? '$1 is defined in:'
    : 'No line was found that defines $1. It appears on:';
  const others = isDefined ? uses.total - Math.min(lines.length, maxShown) : 0;
  return withNotes(
    [
      label(head, name),
      ...shown(isDefined ? lines : ranked(uses.matches), label),
      ...(others > 0 ? [label('It appears on $1 other line{|s}.', others)] : []),
    ],
    uses,
    label,
  );
}

/** The comment above a definition, and its block according to the indentation. */
function* excerpt({path, line}: Match): Steps<string> {
  const offset = Math.max(1, line - maxExcerpt);
  const [answer] = yield [
    {tool: 'read_file', args: {path, offset, limit: line - offset + maxExcerpt}},
  ];
  if (!answer || answer.isError) return '';
  const lines = answer.text.split('\n').filter((text) => !/^\[lines? \d/.test(text));
  const at = line - offset;
  const above = lines.slice(0, at).findLastIndex((text) => !/^\s*(?:\/\/|\/?\*|#|@)/.test(text));
  const indent = indentOf(lines[at] ?? '');
  const after = lines.findIndex(
    (text, index) => index > at && text.trim() !== '' && indentOf(text) <= indent,
  );
  const end = after < 0 ? lines.length : after + (/^\s*[\])}]/.test(lines[after] ?? '') ? 1 : 0);
  const block = lines
    .slice(above + 1, Math.max(at + 1, end))
    .join('\n')
    .trimEnd();
  return `\n\n${block.replaceAll(/^/gm, '> ')}`;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/**
 * Matches `def NAME`, `export const NAME`, `NAME = …` and `NAME: …` at the start of a line, `func (r *T) NAME(`,
 * `void NAME(…) {`.
 */
function definingPattern(word: string): string {
  return [
    String.raw`(?:\bfrom|\bimport|\brequire\()\s*["']${word}["'/]|^\s*["']?${word}["']?\s*(?::\s*["'][\^~<>=*v\d]|[=<>~!]=)`,
    String.raw`\b(?:${definingWords})\s+(?:\([^)]*\)\s*)?(?:\w+\.)?${word}`,
    String.raw`^\s*(?:(?:public|private|protected|static|async|readonly|final|abstract|override|export|get|set)\s+)*${word}\s*(?:\([^;]*\)\s*(?::[^;=]*)?\{|(?::[^:=]+)?=(?![=>])|:\s)`,
    String.raw`^[A-Za-z_][\w<>,*&\s]*\s\*?${word}\s*\([^;]*\)\s*(?:const\s*)?\{?\s*$`,
  ].join('|');
}

const aside =
  /(?:^|\/)(?:tests?|specs?|fixtures|examples?|docs?|vendor|dist)\/|\.(?:md|txt|rst|json|lock)$|[._-](?:test|spec)\./;
const strong = new RegExp(
  String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:(?:pub|public|async|abstract|declare|static)\s+)*(?:${definingWords})\b`,
);

/** Code comes before tests and documents, declarations before other matches. */
function ranked(matches: readonly Match[]): Match[] {
  return matches.toSorted((a, b) => costOf(a) - costOf(b));
}

function costOf({path, text}: Match): number {
  return (aside.test(path) ? 2 : 0) + (strong.test(text) ? 0 : 1);
}

function shown(lines: readonly Match[], label: Label): string[] {
  const more = lines.length - maxShown;
  return [
    ...lines.slice(0, maxShown).map(matchText),
    ...(more > 0 ? [label('… and $1 more line{|s}', more)] : []),
  ];
}

function withNotes(lines: readonly string[], uses: FoundMatches, label: Label): string {
  const {notes, matches, total} = uses;
  const cut = total > matches.length ? [`${matches.length} / ${total}`] : [];
  return [...lines, ...leftOutText([...cut, ...notes], total > 0, label)].join('\n');
}

function placeOf({path, line}: Match): string {
  return `${path}:${line}`;
}

function matchText(match: Match): string {
  return `${placeOf(match)}: ${match.text.trim()}`;
}
