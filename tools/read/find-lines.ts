/** Performs grep_search. */

import {lstatSync} from 'node:fs';

import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {leadsToCredentials} from '../../machines/places/places.ts';
import {type Denial, type Attempt, attempt} from '../containment/denial.ts';
import {openFolder, throwIfLink} from '../containment/folder.ts';
import {followInside, partsOf} from '../containment/paths.ts';
import {compileGlob} from './glob.ts';
import {createGrepReport, type GrepReport} from './grep-report.ts';
import {listFiles} from './list.ts';
import {compileMatcher, type Matcher} from './matcher.ts';
import {paced, filterPaced} from './pace.ts';
import {readInside, decodedText} from './read.ts';
import type {Listed} from './tree.ts';

/** Larger files are skipped, and the result says so. */
const maxGrepBytes = 2 * 1024 * 1024;

/** Files are matched together up to about this size: each match under the watchdog has a fixed cost. */
const batchBytes = 512 * 1024;

interface Wanted {
  readonly pattern: string;
  /** A file or a folder, relative to the workspace, which is the default. */
  readonly path?: string;
  /** A glob. */
  readonly file_pattern?: string;
  readonly context_lines?: number;
  readonly case_insensitive?: boolean;
}

export async function findLines(
  args: Wanted,
  workspace: string,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const matcher = compileMatcher(args.pattern, args.case_insensitive ?? false);
  if (!matcher.ok) return matcher.denial;
  const targets = await findTargets(workspace, args.path ?? '.', args.file_pattern, signal);
  if (!targets.ok) return targets.denial;
  const report = createGrepReport(args.context_lines ?? 0, targets.value.cut);
  const named = args.path ?? '.';
  const place = {workspace, named, files: targets.value.files};
  const denial = await search(place, matcher.value, report, signal);
  if (signal.aborted) return {kind: 'cancelled', message: 'the search was cancelled'};
  return denial ?? outcomeOf(report, targets.value);
}

function outcomeOf(report: GrepReport, {files, missedMost}: Targets): ToolOutcome {
  return {
    kind: 'succeeded',
    text: report.text(),
    sources: report.sources(),
    ...(missedMost || report.skipped() * 2 > files.length ? {missedMost: true} : {}),
  };
}

interface Loaded {
  readonly path: string;
  readonly lines: readonly string[];
}

interface Place {
  readonly workspace: string;
  /** As named in the call. */
  readonly named: string;
  readonly files: readonly Listed[];
}

async function search(
  place: Place,
  matcher: Matcher,
  report: GrepReport,
  signal: AbortSignal,
): Promise<Denial | undefined> {
  let denial: Denial | undefined;
  await paced(batches(place, report), signal, (batch) => {
    if (batch.length === 0) return true;
    const found = matcher.match(batch.map(({lines}) => lines));
    if (!found.ok) denial = found.denial;
    else
      for (const [index, {path, lines}] of batch.entries())
        report.add(path, lines, found.value[index] ?? []);
    return found.ok;
  });
  return denial;
}

/** A step for each file; an empty batch while one is being filled. */
function* batches(
  {workspace, named, files}: Place,
  report: GrepReport,
): Generator<readonly Loaded[]> {
  let batch: Loaded[] = [];
  let bytes = 0;
  for (const {path, bytes: size} of files) {
    const loaded = load(workspace, named, path, report);
    if (loaded) batch.push(loaded);
    bytes += size;
    const isFull = bytes >= batchBytes;
    yield isFull ? batch : [];
    if (isFull) [batch, bytes] = [[], 0];
  }
  yield batch;
}

function load(
  workspace: string,
  named: string,
  path: string,
  report: GrepReport,
): Loaded | undefined {
  if (leadsToCredentials(named, path)) {
    // The call did not name the file itself.
    report.skip(path, 'credentials');
    return undefined;
  }
  const file = readInside(workspace, path, {maxBytes: maxGrepBytes});
  const text = file.ok ? decodedText(file.value) : file;
  if (text.ok) return {path, lines: text.value.replace(/\r?\n$/, '').split(/\r?\n/)};
  report.skip(path, text.denial.code);
  return undefined;
}

// The files that a search for text reads.

interface Targets {
  readonly files: readonly Listed[];
  /** Not all files were listed. */
  readonly cut: boolean;
  /** Over half of the files were not listed. */
  readonly missedMost: boolean;
}

/** The one file at `path`, or the files of the folder at `path` that match `filePattern`. */
async function findTargets(
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
