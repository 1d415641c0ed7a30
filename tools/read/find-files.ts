/** Performs glob_search. */

import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';
import {compileGlob} from './glob.ts';
import {filterPaced} from './pace.ts';
import {folderInside, type Listed, listFiles, type Listing} from './tree.ts';

interface Wanted {
  readonly pattern: string;
  /** Relative to the workspace, which is the default. */
  readonly base_dir?: string;
  /** The maximum number of files in the result. */
  readonly limit: number;
}

export async function findFiles(
  {pattern, base_dir: base = '.', limit}: Wanted,
  workspace: string,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const glob = compileGlob(pattern);
  if (!glob.ok) return glob.denial;
  const folder = folderInside(workspace, base);
  if (!folder.ok) return folder.denial;
  const listing = await listFiles(workspace, folder.value, signal);
  const prefix = folder.value.length === 0 ? 0 : folder.value.join('/').length + 1;
  const found = await filterPaced(listing.files, signal, ({path}) =>
    glob.value.matches(path.slice(prefix)),
  );
  if (signal.aborted) return {kind: 'cancelled', message: 'the search was cancelled'};
  return {kind: 'succeeded', text: report(found, limit, listing)};
}

function report(found: readonly Listed[], limit: number, listing: Listing): string {
  const lines = found.slice(0, limit).map(({path, bytes}) => `${escapeLine(path)}\t${bytes}`);
  return [...lines, ...notes(found, limit, listing)].join('\n');
}

function notes(found: readonly Listed[], limit: number, listing: Listing): string[] {
  const accented = found.filter(({path}) => /[^\0-\u007f]/.test(path));
  const normal = new Set(accented.map(({path}) => path.normalize('NFC')));
  return [
    ...(found.length === 0 ? ['no files match'] : []),
    ...(normal.size < accented.length
      ? ['… some names differ only in how their accents are encoded']
      : []),
    ...(listing.unreadable > 0 ? [`… ${listing.unreadable} folders could not be read`] : []),
    ...(listing.opaque.length > 0 ? [opaqueNote(listing.opaque)] : []),
    ...(listing.cut
      ? [`… the search ended after ${listing.files.length} files; narrow base_dir`]
      : []),
    ...(found.length > limit ? [`… ${found.length} files in all`] : []),
  ];
}

/** They are listed, with unreadable characters replaced, and can't be opened. */
function opaqueNote(names: readonly string[]): string {
  return `… some names are not UTF-8, so no tool can open them: ${names.map(escapeLine).join(', ')}`;
}
