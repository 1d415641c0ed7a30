/**
 * Lists the files of a workspace that match globs. fast-glob selects the folders to walk; the globs themselves select the files,
 * as they match in linear time, unlike a regular expression made from a hostile pattern.
 */

import {finished} from 'node:stream/promises';

import fastGlob from 'fast-glob';

import type {Glob, Segment} from '../../read/glob.ts';
import {sortPaced} from '../../read/pace.ts';
import {maxDepth} from '../../read/tree.ts';
import {createFolderWalk, type FolderWalk} from './folder-walk.ts';

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
