/** What SQLite and the file system report, as AppErrors that name the file and the next step. */

import {AppError} from '../../machines/domain/app-error.ts';

const CORRUPT: ReadonlySet<number> = new Set([1, 11, 26]);
const LOCKED: ReadonlySet<number> = new Set([5, 6]);
const NEXT_STEPS: ReadonlyMap<number, string> = new Map([
  [8, 'make the file and its folder writable'],
  [13, 'free some space, then resume'],
  [14, 'check that its folder exists and can be written to'],
]);
const NOT_A_DATABASE = 26;
const PRIMARY_KEY_TAKEN = 1555;

/** A bug of ours, which is none of these, comes back as it is. */
export function translateError(path: string, error: unknown): unknown {
  const {code, errcode} = codesOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (errcode !== undefined) return translateSqlite(path, errcode, message, error);
  if (code === 'ERR_INVALID_STATE') {
    return new AppError('io', `${path}: the journal is closed; open it again`, {cause: error});
  }
  if (code === 'ERR_OUT_OF_RANGE') return damaged(path, message, error);
  if (error instanceof Error && 'syscall' in error) {
    return new AppError('io', `${path}: ${message}; check the disk and the permissions`, {
      cause: error,
    });
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

/** Another process has written an entry at the same place. */
export function isPlaceTaken(error: unknown): boolean {
  return codesOf(error).errcode === PRIMARY_KEY_TAKEN;
}

export function isNotDatabase(error: unknown): boolean {
  return primary(codesOf(error).errcode ?? 0) === NOT_A_DATABASE;
}

function translateSqlite(path: string, errcode: number, message: string, cause: unknown): AppError {
  const kind = primary(errcode);
  if (CORRUPT.has(kind)) return damaged(path, message, cause);
  if (LOCKED.has(kind)) {
    return new AppError('io', `${path}: another process keeps the journal locked; try again`, {
      cause,
    });
  }
  const next = NEXT_STEPS.get(kind) ?? 'check the disk and the permissions';
  return new AppError('io', `${path}: ${message}; ${next}`, {cause});
}

/** Another connection holds a lock. */
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
