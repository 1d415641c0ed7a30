/**
 * Lists the files of a workspace that match globs. fast-glob selects the folders to walk; the globs themselves select the files,
 * as they match in linear time, unlike a regular expression made from a hostile pattern.
 */

import type {Dirent} from 'node:fs';
import {relative, sep} from 'node:path';
import {finished} from 'node:stream/promises';

import fastGlob from 'fast-glob';

import {errorCode} from '../containment/denial.ts';
import {type Folder, LinkMet, openFolder} from '../containment/folder.ts';
import {type Glob, isIgnored, namesOf, type RuleSet, type Segment} from '../read/glob.ts';
import {paced, sortPaced} from '../read/pace.ts';
import {entriesOf, maxDepth, rulesIn, skipped, visibilityOf} from '../read/tree.ts';

// Patterns for fast-glob that select the folders in which a glob can match, perhaps more, never fewer. They contain at most one `*` per name and one `**`, so the regular expressions made from them stay fast. The glob itself matches the files.

interface WalkPatterns {
  readonly patterns: readonly string[];
  /** A glob names hidden files or folders. */
  readonly hidden: boolean;
}

export function walkPatternsOf(globs: readonly Glob[]): WalkPatterns {
  const alternatives = globs.flatMap((glob) => glob.alternatives).filter(({length}) => length > 0);
  return {
    patterns: [...new Set(alternatives.flatMap(walkPatterns))],
    hidden: alternatives.flat().some(namesHidden),
  };
}

/** Everything below the first `**` is walked. At the end `**` may match no name: `a/**` matches a file `a`. */
function walkPatterns(segments: readonly Segment[]): string[] {
  const globstar = segments.indexOf('globstar');
  if (globstar < 0) return [[...segments.slice(0, -1).map(folderName), '*'].join('/')];
  const above = segments.slice(0, globstar);
  const below = [...above.map(folderName), '**', '*'].join('/');
  const isLast = segments.slice(globstar).every((segment) => segment === 'globstar');
  return isLast && above.length > 0 ? [below, ...walkPatterns(above)] : [below];
}

/** Other characters may be special to fast-glob: a name with such characters becomes `*`. */
const plainName = /^[\p{L}\p{M}\p{N} _.,~#%&=-]*\*?[\p{L}\p{M}\p{N} _.,~#%&=-]*$/u;

function folderName(segment: Segment): string {
  if (segment === 'globstar') return '**';
  const text = segment.map(tokenText).join('');
  return plainName.test(text) ? text : '*';
}

function tokenText(token: Exclude<Segment, string>[number]): string {
  if (token.kind === 'star') return '*';
  return token.kind === 'text' && token.char !== '*' ? token.char : '?';
}

function namesHidden(segment: Segment): boolean {
  if (segment === 'globstar') return false;
  const [first] = segment;
  return first?.kind === 'text' && first.char === '.';
}

export interface DocumentLimits {
  readonly maxDocuments: number;
  /** The total of all walked folders. */
  readonly maxEntries: number;
}

const usualLimits: DocumentLimits = {maxDocuments: 100_000, maxEntries: 2_000_000};

/** The path is relative to the workspace. */
export interface FoundDocument {
  readonly path: string;
}

export interface DocumentListing {
  /** By path in code unit order. */
  readonly documents: readonly FoundDocument[];
  /** Over half of the documents may be beyond a limit. */
  readonly missedMost: boolean;
  /** One for each reason why documents may be missing. */
  readonly notes: readonly string[];
}

export interface ListRequest {
  /** Absolute path, links resolved. */
  readonly workspace: string;
  /** The globs that select the documents. */
  readonly globs: readonly Glob[];
  readonly signal: AbortSignal;
}

/** Gives way to the event loop; ends early on abort. */
export async function listDocuments(
  {workspace, globs, signal}: ListRequest,
  {maxDocuments, maxEntries}: DocumentLimits = usualLimits,
): Promise<DocumentListing> {
  // If there is one more than these, over half of the documents are not listed.
  const maxCounted = 2 * maxDocuments;
  const walk = createFolderWalk({
    workspace,
    globs,
    signal,
    maxDocuments: maxCounted,
    maxEntries,
  });
  await walkFolders(workspace, globs, walk);
  const {documents, entries, isTooDeep, unreadable} = walk.state;
  const listed = [...documents].slice(0, maxDocuments).map((path) => ({path}));
  const isCut = entries > maxEntries;
  return {
    documents: await sortPaced(listed, signal, (a, b) => (a.path < b.path ? -1 : 1)),
    missedMost: isCut || documents.size > maxCounted,
    notes: [
      ...(documents.size > maxDocuments
        ? [`only the first ${maxDocuments} documents are searched`]
        : []),
      ...(isCut ? [`only the first ${maxEntries} files and folders were looked at`] : []),
      ...(isTooDeep ? [`folders more than ${maxDepth} deep were not searched`] : []),
      ...(unreadable.size > 0 ? [`${unreadable.size} folders could not be read`] : []),
    ],
  };
}

/** Resolves when all folders that the globs name were walked. */
async function walkFolders(
  workspace: string,
  globs: readonly Glob[],
  {readdir}: FolderWalk,
): Promise<void> {
  const {patterns, hidden} = walkPatternsOf(globs);
  const walk = fastGlob.stream([...patterns], {
    cwd: workspace,
    fs: {readdir},
    dot: hidden,
    followSymbolicLinks: false,
    braceExpansion: false,
    extglob: false,
    concurrency: 1,
  });
  await finished(walk.resume());
}

// Reads the folders that fast-glob walks. fast-glob gets only the visible folders in them, no links; the documents are
// collected here, because it would handle all files of a large folder at once.

interface FolderWalk {
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

function createFolderWalk(options: WalkOptions): FolderWalk {
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
