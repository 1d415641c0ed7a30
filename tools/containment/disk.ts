/** Files as a look at them needs them, so that one look serves for what is there and for what a write would make of it. */

import {dirname} from 'node:path';

import {isBelow, namesIn, statsOf, textOf} from './guarded.ts';

export interface Disk {
  /** `undefined`: there is nothing. Links are not followed. */
  readonly kindOf: (path: string) => 'file' | 'folder' | 'link' | 'other' | undefined;
  /** Empty for what is not a file, or too large. */
  readonly textOf: (path: string) => string;
  readonly sizeOf: (path: string) => number;
  readonly namesIn: (folder: string) => readonly string[];
}

export const disk: Disk = {
  kindOf: (path) => {
    const stats = statsOf(path);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return 'link';
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  },
  textOf,
  sizeOf: (path) => statsOf(path)?.size ?? 0,
  namesIn,
};

/** The disk as it is once a file with this text is at `path` (absolute), with the folders above it. */
export function diskWith(path: string, text: string): Disk {
  const isNewFolder = (at: string): boolean => isBelow(at, path) && statsOf(at) === undefined;
  return {
    kindOf: (at) => {
      if (at === path) return 'file';
      return isNewFolder(at) ? 'folder' : disk.kindOf(at);
    },
    textOf: (at) => (at === path ? text : disk.textOf(at)),
    sizeOf: (at) => (at === path ? Buffer.byteLength(text) : disk.sizeOf(at)),
    namesIn: (folder) => {
      if (!isBelow(folder, path)) return disk.namesIn(folder);
      const child = firstBelow(folder, path);
      return [...new Set([...disk.namesIn(folder), child])];
    },
  };
}

function firstBelow(folder: string, path: string): string {
  let at = path;
  while (dirname(at) !== folder) at = dirname(at);
  return at.slice(folder.endsWith('/') ? folder.length : folder.length + 1);
}
