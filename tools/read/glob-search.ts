/** glob_search: the files whose path matches a pattern, with their sizes. */

import {z} from 'zod';

import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {countArgument, pathArgument} from '../arguments.ts';
import {escapeLine} from '../escape.ts';
import {defineTool} from '../tool.ts';
import {compileGlob} from './glob.ts';
import {folderInside, listFiles, type Listing} from './list.ts';
import {filterPaced} from './pace.ts';
import type {Listed} from './tree.ts';

const defaultResults = 200;
const maxResults = 2_000;

export const globSearch = defineTool({
  name: 'glob_search',
  description:
    'List files whose path matches a glob pattern (*, ?, [a-z], {a,b}, ** for any folders), one a line: ' +
    'path, tab, size in bytes. Skips .git, node_modules, what .gitignore names (unless base_dir is inside it), links, ' +
    'and hidden files unless the pattern names the dot. ' +
    'The last line says how many files matched when not all are shown.',
  parameters: z.strictObject({
    pattern: z
      .string()
      .min(1)
      .max(1_000)
      .describe('For example src/**/*.ts, relative to base_dir.'),
    base_dir: pathArgument('The folder to search; the workspace if left out').exactOptional(),
    max_results: countArgument(1, maxResults, `Default ${defaultResults}.`).exactOptional(),
  }),
  reaches: 'workspace',
  quotes: false,
  lists: ['base_dir', 'pattern'],
  risk: 'low',
  repeatability: 'repeatable',
  timeoutMs: 30_000,
  run: async (
    {pattern, base_dir: base, max_results: limit},
    {workspace, signal},
  ): Promise<ToolOutcome> => {
    const glob = compileGlob(pattern);
    if (!glob.ok) return glob.denial;
    const folder = folderInside(workspace, base ?? '.');
    if (!folder.ok) return folder.denial;
    const listing = await listFiles(workspace, folder.value, signal);
    const prefix = folder.value.length === 0 ? 0 : folder.value.join('/').length + 1;
    const found = await filterPaced(listing.files, signal, ({path}) =>
      glob.value.matches(path.slice(prefix)),
    );
    if (signal.aborted) return {kind: 'cancelled', message: 'the search was cancelled'};
    return {kind: 'succeeded', text: report(found, limit ?? defaultResults, listing)};
  },
});

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

/** They are told, as far as they are text, and can't be opened. */
function opaqueNote(names: readonly string[]): string {
  return `… some names are not UTF-8, so that nothing can open them: ${names.map(escapeLine).join(', ')}`;
}
