/**
 * Walks everything in a workspace except content that is never restored: the data of version control, installed packages and build
 * output. Folders of other data that git ignores come last, as far as there is room. Folders are reached
 * by their paths: if a link replaces one in between, other names appear, but their files are not read, because a content
 * is read without following any link.
 */

import {accessSync, constants, lstatSync, opendirSync, readdirSync, type Stats} from 'node:fs';
import {basename, join} from 'node:path';

import {type Exists, isMadeByTool, isRegenerable} from '../../commands/regenerable.ts';
import {errorCode} from '../../containment/denial.ts';
import {openFolder} from '../../containment/folder.ts';
import {isOwn, openable} from '../../containment/own-state.ts';
import {firstUnsafe} from '../../escape.ts';
import {isIgnored, parseIgnoreFile, type RuleSet} from '../../read/glob.ts';
import {maxFileBytes, readIn} from '../../read/read.ts';
import {skipped} from '../../read/tree.ts';
import {isTemporary} from '../../write/leftovers.ts';
import {isLeftover, mayBeLeftover} from '../sandbox/reserved-paths.ts';
import type {Entry, Manifest} from './entry.ts';

/** The limits of a snapshot: files, links and folders. */
export const maxEntries = 50_000;
export const maxBytes = 200 * 1024 * 1024;

const ignoreFile = '.gitignore';
const maxIgnoreBytes = 100_000;

export interface Found {
  /** Relative to the workspace. */
  readonly path: string;
  readonly kind: Entry['kind'];
  readonly stats: Stats;
  /** Git ignores it, and it is data: if it is missing, the rest still counts as complete. */
  readonly isData?: true;
}

/**
 * `special`: a pipe, a socket or a device. `opaque`: a name that is not UTF-8. `dropped`: a folder of data that git ignores; all that was found in it is discarded.
 */
export type Step =
  | Found
  | {readonly leftOut: string}
  | {readonly closed: string}
  | {readonly special: string}
  | {readonly dropped: string; readonly why: string}
  | 'opaque'
  | 'pause';

type Kind = 'shown' | 'output' | 'data';

interface Judged {
  readonly rules: readonly RuleSet[];
  readonly as: Kind;
}

/** Results of earlier walks. */
export interface WalkMemo {
  /** By folder: its own rules, valid while its file and the rules above it are the same. */
  readonly rules: Map<
    string,
    {readonly stamp: string; readonly above: readonly RuleSet[]; readonly all: readonly RuleSet[]}
  >;
  readonly judged: Map<string, Judged>;
  /** Folders of data that git ignores. */
  readonly data: Set<string>;
  /** Folders left out for lack of room: the reason, and when to try again, ms of `performance.now()`. */
  readonly dropped: Map<string, {readonly why: string; readonly untilMs: number}>;
}

export function createWalkMemo(): WalkMemo {
  return {rules: new Map(), judged: new Map(), data: new Set(), dropped: new Map()};
}

/** Data beyond the limits is not read again for this long, ms. */
const droppedMs = 60_000;

interface Place {
  /** Relative to the workspace; `''` for itself. */
  readonly path: string;
  readonly above: readonly RuleSet[];
  readonly isData?: true;
}

export interface Walk {
  readonly workspace: string;
  readonly memo: WalkMemo;
  /** Git ignored the folder when the run began. Absent: judged by the current rules. */
  readonly wasIgnored?: ((path: string) => boolean) | undefined;
  /** The earlier manifest: changes to ignore rules since then neither hide nor reveal its files. */
  readonly since?: Manifest | undefined;
}

/** A folder that is left out or can't be read yields its path. Another user's unreadable folder counts as empty. */
export function* walk(order: Walk): Generator<Step> {
  const data: string[] = [];
  const room = {entries: maxEntries, bytes: maxBytes};
  for (const step of walkFrom(order, {path: '', above: []}, data)) {
    take(room, step);
    yield step;
  }
  for (const path of data) yield* walkData(order, path, room);
}

function take(room: Room, step: Step): void {
  if (typeof step === 'string' || !('kind' in step)) return;
  room.entries -= 1;
  if (step.kind === 'file' && step.stats.size <= maxFileBytes) room.bytes -= step.stats.size;
}

/** Yields the whole folder, or nothing of it. */
function* walkData(order: Walk, path: string, room: Room): Generator<Step> {
  const {workspace, memo} = order;
  const before = memo.dropped.get(path);
  if (before && performance.now() < before.untilMs) {
    yield {dropped: path, why: before.why};
    return;
  }
  const drop = (why: string): Step => {
    memo.dropped.set(path, {why, untilMs: performance.now() + droppedMs});
    return {dropped: path, why};
  };
  const stats = lstatSync(join(workspace, path), {throwIfNoEntry: false});
  if (!stats?.isDirectory()) return;
  if (!(yield* weigh(join(workspace, path), room))) {
    yield drop('git ignores and is too large to keep');
    return;
  }
  memo.data.add(path);
  yield {path, kind: 'folder', stats, isData: true};
  for (const step of walkFrom(order, {path, above: [], isData: true}, [])) {
    const why = oddText(step);
    if (why !== undefined) {
      yield drop(`git ignores and ${why}`);
      return;
    }
    take(room, step);
    yield step;
  }
}

function oddText(step: Step): string | undefined {
  if (step === 'opaque' || (typeof step === 'object' && 'kind' in step && isUnsafe(step.path))) {
    return 'contains names that are not UTF-8, or have invisible or control characters';
  }
  return typeof step === 'object' && 'closed' in step ? "can't be read whole" : undefined;
}

function isUnsafe(path: string): boolean {
  return firstUnsafe(path) !== undefined;
}

/** Adds folders of data that git ignores to `data`. */
function* walkFrom(order: Walk, start: Place, data: string[]): Generator<Step> {
  const places = [start];
  for (let place = places.pop(); place; place = places.pop()) {
    const names = namesIn(join(order.workspace, place.path));
    if (!names) {
      yield {closed: place.path};
      continue;
    }
    const above = place.isData ? [] : rulesOf(order, place, names.includes(ignoreFile));
    for (const name of names) {
      const step = stepAt(order, {...place, above}, name);
      if (step === undefined) continue;
      if (typeof step === 'object' && 'later' in step) data.push(step.later);
      else {
        places.push(...placeOf(step, above));
        yield step;
      }
    }
  }
}

/** The folder to walk, if the step is one. */
function placeOf(step: Step, above: readonly RuleSet[]): readonly Place[] {
  if (typeof step === 'string' || !('kind' in step) || step.kind !== 'folder') return [];
  return [{path: step.path, above, ...(step.isData ? {isData: true} : {})}];
}

type Stepped = Step | {readonly later: string} | undefined;

function stepAt(order: Walk, {path: above, above: rules, isData}: Place, name: string): Stepped {
  const path = join(above, name);
  const place = join(order.workspace, path);
  const stats = lstatSync(place, {throwIfNoEntry: false});
  if (isOwn(stats)) return undefined;
  if (!stats) return name.includes('\ufffd') ? 'opaque' : undefined;
  const kind = kindOfStats(stats);
  if (!kind) return {special: path};
  if (isOfQuorate(place, kind, stats)) return undefined;
  const found: Found = isData ? {path, kind, stats, isData} : {path, kind, stats};
  return kind === 'folder' ? folderStep(order, found, name, rules) : found;
}

function folderStep(
  order: Walk,
  found: Found,
  name: string,
  rules: readonly RuleSet[],
): Exclude<Stepped, undefined> {
  const {path} = found;
  if (found.isData) return isLeftOutOfData(order, path, name) ? {leftOut: path} : found;
  const as = kindOfFolder(order, path, name, rules);
  if (as === 'output') return {leftOut: path};
  if (as === 'shown') return found;
  return order.since?.entries.has(path) ? {...found, isData: true} : {later: path};
}

function isLeftOutOfData(order: Walk, path: string, name: string): boolean {
  return (
    isSkipped(order, path, name) || (isMadeByTool(name) && isMadeByTool(path, existsIn(order)))
  );
}

/** Data of version control, and packages. */
function isSkipped(order: Walk, path: string, name: string): boolean {
  return skipped.includes(name) && (!isMadeByTool(name) || isMadeByTool(path, existsIn(order)));
}

function existsIn({workspace}: Walk): Exists {
  return (path) => lstatSync(join(workspace, path), {throwIfNoEntry: false}) !== undefined;
}

/** The entries of the manifest that still exist. */
export function* revisit(workspace: string, {entries}: Manifest): Generator<Found> {
  for (const path of entries.keys()) {
    const stats = lstatSync(join(workspace, path), {throwIfNoEntry: false});
    const kind = stats && kindOfStats(stats);
    if (kind) yield {path, kind, stats};
  }
}

/** Undefined: unreadable, but its owner may open it. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return readdirSync(folder);
  } catch (error) {
    const isOfUser = lstatSync(folder, {throwIfNoEntry: false})?.uid === process.getuid?.();
    return errorCode(error) === 'EACCES' && isOfUser ? undefined : [];
  }
}

/** Pipes, sockets and devices have no content. */
function kindOfStats(stats: Stats): Entry['kind'] | undefined {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : undefined;
}

/** Changes to ignore rules since the first snapshot hide nothing. */
function kindOfFolder(order: Walk, path: string, name: string, rules: readonly RuleSet[]): Kind {
  const {memo, since} = order;
  if (since?.entries.has(path)) return memo.data.has(path) ? 'data' : 'shown';
  if (isSkipped(order, path, name)) return 'output';
  if (since?.leftOut.has(path)) return 'output';
  const known = memo.judged.get(path);
  if (known?.rules === rules) return known.as;
  const as = judgeFolder(order, path, rules);
  memo.judged.set(path, {rules, as});
  return as;
}

function judgeFolder(order: Walk, path: string, rules: readonly RuleSet[]): Kind {
  const {wasIgnored} = order;
  const exists = existsIn(order);
  if (!isIgnored(path.split('/'), true, rules)) return 'shown';
  if (isMadeByTool(path, exists)) return 'output';
  return isRegenerable(path, Infinity, exists) && (wasIgnored?.(path) ?? true) ? 'output' : 'data';
}

/** Returns the same list as long as the files are the same. */
function rulesOf(order: Walk, {path, above}: Place, isThere: boolean): readonly RuleSet[] {
  const {workspace, memo, since} = order;
  const known = memo.rules.get(path);
  if (since && known) return known.all;
  if (!isThere || wasThere(since, path)) return above;
  const stamp = stampOf(join(workspace, path, ignoreFile));
  if (known?.stamp === stamp && known.above === above) return known.all;
  const all = [...above, ...readRules(workspace, path === '' ? [] : path.split('/'))];
  memo.rules.set(path, {stamp, above, all});
  return all;
}

function wasThere(since: Manifest | undefined, folder: string): boolean {
  return since !== undefined && (folder === '' || since.entries.has(folder));
}

function stampOf(path: string): string {
  const stats = lstatSync(path, {throwIfNoEntry: false});
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}` : '';
}

/** An unreadable file ignores nothing. */
function readRules(workspace: string, parts: readonly string[]): readonly RuleSet[] {
  try {
    const folder = openFolder(workspace, parts);
    try {
      const {bytes} = readIn(folder, ignoreFile, parts.length, maxIgnoreBytes);
      return [parseIgnoreFile(bytes.toString('utf8'), parts.length)];
    } finally {
      folder.close();
    }
  } catch {
    return [];
  }
}

/** Leftovers of an interrupted write or command of ours; not the user's files. */
function isOfQuorate(path: string, kind: Entry['kind'], stats: Stats): boolean {
  if (kind === 'file') return isTemporary(basename(path));
  return kind === 'folder' && mayBeLeftover(stats) && isLeftover(path);
}

interface Room {
  entries: number;
  bytes: number;
}

/** Whether a folder fits into the room, without reading any file. Files that are too large by themselves don't count. Stops when no room is left. Gives way after every entry. */
function* weigh(folder: string, {entries, bytes}: Room): Generator<'pause', boolean> {
  let left = entries - 1;
  let leftBytes = bytes;
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const {path, size, isFolder} of entriesIn(at)) {
      left -= 1;
      if (size <= maxFileBytes) leftBytes -= size;
      if (left < 0 || leftBytes < 0) return false;
      yield 'pause';
      if (isFolder) open.push(path);
    }
  }
  return left >= 0;
}

interface Weighed {
  readonly path: string;
  readonly size: number;
  readonly isFolder: boolean;
}

/** Unreadable folders count as empty. */
function* entriesIn(folder: string): Generator<Weighed> {
  let opened;
  try {
    opened = opendirSync(openable(folder));
  } catch {
    return;
  }
  try {
    for (let entry = opened.readSync(); entry; entry = opened.readSync()) {
      const path = join(folder, entry.name);
      const stats = entry.isFile() ? lstatSync(path, {throwIfNoEntry: false}) : undefined;
      yield {path, size: stats?.size ?? 0, isFolder: entry.isDirectory()};
    }
  } finally {
    opened.closeSync();
  }
}
