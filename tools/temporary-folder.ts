/** The folder for temporary files: that of the system, or one in memory where it can't be used. */

import {accessSync, constants} from 'node:fs';
import {tmpdir} from 'node:os';

import {AppError} from '../machines/domain/app-error.ts';
import {errorCode} from './containment/denial.ts';

/** Absolute. Throws AppError `io` if there is none. */
export function temporaryFolder(folders: readonly string[] = temporaryFolders()): string {
  const usable = folders.find((folder) => temporaryProblem(folder) === undefined);
  if (usable !== undefined) return usable;
  const [first = ''] = folders;
  throw new AppError(
    'io',
    `the temporary folder ${first} can't be used (${temporaryProblem(first)}); set TMPDIR to a folder that you can write`,
  );
}

/** In the order in which they are tried. */
export function temporaryFolders(): readonly string[] {
  const inMemory = [process.env['XDG_RUNTIME_DIR'] ?? '', '/dev/shm'];
  return [tmpdir(), ...inMemory.filter((folder) => folder !== '')];
}

/** The code of the operating system; undefined for a folder that can be written. */
export function temporaryProblem(folder: string): string | undefined {
  try {
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return errorCode(error) ?? 'io';
  }
}
