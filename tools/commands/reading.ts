/**
 * The one reading of a command: its preview, its reviewers and the check before it runs get the same answer as long as
 * everything that the reading looked at is the same.
 */

import {hash} from 'node:crypto';
import {relative, resolve} from 'node:path';

import type {PendingFiles} from '../tool.ts';
import type {GitStateOptions} from './look/git-state.ts';
import {createLook, type Look} from './look/look.ts';
import {understand} from './reader.ts';
import {
  createSurroundings,
  type LookOptions,
  maxTextBytes,
  type Surroundings,
} from './surroundings.ts';
import type {Place, PlaceState, Understanding} from './understanding.ts';

export interface CommandAsked {
  readonly command: string;
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The starting folder, relative to the workspace. */
  readonly folder: string;
  /** Paths that the run has changed, as its calls name them. As code they are unknown. */
  readonly changed?: readonly string[];
  /** Files as earlier calls will leave them. */
  readonly pending?: PendingFiles | undefined;
  readonly baseline?: GitStateOptions['baseline'];
}

export interface Reading {
  readonly understanding: Understanding;
  readonly surroundings: Surroundings;
  /** The changed and pending paths, relative to the workspace. */
  readonly written: readonly string[];
}

interface Kept {
  readonly reading: Promise<Reading>;
  readonly look: Look;
  readonly baseline: GitStateOptions['baseline'];
}

const maxKept = 10;
const kept = new Map<string, Kept>();

/** Never rejects. */
export async function readCommand(asked: CommandAsked): Promise<Reading> {
  const {command, workspace, folder, changed = [], pending = new Map(), baseline} = asked;
  const paths = [...changed, ...pending.keys()];
  const written = [...new Set(paths.map((path) => relative(workspace, resolve(workspace, path))))];
  const key = hash(
    'sha256',
    JSON.stringify([command, workspace, folder, written.toSorted(), [...pending]]),
  );
  const known = kept.get(key);
  if (known?.baseline === baseline && known && (await isValid(known))) return await known.reading;
  const look = createLook();
  const surroundings = withPending(createSurroundings(workspace, baseline, look), pending);
  const reading = understand(command, {surroundings, folder, written}).then(
    (understanding): Reading => ({understanding, surroundings, written}),
  );
  kept.delete(key);
  kept.set(key, {reading, look, baseline});
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return await reading;
}

async function isValid({reading, look}: Kept): Promise<boolean> {
  await reading;
  return await look.isSame();
}

/**
 * The surroundings as they will be after writes that have not happened yet. `pending`: whole texts of files, by path relative to the workspace. A pattern does not match files that are new: a command
 * that names them by one has another basis when it runs.
 */
function withPending(
  surroundings: Surroundings,
  pending: ReadonlyMap<string, string>,
): Surroundings {
  if (pending.size === 0) return surroundings;
  const {placeOf, readFileText, files} = surroundings;
  return {
    ...surroundings,
    placeOf: async (path, options) => {
      const place = await placeOf(path, options);
      return isPending(place, pending) ? afterWrite(place, options) : place;
    },
    readFileText: async (path) => {
      const place = await placeOf(path);
      const text = isPending(place, pending) ? pending.get(place.path) : undefined;
      if (text === undefined) return await readFileText(path);
      return Buffer.byteLength(text) > maxTextBytes ? undefined : text;
    },
    files: async () => {
      const found = await files();
      if (!found) return undefined;
      const known = new Set([...found.tracked, ...found.untracked]);
      const added = [...pending.keys()].filter((path) => !known.has(path));
      return {...found, untracked: [...found.untracked, ...added]};
    },
  };
}

function isPending(place: Place, pending: ReadonlyMap<string, string>): boolean {
  return place.inside && pending.has(place.path);
}

const plain: ReadonlySet<PlaceState> = new Set(['absent', 'clean', 'changed', 'untracked']);

function afterWrite(place: Place, {written}: LookOptions = {}): Place {
  const {state, path, isIgnored} = place;
  if (!plain.has(state)) return place;
  if (written?.has(path)) return {...place, state: 'written'};
  if (state === 'absent') return {...place, state: isIgnored ? 'ignored' : 'untracked'};
  return state === 'clean' ? {...place, state: 'changed'} : place;
}
