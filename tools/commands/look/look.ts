/** Looks at files for one reading of a command, and notes what it saw: while that is the same, so is the reading. */

import {hash} from 'node:crypto';
import {
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
} from 'node:fs';
import {setImmediate as breathe} from 'node:timers/promises';

import {errorCode} from '../../containment/denial.ts';
import {openable} from '../../containment/own-state.ts';

export interface Look {
  /** Links are not followed. Undefined: nothing is there. Throws if it can't be looked at. */
  readonly statOf: (path: string) => Stats | undefined;
  /** For files. Throws the operating system's error. */
  readonly bytesOf: (path: string) => Buffer;
  /** Throws the operating system's error. */
  readonly entriesOf: (folder: string) => readonly Dirent[];
  readonly linkAt: (path: string) => string;
  /** Everything is as it was seen. False as well when a change could go unnoticed. Never rejects. */
  readonly isSame: () => Promise<boolean>;
}

/** File systems may give two changes within this time the same times, ms. */
const youngMs = 50;

type See = (path: string) => string;

export function createLook(): Look {
  const states = new Map<See, Map<string, string>>([
    [seeStat, new Map()],
    [seeBytes, new Map()],
    [seeFolder, new Map()],
  ]);
  let isSteady = true;
  const note = (see: See, path: string, state: string): void => {
    const those = states.get(see);
    isSteady &&= (those?.get(path) ?? state) === state && !state.startsWith(young);
    those?.set(path, state);
  };
  const noted = <T>(see: See, path: string, look: () => T, stateOf: (value: T) => string): T => {
    try {
      const value = look();
      note(see, path, stateOf(value));
      return value;
    } catch (error) {
      isSteady = false;
      throw error;
    }
  };
  return {
    statOf: (path) => noted(seeStat, path, () => statOf(path), statState),
    linkAt: (path) =>
      noted(
        seeStat,
        path,
        () => readlinkSync(path),
        () => seeStat(path),
      ),
    bytesOf: (path) => noted(seeBytes, path, () => bytesAt(path), bytesState),
    entriesOf: (folder) => {
      note(seeFolder, folder, seeFolder(folder));
      return readdirSync(openable(folder), {withFileTypes: true});
    },
    isSame: async () => {
      const pause = createPause(Infinity);
      for (const [see, those] of states) {
        for (const [path, state] of those) {
          // oxlint-disable-next-line no-await-in-loop -- other work gets its turn
          if (!isSteady || see(path) !== state || !(await pause())) return false;
        }
      }
      return isSteady;
    },
  };
}

const young = 'young';

function seeStat(path: string): string {
  return seen(() => statState(statOf(path)));
}

function seeFolder(folder: string): string {
  return seen(() => stampOf(statSync(folder)));
}

function seeBytes(path: string): string {
  return seen(() => bytesState(bytesAt(path)));
}

function seen(state: () => string): string {
  try {
    return state();
  } catch (error) {
    return `error ${errorCode(error)}`;
  }
}

function bytesState(bytes: Buffer): string {
  return hash('sha256', bytes);
}

/** Of a folder, only that it is one: its names are noted when they are listed. */
function statState(stat: Stats | undefined): string {
  if (!stat) return '';
  return stat.isDirectory() ? `${stat.ino} ${stat.mode}` : stampOf(stat);
}

function stampOf({ino, mode, nlink, size, mtimeMs, ctimeMs}: Stats): string {
  const age = Date.now() - ctimeMs;
  return `${age < youngMs ? young : ''}${ino} ${mode} ${nlink} ${size} ${mtimeMs} ${ctimeMs}`;
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** A pipe that has taken its place does not block. */
function bytesAt(path: string): Buffer {
  const {O_RDONLY, O_NOFOLLOW, O_NONBLOCK} = constants;
  return readFileSync(openable(path), {flag: O_RDONLY | O_NOFOLLOW | O_NONBLOCK});
}

const maxCounted = 20_000;
const lookMs = 1_800;
const sliceMs = 20;

/** Counts a file; resolves with false when there are too many, or when it takes too long. */
export function createPause(most = maxCounted): () => Promise<boolean> {
  const started = process.threadCpuUsage();
  let slice = performance.now() + sliceMs;
  let count = 0;
  return async () => {
    count += 1;
    if (count > most) return false;
    if (performance.now() > slice) {
      const {user, system} = process.threadCpuUsage(started);
      if ((user + system) / 1_000 > lookMs) return false;
      await breathe();
      slice = performance.now() + sliceMs;
    }
    return true;
  };
}
