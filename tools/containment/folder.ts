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
import {join} from 'node:path';

import {Denied, errorCode, failed} from './denial.ts';
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
