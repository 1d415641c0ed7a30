/** What may be looked at to understand a command. Looking changes nothing and runs nothing of the workspace. */

import type {Place} from './effect.ts';

export interface LookOptions {
  /** Paths that this run wrote: what would be `changed` or `untracked` there is `written`. */
  readonly written?: ReadonlySet<string>;
  /** The last name of the path, where it is a link, is not followed: what is deleted or moved is the link. */
  readonly isLinkItself?: boolean;
  /** Nothing is lost there: what a folder holds needs no looking at, so its state is `unknown`. */
  readonly isKept?: boolean;
}

/** Relative to the workspace. */
export interface WorkspaceFiles {
  readonly tracked: readonly string[];
  /** Git neither knows nor ignores them; links are among them. Empty without git. */
  readonly untracked: readonly string[];
}

export interface Surroundings {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** What `~` and `$HOME` stand for in commands; absent: not known. */
  readonly home?: string;
  /**
   * What a path leads to: relative to the workspace or absolute, links resolved. Never rejects: what can't be looked at is
   * `unknown`.
   */
  readonly placeOf: (path: string, options?: LookOptions) => Promise<Place>;
  /** The text of a file inside; undefined when there is none, it is larger than 256 KB, or no UTF-8. */
  readonly textOf: (path: string) => Promise<string | undefined>;
  /** Listed once. Undefined when they are too many, or git's index can't be read. */
  readonly files: () => Promise<WorkspaceFiles | undefined>;
  /**
   * Whether a remote repository has the last commit of the branch that is checked out in a folder, as far as git knows;
   * undefined: can't be told. Never rejects.
   */
  readonly isPublished: (folder: string) => Promise<boolean | undefined>;
  /**
   * Paths inside that a pattern of the shell stands for, relative to the workspace; undefined when they are too many. The
   * pattern is relative to the workspace or absolute; `**` in it is any number of folders, where nothing is lost but those of
   * git and of packages. With `****` in place of it only files count that git knows, with `***` also those that are neither
   * hidden nor ignored.
   */
  readonly matches: (
    pattern: string,
    options?: Pick<LookOptions, 'isKept'>,
  ) => Promise<readonly string[] | undefined>;
}
