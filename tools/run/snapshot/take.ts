/**
 * Lists a workspace's entries, starting from an earlier list: only files with other times or another size are read. Beyond
 * the limits nothing is stored: either the whole workspace can be restored, or it is reported that it can't.
 */

import {hash} from 'node:crypto';
import {
  readlinkSync,
  type Stats,
  closeSync,
  constants,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import {join} from 'node:path';

import {isCredentialPlace} from '../../../machines/places/places.ts';
import {errorCode} from '../../containment/denial.ts';
import {openFolder} from '../../containment/folder.ts';
import {firstUnsafe} from '../../escape.ts';
import {paced} from '../../read/pace.ts';
import {maxFileBytes, readIn} from '../../read/read.ts';
import {temporaryFolder} from '../../temporary-folder.ts';
import {temporaryName} from '../../write/leftovers.ts';
import {
  type Entry,
  linkState,
  type Manifest,
  type Unkept,
  unreadState,
  type Kept,
} from './entry.ts';
import {type Found, maxBytes, maxEntries, type Step} from './walk.ts';

/** Timestamps of file systems have a resolution of up to this many ms. */
const youngMs = 50;

interface Taking {
  readonly workspace: string;
  readonly steps: Iterator<Step>;
  /** The earlier list: a file with the same times is not read again. */
  readonly before: Manifest | undefined;
  /** Absent: contents are hashed and not stored. */
  readonly pack?: Pick<Pack, 'put'> | undefined;
  readonly holdsSecret: (content: Buffer) => boolean;
}

/** Resolves with `before` itself if nothing has changed. `over`: the reason why a limit is exceeded. Rejects when the pack can't be written. */
export async function takeManifest(taking: Taking): Promise<Manifest | {readonly over: string}> {
  const sum = createSum();
  let over = '';
  await paced(taking.steps, new AbortController().signal, (found) => {
    if (found === 'pause') return true;
    if (found === 'opaque') sum.gaps.opaque = true;
    else if ('leftOut' in found) sum.leftOut.add(found.leftOut);
    else if ('closed' in found) sum.closed.push(found.closed);
    else if ('special' in found) sum.unkept.push({path: found.special, why: specialText});
    else if ('dropped' in found) drop(sum, found.dropped, found.why);
    else {
      const entry = entryOf(taking, found);
      if (!entry) return true;
      add(sum, found, entry);
    }
    over = overText(sum.entries.size + sum.unkept.length, sum.bytes);
    return over === '';
  });
  if (over !== '') return {over};
  const taken = manifestOf(sum);
  return taking.before && isSame(taking.before, taken) ? taking.before : taken;
}

type Sum = ReturnType<typeof createSum>;

function createSum() {
  return {
    entries: new Map<string, Entry>(),
    leftOut: new Set<string>(),
    closed: [] as string[],
    unkept: [] as Unkept[],
    gaps: {opaque: false, large: '', tracked: ''},
    bytes: 0,
  };
}

function add(sum: Sum, {path, isData}: Found, entry: Entry): void {
  sum.entries.set(path, entry);
  if (firstUnsafe(path) !== undefined && !isData) sum.gaps.opaque = true;
  if (entry.missing === 'large') {
    if (isData) sum.unkept.push({path, why: largeText});
    else if (entry.blob !== undefined) sum.gaps.tracked ||= path;
    else sum.gaps.large ||= path;
  } else sum.bytes += entry.kind === 'file' ? entry.size : 0;
}

/** Drops the entries found in a folder: with a part of them, files found later would seem new. */
function drop(sum: Sum, folder: string, why: string): void {
  for (const [path, entry] of sum.entries) {
    if (path !== folder && !path.startsWith(`${folder}/`)) continue;
    sum.entries.delete(path);
    if (entry.kind === 'file' && entry.missing !== 'large') sum.bytes -= entry.size;
  }
  sum.leftOut.add(folder);
  sum.unkept.push({path: folder, why});
}

function manifestOf({entries, leftOut, closed, unkept, gaps}: Sum): Manifest {
  const large = gaps.large || (closed[0] ?? '');
  const gap = gapText({...gaps, large: large || gaps.tracked});
  const heldGap = gapText({...gaps, large});
  return {
    entries,
    leftOut,
    ...(closed.length > 0 ? {closed} : {}),
    ...(unkept.length > 0 ? {unkept} : {}),
    ...(gap === undefined ? {} : {gap}),
    ...(heldGap === undefined ? {} : {heldGap}),
  };
}

/** With the objects of git that have the contents of large files; `tried`: files that git was asked for. Never rejects. */
export async function withBlobs(
  workspace: string,
  manifest: Manifest,
  tried: WeakSet<Entry>,
): Promise<Manifest> {
  const large = [...manifest.entries].filter(
    ([path, entry]) => mayBeBlob(path, entry) && !tried.has(entry),
  );
  if (large.length === 0) return manifest;
  for (const [, entry] of large) tried.add(entry);
  const {blobsOf} = await import('./git-data.ts');
  const blobs = await blobsOf(
    workspace,
    large.map(([path]) => path),
  );
  if (blobs.size === 0) return manifest;
  const entries = new Map(manifest.entries);
  for (const [path, entry] of large) {
    const blob = blobs.get(path);
    if (blob !== undefined) entries.set(path, {...entry, blob});
  }
  return {...manifest, entries};
}

function mayBeBlob(path: string, {kind, missing, blob}: Entry): boolean {
  return kind === 'file' && missing === 'large' && blob === undefined && !isCredentialPlace(path);
}

function overText(count: number, bytes: number): string {
  if (count > maxEntries) return `it contains more than ${maxEntries} files`;
  if (bytes > maxBytes) return `its files have more than ${maxBytes / 1024 / 1024} MB`;
  return '';
}

function gapText({opaque, large}: {readonly opaque: boolean; readonly large: string}) {
  if (opaque)
    return 'it contains names that are not UTF-8, or have invisible or control characters';
  if (large === '') return undefined;
  return `${large} ${largeText}`;
}

const specialText = 'is a pipe, a socket or a device';

const largeText = `can't be read, or has more than ${maxFileBytes / 1024 / 1024} MB`;

function isSame(before: Manifest, after: Manifest): boolean {
  const {entries, leftOut} = after;
  if (before.entries.size !== entries.size || before.gap !== after.gap) return false;
  if (before.heldGap !== after.heldGap || unkeptText(before) !== unkeptText(after)) return false;
  for (const [path, entry] of entries) if (before.entries.get(path) !== entry) return false;
  return leftOut.size === before.leftOut.size && leftOut.isSubsetOf(before.leftOut);
}

function unkeptText({unkept = []}: Manifest): string {
  return unkept.map(({path}) => path).join('\n');
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

/** The times of a folder change with its content, so they do not count. */
function stampOf(kind: Entry['kind'], {size, mtimeMs, ctimeMs, birthtimeMs, ino}: Stats) {
  if (kind === 'folder') return {size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0, bornMs: birthtimeMs};
  return {size, mtimeMs, ctimeMs, ino, bornMs: birthtimeMs};
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

// Stores the contents of files one after the other in a single file that only its user may read.

export interface Pack {
  /** Bytes. */
  readonly size: () => number;
  /** Stores each content once. `hash` is its SHA-256. Throws the operating system's error. */
  readonly put: (hash: string, content: Uint8Array) => Kept;
  readonly get: (kept: Kept) => Buffer;
  readonly close: () => void;
}

/** Without a path the file has no name and disappears with the process. Throws the operating system's error. */
export function createPack(path?: string): Pack {
  const {O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW} = constants;
  const place = path ?? join(temporaryFolder(), temporaryName());
  const fd = openSync(place, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  if (path === undefined) rmSync(place);
  const known = new Map<string, Kept>();
  let size = 0;
  return {
    size: () => size,
    put: (digest, content) => {
      const there = known.get(digest);
      if (there) return there;
      const kept = {offset: size, length: content.length};
      writeAll(fd, content, size);
      size += content.length;
      known.set(digest, kept);
      return kept;
    },
    get: (kept) => readPack(fd, kept),
    close: () => closeSync(fd),
  };
}

/** Opens the pack of a process that is gone. */
export function openPack(path: string): Pick<Pack, 'get' | 'close'> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  return {get: (kept) => readPack(fd, kept), close: () => closeSync(fd)};
}

function writeAll(fd: number, content: Uint8Array, at: number): void {
  let done = 0;
  while (done < content.length) {
    done += writeSync(fd, content, done, content.length - done, at + done);
  }
}

/** Throws for a truncated pack. */
function readPack(fd: number, {offset, length}: Kept): Buffer {
  const content = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, content, done, length - done, offset + done);
    if (count === 0) throw new Error('the pack of a snapshot is truncated');
    done += count;
  }
  return content;
}
