/** What a workspace holds, as a snapshot knows it. */

import {hash} from 'node:crypto';

/**
 * Why a content is not kept. `large`: or it can't be read. `unkept`: it lay in a folder that no snapshot holds. `moved`: it
 * came from such a folder.
 */
export type Missing = 'large' | 'secret' | 'unkept' | 'moved';

/** A path that no snapshot restores. */
export interface Unkept {
  /** Relative to the workspace. */
  readonly path: string;
  /** Words that follow "which". */
  readonly why: string;
}

/** Where a content lies in the pack. */
export interface Kept {
  readonly offset: number;
  readonly length: number;
}

export interface Entry {
  readonly kind: 'file' | 'link' | 'folder';
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** As a `Replacement` has it. */
  readonly state: string;
  readonly missing?: Missing;
  /** When it was made, epoch ms, as far as the file system says. */
  readonly bornMs?: number;
  /** Of a link. */
  readonly target?: string;
  readonly kept?: Kept;
  /** Changed so shortly before it was looked at that another change may leave the same times: to be looked at again. */
  readonly isYoung?: true;
}

export interface Manifest {
  /** By path, relative to the workspace. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Folders of build output, packages and version control, and data beyond the bounds: what is in them is not known. */
  readonly leftOut: ReadonlySet<string>;
  /** Data that git ignores, as far as it is not kept: its files and folders. */
  readonly unkept?: readonly Unkept[];
  /** Folders of this user's that can't be read: what is in them is not known, and may be changed all the same. */
  readonly closed?: readonly string[];
  /** Absent: all of it can be brought back, except what is left out or not kept. */
  readonly gap?: string;
}

/** Types of `st_mode`: a backup of a command's change says with them what was there. */
const types: Readonly<Record<Entry['kind'], number>> = {
  file: 0o100000,
  link: 0o120000,
  folder: 0o040000,
};

export function modeOf({kind, mode}: Pick<Entry, 'kind' | 'mode'>): number {
  return types[kind] | mode;
}

/** Of a mode that says none, as those of written files: a file. */
export function kindOf(mode: number): Entry['kind'] {
  const type = mode & 0o170000;
  if (type === types.link) return 'link';
  return type === types.folder ? 'folder' : 'file';
}

/** Of a file that can't be read, or is too large to be. */
export function unreadState({size, mtimeMs}: Pick<Entry, 'size' | 'mtimeMs'>): string {
  return `unread ${size} ${mtimeMs}`;
}

/** Of a folder that no snapshot holds. */
export const leftOutState = 'unkept';

export function linkState(target: string): string {
  return `link ${hash('sha256', target)}`;
}
