/** Removes runs from a journal, and writes them to be read elsewhere. */

import type {Snapshots} from '../../tools/index.ts';
import {noSuchRun} from '../journal/chain.ts';
import type {Entry, Host, Journal} from '../journal/journal.ts';
import {workspaceIn} from '../run/run-input.ts';
import {endChildren} from '../run/takeover.ts';
import type {Retention} from './prune.ts';

interface Kept {
  readonly journal: Journal;
  readonly host: Host;
}

/** `forget`: see {@link Snapshots}; called for each run that is erased. */
export function createRetention({journal, host}: Kept, forget: Snapshots['forget']): Retention {
  const erase = async (id: string, updatedAt?: number): Promise<boolean> =>
    await eraseRun(id, {journal, host}, {forget, updatedAt});
  return {
    erase: async (id) => void (await erase(id)),
    prune: async (options) => {
      const {pruneRuns} = await import('./prune.ts');
      return await pruneRuns(options, journal, erase);
    },
    export: async function* exportLines(id) {
      for await (const line of exportRun(id, journal)) yield JSON.stringify(line);
    },
  };
}

// Erases a run for good: for a person who has the right that nothing of it is kept.

interface EraseOptions {
  /** Removes data of the run outside of the journal. Absent: it has none. */
  readonly forget?: Snapshots['forget'];
  /** Absent: any. */
  readonly updatedAt?: number | undefined;
}

/**
 * Resolves with true; with false, and erases nothing, when `updatedAt` is not the time of the last entry. Rejects with AppError
 * `not_found` for an unknown run, `busy` while any process runs it, `io` when something may be left: then call it again;
 * `not_found` means that it is gone. Files that the run wrote to its workspace stay.
 */
export async function eraseRun(
  id: string,
  {journal, host}: Kept,
  {forget, updatedAt}: EraseOptions = {},
): Promise<boolean> {
  const {log, owners, erase} = journal;
  const owned = await owners.own(id);
  let isThere = false;
  try {
    const {entries, damage} = await log.salvage(id);
    isThere = entries.length > 0 || damage !== undefined;
    const last = damage ? undefined : entries.at(-1);
    if (last && last.at !== (updatedAt ?? last.at)) return false;
    await endChildren(id, host.children);
    await forget?.(id, workspaceIn(entries));
    await erase(id);
  } finally {
    await owned.release();
  }
  // Again, for the record of the owner, and for the remains of an earlier erase that was interrupted.
  await erase(id);
  if (!isThere) throw noSuchRun(id);
  return true;
}

// The lines of an exported run: its entries.

/**
 * Of a damaged run, yields the entries before the damage, and then rejects with AppError `journal_corrupt`. Rejects with
 * AppError `not_found` for an unknown run.
 */
export async function* exportRun(
  id: string,
  {log}: Pick<Journal, 'log'>,
): AsyncGenerator<Entry, void, undefined> {
  const {entries, damage} = await log.salvage(id);
  yield* entries;
  if (damage) throw damage;
  if (entries.length === 0) throw noSuchRun(id);
}
