/** Stores the contents of files one after the other in a single file that only its user may read. */

import {closeSync, constants, openSync, readSync, rmSync, writeSync} from 'node:fs';
import {join} from 'node:path';

import {temporaryFolder} from '../../temporary-folder.ts';
import {temporaryName} from '../../write/leftovers.ts';
import type {Kept} from './entry.ts';

export interface Pack {
  /** Bytes. */
  readonly size: () => number;
  /** Stores each content once. `hash` is its SHA-256. Throws the operating system's error. */
  readonly put: (hash: string, content: Uint8Array) => Kept;
  readonly get: (kept: Kept) => Buffer;
  readonly close: () => void;
}

/** Without a path the file has no name and disappears with the process. Throws the operating system's error. */
export function createPack(path?: string): Pack {
  const {O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW} = constants;
  const place = path ?? join(temporaryFolder(), temporaryName());
  const fd = openSync(place, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  if (path === undefined) rmSync(place);
  const known = new Map<string, Kept>();
  let size = 0;
  return {
    size: () => size,
    put: (hash, content) => {
      const there = known.get(hash);
      if (there) return there;
      const kept = {offset: size, length: content.length};
      writeAll(fd, content, size);
      size += content.length;
      known.set(hash, kept);
      return kept;
    },
    get: (kept) => readPack(fd, kept),
    close: () => closeSync(fd),
  };
}

/** Opens the pack of a process that is gone. */
export function openPack(path: string): Pick<Pack, 'get' | 'close'> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  return {get: (kept) => readPack(fd, kept), close: () => closeSync(fd)};
}

function writeAll(fd: number, content: Uint8Array, at: number): void {
  let done = 0;
  while (done < content.length) {
    done += writeSync(fd, content, done, content.length - done, at + done);
  }
}

/** Throws for a truncated pack. */
function readPack(fd: number, {offset, length}: Kept): Buffer {
  const content = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, content, done, length - done, offset + done);
    if (count === 0) throw new Error('the pack of a snapshot is truncated');
    done += count;
  }
  return content;
}
