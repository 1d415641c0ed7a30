/** Finds all matching lines of a scope. If a search shows only the first lines, it searches file by file. */

import {escapeLine} from '../../../tools/escape.ts';
import type {Label} from './japanese.ts';
import {type Match, readListing, readMatches} from './listing.ts';
import {isMeant, listings, searches, type Scope} from './scope.ts';
import type {Answer, Steps} from './skills/skill.ts';

export interface FoundMatches {
  readonly matches: readonly Match[];
  /** The number of all matching lines, shown or not. Excluded files are subtracted only if all lines are shown. */
  readonly total: number;
  readonly files: number;
  /** True if `matches` includes every file with a match. */
  readonly isComplete: boolean;
  readonly notes: readonly string[];
}

const maxSearched = 300;
const maxListed = 2_000;

export interface SearchOptions {
  /** Returns the result of a single search, complete or not. */
  readonly isQuick?: boolean;
}

export function* findMatches(
  pattern: string,
  scope: Scope,
  {isQuick = false}: SearchOptions = {},
): Steps<FoundMatches | {readonly refused: Answer}> {
  const answers = yield searches(pattern, scope);
  const refused = answers.find(({isError}) => isError);
  if (refused) return {refused};
  const found = summary(answers, scope);
  if (found.isComplete || isQuick) return found;
  return (yield* oneByOne(pattern, scope, found.notes)) ?? found;
}

function* oneByOne(
  pattern: string,
  scope: Scope,
  notes: readonly string[],
): Steps<FoundMatches | undefined> {
  const listed = yield listings(scope, maxListed);
  if (listed.some(({isError}) => isError)) return undefined;
  const lists = listed.map(({text}) => readListing(text));
  const files = new Set(lists.flatMap((list) => list.files.map(({path}) => path)));
  const meant = [...files].filter((path) => isMeant(scope, path));
  if (lists.some((list) => list.notes.length > 0) || meant.length > maxSearched) return undefined;
  const answers = yield meant.map((path) => ({tool: 'grep_search', args: {pattern, path}}));
  const seen = answers.filter(({isError}) => !isError);
  return {...summary(seen, scope), isComplete: true, notes};
}

function summary(answers: readonly Answer[], scope: Scope): FoundMatches {
  const all = answers.map(({text}) => readMatches(text));
  const distinct = new Map(
    all.flatMap((one) => one.matches.map((match) => [`${match.path}:${match.line}`, match])),
  );
  const matches = [...distinct.values()].filter(({path}) => isMeant(scope, path));
  const isComplete = all.every((one) => filesIn(one.matches) === one.files);
  const isWhole = all.every((one) => one.matches.length === one.total);
  return {
    matches,
    total: isWhole ? matches.length : all.reduce((sum, one) => sum + one.total, 0),
    files: isComplete ? filesIn(matches) : all.reduce((sum, one) => sum + one.files, 0),
    isComplete,
    notes: [...new Set(all.flatMap((one) => one.skipped))],
  };
}

function filesIn(matches: readonly Match[]): number {
  return new Set(matches.map(({path}) => path)).size;
}

/** A sentence on files that were not searched. Files with credentials or without UTF-8 are omitted if something was found. */
export function leftOutText(notes: readonly string[], isFound: boolean, label: Label): string[] {
  const shown = [...new Set(notes)].filter((note) => !isFound || !/credentials|UTF-8/.test(note));
  return shown.length > 0 ? [label('Left out: $1.', shown.join('; '))] : [];
}

/** A line of its own, without the advice for models. Empty: all files were searched. */
export function leftOut({notes}: Pick<FoundMatches, 'notes'>): string {
  const said = notes.map((note) => note.replace(/; name [^:]*/, ''));
  return said.length === 0 ? '' : `\nLeft out: ${said.join('; ')}.`;
}

/** True if a file that the scope names was not searched. */
export function lacksNamed({notes}: Pick<FoundMatches, 'notes'>, {places}: Scope): boolean {
  const names = new Set(notes.flatMap((note) => note.slice(note.indexOf(': ') + 2).split(', ')));
  return places.some((place) => names.has(escapeLine(place)));
}
