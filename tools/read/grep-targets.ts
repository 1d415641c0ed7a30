/** The files that a search for text reads. */

import {lstatSync} from 'node:fs';

import {type Attempt, attempt} from '../containment/denial.ts';
import {openFolder, throwIfLink} from '../containment/folder.ts';
import {followInside, partsOf} from '../containment/paths.ts';
import {compileGlob} from './glob.ts';
import {listFiles} from './list.ts';
import {filterPaced} from './pace.ts';
import type {Listed} from './tree.ts';

export interface Targets {
  readonly files: readonly Listed[];
  /** Not all files were listed. */
  readonly cut: boolean;
  /** Over half of the files were not listed. */
  readonly missedMost: boolean;
}

/** The one file at `path`, or the files of the folder at `path` that match `filePattern`. */
export async function findTargets(
  workspace: string,
  path: string,
  filePattern: string | undefined,
  signal: AbortSignal,
): Promise<Attempt<Targets>> {
  const glob = compileGlob(anywhere(filePattern));
  if (!glob.ok) return glob;
  const place = locate(workspace, path);
  if (!place.ok) return place;
  const {parts, bytes} = place.value;
  if (bytes !== undefined) {
    return {
      ok: true,
      value: {files: [{path: parts.join('/'), bytes}], cut: false, missedMost: false},
    };
  }
  const listing = await listFiles(workspace, parts, signal);
  const prefix = parts.length === 0 ? 0 : parts.join('/').length + 1;
  const files = await filterPaced(listing.files, signal, (file) =>
    glob.value.matches(file.path.slice(prefix)),
  );
  return {
    ok: true,
    value: {
      files,
      cut: listing.cut || listing.unreadable > 0 || listing.opaque.length > 0,
      missedMost: listing.missedMost,
    },
  };
}

/** A pattern without a folder matches a name in any folder. */
function anywhere(pattern: string | undefined): string {
  if (pattern === undefined) return '**/*';
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}

/** The components, links resolved, and the size unless it is a folder. */
function locate(
  workspace: string,
  path: string,
): Attempt<{parts: readonly string[]; bytes: number | undefined}> {
  const parts = partsOf(workspace, path);
  if (!parts.ok) return parts;
  return attempt(path, () =>
    followInside(workspace, parts.value, (current) => {
      const name = current.at(-1);
      if (name === undefined) return {parts: current, bytes: undefined};
      const folder = openFolder(workspace, current.slice(0, -1));
      try {
        throwIfLink(folder.reach(name), current.length - 1);
        const stats = lstatSync(folder.reach(name));
        return {parts: current, bytes: stats.isDirectory() ? undefined : stats.size};
      } finally {
        folder.close();
      }
    }),
  );
}
