/**
 * The one reading of a command: its preview, its reviewers and the check before it runs get the same answer as long as
 * everything that the reading looked at is the same.
 */

import {hash} from 'node:crypto';
import {relative, resolve} from 'node:path';

import type {PendingFiles} from '../tool.ts';
import type {GitStateOptions} from './look/git-state.ts';
import {createLook, type Look} from './look/look.ts';
import {withPending} from './pending-surroundings.ts';
import {understand} from './reader.ts';
import {createSurroundings} from './surroundings-of.ts';
import type {Surroundings} from './surroundings.ts';
import type {Understanding} from './understanding.ts';

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

const maxKept = 20;
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
