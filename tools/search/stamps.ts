/** Detects changed files by their times, without reading them. */

import {lstatSync, type Stats} from 'node:fs';

import {type Folder, openFolder} from '../containment/folder.ts';
import type {FoundDocument} from './walk/list-documents.ts';

/** A file that has just been changed may change again within the resolution of its time. */
const settledMs = 2_000;

export interface Stamped extends FoundDocument {
  /** Equal while the file is unchanged; empty when that is uncertain; undefined when the file is gone. */
  readonly stamp: string | undefined;
}

/** `files` by path. Links are not followed. */
export function* stampsOf(workspace: string, files: readonly FoundDocument[]): Generator<Stamped> {
  let open: {readonly at: string; readonly folder: Folder | undefined} | undefined;
  try {
    for (const file of files) {
      const names = file.path.split('/');
      const name = names.pop() ?? '';
      const at = names.join('/');
      if (open?.at !== at) {
        open?.folder?.close();
        open = {at, folder: tryOpen(workspace, names)};
      }
      yield {...file, stamp: stampOf(open.folder?.reach(name))};
    }
  } finally {
    open?.folder?.close();
  }
}

function tryOpen(workspace: string, parts: readonly string[]): Folder | undefined {
  try {
    return openFolder(workspace, parts);
  } catch {
    return undefined;
  }
}

function stampOf(path: string | undefined): string | undefined {
  const stats = path === undefined ? undefined : tryStat(path);
  if (stats?.isFile() !== true) return undefined;
  if (Date.now() - stats.mtimeMs < settledMs) return '';
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join(' ');
}

function tryStat(path: string): Stats | undefined {
  try {
    return lstatSync(path, {throwIfNoEntry: false});
  } catch {
    return undefined;
  }
}
