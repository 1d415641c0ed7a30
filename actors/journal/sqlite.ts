/** The journal on disk: one SQLite database for all interactions, open in as many processes as like. */

import {requireInteractionId} from './chain.ts';
import type {Journal} from './journal.ts';
import {createEntries} from './sqlite-entries.ts';
import {createInbox} from './sqlite-inbox.ts';
import {createOwners} from './sqlite-owners.ts';
import {openStore, type Store} from './sqlite-store.ts';

/**
 * `path` is the database file; its folder is made when missing and also holds `locks/`. Throws AppError `io`,
 * `journal_corrupt` or `newer_schema`, and leaves a file that it can't use as it is.
 */
export function createSqliteJournal(path: string): Journal {
  const store = openStore(path);
  try {
    return store.attempt(() => createJournal(store));
  } catch (error) {
    store.db.close();
    throw error;
  }
}

function createJournal(store: Store): Journal {
  const {appendMany, read, sessions, forgetHead} = createEntries(store);
  const inbox = createInbox(store);
  const owners = createOwners(store);
  return {
    appendMany,
    append: (interaction, bodies, at) => appendMany([{interaction, bodies, at}])[0] ?? [],
    read,
    sessions,
    own: (interaction) => {
      requireInteractionId(interaction);
      const ownership = owners.own(interaction);
      forgetHead(interaction);
      return {
        release: () => {
          forgetHead(interaction);
          ownership.release();
        },
      };
    },
    post: inbox.post,
    take: inbox.take,
    watch: inbox.watch,
    ...createChildren(store),
    close: () => {
      if (!store.db.isOpen) return;
      inbox.close();
      owners.close();
      store.db.close();
    },
  };
}

function createChildren({
  db,
  attempt,
  quickly,
}: Store): Pick<Journal, 'rememberChild' | 'children' | 'forgetChildren'> {
  const remember = db.prepare('INSERT OR REPLACE INTO children VALUES (?, ?, ?)');
  const list = db.prepare('SELECT * FROM children WHERE interaction = ? ORDER BY rowid');
  const forget = db.prepare('DELETE FROM children WHERE interaction = ?');
  return {
    rememberChild: (interaction, processGroup, startedAt) => {
      requireInteractionId(interaction);
      quickly(() => remember.run(interaction, processGroup, startedAt));
    },
    children: (interaction) => {
      requireInteractionId(interaction);
      return attempt(() => list.all(interaction)).map((row) => ({
        processGroup: Number(row['process_group']),
        startedAt: String(row['started_at']),
      }));
    },
    forgetChildren: (interaction) => {
      requireInteractionId(interaction);
      quickly(() => forget.run(interaction));
    },
  };
}
