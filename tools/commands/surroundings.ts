/** What may be looked at to understand a command. Looking changes nothing and runs nothing of the workspace. */

import type {Place} from './effect.ts';

export interface Surroundings {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /**
   * What a path leads to: relative to the workspace or absolute, links resolved. Never rejects: what can't be looked at is
   * `unknown`.
   */
  readonly placeOf: (path: string) => Promise<Place>;
  /** The text of a file inside; undefined when there is none, it is larger than 256 KB, or no UTF-8. */
  readonly textOf: (path: string) => Promise<string | undefined>;
  /** Paths inside that a pattern of the shell stands for, relative to the workspace; undefined when they are too many. */
  readonly matches: (pattern: string) => Promise<readonly string[] | undefined>;
}
