/** Restores the earlier state of a path: the file is written, the link or folder made, permissions set, or the path removed. */

import {
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
} from 'node:fs';

import {type Attempt, Denied, denialOf, errorCode, failed} from '../containment/denial.ts';
import {changeMode, type Folder, openFolder, followNothing} from '../containment/folder.ts';
import {escapeLine} from '../escape.ts';
import {fileParts, maxFileBytes, readIn, sha256} from '../read/read.ts';
import {kindOf, linkState, unreadState} from '../run/snapshot/entry.ts';
import {staleBase, syncFolder, writeInside} from './write.ts';

/** The current state of a path. */
export interface Held {
  /** As in a `Replacement`, or 'absent'. */
  readonly state: string;
  /** `st_mode`; 0 if absent. */
  readonly mode: number;
  /** The number of hard links; 1 for a folder, 0 if absent. */
  readonly names: number;
}

export interface Restoring {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** Relative to it. */
  readonly path: string;
  /** The state that the path must have until then. */
  readonly expected: string;
  /** Epoch ms: with a removed file, the folders above it that were made since then and are empty are removed as well. */
  readonly foldersSince: number;
  /** Absent: it is removed. `content`: also the target of a link. `mode`: with the type of `st_mode`; without a type, a file. */
  readonly to?: {readonly state: string; readonly content: Uint8Array; readonly mode: number};
}

/** Denied for anything but a file, link or folder, and for a path through a link. */
export function heldBy(workspace: string, path: string): Attempt<Held> {
  return inFolderOf(workspace, path, lookAt, absent);
}

const absent: Held = {state: 'absent', mode: 0, names: 0};

function lookAt(folder: Folder, parts: readonly string[]): Held {
  const name = parts.at(-1) ?? '';
  const stats = lstatSync(folder.reach(name), {throwIfNoEntry: false});
  if (!stats) return absent;
  const {mode} = stats;
  if (stats.isDirectory()) return {state: 'folder', mode, names: 1};
  if (stats.isSymbolicLink()) {
    return {state: linkState(readlinkSync(folder.reach(name))), mode, names: stats.nlink};
  }
  return {state: fileState(folder, parts, stats), mode, names: stats.nlink};
}

function fileState(folder: Folder, parts: readonly string[], stats: Stats): string {
  if (stats.isFile() && stats.size > maxFileBytes) return unreadState(stats);
  try {
    return sha256(readIn(folder, parts.at(-1) ?? '', parts.length - 1, maxFileBytes).bytes);
  } catch (error) {
    if (errorCode(error) === 'EACCES') return unreadState(stats);
    throw error;
  }
}

/** Denied `stale_base` when the current state is not as expected: then nothing has changed. */
export async function restore(restoring: Restoring): Promise<Attempt<void>> {
  const {workspace, path, expected, to} = restoring;
  if (!to) return await remove(restoring);
  if (to.state === expected) return setMode(restoring, to.mode);
  const isFile = kindOf(to.mode) === 'file';
  const isKept = expected === 'absent' || (isFile && isOwnFile(restoring));
  const cleared = isKept ? done : await clear(restoring);
  if (!cleared.ok) return cleared;
  if (!isFile) return put(restoring, to);
  const {content, mode} = to;
  const basedOn = isKept ? expected : 'absent';
  const order = {workspace, path, basedOn, createDirs: true, content, mode: mode & 0o7777};
  const written = await writeInside(order);
  return written.ok ? done : written;
}

const done: Attempt<void> = {ok: true, value: undefined};

/** A folder may have been removed already, with its last entry. */
async function clear(restoring: Restoring): Promise<Attempt<void>> {
  const {workspace, path, expected} = restoring;
  const held = heldBy(workspace, path);
  if (expected === 'folder' && held.ok && held.value.state === 'absent') return done;
  return await remove({...restoring, foldersSince: Infinity});
}

/** A file without other names (hard links): a write would be denied for the sake of those. */
function isOwnFile({workspace, path, expected}: Restoring): boolean {
  if (!isFileState(expected)) return false;
  const held = heldBy(workspace, path);
  return held.ok && held.value.names <= 1;
}

function isFileState(state: string): boolean {
  return /^[0-9a-f]{64}$/.test(state);
}

function put({workspace, path}: Restoring, to: NonNullable<Restoring['to']>): Attempt<void> {
  const isLink = kindOf(to.mode) === 'link';
  return inFolderOf(workspace, path, (folder, parts) => {
    const place = folder.reach(parts.at(-1) ?? '');
    if (isLink) symlinkSync(Buffer.from(to.content).toString(), place);
    else mkdirSync(place);
  });
}

function setMode({workspace, path, expected}: Restoring, mode: number): Attempt<void> {
  return inFolderOf(workspace, path, (folder, parts) => {
    checkState(folder, parts, expected);
    changeMode(folder.reach(parts.at(-1) ?? ''), mode & 0o7777);
  });
}

async function remove(restoring: Restoring): Promise<Attempt<void>> {
  const {workspace, path, expected, foldersSince} = restoring;
  const parts = fileParts(workspace, path);
  if (!parts.ok) return parts;
  try {
    const folder = openFolder(workspace, parts.value.slice(0, -1));
    try {
      checkState(folder, parts.value, expected);
      const place = folder.reach(parts.value.at(-1) ?? '');
      if (expected === 'folder') removeEmpty(place, path);
      else rmSync(place);
      await syncFolder(folder);
    } finally {
      folder.close();
    }
    removeFolders(workspace, parts.value.slice(0, -1), foldersSince);
    return done;
  } catch (error) {
    return {ok: false, denial: denialOf(error, path)};
  }
}

function removeEmpty(place: string, path: string): void {
  try {
    rmdirSync(place);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY') throw error;
    throw new Denied(
      failed('io', `${escapeLine(path)} contains entries that the run did not make`),
    );
  }
}

/** Throws `Denied` `stale_base`. */
function checkState(folder: Folder, parts: readonly string[], expected: string): void {
  const {state} = followNothing(parts, () => lookAt(folder, parts));
  if (state !== expected) throw staleBase(parts);
}

/** Acts in the parent folder of the path; returns `otherwise` if that folder does not exist. */
function inFolderOf<T>(
  workspace: string,
  path: string,
  act: (folder: Folder, parts: readonly string[]) => T,
  ...otherwise: readonly T[]
): Attempt<T> {
  const parts = fileParts(workspace, path);
  if (!parts.ok) return parts;
  try {
    const value = followNothing(parts.value, (current) => {
      const folder = openFolder(workspace, current.slice(0, -1));
      try {
        return act(folder, current);
      } finally {
        folder.close();
      }
    });
    return {ok: true, value};
  } catch (error) {
    const [value] = otherwise;
    const isMissing = errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
    if (value !== undefined && isMissing) return {ok: true, value};
    return {ok: false, denial: denialOf(error, path)};
  }
}

/** From the innermost outwards, up to the first one that is older, not empty or can't be removed. */
function removeFolders(workspace: string, parts: readonly string[], since: number): void {
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const outer = openFolder(workspace, parts.slice(0, depth - 1));
    try {
      const path = outer.reach(parts[depth - 1] ?? '');
      if (!wasMadeSince(lstatSync(path), since)) return;
      rmdirSync(path);
    } catch {
      return;
    } finally {
      outer.close();
    }
  }
}

/** File systems without a creation time report another time: then it is unknown. */
function wasMadeSince(folder: Stats, since: number): boolean {
  const {birthtimeMs, ctimeMs} = folder;
  return folder.isDirectory() && birthtimeMs >= since && birthtimeMs < ctimeMs;
}
