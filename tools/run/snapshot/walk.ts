/**
 * All that a workspace holds but what nobody brings back: the data of version control, installed packages, and folders
 * that git ignores. Folders are reached by their paths: a link that takes the place of one in between shows other names,
 * and none of them is read, for a content is reached without following any link.
 */

import {accessSync, constants, lstatSync, readdirSync, type Stats} from 'node:fs';
import {join} from 'node:path';

import {errorCode} from '../../containment/denial.ts';
import {openFolder} from '../../containment/folder.ts';
import {isIgnored, parseIgnoreFile, type RuleSet} from '../../read/ignored.ts';
import {readIn} from '../../read/read.ts';
import {skipped} from '../../read/tree.ts';
import {isTemporary} from '../../write/leftovers.ts';
import type {Entry, Manifest} from './entry.ts';

const ignoreFile = '.gitignore';
const maxIgnoreBytes = 100_000;

export interface Found {
  /** Relative to the workspace. */
  readonly path: string;
  readonly kind: Entry['kind'];
  readonly stats: Stats;
}

/** `opaque`: a name that is no UTF-8. */
export type Step = Found | {readonly leftOut: string} | {readonly closed: string} | 'opaque';

interface Judged {
  readonly rules: readonly RuleSet[];
  readonly ignored: boolean;
}

/** What was found out by earlier walks. */
export interface WalkMemo {
  /** By folder: its own rules, while its file is the same, below those above it. */
  readonly rules: Map<
    string,
    {readonly stamp: string; readonly above: readonly RuleSet[]; readonly all: readonly RuleSet[]}
  >;
  readonly judged: Map<string, Judged>;
}

export function createWalkMemo(): WalkMemo {
  return {rules: new Map(), judged: new Map()};
}

interface Place {
  /** Relative to the workspace; `''` for itself. */
  readonly path: string;
  readonly above: readonly RuleSet[];
}

export interface Walk {
  readonly workspace: string;
  /** Absolute paths of what is none of its files: left out. */
  readonly own?: ReadonlySet<string>;
  readonly memo: WalkMemo;
  /** What is there now is held against it: who has changed what git ignores since then has hidden, or shown, nothing. */
  readonly since?: Manifest | undefined;
}

/** Folders that are left out, or can't be read, are told by their paths. Another's that can't be read are as if empty. */
export function* walk(order: Walk): Generator<Step> {
  const places: Place[] = [{path: '', above: []}];
  for (let place = places.pop(); place; place = places.pop()) {
    const names = namesIn(join(order.workspace, place.path));
    if (!names) {
      yield {closed: place.path};
      continue;
    }
    const rules = rulesOf(order, place, names.includes(ignoreFile));
    for (const name of names) {
      const path = place.path === '' ? name : `${place.path}/${name}`;
      const step = stepAt(order, path, name, rules);
      if (!step) continue;
      if (step !== 'opaque' && 'kind' in step && step.kind === 'folder') {
        places.push({path, above: rules});
      }
      yield step;
    }
  }
}

function stepAt(
  order: Walk,
  path: string,
  name: string,
  rules: readonly RuleSet[],
): Step | undefined {
  const place = join(order.workspace, path);
  const stats = order.own?.has(place) ? undefined : lstatSync(place, {throwIfNoEntry: false});
  if (!stats) return name.includes('\ufffd') ? 'opaque' : undefined;
  const kind = kindOfStats(stats);
  if (!kind || (kind === 'file' && isTemporary(name))) return undefined;
  if (kind === 'folder' && isLeftOut(order, path, name, rules)) return {leftOut: path};
  return {path, kind, stats};
}

/** What is left of what was there. */
export function* revisit(workspace: string, {entries}: Manifest): Generator<Found> {
  for (const path of entries.keys()) {
    const stats = lstatSync(join(workspace, path), {throwIfNoEntry: false});
    const kind = stats && kindOfStats(stats);
    if (kind) yield {path, kind, stats};
  }
}

/** Undefined: whose folder it is may open it. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return readdirSync(folder);
  } catch (error) {
    const isOwn = lstatSync(folder, {throwIfNoEntry: false})?.uid === process.getuid?.();
    return errorCode(error) === 'EACCES' && isOwn ? undefined : [];
  }
}

/** Pipes, sockets and devices hold nothing. */
function kindOfStats(stats: Stats): Entry['kind'] | undefined {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : undefined;
}

function isLeftOut(
  {memo: {judged}, since}: Walk,
  path: string,
  name: string,
  rules: readonly RuleSet[],
): boolean {
  if (skipped.includes(name)) return true;
  if (since?.entries.has(path)) return false;
  if (since?.leftOut.has(path)) return true;
  const known = judged.get(path);
  if (known?.rules === rules) return known.ignored;
  const ignored = isIgnored(path.split('/'), true, rules);
  judged.set(path, {rules, ignored});
  return ignored;
}

/** The same list as long as the files are the same. */
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

/** A file that can't be read ignores nothing. */
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
