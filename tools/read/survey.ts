/** An overview of a workspace: its documents and manifests, two levels of its entries, and the files of a small one. */

import {isCredentialPlace} from '../../machines/places/places.ts';
import {escapeLine} from '../escape.ts';
import {clip} from './clip.ts';
import {topLevel, type TopLevel} from './list.ts';
import {paced} from './pace.ts';
import {readInside, decodedText} from './read.ts';
import {type Listed, walk} from './tree.ts';

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
