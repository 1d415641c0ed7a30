/** What of a workspace a command may not change, as it is found when one is about to run. */

import {basename, dirname, join, relative} from 'node:path';

import {
  credentialFiles,
  credentialFolders,
  heldPlaces,
  mayHoldProtected,
  protectedKind,
  repositories,
} from '../../../machines/domain/places.ts';
import type {Enclosure} from './confiner.ts';
import {
  type Guard,
  type Guarded,
  isBelow,
  merged,
  namesIn,
  realPathOf,
  statsOf,
} from './guarded.ts';
import {isLeftover} from './held-places.ts';
import {nestedIn} from './nested.ts';
import {guardAt, guardLinked, guardRepository} from './repository.ts';

/**
 * Never rejects. Of a home folder that lies in the workspace (`HOME` of the user's own environment) the credentials are masked
 * for every command.
 */
export async function guardWorkspace({
  workspace,
  env,
  holdsGit = false,
  hidesCredentials = false,
}: Omit<Enclosure, 'folder'>): Promise<Guard> {
  const links: string[] = [];
  const top = protectedIn(workspace).flatMap((path) =>
    guardEntry(path, workspace, {links, holdsGit}),
  );
  const held = heldPlaces
    .map((path) => join(workspace, path))
    .filter((path) => !isThere(path) && isPlain(dirname(path)))
    .flatMap((path) => guardAt(path, workspace, 'folder'));
  const deep = await nestedIn(workspace, hidesCredentials);
  const own = credentialsIn(workspace, env['HOME']);
  return {
    places: merged([...top, ...held, ...deep.places, ...deep.hidden, ...own]),
    links,
    notes: hiddenNote(deep.hidden.map(({path}) => relative(workspace, path))),
  };
}

const maxNamed = 5;

function hiddenNote(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  const named = `${paths.slice(0, maxNamed).join(', ')}${more}`;
  return [
    `closed to this command, as nobody can tell what it reads and they may hold credentials: ${named}`,
  ];
}

/** Absolute paths of what is protected in the workspace itself, or in a folder that may hold such things. */
export function protectedIn(workspace: string): string[] {
  const names = namesIn(workspace).flatMap((name) =>
    mayHoldProtected.includes(name) && isPlain(join(workspace, name))
      ? namesIn(join(workspace, name)).map((part) => `${name}/${part}`)
      : [name],
  );
  return names
    .filter((path) => protectedKind(path) !== undefined)
    .map((path) => join(workspace, path))
    .filter((path) => !isLeftover(path));
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined && !isLeftover(path);
}

/** Nothing yet, or a folder: something can be held in it. */
function isPlain(path: string): boolean {
  const stats = statsOf(path);
  return stats === undefined || stats.isDirectory();
}

interface Terms {
  /** Takes what is found. */
  readonly links: string[];
  readonly holdsGit: boolean;
}

function guardEntry(path: string, workspace: string, terms: Terms): readonly Guarded[] {
  const stats = statsOf(path);
  if (stats?.isSymbolicLink() === true) {
    terms.links.push(path);
    const target = realPathOf(path);
    return target !== undefined && isBelow(workspace, target) ? guardAt(target, workspace) : [];
  }
  const name = basename(path);
  if (!Object.hasOwn(repositories, name)) return guardAt(path, workspace);
  const places =
    stats?.isDirectory() === true ? guardRepository(path, workspace) : guardLinked(path);
  return terms.holdsGit ? places.flatMap(heldAsAWhole(path, workspace)) : places;
}

/** What is elsewhere in the workspace, such as hooks, is guarded as it was. */
function heldAsAWhole(repository: string, workspace: string) {
  return (place: Guarded): Guarded[] => {
    const {path, held} = place;
    const isIn = isBelow(repository, path);
    if (isBelow(workspace, path) && path !== repository && !isIn) return [place];
    return isIn || held !== undefined ? [] : [{path, as: 'shut'}];
  };
}

/** Of a home folder that is worked in: the sandbox has a home of its own. */
function credentialsIn(workspace: string, home: string | undefined): Guarded[] {
  if (home === undefined || (home !== workspace && !isBelow(workspace, home))) return [];
  return [...credentialFolders, ...credentialFiles]
    .map((name) => realPathOf(join(home, name)))
    .filter((path) => path !== undefined)
    .filter((path) => isBelow(workspace, path))
    .map((path) => ({path, as: 'masked'}));
}
