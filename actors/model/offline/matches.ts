/** Finding all lines of a scope that match, file by file when a search shows only the first of them. */

import type {Label} from './japanese.ts';
import {type Match, readListing, readMatches} from './listing.ts';
import {isMeant, listings, searches, type Scope} from './scope.ts';
import type {Answer, Steps} from './skills/skill.ts';

export interface FoundMatches {
  readonly matches: readonly Match[];
  /** Lines and files in all, shown or not; without what the scope excepts only when all are shown. */
  readonly total: number;
  readonly files: number;
  /** Every file with a match is among `matches`. */
  readonly isComplete: boolean;
  readonly notes: readonly string[];
}

const maxSearched = 300;
const maxListed = 2_000;

export interface SearchOptions {
  /** What one search shows is enough. */
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

/** A sentence on what was not searched. Of files that none may read unasked it is silent where something was found. */
export function leftOutText(notes: readonly string[], isFound: boolean, label: Label): string[] {
  const told = [...new Set(notes)].filter((note) => !isFound || !/credentials|UTF-8/.test(note));
  return told.length > 0 ? [label('Left out: $1.', told.join('; '))] : [];
}

export function leftOut({notes}: Pick<FoundMatches, 'notes'>): string {
  return notes.length === 0 ? '' : ` Left out: ${notes.join('; ')}.`;
}
