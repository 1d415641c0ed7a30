/** The content of a folder of the workspace: its regular files at any depth, or the names at the top. */

import {type Attempt, attempt} from '../containment/denial.ts';
import {openFolder} from '../containment/folder.ts';
import {followInside, partsOf} from '../containment/paths.ts';
import {isTemporary} from '../write/leftovers.ts';
import {paced, sortPaced} from './pace.ts';
import {entriesOf, isOpaque, type Listed, walk} from './tree.ts';

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
