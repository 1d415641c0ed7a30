/** A file brought back to what it held before: written, or removed when there was none. */

import {rmSync} from 'node:fs';

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
  /** Absent: the file goes. */
  readonly to?: {readonly content: Uint8Array; readonly mode: number};
}

/** SHA-256 of what the file holds, or 'absent'. Denied for what is no regular file, is too large, or is reached by a link. */
export function heldBy(workspace: string, path: string): Attempt<string> {
  const current = readForWrite(workspace, path);
  return current.ok ? {ok: true, value: baseOf(current.value.before)} : current;
}

/** Denied `stale_base` when the file is not as expected: then nothing has changed. */
export async function restoreFile({
  workspace,
  path,
  expected,
  to,
}: Restoring): Promise<Attempt<void>> {
  if (!to) return await removeFile(workspace, path, expected);
  const order = {workspace, path, basedOn: expected, createDirs: true, ...to};
  const written = await writeInside(order);
  return written.ok ? {ok: true, value: undefined} : written;
}

async function removeFile(
  workspace: string,
  path: string,
  expected: string,
): Promise<Attempt<void>> {
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
    return {ok: true, value: undefined};
  } catch (error) {
    return {ok: false, denial: denialOf(error, path)};
  }
}
