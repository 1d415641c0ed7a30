/** Permissions of the file that a path names; a link is not followed. */

import {chmodSync, closeSync, constants, fchmodSync, openSync} from 'node:fs';

import {errorCode} from './denial.ts';
import {openable} from './own-state.ts';

/** Linux's `O_PATH`: for files that may not be read. */
const pathOnly = 0o10_000_000;

/** `mode`: permission bits. Throws the operating system's error. */
export function changeMode(path: string, mode: number): void {
  const {O_NONBLOCK, O_RDONLY} = constants;
  try {
    withOpen(path, O_RDONLY | O_NONBLOCK, (fd) => fchmodSync(fd, mode));
  } catch (error) {
    if (errorCode(error) !== 'EACCES' || process.platform !== 'linux') throw error;
    withOpen(path, pathOnly, (fd) => chmodSync(`/proc/self/fd/${fd}`, mode));
  }
}

function withOpen(path: string, how: number, act: (fd: number) => void): void {
  const fd = openSync(openable(path), how | constants.O_NOFOLLOW);
  try {
    act(fd);
  } finally {
    closeSync(fd);
  }
}
