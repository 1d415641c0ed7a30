/**
 * Walks a folder of the workspace, entry by entry: each folder is opened without following any link, so nothing in it can
 * lead the walk out, and a folder of any size is read in parts.
 */

import {type Dirent, lstatSync, opendirSync} from 'node:fs';

import {type Attempt, attempt, shortageIn} from '../containment/denial.ts';
import {type Folder, openFolder, followInside, partsOf} from '../containment/folder.ts';
import {isOwn} from '../containment/own-state.ts';
import {isTemporary} from '../write/leftovers.ts';
import {isIgnored, parseIgnoreFile, type RuleSet} from './glob.ts';
import {paced, sortPaced} from './pace.ts';
import {readIn} from './read.ts';

export interface Listed {
  /** Relative to the workspace. */
  readonly path: string;
  readonly bytes: number;
}

/** The result for one entry. */
export type Found =
  | ({readonly kind: 'file'} & Listed)
  /** Its name is not UTF-8, so no tool can access it. `path`: with unreadable characters replaced. */
  | {readonly kind: 'opaque'; readonly path: string}
  /** A folder that could not be read, or that is too deep. */
  | {readonly kind: 'unreadable'}
  | {readonly kind: 'tooDeep'}
  | {readonly kind: 'passed'};

/** The maximum depth of a walk, in folders. */
export const maxDepth = 100;

/** Folders that are not searched and not part of snapshots. */
export const skipped: readonly string[] = ['.git', '.hg', '.svn', 'node_modules'];

const ignoreFile = '.gitignore';
const maxIgnoreBytes = 100_000;

/** The number of entries read from the system at once. */
const bufferSize = 256;

/** A folder, with the ignore rules that apply there. */
export interface Place {
  readonly parts: readonly string[];
  readonly ignore: readonly RuleSet[];
}

/** The entries below `base`, the nearest first. Throws when `base` is not a folder of the workspace. */
export function* walk(workspace: string, base: readonly string[]): Generator<Found, void> {
  const places: Place[] = [{parts: base, ignore: rulesAbove(workspace, base)}];
  for (const place of places) {
    const isDeepest = place.parts.length - base.length >= maxDepth;
    for (const found of readable(workspace, place)) {
      const isFolder = !('kind' in found);
      if (isFolder && !isDeepest) places.push(found);
      yield isFolder ? {kind: isDeepest ? 'tooDeep' : 'passed'} : found;
    }
  }
}

/** The readable entries of a folder. */
function* readable(workspace: string, place: Place): Generator<Found | Place, void> {
  try {
    yield* contents(workspace, place);
  } catch (error) {
    if (shortageIn(error) !== undefined) throw error;
    yield {kind: 'unreadable'};
  }
}

function* contents(
  workspace: string,
  {parts, ignore: above}: Place,
): Generator<Found | Place, void> {
  const folder = openFolder(workspace, parts);
  try {
    const ignore = [...above, ...rulesIn(folder, parts.length)];
    for (const entry of entriesOf(folder)) yield judged(folder, entry, {parts, ignore});
  } finally {
    folder.close();
  }
}

export function* entriesOf(folder: Folder): Generator<Dirent, void> {
  const entries = opendirSync(folder.self, {bufferSize});
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) yield entry;
  } finally {
    entries.closeSync();
  }
}

function judged(folder: Folder, entry: Dirent, {parts, ignore}: Place): Found | Place {
  const {name} = entry;
  const path = [...parts, name];
  const visibility = visibilityOf(folder, entry, {parts, ignore});
  if (visibility === 'opaque') return {kind: 'opaque', path: path.join('/')};
  if (visibility === 'hidden') return passed;
  const stats = lstatSync(folder.reach(name), {throwIfNoEntry: false});
  if (isOwn(stats)) return passed;
  if (entry.isDirectory()) return {parts: path, ignore};
  return stats?.isFile() ? {kind: 'file', path: path.join('/'), bytes: stats.size} : passed;
}

const passed: Found = {kind: 'passed'};

/** Links, special files, temporary files, ignored entries and the folders of {@link skipped} are hidden. */
export function visibilityOf(
  folder: Folder,
  entry: Dirent,
  {parts, ignore}: Place,
): 'visible' | 'hidden' | 'opaque' {
  const {name} = entry;
  const isFolder = entry.isDirectory();
  if (isFolder ? skipped.includes(name) : !entry.isFile() || isTemporary(name)) return 'hidden';
  if (isOpaque(folder, name)) return 'opaque';
  return isIgnored([...parts, name], isFolder, ignore) ? 'hidden' : 'visible';
}

/** A name that is not UTF-8 is decoded with U+FFFD, by which the file can't be found. */
function isOpaque(folder: Folder, name: string): boolean {
  if (!name.includes('\uFFFD')) return false;
  return lstatSync(folder.reach(name), {throwIfNoEntry: false}) === undefined;
}

/** The rules of one folder's own `.gitignore`; an unreadable file ignores nothing. */
export function rulesIn(folder: Folder, depth: number): RuleSet[] {
  try {
    const {bytes} = readIn(folder, ignoreFile, depth, maxIgnoreBytes);
    return [parseIgnoreFile(bytes.toString('utf8'), depth)];
  } catch {
    return [];
  }
}

/** The rules of the folders above a place; none if the call names an ignored folder, as it means to search it. */
function rulesAbove(workspace: string, base: readonly string[]): RuleSet[] {
  const sets: RuleSet[] = [];
  for (let depth = 0; depth < base.length; depth += 1) {
    const folder = openFolder(workspace, base.slice(0, depth));
    try {
      sets.push(...rulesIn(folder, depth));
    } finally {
      folder.close();
    }
    if (isIgnored(base.slice(0, depth + 1), true, sets)) return [];
  }
  return sets;
}

// The content of a folder of the workspace: its regular files at any depth, or the names at the top.

/** The limit of one walk. */
const maxListed = 100_000;
/** If there is one more file than these, over half of the files are not listed. */
const maxCounted = 2 * maxListed;
/** The number of listed names that are not UTF-8; of further ones the result only says that they exist. */
const maxOpaque = 10;
/** The number of top-level entries that are looked at. */
const maxTop = 20_000;

/** The components of a folder inside the workspace, links resolved. */
export function folderInside(workspace: string, path: string): Attempt<readonly string[]> {
  const parts = partsOf(workspace, path);
  if (!parts.ok) return parts;
  return attempt(path, () =>
    followInside(workspace, parts.value, (current) => {
      openFolder(workspace, current).close();
      return current;
    }),
  );
}

export interface Listing {
  readonly files: readonly Listed[];
  /** The walk ended at its limit: there are more. */
  readonly cut: boolean;
  /** Over half of the files are beyond that limit. */
  readonly missedMost: boolean;
  /** Folders that could not be read. */
  readonly unreadable: number;
  /** A few files and folders whose names are not UTF-8: no tool can access them by name. */
  readonly opaque: readonly string[];
}

/** All files below a folder, by path in code unit order. Gives way to the event loop; ends early on abort. */
export async function listFiles(
  workspace: string,
  base: readonly string[],
  signal: AbortSignal,
): Promise<Listing> {
  const files: Listed[] = [];
  const opaque: string[] = [];
  let unreadable = 0;
  let cut = false;
  let count = 0;
  const steps = walk(workspace, base);
  try {
    await paced(steps, signal, (found) => {
      if (found.kind === 'file') {
        count += 1;
        if (count <= maxListed) files.push({path: found.path, bytes: found.bytes});
      } else if (found.kind === 'unreadable') unreadable += 1;
      else if (found.kind === 'opaque' && opaque.length < maxOpaque) opaque.push(found.path);
      cut ||= found.kind === 'tooDeep' || count > maxListed;
      return count <= maxCounted;
    });
  } finally {
    // An abort stops the walk in the middle, with a folder open.
    steps.return();
  }
  const sorted = await sortPaced(files, signal, (a, b) => (a.path < b.path ? -1 : 1));
  return {files: sorted, cut, missedMost: count > maxCounted, unreadable, opaque};
}

export interface TopLevel {
  /** Sorted; folders end with `/`. Links are named, not followed. */
  readonly names: readonly string[];
  /** There are more entries than were looked at. */
  readonly cut: boolean;
  /** The number of entries whose names are not UTF-8. */
  readonly opaque: number;
}

/** The entries directly in the workspace. Gives way to the event loop. */
export async function topLevel(workspace: string, signal: AbortSignal): Promise<Attempt<TopLevel>> {
  const folder = attempt('.', () => openFolder(workspace, []));
  if (!folder.ok) return folder;
  const names: string[] = [];
  let opaque = 0;
  let looked = 0;
  const entries = entriesOf(folder.value);
  try {
    await paced(entries, signal, (entry) => {
      looked += 1;
      if (looked > maxTop) return false;
      if (isOpaque(folder.value, entry.name)) opaque += 1;
      else if (!isTemporary(entry.name)) {
        names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
      }
      return true;
    });
  } finally {
    entries.return();
    folder.value.close();
  }
  const sorted = await sortPaced(names, signal, (a, b) => (a < b ? -1 : 1));
  return {ok: true, value: {names: sorted, cut: looked > maxTop, opaque}};
}
