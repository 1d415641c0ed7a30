/** An interface to files, so that the same checks apply to the files on disk and to those after a write. */

import {dirname} from 'node:path';

import {isBelow, namesIn, statsOf, smallFileText} from './guarded.ts';

export interface Disk {
  /** `undefined`: nothing exists. Links are not followed. */
  readonly kindOf: (path: string) => 'file' | 'folder' | 'link' | 'other' | undefined;
  /** Empty for anything that is not a file, and for a file that is too large. */
  readonly smallFileText: (path: string) => string;
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
  smallFileText,
  sizeOf: (path) => statsOf(path)?.size ?? 0,
  namesIn,
};

/** The disk after a file with this text, and the folders above it, were created at `path` (absolute). */
export function diskWith(path: string, text: string): Disk {
  const isNewFolder = (at: string): boolean => isBelow(at, path) && statsOf(at) === undefined;
  return {
    kindOf: (at) => {
      if (at === path) return 'file';
      return isNewFolder(at) ? 'folder' : disk.kindOf(at);
    },
    smallFileText: (at) => (at === path ? text : disk.smallFileText(at)),
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
