/**
 * Reads the folders that fast-glob walks. fast-glob gets only the visible folders in them, no links; the documents are
 * collected here, because it would handle all files of a large folder at once.
 */

import type {Dirent} from 'node:fs';
import {relative, sep} from 'node:path';

import {errorCode} from '../../containment/denial.ts';
import {LinkMet, type Folder, openFolder} from '../../containment/folder.ts';
import {type Glob, namesOf} from '../../read/glob.ts';
import {isIgnored, type RuleSet} from '../../read/ignored.ts';
import {paced} from '../../read/pace.ts';
import {maxDepth, entriesOf, rulesIn, skipped, visibilityOf} from '../../read/tree.ts';

export interface FolderWalk {
  /**
   * As `readdir` of `node:fs` with the types of the entries. Never fails: an unreadable folder is empty. Every folder is
   * empty after an abort or when a limit is reached.
   */
  readonly readdir: (
    path: string,
    options: unknown,
    done?: (error: null, entries: Dirent[]) => void,
  ) => void;
  /** The current state of the walk. */
  readonly state: Readonly<WalkState>;
}

interface WalkState {
  /** Relative to the workspace. */
  readonly documents: Set<string>;
  /** The number of entries looked at. */
  entries: number;
  /** Some folders are too deep. */
  isTooDeep: boolean;
  /** Paths of folders that could not be read. */
  readonly unreadable: Set<string>;
}

interface WalkOptions {
  /** Absolute path, links resolved. */
  readonly workspace: string;
  /** The globs that select the documents. */
  readonly globs: readonly Glob[];
  readonly signal: AbortSignal;
  /** The walk ends when there are more. */
  readonly maxDocuments: number;
  readonly maxEntries: number;
}

/** `*` of fast-glob does not match a name that begins with a line break. */
const lineBreak = /^[\n\r\u2028\u2029]/;

export function createFolderWalk(options: WalkOptions): FolderWalk {
  const {workspace, globs, signal, maxDocuments, maxEntries} = options;
  const readVisible = createVisibleReader(workspace);
  const state: WalkState = {
    documents: new Set(),
    entries: 0,
    isTooDeep: false,
    unreadable: new Set(),
  };
  const hasEnded = (): boolean =>
    state.documents.size > maxDocuments || state.entries > maxEntries || signal.aborted;
  const take = (entry: Dirent, parts: readonly string[], folders: Dirent[]): void => {
    const path = [...parts, entry.name];
    if (!entry.isDirectory()) {
      const names = namesOf(path);
      if (globs.some((glob) => glob.matchesNames(names))) state.documents.add(path.join('/'));
    } else if (lineBreak.test(entry.name)) state.unreadable.add(path.join('/'));
    else folders.push(entry);
  };
  const collect = async (parts: readonly string[], folders: Dirent[]): Promise<void> => {
    state.isTooDeep ||= parts.length > maxDepth;
    if (parts.length > maxDepth || hasEnded()) return;
    const entries = readVisible(parts);
    try {
      await paced(entries, signal, (entry) => {
        state.entries += 1;
        if (entry) take(entry, parts, folders);
        return !hasEnded();
      });
    } catch (error) {
      if (!isAbsent(error)) state.unreadable.add(parts.join('/'));
    } finally {
      // An abort stops the walk in the middle, with a folder open.
      entries.return();
    }
  };
  const readdir: FolderWalk['readdir'] = (path, _, done) => {
    const folders: Dirent[] = [];
    // The event loop runs after each folder.
    void collect(relative(workspace, path).split(sep).filter(Boolean), folders).finally(() =>
      setImmediate(() => done?.(null, hasEnded() ? [] : folders)),
    );
  };
  return {readdir, state};
}

/** A glob may name folders that do not exist, or links. */
function isAbsent(error: unknown): boolean {
  return error instanceof LinkMet || ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
}

// Reads single folders of a workspace, with the same hidden entries as in a walk from its top.

/**
 * Reads the folder `parts`, entry by entry: undefined for a hidden entry. Yields nothing for a hidden
 * folder. Throws `LinkMet` for a link, otherwise the operating system's error.
 */
type ReadVisible = (parts: readonly string[]) => Generator<Dirent | undefined, void>;

/** For one walk: ignore files are read once. */
function createVisibleReader(workspace: string): ReadVisible {
  const known = new Map<string, readonly RuleSet[]>();
  const open = (parts: readonly string[]): Opened | undefined => {
    const above = parts.length === 0 ? [] : rulesOf(parts.slice(0, -1));
    if (!above || isHidden(parts, above)) return undefined;
    const folder = openFolder(workspace, parts);
    const ignore = [...above, ...rulesIn(folder, parts.length)];
    known.set(parts.join('/'), ignore);
    return {folder, ignore};
  };
  const rulesOf = (parts: readonly string[]): readonly RuleSet[] | undefined => {
    const rules = known.get(parts.join('/'));
    if (rules) return rules;
    const opened = open(parts);
    opened?.folder.close();
    return opened?.ignore;
  };
  return function* read(parts) {
    const opened = open(parts);
    if (!opened) return;
    const {folder, ignore} = opened;
    try {
      for (const entry of entriesOf(folder)) {
        const isVisible = visibilityOf(folder, entry, {parts, ignore}) === 'visible';
        yield isVisible ? entry : undefined;
      }
    } finally {
      folder.close();
    }
  };
}

interface Opened {
  readonly folder: Folder;
  /** The rules of the folder and of those above it. */
  readonly ignore: readonly RuleSet[];
}

function isHidden(parts: readonly string[], above: readonly RuleSet[]): boolean {
  const name = parts.at(-1);
  return name !== undefined && (skipped.includes(name) || isIgnored(parts, true, above));
}
