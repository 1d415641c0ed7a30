/** An overview of a workspace: its documents and manifests, two levels of its entries, and the files of a small one. */

import {lstatSync, statSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import type {ContextFile} from '../../machines/prompts/sections.ts';
import {escapeForTerminal, escapeLine} from '../escape.ts';
import {paced} from './pace.ts';
import {clip, decodedText, readInside} from './read.ts';
import {type Listed, topLevel, type TopLevel, walk} from './tree.ts';

const maxFileShareBytes = 16_000;
const maxNames = 200;
const maxSurveyedBytes = 2 * 1024 * 1024;
/** The number of files that are counted, and of entries that are looked at for it. */
const maxCounted = 5_000;
const maxLooked = 20_000;
/** For the second level of the listing. */
const maxSecondBytes = 2_000;
/** A workspace with fewer files is small: its files are read. */
const fewFiles = 10;
const maxSourceBytes = 8_000;

/** In reading order; names are compared without case. */
const known: readonly RegExp[] = [
  /^readme(\.(md|markdown|rst|txt|adoc|org))?$/i,
  /^contributing\.md$/i,
  /^(package\.json|pyproject\.toml|cargo\.toml|go\.mod|deno\.jsonc?|composer\.json|gemfile)$/i,
  /^(pom\.xml|build\.gradle(\.kts)?|setup\.(py|cfg)|mix\.exs|cmakelists\.txt|makefile|justfile)$/i,
];

export interface Survey {
  readonly text: string;
  /** The files whose text is in `text`, relative to the workspace. */
  readonly read: readonly string[];
  /** The number of files that the tools find, up to a limit. */
  readonly files: number;
  /** The other files of a small workspace that are short texts, in full. */
  readonly sources: readonly FileText[];
}

export interface FileText {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
}

/**
 * At most `maxBytes` of text, and as much of sources, with notes about cuts. `isListing`: no file is read. Rejects when aborted; an unreadable file is reported in
 * the text.
 */
export async function surveyWorkspace(
  workspace: string,
  maxBytes: number,
  signal: AbortSignal,
  isListing = false,
): Promise<Survey> {
  signal.throwIfAborted();
  const top = await topLevel(workspace, signal);
  signal.throwIfAborted();
  if (!top.ok) {
    return {text: clip(top.denial.message, maxBytes), read: [], files: 0, sources: []};
  }
  const found = await filesIn(workspace, signal);
  signal.throwIfAborted();
  const names = known.flatMap((pattern) => top.value.names.filter((name) => pattern.test(name)));
  const head = listing(withoutGit(top.value), found, Math.min(maxBytes, maxFileShareBytes));
  if (isListing) return {text: head, read: [], files: found.length, sources: []};
  const described = describedFiles(workspace, names, head, maxBytes);
  const others = found.filter(({path}) => !described.read.includes(path));
  const sources = found.length < fewFiles ? sourcesAmong(workspace, others, maxBytes) : [];
  return {...described, files: found.length, sources};
}

/** The files that tools find, the nearest first, up to the limit. */
async function filesIn(workspace: string, signal: AbortSignal): Promise<readonly Listed[]> {
  const files: Listed[] = [];
  let looked = 0;
  const steps = walk(workspace, []);
  try {
    await paced(steps, signal, (found) => {
      looked += 1;
      if (found.kind === 'file') files.push({path: found.path, bytes: found.bytes});
      return files.length < maxCounted && looked < maxLooked;
    });
  } finally {
    steps.return();
  }
  return files;
}

function describedFiles(
  workspace: string,
  names: readonly string[],
  head: string,
  maxBytes: number,
): Pick<Survey, 'text' | 'read'> {
  const parts = [head];
  const read: string[] = [];
  let left = maxBytes - Buffer.byteLength(head);
  for (const name of names) {
    const title = `\n\n## ${name}\n`;
    const room = Math.min(left - Buffer.byteLength(title), maxFileShareBytes);
    if (room < 100) break;
    const found = describe(workspace, name);
    if (found.isRead) read.push(name);
    const part = title + clip(found.text, room);
    parts.push(part);
    left -= Buffer.byteLength(part);
  }
  return {text: parts.join(''), read};
}

/** Whole files that are short texts, as long as they fit. */
function sourcesAmong(workspace: string, files: readonly Listed[], maxBytes: number): FileText[] {
  let left = maxBytes;
  return files.flatMap(({path, bytes}) => {
    if (bytes > Math.min(left, maxSourceBytes) || escapeLine(path) !== path) return [];
    const {text, isRead} = describe(workspace, path);
    if (!isRead || text === '') return [];
    left -= bytes;
    return [{path, text}];
  });
}

function describe(workspace: string, name: string): {text: string; isRead: boolean} {
  const file = readInside(workspace, name, {maxBytes: maxSurveyedBytes});
  if (file.ok && isCredentialPlace(file.value.path)) {
    return {text: '[not read: it leads to a file that may hold credentials]', isRead: false};
  }
  const text = file.ok ? decodedText(file.value) : file;
  return text.ok
    ? {text: text.value.trimEnd(), isRead: true}
    : {text: `[not read: ${text.denial.message}]`, isRead: false};
}

/** Git's own data is not useful to a planner. */
function withoutGit(top: TopLevel): TopLevel {
  return {...top, names: top.names.filter((name) => name !== '.git/' && name !== '.git')};
}

function listing(
  {names, cut, opaque}: TopLevel,
  files: readonly Listed[],
  maxBytes: number,
): string {
  if (names.length === 0 && opaque === 0) return clip('The workspace is empty.', maxBytes);
  const shown = names.slice(0, maxNames);
  const lines = shown.map((name) => namedFolder(name, files));
  const room = Math.min(maxSecondBytes, maxBytes - Buffer.byteLength(lines.join('\n')));
  const count = cut ? `more than ${names.length}` : String(names.length);
  const more = names.length > maxNames ? [`… ${count} entries in all`] : [];
  const unnamed = opaque > 0 ? [`… ${opaque} more, whose names are not UTF-8`] : [];
  const two = withSecondLevel(shown, lines, files, room);
  return clip([...two, ...more, ...unnamed].join('\n'), maxBytes);
}

/** `src/ (12 files)`; without a number if tools find no file in it, as in an ignored folder. */
function namedFolder(name: string, files: readonly Listed[]): string {
  const count = name.endsWith('/') ? files.filter(({path}) => path.startsWith(name)).length : 0;
  if (count === 0) return escapeLine(name);
  const isMore = files.length >= maxCounted ? ' or more' : '';
  return `${escapeLine(name)} (${count} ${count === 1 ? 'file' : 'files'}${isMore})`;
}

/** Below each folder its entries, for the folders for which there is room. */
function withSecondLevel(
  names: readonly string[],
  lines: readonly string[],
  files: readonly Listed[],
  room: number,
): readonly string[] {
  let left = room;
  return names.flatMap((name, at) => {
    const own = lines[at] ?? '';
    if (!name.endsWith('/')) return [own];
    const within = files.filter(({path}) => path.startsWith(name));
    const entries = new Set(within.map(({path}) => firstBelow(path, name)));
    const below = [...entries].toSorted().map((entry) => `  ${namedFolder(entry, within)}`);
    const bytes = Buffer.byteLength(below.join('\n')) + 1;
    if (bytes > left) return [own];
    left -= bytes;
    return [own, ...below];
  });
}

/** `src/lib/` of `src/lib/a.ts` in `src/`. */
function firstBelow(path: string, folder: string): string {
  const end = path.indexOf('/', folder.length);
  return end < 0 ? path : path.slice(0, end + 1);
}

// The files in which the author of a repository describes it for agents: those of the workspace, and of the folders above it up
// to the root of the repository.

/** The first takes precedence over the others of its folder. */
const contextNames = ['.quorate/context.md', 'AGENTS.md', 'CLAUDE.md'];

const maxFolders = 100;
const maxReadBytes = 2 * 1024 * 1024;
/** In bytes: a file with less room is left out, with a note. */
const leastRoom = 200;

/**
 * At most about `maxBytes` of text together, none for 0, in ascending order of precedence. The nearest files
 * are cut last. A file that can't be read has the reason as its text; a second name or a copy of a file is left out.
 * `workspace`: absolute, links resolved. Never throws for a file.
 */
export function readContextFiles(workspace: string, maxBytes: number): ContextFile[] {
  if (maxBytes === 0) return [];
  const folders = foldersToRoot(workspace);
  const root = folders.at(-1) ?? workspace;
  const found: ContextFile[] = [];
  const seen = new Set<string>();
  let left = maxBytes;
  for (const path of folders.flatMap((folder) => contextNames.map((name) => join(folder, name)))) {
    const read = readText(root, path);
    if (read === undefined || read.marks.some((mark) => seen.has(mark))) continue;
    for (const mark of read.marks) seen.add(mark);
    const text = fitted(read.text, left);
    left -= Buffer.byteLength(text);
    found.push({path: relative(workspace, path).split(sep).join('/'), text});
  }
  return found.toReversed();
}

/**
 * The workspace and the folders above it, up to the root of its repository; the workspace alone if it is in none. A root that
 * somebody else owns is none: on a shared machine, anybody could put one above a workspace.
 */
function foldersToRoot(workspace: string): readonly string[] {
  const owner = statSync(workspace, {throwIfNoEntry: false})?.uid;
  const folders: string[] = [];
  for (let folder = workspace; folders.length < maxFolders; folder = dirname(folder)) {
    folders.push(folder);
    const git = lstatSync(join(folder, '.git'), {throwIfNoEntry: false});
    if (git) return git.uid === owner ? folders : [workspace];
    if (folder === dirname(folder)) break;
  }
  return [workspace];
}

interface ReadText {
  readonly text: string;
  /** Shared with another name or a copy of the file. */
  readonly marks: readonly string[];
}

/** Undefined for a file that does not exist or is blank. */
function readText(root: string, path: string): ReadText | undefined {
  const name = relative(root, path);
  const file = readInside(root, name, {maxBytes: maxReadBytes});
  if (!file.ok && file.denial.code === 'not_found') return undefined;
  const place = file.ok ? file.value.path : name;
  if (isCredentialPlace(place) || isOfGit(place)) {
    return {marks: [place], text: '[not read: it leads to a file that may hold credentials]'};
  }
  const text = file.ok ? decodedText(file.value) : file;
  if (!text.ok) return {marks: [place], text: `[not read: ${text.denial.message}]`};
  const shown = shownText(text.value);
  return shown === '' ? undefined : {marks: [place, shown], text: shown};
}

/**
 * Invisible characters are spelled out: models are to follow these files, and a person who has read them did not see such
 * characters.
 */
function shownText(text: string): string {
  return escapeForTerminal(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')).trim();
}

function isOfGit(place: string): boolean {
  return place.toLowerCase().split(/[\\/]/).includes('.git');
}

function fitted(text: string, room: number): string {
  const bytes = Buffer.byteLength(text);
  return bytes > room && room < leastRoom
    ? `[left out, as there is no room: ${bytes} bytes]`
    : clip(text, room);
}
