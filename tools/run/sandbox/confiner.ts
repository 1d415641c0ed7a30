/** What confines a command: one file for each way. */

import {readlinkSync} from 'node:fs';

import type {Limits} from '../quota.ts';
import type {Opening} from './closed.ts';

export interface Enclosure extends Opening {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** Where the program starts: absolute, inside the workspace. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The data of repositories stay as they are, too: nothing is committed. Absent: false. */
  readonly holdsGit?: boolean;
  /** Nobody knows what it does: packages, and protected places at any depth, are read-only. Absent: false. */
  readonly isUnknown?: boolean;
  /** It reaches no host, also none of those that commands may reach. Absent: false. */
  readonly closesNetwork?: boolean;
  /** For a confiner that bounds commands itself. Absent: the usual ones. */
  readonly limits?: Limits;
  /** Nothing is made in the workspace: another process may be at work there. */
  readonly isTrial?: true;
}

export interface Confined {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** See `Program`. */
  readonly closed: readonly string[];
  /** See `Program`. */
  readonly release: () => Promise<readonly string[]>;
}

export interface Confiner {
  readonly by: 'bubblewrap' | 'sandbox-exec' | 'container';
  /** Why it can't confine commands in this workspace: a clause. Undefined when it may. */
  readonly problemWith: (workspace: string) => string | undefined;
  /** Makes what the program needs to be there, until it is released. */
  readonly confine: (argv: readonly string[], enclosure: Enclosure) => Promise<Confined>;
  /** A shell script that tells where it runs, and on its last line `writable` if it may write in its folder. */
  readonly telling: string;
  /** Whether what the script told shows that it ran confined. */
  readonly isProof: (told: string) => boolean;
}

/** For those that keep commands from what this process sees by a file system of their own. */
export const ownFiles: Pick<Confiner, 'telling' | 'isProof'> = {
  telling: 'readlink /proc/self/ns/mnt; test -w . && echo writable',
  isProof: (told) => told.startsWith('mnt:') && told.split('\n')[0] !== ownNamespace(),
};

function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/mnt');
  } catch {
    return '';
  }
}

const unconfinable = /^\/(?:$|(?:proc|sys|dev(?!\/shm\/))(?:\/|$))/;

/** Why nothing can confine commands in it; undefined when something may. */
export function problemWith(workspace: string): string | undefined {
  return unconfinable.test(workspace)
    ? `nothing can be kept from commands whose workspace is ${workspace}`
    : undefined;
}
