/** What confines a command: one file for each way. */

export interface Enclosure {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** Where the program starts: absolute, inside the workspace. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Nothing is made in the workspace: another process may be at work there. */
  readonly isTrial?: true;
}

export interface Confined {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** See `Program`. */
  readonly release: () => Promise<readonly string[]>;
}

export interface Confiner {
  readonly by: 'bubblewrap' | 'sandbox-exec' | 'container';
  /** Why it can't confine commands in this workspace: a clause. Undefined when it may. */
  readonly problemWith: (workspace: string) => string | undefined;
  /** Makes what the program needs to be there, until it is released. */
  readonly confine: (argv: readonly string[], enclosure: Enclosure) => Promise<Confined>;
}
