/**
 * The state of the repository of each run's workspace when the run began, on disk while the run is open: another process that
 * resumes the run judges by the same index and the same ignore rules.
 */

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import {join} from 'node:path';

import type {Baseline} from '../../commands/look/git-baseline.ts';

export interface Baselines {
  /** For a run that begins: it has changed nothing yet. */
  readonly begin: (run: string) => void;
  /** Captured on first use. `lost`: the run was begun in another process, and the state is no longer known. Never rejects. */
  readonly of: (run: string, workspace: string) => Promise<Baseline | 'lost'>;
  readonly forget: (run: string) => void;
}

/** `folder`: where they are stored. Absent: in memory. */
export function createBaselines(folder: string | undefined): Baselines {
  const begun = new Set<string>();
  const known = new Map<string, Promise<Baseline | 'lost'>>();
  const find = async (run: string, workspace: string): Promise<Baseline | 'lost'> => {
    const git = await import('../../commands/look/git-baseline.ts');
    try {
      if (!begun.has(run)) {
        if (folder === undefined) return 'lost';
        const kept = git.parseBaseline(readFileSync(baselineFile(folder, run), 'utf8'));
        const isOfHere = kept.workspace === workspace;
        return (isOfHere ? await git.toBaseline(kept) : undefined) ?? 'lost';
      }
      const captured = await git.captureBaseline(workspace);
      const baseline = captured && (await git.toBaseline(captured));
      if (folder !== undefined && captured) {
        await writeDurably(folder, run, Buffer.from(JSON.stringify(captured)));
      }
      return baseline ?? 'lost';
    } catch {
      return 'lost';
    }
  };
  return {
    begin: (run) => void begun.add(run),
    of: async (run, workspace) => {
      const found = known.get(run) ?? find(run, workspace);
      known.set(run, found);
      return await found;
    },
    forget: (run) => {
      begun.delete(run);
      known.delete(run);
      if (folder !== undefined) rmSync(baselineFile(folder, run), {force: true});
    },
  };
}

/** Written completely or not at all. Rejects with the operating system's error. */
async function writeDurably(folder: string, run: string, bytes: Uint8Array): Promise<void> {
  const {temporaryName} = await import('../../write/leftovers.ts');
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const temporary = join(folder, temporaryName());
  const file = openSync(temporary, 'wx', 0o600);
  try {
    let done = 0;
    while (done < bytes.length) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, baselineFile(folder, run));
}

// The files that store the state of a workspace before a command of a run.

export function markerFile(folder: string, run: string): string {
  return join(folder, `${run}.json`);
}

function baselineFile(folder: string, run: string): string {
  return join(folder, `${run}.baseline`);
}

export function removeMarker(folder: string, run: string): void {
  rmSync(markerFile(folder, run), {force: true});
}
