/** Child process groups in the database. */

import {requireInteractionId} from './chain.ts';
import type {Children} from './journal.ts';
import type {Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';

/** A child is held back until it is recorded. Long enough for any commit, too short to be noticed. */
const REMEMBER_MS = 1000;

interface SqliteChildren extends Children {
  /** Synchronous, so that no child runs unrecorded. Throws AppError `io` when the row can't be written: don't start it then. */
  readonly remember: (interaction: string, processGroup: number, startedAt: string) => void;
  /** Inside a transaction. */
  readonly clear: (interaction: string) => void;
}

export function createChildren(store: Store, turns: Turns): SqliteChildren {
  const {db, attempt, patiently, quickly} = store;
  const insert = db.prepare('INSERT OR REPLACE INTO children VALUES (?, ?, ?)');
  const findAll = db.prepare('SELECT * FROM children WHERE interaction = ? ORDER BY rowid');
  const remove = db.prepare('DELETE FROM children WHERE interaction = ?');
  const clear = (interaction: string): void => {
    remove.run(interaction);
  };
  return {
    remember: (interaction, processGroup, startedAt) => {
      requireInteractionId(interaction);
      patiently(REMEMBER_MS, () => quickly(() => insert.run(interaction, processGroup, startedAt)));
    },
    list: (interaction) => {
      requireInteractionId(interaction);
      return turns.take(() => attempt(() => findAll.all(interaction).map(toGroup)), [interaction]);
    },
    forget: (interaction) => {
      requireInteractionId(interaction);
      return turns.take(() => quickly(() => clear(interaction)), [interaction]);
    },
    clear,
  };
}

function toGroup(row: Record<string, unknown>): {processGroup: number; startedAt: string} {
  return {processGroup: Number(row['process_group']), startedAt: String(row['started_at'])};
}
