/** Looks at places for a command, within a time limit and taking into account the files that the command itself has made. */

import {posix} from 'node:path';

import type {Place} from '../effect.ts';
import type {LookOptions, Surroundings} from '../surroundings.ts';
import type {Ledger} from '../walk/ledger.ts';
import {createMakings, isWithin, worstOf, type Makings} from './makings.ts';
import {createTimeLimit, type TimeLimit} from './time-limit.ts';
import {createTruncations, type Truncations} from './truncations.ts';

const mostMatches = 200;

export interface Places extends Truncations {
  readonly workspace: string;
  readonly makings: Makings;
  readonly look: (
    path: string,
    folder: string | undefined,
    options?: LookOptions,
  ) => Promise<Place>;
  /** Absolute, links resolved as the system does; undefined: unknown. */
  readonly realFolder: (path: string, folder: string | undefined) => Promise<string | undefined>;
  readonly readFileText: (place: Place) => Promise<string | undefined>;
  /** Undefined: the command itself has changed the files to match, or they can't be looked at. */
  readonly matches: (
    pattern: string,
    folder: string | undefined,
    options?: Pick<LookOptions, 'isKept'>,
  ) => Promise<readonly string[] | 'many' | undefined>;
  /** None of the names that the pattern matches is split into words or read as an option. */
  readonly isPlainPattern: (pattern: string, folder: string | undefined) => Promise<boolean>;
  readonly files: Surroundings['files'];
  /** Paths that this run has written or may have written. */
  readonly touched: () => ReadonlySet<string>;
  readonly isPublished: Surroundings['isPublished'];
  /** This run has written the path, something below it or a whole folder that contains it. */
  readonly isWritten: (path: string) => boolean;
  /** This run has written a file with this path below some folder. */
  readonly hasWritten: (path: string) => boolean;
}

/** A name that is neither split into words nor an option. */
const plainName = /^[^\s*?[\\-][^\s*?[\\]*$/;

export function createPlaces(
  surroundings: Surroundings,
  {written, touched}: {readonly [Which in 'written' | 'touched']: ReadonlySet<string>},
  miss: Ledger['miss'],
): Places {
  const {workspace} = surroundings;
  const makings = createMakings();
  const within = createTimeLimit();
  const sight = {surroundings, makings, within, miss};
  const matches: Places['matches'] = async (pattern, folder, options) =>
    await matchesIn(sight, absolute(pattern, folder), options);
  const look: Places['look'] = async (path, folder, options) =>
    await lookAt(sight, {path, whole: absolute(path, folder)}, {written, ...options});
  return {
    workspace,
    makings,
    matches,
    look,
    ...createTruncations(),
    realFolder: async (path, folder) => {
      if (absolute(path, folder) === undefined) return undefined;
      const place = await look(path, folder, {isKept: true});
      return posix.resolve(workspace, place.path);
    },
    files: async () => within(surroundings.files, nothing),
    touched: () => touched,
    isPublished: async (folder) => within(async () => surroundings.isPublished(folder), nothing),
    readFileText: async ({path}) => within(async () => surroundings.readFileText(path), nothing),
    isPlainPattern: async (pattern, folder) => {
      const found = await matches(pattern, folder);
      if (found === undefined || found === 'many') return false;
      return found.every((path) => plainName.test(path) && !path.includes('/-'));
    },
    hasWritten: (path) => [...written].some((each) => `/${each}`.endsWith(`/${path}`)),
    isWritten: (path) => [...written].some((each) => isWithin(each, path) || isWithin(path, each)),
  };
}

/** Dependencies of every look at a place. */
interface Sight {
  readonly surroundings: Surroundings;
  readonly makings: Makings;
  readonly within: TimeLimit;
  readonly miss: Ledger['miss'];
}

/** `whole`: the absolute path; undefined when unknown. */
async function lookAt(
  sight: Sight,
  {path, whole}: {readonly path: string; readonly whole: string | undefined},
  options: LookOptions,
): Promise<Place> {
  const {surroundings, makings, within, miss} = sight;
  const unseen: Place = {path, inside: false, isFolder: false, state: 'unknown'};
  if (whole === undefined) return unseen;
  await within(async () => missHiddenWay(sight, whole), nothing);
  const place = await within(
    async () => surroundings.placeOf(whole, options),
    () => {
      miss({word: path, why: 'looking at it takes too long'});
      return {...unseen, path: relativeTo(surroundings.workspace, whole), inside: true};
    },
  );
  return withMakings(place, makings);
}

async function matchesIn(
  sight: Sight,
  path: string | undefined,
  options: Pick<LookOptions, 'isKept'> | undefined,
): ReturnType<Places['matches']> {
  if (path === undefined) return undefined;
  const {surroundings, makings, within} = sight;
  const start = path.replace(/\/[^/]*[*?[].*$/s, '');
  await within(async () => missHiddenWay(sight, start), nothing);
  const fixed = await within(
    async () => (await surroundings.placeOf(start, {isKept: true})).path,
    () => relativeTo(surroundings.workspace, start),
  );
  if (makings.mayHold(fixed, options?.isKept ?? false)) return undefined;
  return within<readonly string[] | 'many' | undefined>(async () => {
    const found = await surroundings.matches(path, options);
    return found && found.length <= mostMatches ? found : 'many';
  }, nothing);
}

/** Reports a path that may go through a link which the command itself makes. */
async function missHiddenWay({surroundings, makings, miss}: Sight, whole: string): Promise<void> {
  if (!makings.hasOpaque()) return;
  const places = await Promise.all(
    foldersBeforeDots(whole).map(async (path) => surroundings.placeOf(path, {isKept: true})),
  );
  if (places.some((place) => makings.isOpaque(place) || makings.isUnsettled(place)))
    miss({word: whole, why: 'may go through a link that this command makes'});
}

/** The folders followed by `..` in a path. Where one is a link, `..` leads to the parent of its target. */
function foldersBeforeDots(path: string): readonly string[] {
  const names = path.split('/');
  return names.flatMap((name, at) => (name === '..' ? [names.slice(0, at).join('/') || '/'] : []));
}

/** A moved file has the state of its source. Below a possible link, or after git may have changed files, the state is unknown. */
function withMakings(place: Place, makings: Makings): Place {
  if (makings.isOpaque(place) || makings.isUnsettled(place)) {
    return {...place, state: 'unknown'};
  }
  const carried = makings.carriedTo(place.path);
  if (carried) return {...place, state: worstOf([carried, place.state])};
  return makings.isMade(place) ? {...place, isMade: true} : place;
}

export function absolute(path: string, folder: string | undefined): string | undefined {
  if (path.startsWith('/')) return path;
  return folder === undefined ? undefined : `${folder}/${path}`;
}

/** Computed from the texts alone. */
export function relativeTo(workspace: string, path: string): string {
  const whole = posix.normalize(path).replace(/(?<=.)\/$/, '');
  if (whole === workspace) return '';
  return whole.startsWith(`${workspace}/`) ? whole.slice(workspace.length + 1) : whole;
}

const nothing = () => undefined;
