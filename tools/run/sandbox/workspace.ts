/** The places of a workspace that a command may not change, found just before it runs. */

import {basename, dirname, join} from 'node:path';

import {
  credentialFiles,
  credentialFolders,
  reservedPaths,
  mayHoldProtected,
  protectedKind,
  repositories,
} from '../../../machines/places/places.ts';
import {
  isBelow,
  merged,
  namesIn,
  nestedIn,
  realPathOf,
  statsOf,
  type Guard,
  type Guarded,
} from '../../containment/guarded.ts';
import {closedAmong} from './closed.ts';
import type {Enclosure} from './confiner.ts';
import {guardAt, guardLinked, guardRepository} from './repository.ts';
import {isLeftover} from './reserved-paths.ts';

/**
 * Never rejects. `holdsPlaces`: protected places in any folder are read-only, not only those of the workspace itself. In a home
 * folder (`HOME` of the user's environment) in the workspace, credentials are closed as well.
 */
export async function guardWorkspace({
  workspace,
  env,
  holdsGit = false,
  isUnknown = false,
  holdsPlaces = holdsGit,
  ...opening
}: Omit<Enclosure, 'folder'> & {readonly holdsPlaces?: boolean | undefined}): Promise<Guard> {
  const links: string[] = [];
  const top = protectedIn(workspace).flatMap((path) =>
    guardEntry(path, workspace, {links, holdsGit}),
  );
  const held = reservedPaths
    .map((path) => join(workspace, path))
    .filter((path) => !isThere(path) && isPlain(dirname(path)))
    .flatMap((path) => guardAt(path, workspace, 'folder'));
  const deep = await nestedIn(workspace);
  const credentials = [...deep.credentials, ...credentialsOfHome(workspace, env['HOME'])];
  const {closed, barred, readable} = await closedAmong(credentials, workspace, opening);
  const masked = closed.map((path): Guarded => ({
    path,
    as: barred.includes(path) ? 'barred' : 'masked',
  }));
  const shut = readable
    .filter((path) => opening.opened?.includes(path) === true || isSettings(basename(path)))
    .map((path): Guarded => ({path, as: 'shut'}));
  return {
    places: merged([
      ...top,
      ...held,
      ...deep.places,
      ...(holdsPlaces ? guardAll(deep.reserved, workspace) : []),
      ...(isUnknown ? guardPackages(deep.packages, workspace) : []),
      ...masked,
      ...shut,
    ]),
    links,
    packages: isUnknown ? deep.packages : [],
    closed,
  };
}

/** Folders in which tools keep data between runs. */
const caches = ['.cache', '.vite', '.vite-temp', '.vitest', '.tmp'];

function guardAll(paths: readonly string[], workspace: string): Guarded[] {
  return paths
    .filter((path) => statsOf(path)?.isSymbolicLink() === false)
    .flatMap((path) => guardAt(path, workspace));
}

/** Unknown code must not change packages: they later run without another check. */
function guardPackages(packages: readonly string[], workspace: string): Guarded[] {
  const caching = packages.flatMap((folder) =>
    basename(folder) === 'node_modules' ? caches.map((name) => join(folder, name)) : [],
  );
  return [
    ...guardAll(packages, workspace),
    ...caching.filter((path) => isPlain(path)).map((path) => cacheAt(path)),
  ];
}

function cacheAt(path: string): Guarded {
  return isThere(path) ? {path, as: 'pinned'} : {path, as: 'pinned', held: 'folder'};
}

/** Absolute paths of protected places in the workspace itself, or in a folder that may contain some. */
export function protectedIn(workspace: string): string[] {
  return ['', ...mayHoldProtected]
    .filter((folder) => isPlain(join(workspace, folder)))
    .flatMap((folder) => namesIn(join(workspace, folder)).map((name) => join(folder, name)))
    .filter((path) => protectedKind(path) !== undefined)
    .map((path) => join(workspace, path))
    .filter((path) => !isLeftover(path));
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined && !isLeftover(path);
}

/** Nothing yet, or a folder: a placeholder can be made in it. */
function isPlain(path: string): boolean {
  const stats = statsOf(path);
  return stats === undefined || stats.isDirectory();
}

interface Terms {
  /** Collects the links found. */
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

/** Places elsewhere in the workspace, such as hooks, stay guarded as before. */
function heldAsAWhole(repository: string, workspace: string) {
  return (place: Guarded): Guarded[] => {
    const {path, held} = place;
    const isIn = isBelow(repository, path);
    if (isBelow(workspace, path) && path !== repository && !isIn) return [place];
    return isIn || held !== undefined ? [] : [{path, as: 'shut'}];
  };
}

/** Files that git seldom tracks, so that nothing restores them. A checkout may replace the others. */
function isSettings(name: string): boolean {
  return credentialFiles.includes(name) || name.startsWith('.env');
}

/** For a workspace in a home folder: the sandbox has a home of its own. */
function credentialsOfHome(workspace: string, home: string | undefined): string[] {
  if (home === undefined || (home !== workspace && !isBelow(workspace, home))) return [];
  return [...credentialFolders, ...credentialFiles]
    .map((name) => join(home, name))
    .filter((path) => statsOf(path) !== undefined);
}
