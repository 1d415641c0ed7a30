/** Looks at the file system to understand a command. Looking changes nothing and runs nothing of the workspace. */

import type {Place} from './effect.ts';

export interface LookOptions {
  /** Paths that this run wrote: their state is `written` instead of `changed` or `untracked`. */
  readonly written?: ReadonlySet<string>;
  /** If the last name of the path is a link, it is not followed: deleting or moving affects the link. */
  readonly isLinkItself?: boolean;
  /** Nothing is lost there: a folder's content is not looked at, and its state is `unknown`. */
  readonly isKept?: boolean;
}

export interface MatchOptions extends Pick<LookOptions, 'isKept'> {
  /** Only paths that fit are wanted, and count against the limit. */
  readonly fits?: (path: string) => boolean;
}

/** Relative to the workspace. */
export interface WorkspaceFiles {
  readonly tracked: readonly string[];
  /** Git neither knows nor ignores them; includes links. Empty without git. */
  readonly untracked: readonly string[];
}

export interface Surroundings {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The value of `~` and `$HOME` in commands; absent: unknown. */
  readonly home?: string;
  /**
   * The place to which a path leads: relative to the workspace or absolute, links resolved. Never rejects: a place that can't be looked at
   * is `unknown`.
   */
  readonly placeOf: (path: string, options?: LookOptions) => Promise<Place>;
  /** The text of a file inside; undefined if it does not exist, is larger than 256 KB, or is not UTF-8. */
  readonly readFileText: (path: string) => Promise<string | undefined>;
  /** Listed once. Undefined when there are too many, or git's index can't be read. */
  readonly files: () => Promise<WorkspaceFiles | undefined>;
  /**
   * Paths inside that a pattern of the shell matches, relative to the workspace; undefined when there are too many. The
   * pattern is relative to the workspace or absolute; `**` in it is any number of folders; if nothing is lost, folders of git and of
   * packages are skipped.
   */
  readonly matches: (
    pattern: string,
    options?: MatchOptions,
  ) => Promise<readonly string[] | undefined>;
}
