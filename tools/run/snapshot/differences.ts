/** The changes between two snapshots of a workspace, as data for backups and as text for people. */

import type {Change} from '../../../machines/domain/patch.ts';
import type {Replacement} from '../../tool.ts';
import {changesOfTexts} from '../../write/change.ts';
import {type Entry, type Manifest, type Missing, modeOf, type Unkept} from './entry.ts';
import type {Pack} from './take.ts';

export interface Difference {
  readonly path: string;
  /** `content`: that of an entry without stored content. */
  readonly before?: Entry & {readonly content?: Buffer};
  readonly after?: Entry;
}

export interface Comparison {
  /** New files are known as well. */
  readonly isWhole: boolean;
  /** When the command began, epoch ms. */
  readonly beganMs: number;
}

/** By path. */
export function differencesOf(
  before: Manifest,
  after: Manifest,
  comparison: Comparison,
): readonly Difference[] {
  const gone = [...before.entries]
    .filter(([path]) => !after.entries.has(path))
    .map(([path, entry]): Difference => ({path, before: entry}));
  const lost = comparison.isWhole ? leftOutChanges(before, after) : [];
  const comesFromUnknown = createArrivals(before, comparison);
  const others = [...after.entries].flatMap(([path, entry]): Difference[] => {
    const earlier = before.entries.get(path);
    if (!earlier && before.leftOut.has(path)) return [];
    if (!earlier) {
      const arrived = comesFromUnknown(entry) ? {before: {...entry, ...isMissing('moved')}} : {};
      return [{path, ...arrived, after: entry}];
    }
    return isEqual(earlier, entry) ? [] : [{path, before: earlier, after: entry}];
  });
  return [...gone, ...lost, ...others].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Folders without stored content: removed ones and new ones. */
function leftOutChanges(before: Manifest, after: Manifest): readonly Difference[] {
  const gone = [...before.leftOut.difference(after.leftOut)];
  const made = [...after.leftOut.difference(before.leftOut)];
  return [
    ...gone.map((path) => lostFolder(path, after.entries.get(path))),
    ...made
      .filter((path) => !before.entries.has(path))
      .map((path): Difference => ({path, after: leftOutFolder})),
  ];
}

function lostFolder(path: string, after: Entry | undefined): Difference {
  return after ? {path, before: leftOutFolder, after} : {path, before: leftOutFolder};
}

const leftOutFolder: Entry = {
  kind: 'folder',
  mode: 0o755,
  size: 0,
  mtimeMs: 0,
  ctimeMs: 0,
  ino: 0,
  ...isMissing('unkept'),
};

/** A state that no content has, so that a file created there later is not mistaken for the lost one. */
function isMissing(missing: 'unkept' | 'moved'): Pick<Entry, 'missing' | 'state'> {
  return {missing, state: missing};
}

/** Existing files that were moved in from folders outside the snapshots: removing them could destroy the only copy. */
function createArrivals(before: Manifest, comparison: Comparison): (entry: Entry) => boolean {
  const known = new Set([...before.entries.values()].map(({ino}) => ino));
  return (entry) => entry.kind === 'file' && isOlder(entry, comparison) && !known.has(entry.ino);
}

/** Older than the command: it was moved to its place. */
function isOlder({bornMs = 0}: Entry, {beganMs}: Pick<Comparison, 'beganMs'>): boolean {
  return bornMs > 0 && bornMs < beganMs;
}

function isEqual(a: Entry, b: Entry): boolean {
  if (a === b) return true;
  return a.kind === b.kind && a.state === b.state && (a.kind === 'link' || a.mode === b.mode);
}

/** For undo. Throws when the pack is truncated. */
export function replacementOf(
  {path, before, after}: Difference,
  pack: Pick<Pack, 'get'>,
): Replacement {
  const left = after ? {after: after.state} : {};
  if (!before) return {path, ...left};
  const {state, content = contentOf(before, pack)} = before;
  return {path, before: {state, content, mode: modeOf(before)}, ...left};
}

function contentOf(
  {kind, target = '', kept, missing}: Entry,
  pack: Pick<Pack, 'get'>,
): Buffer | Missing {
  if (missing === 'unkept' || missing === 'moved') return missing;
  if (kind === 'link') return Buffer.from(target);
  if (kind === 'folder' || (kind === 'git' && !kept)) return Buffer.alloc(0);
  return kept ? pack.get(kept) : (missing ?? 'large');
}

/** The changes as people, models and judges see them. */
export interface CommandChanges {
  /** Absent: more was made than is known. */
  readonly written?: readonly string[];
  readonly changes: readonly Change[];
  /** One line; empty when nothing has changed. */
  readonly note: string;
}

const maxChanges = 50;
const maxWritten = 100;
const maxNamed = 12;
/** Beyond this size a file is reported without its lines. */
const maxTextBytes = 64 * 1024;
/** Of all diffs together, UTF-16 units. */
const maxDiffs = 60_000;

export interface ChangeDetails {
  readonly isWhole: boolean;
  readonly reopened: readonly string[];
  /** The reason why from now on not all of the workspace can be restored. */
  readonly gap?: string | undefined;
  /** Data that is not stored from now on. */
  readonly unkept?: readonly Unkept[];
}

export async function describeChanges(
  differences: readonly Difference[],
  pack: Pick<Pack, 'get'>,
  {isWhole, reopened, gap, unkept = []}: ChangeDetails,
): Promise<CommandChanges> {
  const files = differences.filter(isOfFiles);
  const shown = files.slice(0, maxChanges);
  let room = maxDiffs;
  const changed = await Promise.all(shown.map(async (each) => await changeOf(each, pack)));
  const changes = changed.map((change): Change => {
    const {path, added, removed, diff = ''} = change;
    room -= diff.length;
    return room < 0 ? {path, added, removed} : change;
  });
  const git = differences.filter(isOfGit);
  const written = files.flatMap(({path, after}) => (after ? [path] : [])).slice(0, maxWritten);
  const more = [
    ...namedChanges(git),
    ...reopened.slice(0, maxNamed).map((path) => `made readable again ${path}`),
    ...(isWhole ? [] : ['and more files than can be listed']),
    ...(gap === undefined ? [] : [`from now on not all can be undone: ${gap}`]),
    ...unkept
      .slice(0, maxNamed)
      .map(({path, why}) => `from now on not kept: ${path}, which ${why}`),
  ];
  const note = noteOf(files, more);
  return isWhole ? {written, changes, note} : {changes, note};
}

function isOfGit({before, after}: Difference): boolean {
  return (before ?? after)?.kind === 'git';
}

function isOfFiles(difference: Difference): boolean {
  const {before, after} = difference;
  if (isOfGit(difference)) return false;
  if (before?.missing === 'unkept') return true;
  return (before?.kind ?? 'folder') !== 'folder' || (after?.kind ?? 'folder') !== 'folder';
}

async function changeOf(
  {path, before, after}: Difference,
  pack: Pick<Pack, 'get'>,
): Promise<Change> {
  const texts = [entryText(before, pack), entryText(after, pack)] as const;
  // One side alone would count all lines of the other.
  const isPart = [before, after].some(
    (entry, at) => entry?.kind === 'file' && texts[at] === undefined,
  );
  const [change] = isPart ? [] : await changesOfTexts(path, ...texts);
  return change ?? {path, added: 0, removed: 0};
}

/** Undefined for an entry without text lines. */
function entryText(entry: Entry | undefined, pack: Pick<Pack, 'get'>): string | undefined {
  if (entry?.kind === 'link') return `link to ${entry.target ?? ''}\n`;
  if (!entry?.kept || entry.size > maxTextBytes) return undefined;
  const bytes = pack.get(entry.kept);
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}

function noteOf(files: readonly Difference[], also: readonly string[]): string {
  return [...namedChanges(files), ...also].join(', ');
}

function namedChanges(changes: readonly Difference[]): readonly string[] {
  const named = changes
    .slice(0, maxNamed)
    .map((each) => `${wordFor(each)} ${each.path}${remarkOn(each)}`);
  const more = changes.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])];
}

function remarkOn(difference: Difference): string {
  const {before} = difference;
  if (isRaising(difference)) return ' (setuid)';
  if (before?.content) return '';
  return before?.missing && before.missing !== 'moved' ? ' (its old content is not stored)' : '';
}

/** The file runs as its owner or with its group (setuid, setgid). */
function isRaising({before, after}: Difference): boolean {
  const bits = (after?.mode ?? 0) & 0o6000 & ~(before?.mode ?? 0);
  return after?.kind === 'file' && bits !== 0;
}

function wordFor({before, after}: Difference): 'made' | 'changed' | 'removed' {
  if (!before || before.missing === 'moved') return 'made';
  return after ? 'changed' : 'removed';
}
