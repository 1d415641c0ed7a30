/** Translates errors of SQLite and of the file system to AppErrors that name the file and the next step. */

import {accessSync, constants, statfsSync} from 'node:fs';
import {dirname} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';

const CORRUPT: ReadonlySet<number> = new Set([1, 11, 26]);
const LOCKED: ReadonlySet<number> = new Set([5, 6]);
const FULL = 13;
const NOT_A_DATABASE = 26;
const KEY_TAKEN: ReadonlySet<number> = new Set([1555, 2067]);
/** Less free space counts as a full disk: SQLite needs a few pages to report a full disk itself. */
const FULL_BYTES = 64 * 1024;

const DISK_FULL = 'the disk is full; free some space';
const DISK_READ_ONLY = 'the disk is read-only; make it writable';
const FORBIDDEN = 'it is not writable; make the file and its folder writable';
const LINK_BROKEN = 'a broken link is in its place; remove the link';
const FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', DISK_FULL],
  ['EROFS', DISK_READ_ONLY],
  ['EACCES', FORBIDDEN],
  ['EPERM', FORBIDDEN],
  ['EEXIST', LINK_BROKEN],
  ['ENOENT', 'it is missing and cannot be created there; name another folder'],
  ['ENOTDIR', 'a file is in the place of its folder; name another folder'],
  ['ENAMETOOLONG', 'the path is too long; name a shorter folder'],
]);

/** Returns any other error, which is a bug, unchanged. */
export function translateError(path: string, error: unknown): unknown {
  const {code, errcode} = codesOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (errcode !== undefined) return translateSqlite(path, errcode, message, error);
  if (code === 'ERR_INVALID_STATE') {
    return new AppError('io', `${path}: the journal is closed; open it again`, {cause: error});
  }
  if (code === 'ERR_OUT_OF_RANGE') return damaged(path, message, error);
  if (error instanceof Error && 'syscall' in error) {
    const fault = FAULTS.get(code) ?? `${message}; check the disk and the permissions`;
    return new AppError('io', `${path}: ${fault}`, {cause: error});
  }
  return error;
}

export function damaged(path: string, what: string, cause?: unknown): AppError {
  return new AppError(
    'journal_corrupt',
    `${path}: not a sound journal: ${what}; restore it from a backup, or move it and the files beside it away to begin a new one`,
    {cause},
  );
}

/** The tables of live processes hold nothing of a recorded run. Any other error is returned unchanged. */
export function damagedAlive(path: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'journal_corrupt') return error;
  return new AppError(
    'journal_corrupt',
    `${path}: the tables of live processes are damaged, so that no run can begin or continue; recorded runs are not lost: ` +
      'quorate export ID writes one to a file; restore the journal from a backup, or move it and the files beside it away to begin a new one',
    {cause: error},
  );
}

/** The file that was opened or locked at `path` was removed or replaced. */
export function removed(path: string, what: string): AppError {
  return new AppError('io', `${path}: ${what} was removed while it was in use; put it back`);
}

/** Only the journal holds the entries of its runs, and the data that undoes their changes: they can't be resumed. */
export function journalRemoved(path: string): AppError {
  return new AppError(
    'not_found',
    `${path}: the journal was removed while it was in use: the record of its runs is lost, and their changes on disk can't be undone; ` +
      'only a backup of the journal that you restore continues them',
  );
}

/** True when another process has written to the same place. */
export function isPlaceTaken(error: unknown): boolean {
  return KEY_TAKEN.has(codesOf(error).errcode ?? 0);
}

export function isNotDatabase(error: unknown): boolean {
  return primary(codesOf(error).errcode ?? 0) === NOT_A_DATABASE;
}

/** True for an error, translated or SQLite's own, of a database that another process keeps locked. */
export function isLockedOut(error: unknown): boolean {
  const origin = error instanceof AppError ? error.cause : error;
  return LOCKED.has(primary(codesOf(origin).errcode ?? 0));
}

/** The error of operations that have waited too long for the lock. */
export function lockedTooLong(
  path: string,
  interactions: readonly string[],
  patienceMs: number,
  cause: unknown,
): AppError {
  const message = `${path}: another process has kept the journal locked for ${Math.round(patienceMs / 1000)} s; end it`;
  return resumable(new AppError('io', message, {cause}), interactions);
}

/** Adds to an error `io` how to resume the interactions once the store can be written again. */
export function resumable(error: AppError, interactions: readonly string[]): AppError {
  const [first, ...others] = new Set(interactions);
  if (error.code !== 'io' || first === undefined) return error;
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return new AppError('io', `${error.message}, then continue with quorate resume ${first}${rest}`, {
    cause: error.cause,
  });
}

function translateSqlite(path: string, errcode: number, message: string, cause: unknown): AppError {
  const kind = primary(errcode);
  if (CORRUPT.has(kind)) return damaged(path, message, cause);
  const fault = LOCKED.has(kind)
    ? 'another process keeps the journal locked; try again'
    : (diskFault(path, kind) ?? `${message}; check the disk and the permissions`);
  return new AppError('io', `${path}: ${fault}`, {cause});
}

/** The cause according to the file system, where SQLite only reports "disk I/O error" or "unable to open". */
function diskFault(path: string, kind: number): string | undefined {
  if (kind === FULL) return DISK_FULL;
  try {
    accessSync(dirname(path), constants.W_OK);
    accessSync(path, constants.W_OK);
    return hasNoRoom(dirname(path)) ? DISK_FULL : undefined;
  } catch (error) {
    return FAULTS.get(codesOf(error).code);
  }
}

/** True when the disk of a folder is full. Throws the errors of `statfsSync`. */
export function hasNoRoom(folder: string): boolean {
  const {bavail, bsize} = statfsSync(folder);
  return bavail * bsize < FULL_BYTES;
}

/** True when another connection holds a lock. */
export function isLocked(error: unknown): boolean {
  return LOCKED.has(primary(codesOf(error).errcode ?? 0));
}

/** Extended result codes carry the primary one in their low byte. */
function primary(errcode: number): number {
  return errcode & 0xff;
}

function codesOf(error: unknown): {code?: unknown; errcode?: number} {
  if (!(error instanceof Error)) return {};
  return {
    ...('code' in error ? {code: error.code} : {}),
    ...('errcode' in error && typeof error.errcode === 'number' ? {errcode: error.errcode} : {}),
  };
}
