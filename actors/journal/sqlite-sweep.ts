/**
 * Removes the witness files of ended interactions, once the database holds their ends without its write-ahead log. One bit
 * that changes in the log hides all that follows it, so until then the file alone knows of the end.
 */

import {statSync} from 'node:fs';

import type {Store} from './sqlite-store.ts';
import type {Witness} from './sqlite-witness.ts';

/** So many files are kept before the log is brought into the database for them. */
const MOST_KEPT = 256;

export interface Sweep {
  /** At the opening. A failure leaves files behind for the next time. */
  readonly sweep: () => void;
  /** So many interactions have just ended. */
  readonly onEnded: (count: number) => void;
}

export function createSweep(store: Store, witness: Witness): Sweep {
  const find = store.db.prepare('SELECT status FROM interactions WHERE id = ?');
  const hasEnded = (interaction: string) => typeof find.get(interaction)?.['status'] === 'string';
  const sweep = (): void => {
    try {
      const ended = witness.interactions().filter(hasEnded);
      if (ended.length === 0) return;
      if (!isLogEmpty(store.path)) {
        if (ended.length < MOST_KEPT) return;
        store.emptyLog();
      }
      for (const interaction of ended) witness.forget(interaction);
    } catch {}
  };
  let endings = 0;
  return {
    sweep,
    onEnded: (count) => {
      endings += count;
      if (endings < MOST_KEPT) return;
      endings = 0;
      sweep();
    },
  };
}

function isLogEmpty(path: string): boolean {
  return (statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0) === 0;
}
