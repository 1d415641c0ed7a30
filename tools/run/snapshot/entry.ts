/** The entries of a workspace in a snapshot. */

/**
 * The reason why a content is not stored. `large`: or it can't be read. `unkept`: it lay in a folder outside the snapshots. `moved`: it
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

/** The position of a content in the pack. */
export interface Kept {
  readonly offset: number;
  readonly length: number;
}

export interface Entry {
  /** `git`: data of git, see `git-data.ts`. */
  readonly kind: 'file' | 'link' | 'folder' | 'git';
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** As in a `Replacement`. */
  readonly state: string;
  readonly missing?: Missing;
  /** When it was made, epoch ms, if the file system records it. */
  readonly bornMs?: number;
  /** The target of a link. */
  readonly target?: string;
  readonly kept?: Kept;
  /** The object of git that has the content of a large file. */
  readonly blob?: string;
  /** Changed so shortly before the snapshot that another change may have the same times: it must be read again. */
  readonly isYoung?: true;
}

export interface Manifest {
  /** By path, relative to the workspace. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Folders of build output, packages and version control, and data beyond the limits: their content is unknown. */
  readonly leftOut: ReadonlySet<string>;
  /** Data ignored by git that is not stored: its files and folders. */
  readonly unkept?: readonly Unkept[];
  /** Unreadable folders of this user: their content is unknown, but may change. */
  readonly closed?: readonly string[];
  /** Absent: all of it can be restored, except entries that are left out or not stored. */
  readonly gap?: string;
  /** As `gap`, after a command that can't change git's data: large files that git has can be restored. */
  readonly heldGap?: string;
}

/** Types of `st_mode`: a backup of a command's change uses them to record the kind of the earlier entry. */
const types: Readonly<Record<Entry['kind'], number>> = {
  file: 0o100000,
  link: 0o120000,
  folder: 0o040000,
  // As in git's own trees: no file has it.
  git: 0o160000,
};

export function modeOf({kind, mode}: Pick<Entry, 'kind' | 'mode'>): number {
  return types[kind] | mode;
}

/** A mode without a type, as for written files, means a file. */
export function kindOf(mode: number): Entry['kind'] {
  const type = mode & 0o170000;
  if (type === types.link) return 'link';
  return type === types.folder ? 'folder' : 'file';
}

/** For a file that can't be read, or is too large. */
export function unreadState({size, mtimeMs}: Pick<Entry, 'size' | 'mtimeMs'>): string {
  return `unread ${size} ${mtimeMs}`;
}

/** For a folder outside the snapshots. */
export const leftOutState = 'unkept';

export function linkState(target: string): string {
  // Loaded when it is needed: most importers need no state of a link.
  const {hash} = process.getBuiltinModule('node:crypto');
  return `link ${hash('sha256', target)}`;
}

/** A place of git's data: no snapshot of files contains a path below `.git`. */
export function isGitPlace(path: string): boolean {
  return path.startsWith('.git/');
}
