/**
 * What a workspace holds, found out from what it held before: only what has other times, or another size, is read. Within
 * bounds, beyond which nothing is kept: a workspace is brought back whole, or nobody says that it can be.
 */

import {hash} from 'node:crypto';
import {readlinkSync, type Stats} from 'node:fs';
import {join} from 'node:path';

import {isCredentialPlace} from '../../../machines/domain/places.ts';
import {errorCode} from '../../containment/denial.ts';
import {openFolder} from '../../containment/folder.ts';
import {firstUnsafe} from '../../escape.ts';
import {paced} from '../../read/pace.ts';
import {maxFileBytes, readIn} from '../../read/read.ts';
import {type Entry, linkState, type Manifest, unreadState} from './entry.ts';
import type {Pack} from './pack.ts';
import type {Found, Step} from './walk.ts';

/** Files, links and folders. */
const maxEntries = 50_000;
const maxBytes = 200 * 1024 * 1024;

/** File systems tell times in steps of up to so many ms. */
const youngMs = 50;

export interface Taking {
  readonly workspace: string;
  readonly steps: Iterator<Step>;
  /** What was there: what has the same times is not read again. */
  readonly before: Manifest | undefined;
  /** Absent: contents are looked at and not kept. */
  readonly pack?: Pick<Pack, 'put'> | undefined;
  readonly holdsSecret: (content: Buffer) => boolean;
  /** How long it may take, ms. */
  readonly patienceMs: number;
}

/** `before` itself when nothing has changed. `over`: why it goes beyond the bounds. Rejects when the pack can't be written. */
export async function takeManifest(taking: Taking): Promise<Manifest | {readonly over: string}> {
  const entries = new Map<string, Entry>();
  const leftOut = new Set<string>();
  const closed: string[] = [];
  const deadline = performance.now() + taking.patienceMs;
  const gaps = {opaque: false, large: ''};
  let bytes = 0;
  let over = '';
  await paced(taking.steps, new AbortController().signal, (found) => {
    if (found === 'opaque') gaps.opaque = true;
    else if ('leftOut' in found) leftOut.add(found.leftOut);
    else if ('closed' in found) closed.push(found.closed);
    else {
      const entry = entryOf(taking, found);
      if (!entry) return true;
      entries.set(found.path, entry);
      if (firstUnsafe(found.path) !== undefined) gaps.opaque = true;
      if (entry.missing === 'large') gaps.large ||= found.path;
      else bytes += entry.kind === 'file' ? entry.size : 0;
    }
    over = overText(entries.size, bytes, deadline);
    return over === '';
  });
  if (over !== '') return {over};
  gaps.large ||= closed[0] ?? '';
  const gap = gapText(gaps);
  const taken = {
    entries,
    leftOut,
    ...(closed.length > 0 ? {closed} : {}),
    ...(gap === undefined ? {} : {gap}),
  };
  return taking.before && isSame(taking.before, taken) ? taking.before : taken;
}

function overText(count: number, bytes: number, deadline: number): string {
  if (count > maxEntries) return `it holds more than ${maxEntries} files`;
  if (bytes > maxBytes) return `its files hold more than ${maxBytes / 1024 / 1024} MB`;
  return performance.now() > deadline ? 'it takes too long to read' : '';
}

function gapText({opaque, large}: {readonly opaque: boolean; readonly large: string}) {
  if (opaque) return 'it holds names that are no UTF-8, or have invisible or control characters';
  if (large === '') return undefined;
  return `${large} can't be read, or holds more than ${maxFileBytes / 1024 / 1024} MB`;
}

function isSame(before: Manifest, {entries, leftOut, gap}: Manifest): boolean {
  if (before.entries.size !== entries.size || before.gap !== gap) return false;
  for (const [path, entry] of entries) if (before.entries.get(path) !== entry) return false;
  return leftOut.size === before.leftOut.size && leftOut.isSubsetOf(before.leftOut);
}

/** Undefined when it is gone. Throws when the pack can't be written. */
function entryOf(taking: Taking, found: Found): Entry | undefined {
  const {path, kind, stats} = found;
  const known = taking.before?.entries.get(path);
  if (known && isUnchanged(known, found)) return known;
  const base = {kind, mode: stats.mode & 0o7777, ...stampOf(kind, stats)};
  try {
    if (kind === 'folder') return {...base, state: 'folder'};
    if (kind === 'link') {
      const target = readlinkSync(join(taking.workspace, path));
      return {...base, state: linkState(target), target};
    }
    return readEntry(taking, found, base);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    return {...base, state: unreadState(base), missing: 'large'};
  }
}

type Base = Omit<Entry, 'state'>;

function readEntry({workspace, pack, holdsSecret}: Taking, {path}: Found, base: Base): Entry {
  if (base.size > maxFileBytes) return {...base, state: unreadState(base), missing: 'large'};
  const {bytes, stats} = readUnfollowed(workspace, path.split('/'));
  const state = hash('sha256', bytes);
  const young = Date.now() - stats.ctimeMs < youngMs ? ({isYoung: true} as const) : {};
  const read = {...base, ...stampOf('file', stats), mode: stats.mode & 0o7777, state, ...young};
  if (isCredentialPlace(path) || holdsSecret(bytes)) return {...read, missing: 'secret'};
  return pack ? {...read, kept: pack.put(state, bytes)} : read;
}

function readUnfollowed(workspace: string, parts: readonly string[]): ReturnType<typeof readIn> {
  const folder = openFolder(workspace, parts.slice(0, -1));
  try {
    return readIn(folder, parts.at(-1) ?? '', parts.length - 1, maxFileBytes);
  } finally {
    folder.close();
  }
}

/** Times of a folder change with what it holds. */
function stampOf(kind: Entry['kind'], {size, mtimeMs, ctimeMs, ino}: Stats) {
  if (kind === 'folder') return {size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0};
  return {size, mtimeMs, ctimeMs, ino};
}

function isUnchanged(known: Entry, {kind, stats}: Found): boolean {
  if (known.kind !== kind || known.mode !== (stats.mode & 0o7777)) return false;
  if (kind === 'folder') return true;
  return (
    known.isYoung !== true &&
    known.ctimeMs === stats.ctimeMs &&
    known.mtimeMs === stats.mtimeMs &&
    known.size === stats.size &&
    known.ino === stats.ino
  );
}
