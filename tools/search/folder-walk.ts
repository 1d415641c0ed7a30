/** What fast-glob reads of a workspace: folders without links or hidden entries, and of their files the documents only. */

import type {Dirent} from 'node:fs';
import {relative, sep} from 'node:path';

import {errorCode} from '../containment/denial.ts';
import {LinkMet} from '../containment/folder.ts';
import {type Glob, type Name, namesOf} from '../read/glob.ts';
import {paced} from '../read/pace.ts';
import {maxDepth} from '../read/tree.ts';
import {createVisibleReader} from './visible-folders.ts';

export interface FolderWalk {
  /**
   * As `readdir` of `node:fs` with the types of the entries. Never fails: a folder that can't be read is empty. So is
   * each folder once the walk is aborted or at its limit.
   */
  readonly readdir: (
    path: string,
    options: unknown,
    done?: (error: null, entries: Dirent[]) => void,
  ) => void;
  /** As far as the walk has come. */
  readonly state: Readonly<WalkState>;
}

interface WalkState {
  /** How many entries were looked at. */
  entries: number;
  /** Some folders lie too deep. */
  isTooDeep: boolean;
  /** Paths of folders that could not be read. */
  readonly unreadable: Set<string>;
}

interface WalkOptions {
  /** Absolute path, links resolved. */
  readonly workspace: string;
  /** Which files are documents. */
  readonly globs: readonly Glob[];
  readonly signal: AbortSignal;
  readonly maxEntries: number;
}

/** `**` of fast-glob does not match them. */
const lineBreak = /[\n\r\u2028\u2029]/;

export function createFolderWalk({workspace, globs, signal, maxEntries}: WalkOptions): FolderWalk {
  const readVisible = createVisibleReader(workspace);
  const state: WalkState = {entries: 0, isTooDeep: false, unreadable: new Set()};
  const isWanted = (entry: Dirent, path: string, folder: readonly Name[]): boolean => {
    if (!entry.isDirectory()) {
      const names = [...folder, ...namesOf([entry.name])];
      return globs.some((glob) => glob.matchesNames(names));
    }
    if (!lineBreak.test(entry.name)) return true;
    state.unreadable.add(`${path}/${entry.name}`);
    return false;
  };
  const collect = async (path: string, found: Dirent[]): Promise<void> => {
    const parts = relative(workspace, path).split(sep).filter(Boolean);
    state.isTooDeep ||= parts.length > maxDepth;
    if (parts.length > maxDepth || state.entries > maxEntries) return;
    const folder = namesOf(parts);
    const entries = readVisible(parts);
    try {
      await paced(entries, signal, (entry) => {
        state.entries += 1;
        if (entry && isWanted(entry, path, folder)) found.push(entry);
        return state.entries <= maxEntries;
      });
    } catch (error) {
      if (!isAbsent(error)) state.unreadable.add(path);
    } finally {
      // An abort leaves it in the middle, with a folder open.
      entries.return();
    }
  };
  const readdir: FolderWalk['readdir'] = (path, _, done) => {
    const found: Dirent[] = [];
    // The loop turns after each folder.
    void collect(path, found).finally(() =>
      setImmediate(() => done?.(null, signal.aborted ? [] : found)),
    );
  };
  return {readdir, state};
}

/** A glob may name folders that do not exist, or links. */
function isAbsent(error: unknown): boolean {
  return error instanceof LinkMet || ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
}
