/** What lies deeper in a workspace and is guarded: other repositories, sockets, files that hold credentials. */

import type {Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';

import {credentialFiles, isCredentialPlace} from '../../../machines/domain/places.ts';
import {foldersBetween, type Guarded, isBelow, realPathOf, statsOf} from './guarded.ts';

export interface Nested {
  readonly places: readonly Guarded[];
  /** Masked files and folders of credentials. */
  readonly hidden: readonly Guarded[];
}

/** Folders that are looked through: the outermost first, and no package's. */
const maxFolders = 4_000;
const isPassedBy: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Files of keys and passwords that stay as they are, for nothing brings them back: git does not know them. Hidden are more
 * of them: all that may hold some.
 */
const maxSecrets = {kept: 20, hidden: 1_000};

/**
 * Repositories are read-only as a whole, as are files of credentials that are not hidden; behind a socket somebody may
 * listen. Never rejects.
 */
export async function nestedIn(workspace: string, hidesCredentials: boolean): Promise<Nested> {
  const isSecret = hidesCredentials ? mayHoldCredentials : isSecretFile;
  const {found} = await entriesBelow(
    [workspace],
    maxFolders,
    (entry) => isPlace(entry) || isSecret(entry, relative(workspace, pathOf(entry))),
  );
  const places = found.filter(isPlace).flatMap((entry) => placeOf(entry, workspace));
  const secrets = found.filter((entry) => !isPlace(entry)).map(pathOf);
  return hidesCredentials
    ? {places, hidden: secrets.slice(0, maxSecrets.hidden).flatMap(maskedIn(workspace))}
    : {places: [...places, ...secrets.slice(0, maxSecrets.kept).map(shut)], hidden: []};
}

export interface Below {
  readonly found: readonly Dirent[];
  /** There are more folders than may be looked through. */
  readonly isPart: boolean;
}

export async function entriesBelow(
  folders: readonly string[],
  left: number,
  isWanted: (entry: Dirent) => boolean,
): Promise<Below> {
  const entries = (await Promise.all(folders.slice(0, left).map(entriesOf))).flat();
  const found = entries.filter(isWanted);
  const next = entries
    .filter((entry) => entry.isDirectory() && !isPassedBy.has(entry.name))
    .map(pathOf);
  if (next.length === 0 || left <= folders.length) {
    return {found, isPart: next.length > 0 || left < folders.length};
  }
  const below = await entriesBelow(next, left - folders.length, isWanted);
  return {found: [...found, ...below.found], isPart: below.isPart};
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}

export function pathOf({parentPath, name}: Dirent): string {
  return join(parentPath, name);
}

function isPlace(entry: Dirent): boolean {
  return entry.isSocket() || entry.name === '.git';
}

function placeOf(entry: Dirent, workspace: string): Guarded[] {
  const path = pathOf(entry);
  if (entry.isSocket()) return [{path, as: 'masked'}];
  if (dirname(path) === workspace || statsOf(path)?.isSymbolicLink() === true) return [];
  const way = foldersBetween(workspace, path).map((at): Guarded => ({path: at, as: 'pinned'}));
  return [...way, {path, as: 'shut'}];
}

const secretNames: ReadonlySet<string> = new Set(credentialFiles);

function isSecretFile(entry: Dirent): boolean {
  const {name} = entry;
  const isSecret = secretNames.has(name) || (name.startsWith('.env') && isCredentialPlace(name));
  return isSecret && entry.isFile();
}

/** A file or a link by its own name, a folder by what it makes of all that it holds. */
function mayHoldCredentials(entry: Dirent, path: string): boolean {
  return isCredentialPlace(entry.isDirectory() ? `${path}/x` : path);
}

function shut(path: string): Guarded {
  return {path, as: 'shut'};
}

/** What a link leads to elsewhere is not seen from inside. */
function maskedIn(workspace: string) {
  return (path: string): Guarded[] => {
    const target = realPathOf(path);
    return target !== undefined && isBelow(workspace, target) ? [{path: target, as: 'masked'}] : [];
  };
}
