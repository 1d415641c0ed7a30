/** Reads git's index without git, so no program that a repository configures can run. Versions 2 to 4; anything unusual is not read. */

import type {FileHandle} from 'node:fs/promises';
import {open} from 'node:fs/promises';
import {setImmediate as breathe} from 'node:timers/promises';

import {openable} from '../../containment/own-state.ts';

export interface IndexEntry {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  /** SHA-1 of the blob, hex. */
  readonly hash: string;
  readonly isLink: boolean;
  readonly isSubmodule: boolean;
  readonly size: number;
  /** Seconds and nanoseconds of the last change. */
  readonly modified: readonly [number, number];
  /** As `modified`, for the file's attributes. */
  readonly changed: readonly [number, number];
}

export interface GitIndex {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Sorted by their bytes. */
  readonly paths: readonly string[];
}

export const maxIndexBytes = 64 * 1024 * 1024;
const entriesAtOnce = 5_000;

const emptyIndex: GitIndex = {entries: new Map(), paths: []};

/** A missing index is empty: a new repository. Undefined: can't be read. */
export async function readIndex(path: string): Promise<GitIndex | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(openable(path));
    const {size} = await file.stat();
    return size > maxIndexBytes ? undefined : await parseIndex(await file.readFile());
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? emptyIndex
      : undefined;
  } finally {
    await file?.close();
  }
}

/** No bytes: a new repository. Undefined: can't be read. */
export async function readIndexBytes(bytes: Uint8Array): Promise<GitIndex | undefined> {
  if (bytes.length === 0) return emptyIndex;
  return await parseIndex(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

async function parseIndex(data: Buffer): Promise<GitIndex | undefined> {
  const version = data.length < 32 ? 0 : data.readUInt32BE(4);
  if (data.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const count = data.readUInt32BE(8);
  const entries = new Map<string, IndexEntry>();
  let at = 12;
  let before = '';
  for (let number = 0; number < count; number += 1) {
    // oxlint-disable-next-line no-await-in-loop -- other work continues in between
    if (number % entriesAtOnce === entriesAtOnce - 1) await breathe();
    const read = version === 4 ? readCompressed(data, at, before) : readPadded(data, at);
    if (!read) return undefined;
    entries.set(read.entry.path, read.entry);
    before = read.entry.path;
    at = read.next;
  }
  return hasOddExtension(data, at) ? undefined : {entries, paths: [...entries.keys()]};
}

interface Read {
  readonly entry: IndexEntry;
  readonly next: number;
}

const fixedBytes = 62;

function readPadded(data: Buffer, at: number): Read | undefined {
  const start = at + headOf(data, at);
  const end = data.indexOf(0, start);
  if (end < 0) return undefined;
  const length = end - at;
  const entry = entryOf(data, at, data.toString('utf8', start, end));
  return entry && {entry, next: at + length + 8 - (length % 8)};
}

/** Each path is stored as the length shared with the previous path, and the rest. */
function readCompressed(data: Buffer, at: number, before: string): Read | undefined {
  let start = at + headOf(data, at);
  let cut = (data[start] ?? 0) & 127;
  while (((data[start] ?? 0) & 128) !== 0) {
    start += 1;
    cut = ((cut + 1) << 7) + ((data[start] ?? 0) & 127);
  }
  const end = data.indexOf(0, start + 1);
  const bytes = Buffer.from(before);
  if (end < 0 || cut > bytes.length) return undefined;
  const path = Buffer.concat([
    bytes.subarray(0, bytes.length - cut),
    data.subarray(start + 1, end),
  ]);
  const entry = entryOf(data, at, path.toString());
  return entry && {entry, next: end + 1};
}

/** Entries with more flags are two bytes longer. */
function headOf(data: Buffer, at: number): number {
  return at + fixedBytes <= data.length && (data.readUInt16BE(at + 60) & 0x40_00) !== 0
    ? fixedBytes + 2
    : fixedBytes;
}

function entryOf(data: Buffer, at: number, path: string): IndexEntry | undefined {
  if (at + fixedBytes > data.length || path === '') return undefined;
  const kind = data.readUInt32BE(at + 24) >>> 12;
  return {
    path,
    hash: data.toString('hex', at + 40, at + 60),
    isLink: kind === 0b1010,
    isSubmodule: kind === 0b1110,
    size: data.readUInt32BE(at + 36),
    changed: [data.readUInt32BE(at), data.readUInt32BE(at + 4)],
    modified: [data.readUInt32BE(at + 8), data.readUInt32BE(at + 12)],
  };
}

/** Extensions that git must understand have lower-case names: a split or a sparse index. */
function hasOddExtension(data: Buffer, start: number): boolean {
  let at = start;
  while (at + 8 <= data.length - 20) {
    if (/^[a-z]/.test(data.toString('latin1', at, at + 4))) return true;
    at += 8 + data.readUInt32BE(at + 4);
  }
  return false;
}
