/** The interface to a way of confining commands; each way has a file of its own. */

import {readlinkSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {basename, join, relative} from 'node:path';

import type {Confinement} from '../../../machines/domain/tool.ts';
import {isCredentialPlace} from '../../../machines/places/places.ts';
import {createLook} from '../../commands/look/look.ts';
import {holdsNoSecret, createSurroundings} from '../../commands/surroundings.ts';
import {type Attempt, refused} from '../../containment/denial.ts';
import {partsOf} from '../../containment/folder.ts';
import {isBelow, nestedIn, realPathOf, statsOf} from '../../containment/guarded.ts';
import {openable} from '../../containment/own-state.ts';
import {escapeLine} from '../../escape.ts';

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

interface Confined {
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

// The files with credentials that a confined command can't read: all of them, except those opened for the call.

export interface Opening {
  /** Files with credentials that the call may read: absolute, links resolved. Absent: none. */
  readonly opened?: readonly string[];
  /** Files that git tracks stay readable: to git a closed file looks deleted, and would be committed as deleted. Absent: false. */
  readonly leavesTracked?: boolean;
}

interface Closing {
  /** Absolute paths of files and folders, links resolved. */
  readonly closed: readonly string[];
  /** Those of them that git would add: for git they must not look like files. */
  readonly barred: readonly string[];
  /** The files that may contain credentials but stay readable. */
  readonly readable: readonly string[];
}

/** Never rejects. */
export async function closedIn(workspace: string, opening: Opening): Promise<Closing> {
  const {credentials} = await nestedIn(workspace);
  return await closedAmong(credentials, workspace, opening);
}

/** `credentials`: absolute paths. A target elsewhere is not visible from inside. Never rejects. */
export async function closedAmong(
  credentials: readonly string[],
  workspace: string,
  {opened = [], leavesTracked = false}: Opening,
): Promise<Closing> {
  const targets = credentials.flatMap((path) => realPathOf(path) ?? []);
  const inside = outermost([...new Set(targets)].filter((path) => isBelow(workspace, path)));
  const isSplit = (path: string) => leavesTracked || opened.some((one) => isBelow(path, one));
  const parts = await Promise.all(
    inside.map(async (path) => (isSplit(path) ? await filesAt(path) : [path])),
  );
  const {placeOf} = createSurroundings(workspace);
  const stateOf = async (path: string) =>
    leavesTracked ? (await placeOf(relative(workspace, path))).state : 'unknown';
  const places = await Promise.all(
    parts.flat().map(async (path) => {
      const state = await stateOf(path);
      const isReadable = opened.includes(path) || isBare(path) || isKnownToGit({state});
      return {path, state, isReadable};
    }),
  );
  const closed = places.filter(({isReadable}) => !isReadable);
  return {
    closed: closed.map(({path}) => path),
    barred: closed.filter(({state}) => state === 'untracked').map(({path}) => path),
    readable: places.filter(({isReadable}) => isReadable).map(({path}) => path),
  };
}

function outermost(paths: readonly string[]): string[] {
  const folders = paths.filter((path) => statsOf(path)?.isDirectory() === true);
  return paths.filter((path) => !folders.some((folder) => isBelow(folder, path)));
}

/** Git has the content of the file, current or earlier. */
function isKnownToGit({state}: {readonly state: string}): boolean {
  return state === 'clean' || state === 'changed';
}

/** Settings without a secret, such as an `.npmrc` that names a registry. */
function isBare(path: string): boolean {
  const stats = statsOf(path);
  return stats !== undefined && holdsNoSecret(createLook(), path, stats);
}

const maxFiles = 1_000;

/** The files of a folder one by one; the folder itself if there are too many. */
async function filesAt(path: string): Promise<readonly string[]> {
  if (statsOf(path)?.isDirectory() !== true) return [path];
  try {
    const entries = await readdir(openable(path), {recursive: true, withFileTypes: true});
    const files = entries.filter((entry) => !entry.isDirectory() && !entry.isSymbolicLink());
    return files.length > maxFiles
      ? [path]
      : files.map(({parentPath, name}) => join(parentPath, name));
  } catch {
    return [path];
  }
}

// Files with credentials that a command may read, and those closed to it, in texts for reviewers and models.

/** Absolute paths, links resolved. Refused for anything that is not a file with credentials in the workspace. */
export function filesToOpen(
  workspace: string,
  paths: readonly string[] = [],
): Attempt<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const file = fileToOpen(workspace, path);
    if (!file.ok) return file;
    files.push(file.value);
  }
  return {ok: true, value: [...new Set(files)]};
}

function fileToOpen(workspace: string, path: string): Attempt<string> {
  const parts = partsOf(workspace, path);
  if (!parts.ok) return parts;
  const real = realPathOf(join(workspace, ...parts.value));
  if (real === undefined) return denied('not_found', path, 'does not exist');
  if (!isBelow(workspace, real)) return denied('outside', path, 'leads out of the workspace');
  if (statsOf(real)?.isFile() !== true) return denied('not_a_file', path, 'is not a file');
  const names = [parts.value.join('/'), relative(workspace, real)];
  return names.some(isCredentialPlace)
    ? {ok: true, value: real}
    : denied('not_credentials', path, 'is open to commands already: leave it out');
}

function denied(code: string, path: string, why: string): Attempt<never> {
  return {ok: false, denial: refused(code, `credentials: ${escapeLine(path)} ${why}`)};
}

/** A line of the preview. */
export function openedText(workspace: string, opened: readonly string[]): string[] {
  if (opened.length === 0) return [];
  return [`opens to it, for this call: ${opened.map(nameIn(workspace)).join(', ')}`];
}

/** A line of the preview. */
export function closedText(workspace: string, closed: readonly string[]): string[] {
  return closed.length === 0 ? [] : [`closed to it: ${namesOf(workspace, closed)}`];
}

interface Ended {
  readonly command: string;
  readonly printed: string;
  readonly exitCode: number | undefined;
  /** A person typed the command. */
  readonly isTyped?: true | undefined;
}

const wayOfPerson = 'to read them, run the command in a shell outside Quorate';
const wayOfModel = 'one that it needs must be named in the argument credentials';

/**
 * A line of the outcome, if it may explain the outcome: the command failed, names or prints the name of a closed file, or
 * its pattern matched nothing.
 */
export function closedNote(
  workspace: string,
  closed: readonly string[],
  {command, printed, exitCode, isTyped}: Ended,
): string[] {
  const isOfUse =
    exitCode !== 0 ||
    (printed === '' && /[*?]/.test(command)) ||
    closed.some((path) => isNamedIn(`${command}\n${printed}`, basename(path)));
  if (closed.length === 0 || !isOfUse) return [];
  return [
    `closed to this command, as they may hold credentials: ${namesOf(workspace, closed)}; ${isTyped ? wayOfPerson : wayOfModel}`,
  ];
}

/** Lines of the outcome, if they may explain it. */
export function narrowNote(
  workspace: string,
  {fixed, unread}: Narrow = {fixed: [], unread: []},
  printed: string,
): string[] {
  if (!/permission denied/i.test(printed)) return [];
  const [noChange, noReading] = [fixed, unread].map((folders) => namesOf(workspace, folders));
  return [
    ...(fixed.length > 0
      ? [
          `this command, whose effects are unknown, can make, rename and remove nothing directly in ${noChange}`,
        ]
      : []),
    ...(unread.length > 0
      ? [
          `this command can't read what it makes directly in ${noReading}, beside closed files; the next command can`,
        ]
      : []),
  ];
}

function isNamedIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text.charAt(at - 1)} ${text.charAt(at + name.length)}`;
    if (!/[\w.-]/.test(around)) return true;
  }
  return false;
}

const maxNamed = 5;

function namesOf(workspace: string, paths: readonly string[]): string {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return `${paths.slice(0, maxNamed).map(nameIn(workspace)).join(', ')}${more}`;
}

function nameIn(workspace: string) {
  return (path: string): string => escapeLine(relative(workspace, path)) || '.';
}
