/**
 * Removes the witness files of ended interactions, once the main file of the database holds their ends. One changed bit in the
 * write-ahead log hides everything after it, so until then only the witness file proves the end.
 */

import {statSync} from 'node:fs';

import {isEnded} from './sqlite-log.ts';
import type {Store} from './sqlite-store.ts';
import type {Witness} from './sqlite-witness.ts';

/** With this many files, the write-ahead log is moved into the database so that they can be removed. */
const MOST_KEPT = 256;

export interface Sweep {
  /** Called at the opening. A failure leaves the files for the next time. */
  readonly sweep: () => void;
  /** Called with the number of interactions that have just ended. */
  readonly onEnded: (count: number) => void;
}

export function createSweep(store: Store, witness: Witness): Sweep {
  const find = store.db.prepare(`SELECT 1 FROM interactions WHERE id = ? AND ${isEnded}`);
  const hasEnded = (interaction: string) => find.get(interaction) !== undefined;
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
