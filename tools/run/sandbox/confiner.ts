/** The interface to a way of confining commands; each way has a file of its own. */

import {readlinkSync} from 'node:fs';

import type {Confinement} from '../../../machines/domain/tool.ts';
import type {Opening} from './closed.ts';

export interface Enclosure extends Opening {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The starting folder: absolute, inside the workspace. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The data of repositories stay unchanged as well: nothing is committed. Absent: false. */
  readonly holdsGit?: boolean;
  /** Its effects are unknown: packages, and protected places at any depth, are read-only. Absent: false. */
  readonly isUnknown?: boolean;
  /** Git also leaves untracked files in guarded places alone: the command has git remove what it finds. Absent: false. */
  readonly leavesGuarded?: boolean;
  /** Versions that git will write, as ranges: the command fails if they differ in guarded places. Absent: none. */
  readonly versions?: readonly string[];
  /** It reaches no host, not even an allowed one. Absent: false. */
  readonly closesNetwork?: boolean;
  /**
   * It runs beside commands and writes: nothing is made in the workspace for it, or reverted at its end. It can make nothing in a
   * folder in which a protected place could be made, such as the workspace itself. Absent: false.
   */
  readonly isLasting?: boolean;
  /** Nothing is made in the workspace: another process may be working there. */
  readonly isTrial?: true;
}

/** Absolute paths of folders in which a command can do less than usual. */
export interface Narrow {
  /** It can make, rename and remove nothing directly in them. */
  readonly fixed: readonly string[];
  /** It can't read what it makes directly in them. */
  readonly unread: readonly string[];
}

export interface Confined {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** See `Program`. */
  readonly closed: readonly string[];
  /** See `Program`. */
  readonly narrow?: Narrow;
  /** See `Program`. */
  readonly release: () => Promise<readonly string[]>;
}

export interface Confiner {
  readonly by: Exclude<Confinement, 'none'>;
  /** The reason why it can't confine commands in this workspace: a clause. Undefined when it can. */
  readonly problemWith: (workspace: string) => string | undefined;
  /** Makes everything that the program needs, until it is released. */
  readonly confine: (argv: readonly string[], enclosure: Enclosure) => Promise<Confined>;
  /** A shell script that prints where it runs, and on its last line `writable` if it may write to its folder. */
  readonly trialScript: string;
  /** The output of the script proves that it ran confined. */
  readonly isProof: (output: string) => boolean;
}

/** For confiners with a file system of their own. */
export const ownFiles: Pick<Confiner, 'trialScript' | 'isProof'> = {
  trialScript: 'readlink /proc/self/ns/mnt; test -w . && echo writable',
  isProof: (output) => output.startsWith('mnt:') && output.split('\n')[0] !== ownNamespace(),
};

function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/mnt');
  } catch {
    return '';
  }
}

const unconfinable = /^\/(?:$|(?:proc|sys|dev(?!\/shm\/))(?:\/|$))/;

/** The reason why no confiner can work in it; undefined when one may. */
export function problemWith(workspace: string): string | undefined {
  return unconfinable.test(workspace)
    ? `commands can't be confined when their workspace is ${workspace}`
    : undefined;
}
