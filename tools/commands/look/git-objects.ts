/** Finds objects of a repository without git, so no program that the repository configures can run. */

import {closeSync, openSync, readdirSync, readFileSync, readSync, statSync} from 'node:fs';
import {posix} from 'node:path';
import {inflateSync} from 'node:zlib';

import {openable} from '../../containment/own-state.ts';
import {maxIgnoreBytes} from './git-ignore.ts';

/** The repository has the blob, loose or in a pack. `hash`: SHA-1, hex. */
export function hasObject(gitFolder: string, hash: string): boolean {
  const objects = objectsOf(gitFolder);
  return isThere(loosePath(objects, hash)) || packsIn(objects).some((pack) => isIn(pack, hash));
}

/** The text of a small loose blob; undefined: there is none. */
export function looseText(gitFolder: string, hash: string): string | undefined {
  try {
    const data = readFileSync(openable(loosePath(objectsOf(gitFolder), hash)));
    const whole = inflateSync(data, {maxOutputLength: maxIgnoreBytes + 64});
    const start = whole.indexOf(0) + 1;
    return /^blob \d+$/.test(whole.toString('latin1', 0, start - 1))
      ? whole.toString('utf8', start)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Worktrees share the objects of their repository. */
function objectsOf(gitFolder: string): string {
  try {
    const common = readFileSync(openable(posix.join(gitFolder, 'commondir')), 'utf8').trim();
    return posix.resolve(gitFolder, common, 'objects');
  } catch {
    return posix.join(gitFolder, 'objects');
  }
}

function loosePath(objects: string, hash: string): string {
  return posix.join(objects, hash.slice(0, 2), hash.slice(2));
}

function isThere(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isFile() ?? false;
}

function packsIn(objects: string): readonly string[] {
  const folder = posix.join(objects, 'pack');
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.idx'));
    return names.map((name) => posix.join(folder, name));
  } catch {
    return [];
  }
}

/** An index of version 2: a header, 256 counts by first byte, then the sorted hashes. */
const headerBytes = 8;
const hashesAt = headerBytes + 256 * 4;

function isIn(index: string, hash: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(openable(index), 'r');
    const header = readBlock(file, 0, hashesAt);
    if (header.readUInt32BE(0) !== 0xff_74_4f_63 || header.readUInt32BE(4) !== 2) return false;
    const first = Number.parseInt(hash.slice(0, 2), 16);
    const from = first === 0 ? 0 : header.readUInt32BE(headerBytes + (first - 1) * 4);
    const count = header.readUInt32BE(headerBytes + first * 4) - from;
    const hashes = readBlock(file, hashesAt + from * 20, count * 20);
    const wanted = Buffer.from(hash, 'hex');
    for (let at = 0; at < hashes.length; at += 20) {
      if (wanted.equals(hashes.subarray(at, at + 20))) return true;
    }
    return false;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readBlock(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const count = readSync(file, bytes, 0, length, at);
  return bytes.subarray(0, count);
}
