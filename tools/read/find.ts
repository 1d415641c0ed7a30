/** Searches the files of a workspace: for lines that match a regular expression, and for names that match a glob. */

import {lstatSync} from 'node:fs';
import {createContext, Script} from 'node:vm';

import type {Source, ToolOutcome} from '../../machines/domain/tool.ts';
import {leadsToCredentials} from '../../machines/places/places.ts';
import {
  type Attempt,
  attempt,
  type Denial,
  errorCode,
  failed,
  refused,
} from '../containment/denial.ts';
import {openFolder, throwIfLink, followInside, partsOf} from '../containment/folder.ts';
import {escapeLine} from '../escape.ts';
import {compileGlob} from './glob.ts';
import {filterPaced, paced} from './pace.ts';
import {decodedText, readInside} from './read.ts';
import {type Listed, listFiles, folderInside, type Listing} from './tree.ts';

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

// The result of a search for text: the first matches with their positions, and the totals of all.

const maxMatches = 200;
const maxSources = 20;
const maxLineChars = 500;
const maxTextChars = 15_000;
const maxNames = 10;

interface GrepReport {
  /** `matches` are indexes into `lines`, ascending. */
  readonly add: (path: string, lines: readonly string[], matches: readonly number[]) => void;
  /** Reports a file that was not searched, by the code of its denial. */
  readonly skip: (path: string, code: string) => void;
  readonly text: () => string;
  /** The number of files that were not searched. */
  readonly skipped: () => number;
  /** The first matches, for citing them. */
  readonly sources: () => readonly Source[];
}

function createGrepReport(contextLines: number, filesCut: boolean): GrepReport {
  const shown: string[] = [];
  const sources: Source[] = [];
  const skippedBy = new Map<string, string[]>();
  let chars = 0;
  let matchCount = 0;
  let shownCount = 0;
  let fileCount = 0;
  return {
    add: (path, lines, matches) => {
      if (matches.length === 0) return;
      fileCount += 1;
      matchCount += matches.length;
      const fitting: number[] = [];
      let room = maxTextChars - chars;
      for (const at of matches.slice(0, maxMatches - shownCount)) {
        const around = lines.slice(Math.max(0, at - contextLines), at + contextLines + 1);
        for (const line of around) room -= Math.min(line.length, maxLineChars) + path.length + 10;
        if (room < 0 && shownCount + fitting.length > 0) break;
        fitting.push(at);
      }
      for (const at of fitting.slice(0, maxSources - sources.length)) {
        sources.push({place: `${escapeLine(path)}:${at + 1}`, quote: clip(lines[at] ?? '').trim()});
      }
      for (const line of excerpt(escapeLine(path), lines, fitting, contextLines)) {
        shown.push(line);
        chars += line.length;
      }
      shownCount += fitting.length;
    },
    skip: (path, code) => {
      if (code === 'binary') return;
      const paths = skippedBy.get(code) ?? [];
      paths.push(path);
      skippedBy.set(code, paths);
    },
    skipped: () => skippedBy.values().reduce((sum, paths) => sum + paths.length, 0),
    sources: () => sources,
    text: () => {
      const cut = shownCount < matchCount ? `, the first ${shownCount} shown` : '';
      return [
        ...shown,
        ...[...skippedBy].map(([code, paths]) => skippedLine(code, paths)),
        ...(filesCut ? ['… not all files were searched; name a folder in path'] : []),
        `${counted(matchCount, 'match', 'matches')} in ${counted(fileCount, 'file', 'files')}${cut}`,
      ].join('\n');
    },
  };
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** For people, too. */
const reasons = new Map([
  ['encoding', 'text that is not UTF-8'],
  ['credentials', 'which may hold credentials; name one as path to have it voted on'],
  ['too_large', 'over 2 MB'],
  ['path_characters', 'whose name has characters that no tool takes'],
]);

function skippedLine(code: string, paths: readonly string[]): string {
  const count = `… ${paths.length} ${paths.length === 1 ? 'file' : 'files'} not searched`;
  const why = reasons.get(code) ?? `which can't be read (${code})`;
  const names = paths.slice(0, maxNames).map(escapeLine).join(', ');
  const more = paths.length > maxNames ? ', …' : '';
  return `${count}, ${why}: ${names}${more}`;
}

/** `path:line: text` for matches, `path-line- text` for their context, `--` between groups. */
function excerpt(
  path: string,
  lines: readonly string[],
  matches: readonly number[],
  contextLines: number,
): string[] {
  const out: string[] = [];
  const isMatch = new Set(matches);
  let last = -1;
  for (const match of matches) {
    const from = Math.max(last + 1, match - contextLines);
    if (contextLines > 0 && last >= 0 && from > last + 1) out.push('--');
    const to = Math.min(lines.length - 1, match + contextLines);
    for (let at = from; at <= to; at += 1) {
      const mark = isMatch.has(at) ? ':' : '-';
      out.push(`${path}${mark}${at + 1}${mark} ${clip(lines[at] ?? '')}`);
    }
    last = Math.max(last, to);
  }
  return out;
}

function clip(line: string): string {
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, maxLineChars).toWellFormed()}… (${line.length} characters)`;
}

// Finds the lines that match a pattern, in bounded time: literal text by comparison, the rest under a watchdog.

const maxPattern = 1_000;

/** For all regular expression matching of one search, ms. */
const totalMs = 2_000;
/** For one batch of files: the event loop is blocked for at most this long. */
const batchMs = 200;

interface Matcher {
  /** The indexes of the matching lines, for each text. Denied `regex_timeout` when the pattern takes too long. */
  readonly match: (
    texts: readonly (readonly string[])[],
  ) => Attempt<readonly (readonly number[])[]>;
}

/** Refused `pattern_invalid` when the pattern is not a JavaScript regular expression. */
function compileMatcher(pattern: string, ignoreCase: boolean): Attempt<Matcher> {
  if (pattern.length > maxPattern) return invalid(`is longer than ${maxPattern} characters`);
  if (!ignoreCase && !/[\\^$.*+?()[\]{}|]/.test(pattern)) {
    return {
      ok: true,
      value: {match: (texts) => ({ok: true, value: find(texts, (line) => line.includes(pattern))})},
    };
  }
  // Other dialects write the flag into the pattern.
  const inline = pattern.startsWith('(?i)');
  const regex = compile(inline ? pattern.slice(4) : pattern, ignoreCase || inline);
  return regex.ok ? {ok: true, value: createGuarded(regex.value)} : regex;
}

function compile(source: string, ignoreCase: boolean): Attempt<RegExp> {
  const flags = ignoreCase ? 'i' : '';
  try {
    return {ok: true, value: new RegExp(source, `${flags}u`)};
  } catch {
    // Without `u`, needless escapes are allowed, and models write many.
  }
  try {
    return {ok: true, value: new RegExp(source, flags)};
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

function invalid(why: string): Attempt<never> {
  return {ok: false, denial: refused('pattern_invalid', `pattern: ${why}`)};
}

function createGuarded(regex: RegExp): Matcher {
  let leftMs = totalMs;
  return {
    match: (texts) => {
      const started = process.threadCpuUsage();
      const found = runBounded(
        () => find(texts, (line) => regex.test(line)),
        Math.min(leftMs, batchMs),
      );
      leftMs -= workedMs(started);
      return found;
    },
  };
}

function find(
  texts: readonly (readonly string[])[],
  matches: (line: string) => boolean,
): number[][] {
  return texts.map((lines) => lines.flatMap((line, index) => (matches(line) ? [index] : [])));
}

const call = new Script('work()');

/** On a busy machine a batch may be interrupted this often, and starts again. */
const maxStarts = 5;

/** Limits the working time: waiting on a busy machine does not count as too long. */
function runBounded<T>(work: () => T, timeoutMs: number): Attempt<T> {
  for (let start = 1; start < maxStarts; start += 1) {
    const started = process.threadCpuUsage();
    const found = runOnce(work, timeoutMs);
    if (found.ok || found.denial !== runaway || workedMs(started) > timeoutMs / 2) return found;
  }
  return runOnce(work, timeoutMs);
}

/** CPU time of this thread, ms. */
function workedMs(since: NodeJS.CpuUsage): number {
  const {user, system} = process.threadCpuUsage(since);
  return (user + system) / 1_000;
}

/** Only `node:vm` can stop a running regular expression. It is used as a clock here, not as a sandbox. */
function runOnce<T>(work: () => T, timeoutMs: number): Attempt<T> {
  let value: {readonly it: T} | undefined;
  try {
    const context = createContext({
      work: () => {
        value = {it: work()};
      },
    });
    call.runInContext(context, {timeout: Math.max(1, Math.ceil(timeoutMs))});
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return {ok: false, denial: runaway};
    return invalid(error instanceof Error ? error.message : String(error));
  }
  return value ? {ok: true, value: value.it} : {ok: false, denial: runaway};
}

const runaway = failed(
  'regex_timeout',
  'pattern: takes too long on these files; use a simpler one, without nested repetition, or fewer files',
);

// Performs glob_search.

interface WantedNames {
  readonly pattern: string;
  /** Relative to the workspace, which is the default. */
  readonly base_dir?: string;
  /** The maximum number of files in the result. */
  readonly limit: number;
}

export async function findFiles(
  {pattern, base_dir: base = '.', limit}: WantedNames,
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
  return {kind: 'succeeded', text: namesText(found, limit, listing)};
}

function namesText(found: readonly Listed[], limit: number, listing: Listing): string {
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
