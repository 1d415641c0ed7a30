/**
 * Folders of a workspace, reached without following any link.
 *
 * On Linux each component is opened by the descriptor of the previous one (`/proc/self/fd/N/name`, `O_NOFOLLOW`), so a
 * process that replaces a folder by a link in between gains nothing. Elsewhere each component is checked with lstat and
 * reached by its path: links are refused as well, but a process that swaps folders at the right instant can win.
 */

import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import {join, isAbsolute, posix, win32} from 'node:path';

import {escapeLine, firstUnsafe} from '../escape.ts';
import {Denied, errorCode, failed, refused, type Attempt, type Denial} from './denial.ts';
import {openable} from './own-state.ts';

export type Holding = 'descriptors' | 'paths';

export interface Folder {
  /** A path to the folder itself, valid until it is closed. */
  readonly self: string;
  /** A path to the entry `name` of the folder. */
  readonly reach: (name: string) => string;
  readonly close: () => void;
}

/** A link where a folder or a file is required. */
export class LinkMet extends Error {
  /** The index of the component in the path. */
  readonly index: number;
  readonly target: string;

  constructor(index: number, target: string) {
    super(`component ${index} is a link to ${target}`);
    this.index = index;
    this.target = target;
  }
}

const defaultHolding: Holding = existsSync('/proc/self/fd') ? 'descriptors' : 'paths';

export interface OpenOptions {
  /** Make missing folders. */
  readonly create?: boolean;
  readonly holding?: Holding;
}

/** Opens the folder `parts` of the workspace. Throws `LinkMet` for a link, otherwise the operating system's error. */
export function openFolder(
  workspace: string,
  parts: readonly string[],
  options: OpenOptions = {},
): Folder {
  const hold = (options.holding ?? defaultHolding) === 'descriptors' ? holdDescriptor : holdPath;
  let folder = hold(workspace);
  for (const [index, name] of parts.entries()) {
    const outer = folder;
    try {
      folder = enter(outer, name, index, hold, options.create ?? false);
    } finally {
      outer.close();
    }
  }
  return folder;
}

function enter(
  outer: Folder,
  name: string,
  index: number,
  hold: (path: string) => Folder,
  create: boolean,
): Folder {
  const path = outer.reach(name);
  try {
    return hold(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && create) return makeFolder(path, hold);
    throwIfLink(path, index);
    throw error;
  }
}

function makeFolder(path: string, hold: (path: string) => Folder): Folder {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return hold(path);
}

/** Throws `LinkMet` when `path` names a link. */
export function throwIfLink(path: string, index: number): void {
  if (lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink() !== true) return;
  throw new LinkMet(index, readlinkSync(path));
}

function holdDescriptor(path: string): Folder {
  const fd = openSync(
    openable(path),
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  const self = `/proc/self/fd/${fd}`;
  return {self, reach: (name) => `${self}/${name}`, close: () => closeSync(fd)};
}

function holdPath(path: string): Folder {
  const found = lstatSync(openable(path));
  if (!found.isDirectory()) {
    throw Object.assign(new Error(`${path} is not a folder`), {code: 'ENOTDIR'});
  }
  return {self: path, reach: (name) => join(path, name), close: () => undefined};
}

/** Throws `Denied` `not_found` when the name does not exist in the folder, and another one looks like it. */
export function refuseLookAlike(folder: Folder, name: string, shown: string): void {
  if (lstatSync(folder.reach(name), {throwIfNoEntry: false})) return;
  const folded = foldName(name);
  const other = readdirSync(folder.self).find((each) => each !== name && foldName(each) === folded);
  if (other === undefined) return;
  const message = `${shown} does not exist, but ${inAscii(other)} does, which looks alike; name that one, or choose another name`;
  throw new Denied(failed('not_found', message));
}

function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A JSON string in which composed and decomposed letters differ. */
function inAscii(name: string): string {
  return JSON.stringify(name).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// Permissions of the file that a path names; a link is not followed.

/** Linux's `O_PATH`: for files that may not be read. */
const pathOnly = 0o10_000_000;

/** `mode`: permission bits. Throws the operating system's error. */
export function changeMode(path: string, mode: number): void {
  const {O_NONBLOCK, O_RDONLY} = constants;
  try {
    withOpen(path, O_RDONLY | O_NONBLOCK, (fd) => fchmodSync(fd, mode));
  } catch (error) {
    if (errorCode(error) !== 'EACCES' || process.platform !== 'linux') throw error;
    withOpen(path, pathOnly, (fd) => chmodSync(`/proc/self/fd/${fd}`, mode));
  }
}

function withOpen(path: string, how: number, act: (fd: number) => void): void {
  const fd = openSync(openable(path), how | constants.O_NOFOLLOW);
  try {
    act(fd);
  } finally {
    closeSync(fd);
  }
}

// The paths of a workspace. Their text is checked first: it has no component outside. Then they are walked: reads follow links that stay
// inside, writes refuse links.

const maxNameBytes = 255;
const maxPathBytes = 4096;

/** Virtual file systems: never files of a workspace, even if the workspace is the root folder. /dev/shm contains plain files. */
const virtual = /^\/(proc|sys|dev(?!\/shm\/))(\/|$)/;

const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The components of `path` below the workspace; none for the workspace itself. */
export function partsOf(
  workspace: string,
  path: string,
  windows = process.platform === 'win32',
): Attempt<readonly string[]> {
  const denial = textDenial(path);
  if (denial) return {ok: false, denial};
  const syntax = windows ? win32 : posix;
  const full = syntax.resolve(workspace, path);
  const below = syntax.relative(workspace, full);
  const isOutside = below.split(syntax.sep)[0] === '..' || syntax.isAbsolute(below);
  if (isOutside || (!windows && virtual.test(full))) {
    return {
      ok: false,
      denial: outsideDenial(path, syntax.isAbsolute(path) || isDrive(path, windows)),
    };
  }
  const parts = below.split(syntax.sep).filter((part) => part !== '');
  const bad = parts.map((part) => nameDenial(part, windows)).find(Boolean);
  return bad ? {ok: false, denial: bad} : {ok: true, value: parts};
}

function isDrive(path: string, windows: boolean): boolean {
  return windows && /^[a-z]:/i.test(path);
}

function textDenial(path: string): Denial | undefined {
  if (path.trim() === '') return refused('schema', 'path: is empty; name a file or folder');
  if (Buffer.byteLength(path) > maxPathBytes) {
    return refused('name_too_long', `the path has more than ${maxPathBytes} bytes`);
  }
  const unsafe = firstUnsafe(path);
  if (unsafe === undefined) return undefined;
  return refused(
    'path_characters',
    `the path ${escapeLine(path)} contains the invisible or control character ${unsafe}; leave it out`,
  );
}

function outsideDenial(path: string, absolute: boolean): Denial {
  const advice = 'use a path relative to the workspace';
  return absolute
    ? refused('path_absolute', `${path} lies outside the workspace; ${advice}`)
    : refused('path_escape', `${path} leads out of the workspace; ${advice}`);
}

function nameDenial(name: string, windows: boolean): Denial | undefined {
  if (Buffer.byteLength(name) > maxNameBytes) {
    return refused(
      'name_too_long',
      `the name ${name.slice(0, 40)}… has more than ${maxNameBytes} bytes`,
    );
  }
  const misread = name.includes(':') || /[. ]$/.test(name) || reservedOnWindows.test(name);
  if (!windows || !misread) return undefined;
  return refused(
    'path_characters',
    `Windows reads the name ${JSON.stringify(name)} as something else`,
  );
}

const maxLinks = 20;

/** Walks with `walk`, and again from the start with each link replaced by its target. */
export function followInside<T>(
  workspace: string,
  parts: readonly string[],
  walk: (parts: readonly string[]) => T,
): T {
  let current = parts;
  for (let links = 0; links <= maxLinks; links += 1) {
    const step = stopAtLink(() => walk(current));
    if ('value' in step) return step.value;
    current = spliceLink(workspace, current, step.link);
  }
  throw new Denied(refused('symlink', `${parts.join('/')} is a link that leads in a circle`));
}

/** Walks with `walk`; a link on the way is refused. */
export function followNothing<T>(
  parts: readonly string[],
  walk: (parts: readonly string[]) => T,
): T {
  const step = stopAtLink(() => walk(parts));
  if ('value' in step) return step.value;
  const link = parts.slice(0, step.link.index + 1).join('/');
  throw new Denied(
    refused(
      'symlink',
      `${link} is a link to ${step.link.target}; name the file itself to change it`,
    ),
  );
}

function stopAtLink<T>(walk: () => T): {readonly value: T} | {readonly link: LinkMet} {
  try {
    return {value: walk()};
  } catch (error) {
    if (error instanceof LinkMet) return {link: error};
    throw error;
  }
}

function spliceLink(workspace: string, parts: readonly string[], link: LinkMet): readonly string[] {
  const folder = parts.slice(0, link.index).join('/');
  const name = parts.slice(0, link.index + 1).join('/');
  const target = isAbsolute(link.target) ? link.target : join(folder, link.target);
  const inside = partsOf(workspace, target);
  if (inside.ok) return [...inside.value, ...parts.slice(link.index + 1)];
  const {code} = inside.denial;
  throw new Denied(
    code === 'path_escape' || code === 'path_absolute'
      ? refused('symlink', `${name} is a link that leads out of the workspace`)
      : failed('not_found', `${name} is a link to nothing that can be read`),
  );
}
