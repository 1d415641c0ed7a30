/** What a run's writes take the place of is kept, within limits, and never with a known secret in it. */

import {join} from 'node:path';

import {once} from '../../machines/domain/once.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {Missing} from '../../tools/run/snapshot/entry.ts';
import {createSnapshots, type Snapshots} from '../../tools/run/snapshot/snapshots.ts';
import type {OnReplace, Replacement} from '../../tools/tool.ts';
import type {Backup, Backups, Journal} from '../journal/journal.ts';
import type {Redactor} from '../secrets/redact.ts';

/** Of the contents that one run leaves behind in one process. */
const maxRunBytes = 200 * 1024 * 1024;

/** The changes of one run in its workspace, by any tool. */
export interface RunChanges {
  /** Keeps what a write takes the place of; the write waits for what it returns. */
  readonly onReplace: OnReplace;
  /** Files that a tool without backups has written. */
  readonly note: (paths: readonly string[]) => void;
  /** Paths as they were noted, or relative to the workspace; those of earlier processes too. Rejects with AppError `io`. */
  readonly list: () => Promise<readonly string[]>;
}

export function createRunChanges(
  run: string,
  backups: Backups | undefined,
  redactor: Pick<Redactor, 'holdsSecret'>,
): RunChanges {
  const keep = createKeeper(run, backups, redactor);
  const paths = new Set<string>();
  const note: RunChanges['note'] = (more) => {
    for (const path of more) paths.add(path);
  };
  const earlier = once(async () => note(((await backups?.list(run)) ?? []).map(({path}) => path)));
  return {
    note,
    onReplace: async (replacements) => {
      note(replacements.map(({path}) => path));
      await keep(replacements);
    },
    list: async () => {
      await earlier();
      return [...paths];
    },
  };
}

/** Keeps nothing where the journal has no place for it. Rejects with AppError `io` when it can't be kept. */
export function createKeeper(
  run: string,
  backups: Pick<Backups, 'keep'> | undefined,
  redactor: Pick<Redactor, 'holdsSecret'>,
): OnReplace {
  let kept = 0;
  const contentOf = (content: Buffer | Missing): Uint8Array | Missing => {
    if (typeof content === 'string') return content;
    if (kept + content.length > maxRunBytes) return 'large';
    if (redactor.holdsSecret(content)) return 'secret';
    kept += content.length;
    return content;
  };
  const backupOf = ({path, before, after}: Replacement): Backup => ({
    path,
    ...(before
      ? {before: {hash: before.state, mode: before.mode, content: contentOf(before.content)}}
      : {}),
    ...(after === undefined ? {} : {after}),
  });
  return async (replacements) => {
    await backups?.keep(run, replacements.map(backupOf));
  };
}

export interface SnapshotPlaces {
  readonly cacheFolder?: string | undefined;
  readonly lockFolder?: string | undefined;
}

/** Of all but what Quorate itself writes to. Where the journal can't keep what was there, nothing is undone. */
export function snapshotsFor(
  {backups, places = []}: Journal,
  redactor: Pick<Redactor, 'holdsSecret'>,
  {cacheFolder, lockFolder}: SnapshotPlaces,
): Snapshots {
  const snapshots = createSnapshots({
    folder: cacheFolder === undefined ? undefined : join(cacheFolder, 'snapshots'),
    own: [...places, cacheFolder ?? [], lockFolder ?? []].flat(),
    holdsSecret: (content) => redactor.holdsSecret(content),
  });
  if (backups) return snapshots;
  return {
    ...snapshots,
    gapOf: async () => await Promise.resolve('the journal keeps nothing for it'),
    unkeptIn: async () => await Promise.resolve([]),
    isRestorable: async () => await Promise.resolve(false),
  };
}

/** How things stood when a run began matters as long as it can be resumed. */
export function forgetEnded(
  {baselines}: Pick<Snapshots, 'baselines'>,
  run: string,
): (result: Pick<RunResult, 'status'>) => void {
  return ({status}) => {
    if (status === 'completed' || status === 'failed' || status === 'cancelled') {
      baselines.forget(run);
    }
  };
}
