/**
 * Writes a file of the workspace: completely or not at all, never through a link, never over a change that was not seen.
 *
 * temporary file in the same folder → fsync → compare with the base of the write → rename → fsync of the folder
 */

import {accessSync, constants, lstatSync, renameSync, rmSync, type Stats} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {posix} from 'node:path';

import {
  type Attempt,
  type Denial,
  Denied,
  attempt,
  denialOf,
  errorCode,
  failed,
  refused,
} from '../containment/denial.ts';
import {
  openFolder,
  refuseLookAlike,
  type Folder,
  type Holding,
  followNothing,
} from '../containment/folder.ts';
import {escapeLine} from '../escape.ts';
import {
  type FileFound,
  fileParts,
  type FileText,
  maxFileBytes,
  readIn,
  sha256,
} from '../read/read.ts';
import type {OnReplace, PendingFiles, Replacement} from '../tool.ts';
import {removeLeftovers, temporaryName} from './leftovers.ts';

export interface WriteOrder {
  readonly workspace: string;
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly createDirs: boolean;
  /** SHA-256 of the file's content until then, 'absent', or undefined: any content at the start of the write. */
  readonly basedOn?: string | undefined;
  /** Permission bits. Absent: those of the replaced file, or the default of a new one. */
  readonly mode?: number;
  readonly onReplace?: OnReplace | undefined;
  readonly holding?: Holding;
}

export interface Written {
  /** Relative to the workspace. */
  readonly path: string;
  readonly bytes: number;
  readonly created: boolean;
}

export interface BeforeWrite {
  /** Relative to the workspace. */
  readonly path: string;
  readonly before: FileText | undefined;
  readonly folderExists: boolean;
}

/** The file before a write; undefined when there is none. Links, hard links, non-files and names that look alike are denied. */
export function readForWrite(
  workspace: string,
  path: string,
  holding?: Holding,
): Attempt<BeforeWrite> {
  const parts = fileParts(workspace, path);
  if (!parts.ok) return parts;
  const shown = parts.value.join('/');
  return attempt(path, () =>
    followNothing(parts.value, (current) => {
      const folder = tryOpen(workspace, current.slice(0, -1), holding);
      if (!folder) return {path: shown, before: undefined, folderExists: false};
      try {
        const before = currentFile(folder, current);
        refuseLookAlike(folder, current.at(-1) ?? '', escapeLine(shown));
        return {path: shown, before, folderExists: true};
      } finally {
        folder.close();
      }
    }),
  );
}

/** For a preview: the file as the calls before it would leave it. */
export function readForPreview(
  workspace: string,
  path: string,
  pending: PendingFiles = new Map(),
): Attempt<BeforeWrite> {
  const current = readForWrite(workspace, path);
  if (!current.ok || pending.size === 0) return current;
  const {value} = current;
  const text = pending.get(value.path);
  const folder = posix.dirname(value.path);
  const folderExists =
    value.folderExists || [...pending.keys()].some((file) => file.startsWith(`${folder}/`));
  const before = text === undefined ? value.before : {path: value.path, bytes: Buffer.from(text)};
  return {ok: true, value: {...value, before, folderExists}};
}

function tryOpen(
  workspace: string,
  parts: readonly string[],
  holding?: Holding,
): Folder | undefined {
  try {
    return openFolder(workspace, parts, holding ? {holding} : {});
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces or makes the file. Denied `stale_base` when the file differs from the base of the write; nothing is left then. */
export async function writeInside(order: WriteOrder): Promise<Attempt<Written>> {
  const parts = fileParts(order.workspace, order.path);
  if (!parts.ok) return parts;
  const opened = attempt(order.path, () =>
    followNothing(parts.value, (current) => {
      const options = {
        create: order.createDirs,
        ...(order.holding ? {holding: order.holding} : {}),
      };
      return openFolder(order.workspace, current.slice(0, -1), options);
    }),
  );
  if (!opened.ok) {
    const isMissing = opened.denial.code === 'not_found' && !order.createDirs;
    return isMissing ? {ok: false, denial: missingFolder(order.path)} : opened;
  }
  try {
    await removeLeftovers(opened.value);
    return {ok: true, value: await replaceFile(opened.value, parts.value, order)};
  } catch (error) {
    return {ok: false, denial: denialOf(error, order.path)};
  } finally {
    opened.value.close();
  }
}

export function missingFolder(path: string): Denial {
  const message = `the folder of ${escapeLine(path)} does not exist; set create_dirs to make it`;
  return failed('not_found', message);
}

async function replaceFile(
  folder: Folder,
  parts: readonly string[],
  order: WriteOrder,
): Promise<Written> {
  const name = parts.at(-1) ?? '';
  const before = followNothing(parts, () => currentFile(folder, parts));
  const base = order.basedOn ?? baseOf(before);
  checkBase(parts, before, base);
  if (before) accessSync(folder.reach(name), constants.W_OK);
  const temporary = folder.reach(temporaryName());
  try {
    await writeTemporary(temporary, order, before?.stats);
    await reportReplaced(order, replacementOf(parts, before, sha256(order.content)));
    // From here to the rename no other code of this process can run.
    checkBase(
      parts,
      followNothing(parts, () => currentFile(folder, parts)),
      base,
    );
    renameSync(temporary, folder.reach(name));
  } catch (error) {
    rmSync(temporary, {force: true});
    throw error;
  }
  await syncFolder(folder);
  return {path: parts.join('/'), bytes: Buffer.byteLength(order.content), created: !before};
}

/** The file in its folder; undefined when there is none. Throws `LinkMet`, `Denied`. */
function currentFile(folder: Folder, parts: readonly string[]): FileFound | undefined {
  const name = parts.at(-1) ?? '';
  if (!lstatSync(folder.reach(name), {throwIfNoEntry: false})) return undefined;
  const found = readIn(folder, name, parts.length - 1, maxFileBytes);
  if (found.stats.nlink > 1) {
    const message = `${escapeLine(parts.join('/'))} has ${found.stats.nlink} names (hard links); it is not written to`;
    throw new Denied(refused('hard_link', message));
  }
  return {path: parts.join('/'), ...found};
}

export function baseOf(before: FileText | undefined): string {
  return before ? sha256(before.bytes) : 'absent';
}

/** Throws `Denied` `stale_base` when the file does not match `base`. */
function checkBase(parts: readonly string[], current: FileFound | undefined, base: string): void {
  if (baseOf(current) !== base) throw staleBase(parts);
}

export function staleBase(parts: readonly string[]): Denied {
  const message = `${escapeLine(parts.join('/'))} has changed since it was looked at; read it again`;
  return new Denied(failed('stale_base', message));
}

/** Throws `Denied` when the old content can't be stored. */
async function reportReplaced({onReplace}: WriteOrder, replacement: Replacement): Promise<void> {
  try {
    await onReplace?.([replacement]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const path = escapeLine(replacement.path);
    throw new Denied(
      failed(
        'io',
        `the old content of ${path} can't be stored, so the file stays unchanged: ${why}`,
      ),
    );
  }
}

function replacementOf(
  parts: readonly string[],
  before: FileFound | undefined,
  after: string,
): Replacement {
  const path = parts.join('/');
  if (!before) return {path, after};
  const {bytes: content, stats} = before;
  return {path, before: {state: baseOf(before), content, mode: permissionsOf(stats)}, after};
}

function permissionsOf({mode}: Stats): number {
  return mode & 0o777;
}

async function writeTemporary(
  path: string,
  {content, mode}: Pick<WriteOrder, 'content' | 'mode'>,
  like: Stats | undefined,
): Promise<void> {
  const {O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW} = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    await file.writeFile(content);
    if (like) await takeAfter(file, like);
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function takeAfter(file: FileHandle, like: Stats): Promise<void> {
  const own = await file.stat();
  // Only a privileged process may give a file away; any other keeps its own, as with every editor.
  if (own.uid !== like.uid || own.gid !== like.gid) {
    await file.chown(like.uid, like.gid).catch(() => undefined);
  }
  await file.chmod(permissionsOf(like));
}

export async function syncFolder(folder: Folder): Promise<void> {
  const handle = await open(folder.self, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
