/** Reads a file of the workspace: regular files only, up to a size; links are followed only inside. */

import {createHash} from 'node:crypto';
import {closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats} from 'node:fs';

import {maxResultChars} from '../../machines/domain/text-limits.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {leadsToCredentials} from '../../machines/places/places.ts';
import {
  type Attempt,
  attempt,
  Denied,
  failed,
  refused,
  type Denial,
} from '../containment/denial.ts';
import {
  type Folder,
  openFolder,
  type OpenOptions,
  refuseLookAlike,
  throwIfLink,
  followInside,
  partsOf,
} from '../containment/folder.ts';
import {openable} from '../containment/own-state.ts';
import {escapeLine} from '../escape.ts';

/** Larger files are not read into memory. */
export const maxFileBytes = 10 * 1024 * 1024;

export interface FileText {
  /** Relative to the workspace, links resolved. */
  readonly path: string;
  readonly bytes: Buffer;
}

export interface FileFound extends FileText {
  readonly stats: Stats;
}

interface ReadOptions extends Pick<OpenOptions, 'holding'> {
  readonly maxBytes?: number;
}

/** Reads a regular file inside the workspace. Reads nothing of a file larger than `maxBytes`. */
export function readInside(
  workspace: string,
  path: string,
  {maxBytes = maxFileBytes, ...options}: ReadOptions = {},
): Attempt<FileFound> {
  const parts = fileParts(workspace, path);
  if (!parts.ok) return parts;
  return attempt(path, () =>
    followInside(workspace, parts.value, (current) => {
      const name = current.at(-1);
      if (name === undefined) throw notRegular(path, 'is a folder');
      const folder = openFolder(workspace, current.slice(0, -1), options);
      try {
        refuseLookAlike(folder, name, escapeLine(path));
        const found = readIn(folder, name, current.length - 1, maxBytes);
        return {path: current.join('/'), ...found};
      } finally {
        folder.close();
      }
    }),
  );
}

/** The components of a path that must name a file. */
export function fileParts(workspace: string, path: string): Attempt<readonly string[]> {
  const parts = partsOf(workspace, path);
  if (!parts.ok || parts.value.length > 0) return parts;
  return {ok: false, denial: refused('schema', 'path: names the workspace itself; name a file')};
}

/** Reads `name` in an open folder. Throws `LinkMet` with `index` when it is a link. */
export function readIn(
  folder: Folder,
  name: string,
  index: number,
  maxBytes: number,
): {bytes: Buffer; stats: Stats} {
  const path = folder.reach(name);
  throwIfLink(path, index);
  checkRegular(name, lstatSync(path));
  const {O_RDONLY, O_NOFOLLOW, O_NONBLOCK} = constants;
  const fd = openSync(openable(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    checkRegular(name, stats);
    return {bytes: readUpTo(fd, name, stats.size, maxBytes), stats};
  } finally {
    closeSync(fd);
  }
}

function checkRegular(name: string, stats: Stats): void {
  if (stats.isFile()) return;
  throw notRegular(
    name,
    stats.isDirectory()
      ? 'is a folder; list its files instead'
      : 'is a device, a pipe or a socket, not a file',
  );
}

function notRegular(name: string, what: string): Denied {
  return new Denied(refused('not_regular', `${escapeLine(name)} ${what}`));
}

function readUpTo(fd: number, name: string, size: number, maxBytes: number): Buffer {
  if (size > maxBytes) throw tooLarge(name, size, maxBytes);
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    length += count;
    if (count === 0) return buffer.subarray(0, length);
    // The file grew while it was read, so the bytes are of an inconsistent state.
    if (length > size)
      throw new Denied(failed('io', `${escapeLine(name)} is being written to; read it again`));
  }
}

function tooLarge(name: string, size: number, maxBytes: number): Denied {
  return new Denied(
    failed(
      'too_large',
      `${escapeLine(name)} has ${size} bytes; files up to ${maxBytes} bytes are read`,
    ),
  );
}

/** The text of a file, byte order mark included. Denied `encoding` for text that is not UTF-8, `binary` for any other content. */
export function decodedText(file: FileText): Attempt<string> {
  const {bytes, path} = file;
  return attempt(path, () => {
    if (isUtf16(bytes)) throw foreign(path, bytes);
    if (bytes.includes(0)) throw binary(path, bytes.length);
    try {
      return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
    } catch {
      throw bytes.some(isControl) ? binary(path, bytes.length) : foreign(path, bytes);
    }
  });
}

function binary(path: string, size: number): Denied {
  return new Denied(
    failed('binary', `${escapeLine(path)} is binary (${size} bytes); only text is read`),
  );
}

function foreign(path: string, bytes: Buffer): Denied {
  const likely = isUtf16(bytes) ? 'utf-16' : encodings.find((name) => decodes(bytes, name));
  const guess = likely === undefined ? '' : `, perhaps ${likely}`;
  const message = `${escapeLine(path)} is text, but not in UTF-8 (${bytes.length} bytes${guess}); convert it first`;
  return new Denied(failed('encoding', message));
}

/** By its byte order mark. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.length >= 2 && bytes.length % 2 === 0 ? bytes.readUInt16BE(0) : 0;
  return mark === 0xfffe || mark === 0xfeff;
}

/** Control characters that do not occur in text of any encoding; tab, line ends, form feed and escape do. */
function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
}

/** A text in one of these is mostly invalid in the others. */
const encodings = ['euc-jp', 'shift_jis', 'gb18030', 'windows-1252'] as const;

function decodes(bytes: Buffer, encoding: string): boolean {
  try {
    new TextDecoder(encoding, {fatal: true}).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

// Line numbers of texts that models read.

/** `12`, a tab, and the line, as `cat -n` prints it. Each line may have its end. */
export function numberedLines(lines: readonly string[], first: number): string[] {
  return lines.map((line, index) => `${first + index}\t${line}`);
}

const numbered = /^ *\d+\t/;

/** True if every line of a text begins with a line number. */
export function isNumbered(text: string): boolean {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.every((line) => numbered.test(line));
}

/** The text without the line numbers that its lines begin with. */
export function withoutNumbers(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(numbered, ''))
    .join('\n');
}

// Cuts a text of a file to a size in bytes.

/** The text, or its beginning with a note of the full length, in at most `maxBytes`. */
export function clip(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const note = `\n[cut: ${bytes.length} bytes in all]`;
  const kept = bytes.subarray(0, Math.max(0, maxBytes - note.length)).toString('utf8');
  return `${kept.replace(/\ufffd+$/, '')}${note}`.slice(0, Math.max(0, maxBytes));
}

// Performs read_file.

/** With line numbers, without the note. */
const maxChars = maxResultChars - 500;

interface Wanted {
  readonly path: string;
  /** The number of the first line, from 1. */
  readonly first: number;
  /** The maximum number of lines. */
  readonly limit: number;
}

export function readLines({path, first: from, limit}: Wanted, workspace: string): ToolOutcome {
  const file = readInside(workspace, path);
  if (!file.ok) return file.denial;
  if (leadsToCredentials(path, file.value.path)) return secretBehind(path, file.value.path);
  const text = decodedText(file.value);
  if (!text.ok) return text.denial;
  const {shown, first, last} = excerpt(text.value, from, limit);
  const place = `${escapeLine(file.value.path)}:${first}-${last}`;
  return {kind: 'succeeded', text: shown, sources: last < first ? [] : [{place}]};
}

/** The file read must be the one that was voted on: such a file must be named by its own name, not by that of a link. */
function secretBehind(path: string, target: string): Denial {
  const message = `${escapeLine(path)} leads to ${escapeLine(target)}, which may hold credentials; name that file itself`;
  return refused('credentials', message);
}

interface Excerpt {
  readonly shown: string;
  /** Lines, from 1; none when `last` comes before `first`. */
  readonly first: number;
  readonly last: number;
}

function excerpt(text: string, first: number, limit: number): Excerpt {
  if (text === '') return {shown: '', first, last: first - 1};
  const lines = text.split(/(?<=\n)/);
  const wanted = lines.slice(first - 1, first - 1 + limit);
  if (wanted.length === 0) {
    const shown = `[the file has ${lines.length} lines; line ${first} is beyond its end]`;
    return {shown, first, last: first - 1};
  }
  const parts = withinChars(numberedLines(wanted, first));
  const last = first - 1 + Math.max(1, parts.length);
  const isEnd = last >= lines.length;
  const more = isEnd ? '' : `; read on with offset ${last + 1}`;
  if (parts.length === 0) return {shown: longLine(wanted[0] ?? '', first, more), first, last};
  const body = parts.join('');
  if (isEnd) return {shown: body, first, last};
  const end = `[lines ${first} to ${last} of ${lines.length}${more}]`;
  return {shown: `${body}${end}`, first, last};
}

function withinChars(lines: readonly string[]): string[] {
  let chars = 0;
  const end = lines.findIndex((line) => (chars += line.length) > maxChars);
  return lines.slice(0, end < 0 ? lines.length : end);
}

function longLine(line: string, number: number, more: string): string {
  const part = line.slice(0, maxChars / 2).toWellFormed();
  return `${numberedLines([part], number).join('')}\n[line ${number} has ${line.length} characters; the first ${part.length} are shown${more}]`;
}
