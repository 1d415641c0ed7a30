/** The reasons why something in the workspace could not be accessed: the operating system's errors as outcomes. */

import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';

export type Denial = Extract<ToolOutcome, {readonly kind: 'refused' | 'failed'}>;

export type Attempt<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly denial: Denial};

/** Carries a denial out of a walk. Never leaves tools/workspace/. */
export class Denied extends Error {
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(denial.message);
    this.denial = denial;
  }
}

/** Against the rules: nothing was touched. */
export function refused(code: string, message: string): Denial {
  return {kind: 'refused', code, message};
}

export function failed(code: string, message: string): Denial {
  return {kind: 'failed', code, message};
}

/** Runs `act`; its errors about `path` become denials. Rethrows errors that are not from the operating system. */
export function attempt<T>(path: string, act: () => T): Attempt<T> {
  try {
    return {ok: true, value: act()};
  } catch (error) {
    return {ok: false, denial: denialOf(error, path)};
  }
}

/** The denial for an error about `path`. Rethrows an error that is not from the operating system. */
export function denialOf(error: unknown, path: string): Denial {
  if (error instanceof Denied) return error.denial;
  const code = errorCode(error);
  if (code === undefined) throw error;
  const shown = escapeLine(path);
  return known[code]?.(shown) ?? ioFailure(code, shown);
}

/** The `code` of a system error of any realm: errors of `node:vm` are not instances of this realm's Error. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const known: Readonly<Record<string, (path: string) => Denial>> = {
  ENOENT: (path) => failed('not_found', `${path} does not exist; list the files to find its name`),
  ENOTDIR: (path) => failed('not_found', `${path}: a part of the path is a file, not a folder`),
  ENAMETOOLONG: (path) =>
    refused('name_too_long', `the path ${path.slice(0, 80)}… is too long; use a shorter one`),
  ELOOP: (path) => refused('symlink', `${path} is a link that leads in a circle`),
  ENXIO: (path) => refused('not_regular', `${path} is a socket or a pipe, not a file`),
  EACCES: (path) => failed('io', `${path}: permission denied`),
  EPERM: (path) => failed('io', `${path}: not permitted`),
  EROFS: (path) => failed('io', `${path}: the file system is read-only`),
};

/** Shortages of the machine: nothing about the call is wrong, and it was not made. */
const shortages: Readonly<Record<string, string>> = {
  EMFILE: 'this process has no file descriptor left',
  ENFILE: 'the machine has no file descriptor left',
  ENOMEM: 'the machine has no memory left',
};

/** The code of a denial that says: the machine is short of something, so that the call did not begin. */
export const shortageCode = 'shortage';

/** The resource that the machine lacks, in words; undefined for another error. */
export function shortageIn(error: unknown): string | undefined {
  const code = errorCode(error) ?? '';
  const what = Object.hasOwn(shortages, code) ? shortages[code] : undefined;
  return what === undefined ? undefined : `${what} (${code})`;
}

/** The same for an error of starting a program: EINVAL is a descriptor that Node can't use, because there are too many. */
export function shortageAtStart(error: unknown): string | undefined {
  const code = errorCode(error) ?? '';
  const isOfStarts = code === 'EAGAIN' || code === 'EINVAL';
  return isOfStarts ? `the machine can't start another program (${code})` : shortageIn(error);
}

function ioFailure(code: string, path: string): Denial {
  const lack = shortageIn({code});
  if (lack !== undefined) return failed(shortageCode, lack);

  const reason = code === 'ENOSPC' ? 'the disk is full (ENOSPC)' : code;
  return {...failed('io', `${path}: ${reason}`), kind: 'failed', retryable: true};
}
