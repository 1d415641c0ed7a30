/** The file changes of a run on both sides of an entry. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Backup, Entry} from '../journal/journal.ts';

/** As {@link tryBackupsAfter}. Throws AppError `usage` instead of undefined. */
export function backupsAfter(
  backups: readonly Backup[],
  entries: readonly Entry[],
  seq: number,
): readonly Backup[] {
  if (seq < 0) return backups;
  const later = tryBackupsAfter(backups, entries, seq);
  if (later) return later;
  throw new AppError(
    'usage',
    'the run was recorded by an earlier version, which did not note when each file was changed',
  );
}

/**
 * The backups of changes that were begun after an entry; undefined for a run of an earlier version whose record does not show on
 * which side of the entry a change lies.
 */
export function tryBackupsAfter(
  backups: readonly Backup[],
  entries: readonly Entry[],
  seq: number,
): readonly Backup[] | undefined {
  const begun = new Map(
    entries.flatMap((entry) => (entry.type === 'requested' ? [[entry.key, entry.seq]] : [])),
  );
  const all = [...begun.values()];
  const [first, last] = [Math.min(...all), Math.max(...all)];
  if (seq < first) return backups;
  if (seq >= last) return [];
  const later: Backup[] = [];
  let at: number | undefined;
  for (const backup of backups) {
    // A change that a dead process left unrecorded follows the call that it was making.
    at = (backup.effect === undefined ? undefined : begun.get(backup.effect)) ?? at;
    if (at === undefined) return undefined;
    if (at > seq) later.push(backup);
  }
  return later;
}
