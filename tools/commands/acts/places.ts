/** Looks at places for a command: within a time, with an eye on what the command itself has made before. */

import {posix} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

import type {Effect, Place} from '../effect.ts';
import type {LookOptions, Surroundings} from '../surroundings.ts';
import type {Ledger} from '../walk/ledger.ts';
import {createMakings, isWithin, worstOf, type Makings} from './makings.ts';

const busyMs = 2_000;
const waitMs = 10_000;
const mostMatches = 200;

export interface Places {
  readonly workspace: string;
  readonly makings: Makings;
  readonly look: (
    path: string,
    folder: string | undefined,
    options?: LookOptions,
  ) => Promise<Place>;
  /** Absolute, links resolved as the system does; undefined: not known. */
  readonly realFolder: (path: string, folder: string | undefined) => Promise<string | undefined>;
  readonly textOf: (place: Place) => Promise<string | undefined>;
  /** Undefined: the command itself has changed what there is to match, or it can't be looked at. */
  readonly matches: (
    pattern: string,
    folder: string | undefined,
    options?: Pick<LookOptions, 'isKept'>,
  ) => Promise<readonly string[] | 'many' | undefined>;
  /** All that a pattern stands for are names that can't fall apart or be read as options. */
  readonly isPlainPattern: (pattern: string, folder: string | undefined) => Promise<boolean>;
  /** A file that is truncated by a redirection before the same command reads it is emptied. */
  readonly truncates: (effect: Effect) => void;
  readonly settleTruncations: (ledger: Ledger, mark: number) => void;
  readonly files: Surroundings['files'];
  /** Paths that this run has written, or may have written. */
  readonly touched: () => ReadonlySet<string>;
  readonly isPublished: Surroundings['isPublished'];
  /** This run has written it, something below it or all that it lies in. */
  readonly isWritten: (path: string) => boolean;
  /** This run has written a file of this path below some folder. */
  readonly hasWritten: (path: string) => boolean;
}

/** Neither falls apart nor is an option. */
const plainName = /^[^\s*?[\\-][^\s*?[\\]*$/;

export function createPlaces(
  surroundings: Surroundings,
  {written, touched}: {readonly [Which in 'written' | 'touched']: ReadonlySet<string>},
  miss: Ledger['miss'],
): Places {
  const {workspace} = surroundings;
  const makings = createMakings();
  const within = createTimeLimit();
  const truncated = new Set<string>();
  const missHiddenWay = async (whole: string): Promise<void> => {
    if (!makings.hasOpaque()) return;
    const places = await Promise.all(
      foldersBeforeDots(whole).map(async (path) => surroundings.placeOf(path, {isKept: true})),
    );
    if (places.some((place) => makings.isOpaque(place.path) || makings.isUnsettled(place)))
      miss({word: whole, why: 'may go through a link that this command makes'});
  };
  const matches: Places['matches'] = async (pattern, folder, options) => {
    const path = absolute(pattern, folder);
    if (path === undefined) return undefined;
    const start = path.replace(/\/[^/]*[*?[].*$/s, '');
    await within(async () => missHiddenWay(start), nothing);
    const fixed = await within(
      async () => (await surroundings.placeOf(start, {isKept: true})).path,
      () => relativeTo(workspace, start),
    );
    if (makings.mayHold(fixed, options?.isKept ?? false)) return undefined;
    return within<readonly string[] | 'many' | undefined>(async () => {
      const found = await surroundings.matches(path, options);
      return found && found.length <= mostMatches ? found : 'many';
    }, nothing);
  };
  const look: Places['look'] = async (path, folder, options) => {
    const whole = absolute(path, folder);
    const unseen: Place = {path, inside: false, isFolder: false, state: 'unknown'};
    if (whole === undefined) return unseen;
    await within(async () => missHiddenWay(whole), nothing);
    const place = await within(
      async () => surroundings.placeOf(whole, {written, ...options}),
      () => {
        miss({word: path, why: 'looking at it takes too long'});
        return {...unseen, path: relativeTo(workspace, whole), inside: true};
      },
    );
    return withMakings(place, makings);
  };
  return {
    workspace,
    makings,
    matches,
    look,
    realFolder: async (path, folder) => {
      if (absolute(path, folder) === undefined) return undefined;
      const place = await look(path, folder, {isKept: true});
      return posix.resolve(workspace, place.path);
    },
    files: async () => within(surroundings.files, nothing),
    touched: () => touched,
    isPublished: async (folder) => within(async () => surroundings.isPublished(folder), nothing),
    textOf: async ({path}) => within(async () => surroundings.textOf(path), nothing),
    isPlainPattern: async (pattern, folder) => {
      const found = await matches(pattern, folder);
      if (found === undefined || found === 'many') return false;
      return found.every((path) => plainName.test(path) && !path.includes('/-'));
    },
    truncates: ({place}) => void (place && truncated.add(place.path)),
    settleTruncations: (ledger, mark) => {
      const read = new Set(readSince(ledger, mark));
      ledger.revise(mark, (effect) =>
        effect.kind === 'writes' &&
        effect.place &&
        truncated.has(effect.place.path) &&
        read.has(effect.place.path)
          ? {...effect, kind: 'empties'}
          : effect,
      );
    },
    hasWritten: (path) => [...written].some((each) => `/${each}`.endsWith(`/${path}`)),
    isWritten: (path) => [...written].some((each) => isWithin(each, path) || isWithin(path, each)),
  };
}

/** The folders from which a path goes upwards: where they are links it is the target's parent that it goes to. */
function foldersBeforeDots(path: string): readonly string[] {
  const names = path.split('/');
  return names.flatMap((name, at) => (name === '..' ? [names.slice(0, at).join('/') || '/'] : []));
}

function readSince(ledger: Ledger, mark: number): readonly string[] {
  return ledger
    .effects()
    .slice(mark)
    .flatMap(({kind, place}) => (kind === 'reads' && place ? [place.path] : []));
}

/** Where something was moved to it is what is there now; nothing is known below what may be a link, and of what git may have changed. */
function withMakings(place: Place, makings: Makings): Place {
  if (makings.isOpaque(place.path) || makings.isUnsettled(place)) {
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

/** By their texts alone. */
export function relativeTo(workspace: string, path: string): string {
  const whole = posix.normalize(path).replace(/(?<=.)\/$/, '');
  if (whole === workspace) return '';
  return whole.startsWith(`${workspace}/`) ? whole.slice(workspace.length + 1) : whole;
}

const nothing = () => undefined;

type TimeLimit = <T>(look: () => Promise<T>, otherwise: () => T) => Promise<T>;

/** All looking together takes no longer than this: of our own time, and of time that others take. */
function createTimeLimit(): TimeLimit {
  const started = process.threadCpuUsage();
  let waitedMs = 0;
  return async (look, otherwise) => {
    const {user, system} = process.threadCpuUsage(started);
    if ((user + system) / 1_000 > busyMs || waitedMs > waitMs) return otherwise();
    const start = performance.now();
    const stop = new AbortController();
    const late = sleep(waitMs - waitedMs, 'late' as const, {signal: stop.signal}).catch(
      () => 'late' as const,
    );
    try {
      const found = await Promise.race([look(), late]);
      return found === 'late' ? otherwise() : found;
    } catch {
      return otherwise();
    } finally {
      stop.abort();
      waitedMs += performance.now() - start;
    }
  };
}
