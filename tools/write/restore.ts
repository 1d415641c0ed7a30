/** A file brought back to what it held before: written, or removed when there was none. */

import {lstatSync, rmdirSync, rmSync, type Stats} from 'node:fs';

import {type Attempt, denialOf} from '../containment/denial.ts';
import {openFolder} from '../containment/folder.ts';
import {followNothing} from '../containment/follow.ts';
import {fileParts} from '../read/read.ts';
import {baseOf, checkBase, currentFile, readForWrite, syncFolder, writeInside} from './write.ts';

export interface Restoring {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** Relative to it. */
  readonly path: string;
  /** SHA-256 of what the file must hold until then, or 'absent'. */
  readonly expected: string;
  /** Epoch ms: when the file goes, so do the folders above it that were made since then and hold nothing any more. */
  readonly foldersSince: number;
  /** Absent: the file goes. */
  readonly to?: {readonly content: Uint8Array; readonly mode: number};
}

/** SHA-256 of what the file holds, or 'absent'. Denied for what is no regular file, is too large, or is reached by a link. */
export function heldBy(workspace: string, path: string): Attempt<string> {
  const current = readForWrite(workspace, path);
  return current.ok ? {ok: true, value: baseOf(current.value.before)} : current;
}

/** Denied `stale_base` when the file is not as expected: then nothing has changed. */
export async function restoreFile(restoring: Restoring): Promise<Attempt<void>> {
  const {workspace, path, expected, to} = restoring;
  if (!to) return await removeFile(restoring);
  const order = {workspace, path, basedOn: expected, createDirs: true, ...to};
  const written = await writeInside(order);
  return written.ok ? {ok: true, value: undefined} : written;
}

async function removeFile({
  workspace,
  path,
  expected,
  foldersSince,
}: Restoring): Promise<Attempt<void>> {
  const parts = fileParts(workspace, path);
  if (!parts.ok) return parts;
  try {
    const folder = openFolder(workspace, parts.value.slice(0, -1));
    try {
      const current = followNothing(parts.value, () => currentFile(folder, parts.value));
      checkBase(parts.value, current, expected);
      rmSync(folder.reach(parts.value.at(-1) ?? ''));
      await syncFolder(folder);
    } finally {
      folder.close();
    }
    removeFolders(workspace, parts.value.slice(0, -1), foldersSince);
    return {ok: true, value: undefined};
  } catch (error) {
    return {ok: false, denial: denialOf(error, path)};
  }
}

/** From the inmost outwards, up to the first that is older, holds something or can't be removed. */
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

/** File systems that keep no time of making tell another one: then nobody knows. */
function wasMadeSince(folder: Stats, since: number): boolean {
  const {birthtimeMs, ctimeMs} = folder;
  return folder.isDirectory() && birthtimeMs >= since && birthtimeMs < ctimeMs;
}
