/** Checks whether a folder fits into the remaining room of a snapshot, without reading any file. */

import {lstatSync, opendirSync} from 'node:fs';
import {join} from 'node:path';

import {openable} from '../../containment/own-state.ts';
import {maxFileBytes} from '../../read/read.ts';

/** The limits of a snapshot: files, links and folders. */
export const maxEntries = 50_000;
export const maxBytes = 200 * 1024 * 1024;

export interface Room {
  entries: number;
  bytes: number;
}

/** Files that are too large by themselves don't count. Stops when no room is left. Gives way after every entry. */
export function* weigh(folder: string, {entries, bytes}: Room): Generator<'pause', boolean> {
  let left = entries - 1;
  let leftBytes = bytes;
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const {path, size, isFolder} of entriesIn(at)) {
      left -= 1;
      if (size <= maxFileBytes) leftBytes -= size;
      if (left < 0 || leftBytes < 0) return false;
      yield 'pause';
      if (isFolder) open.push(path);
    }
  }
  return left >= 0;
}

interface Weighed {
  readonly path: string;
  readonly size: number;
  readonly isFolder: boolean;
}

/** Unreadable folders count as empty. */
function* entriesIn(folder: string): Generator<Weighed> {
  let opened;
  try {
    opened = opendirSync(openable(folder));
  } catch {
    return;
  }
  try {
    for (let entry = opened.readSync(); entry; entry = opened.readSync()) {
      const path = join(folder, entry.name);
      const stats = entry.isFile() ? lstatSync(path, {throwIfNoEntry: false}) : undefined;
      yield {path, size: stats?.size ?? 0, isFolder: entry.isDirectory()};
    }
  } finally {
    opened.closeSync();
  }
}
