/** What a run's writes take the place of is kept, within limits, and never with a known secret in it. */

import {join} from 'node:path';

import {createSnapshots, type Snapshots} from '../tools/run/snapshot/snapshots.ts';
import type {OnReplace, Replacement} from '../tools/tool.ts';
import type {Backup, Backups, Journal} from './journal/journal.ts';
import type {Redactor} from './redact.ts';

/** Of the contents that one run leaves behind in one process. */
const maxRunBytes = 200 * 1024 * 1024;

/** Keeps nothing where the journal has no place for it. Rejects with AppError `io` when it can't be kept. */
export function createKeeper(
  run: string,
  backups: Pick<Backups, 'keep'> | undefined,
  redactor: Redactor,
): OnReplace {
  let kept = 0;
  const contentOf = (content: Buffer | 'large' | 'secret'): Uint8Array | 'large' | 'secret' => {
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
  redactor: Redactor,
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
    isRestorable: async () => await Promise.resolve(false),
  };
}
