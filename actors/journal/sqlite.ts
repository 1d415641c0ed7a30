/** The journal on disk: one SQLite database for all interactions, open in as many processes as like. */

import {requireInteractionId} from './chain.ts';
import type {Children, Immediate, Journal} from './journal.ts';
import {createInbox} from './sqlite-inbox.ts';
import {createLog} from './sqlite-log.ts';
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
  const {forgetHead, ...log} = createLog(store);
  const inbox = createInbox(store);
  const owners = createOwners(store);
  return {
    log,
    owners: {
      own: (interaction) => {
        requireInteractionId(interaction);
        const ownership = owners.own(interaction);
        forgetHead(interaction);
        return {
          release: () => {
            forgetHead(interaction);
            return ownership.release();
          },
        };
      },
      tenureOf: (interaction) => {
        requireInteractionId(interaction);
        return store.attempt(() => owners.tenureOf(interaction));
      },
    },
    inbox: {post: inbox.post, take: inbox.take, watch: inbox.watch},
    children: createChildren(store),
    close: () => {
      if (!store.db.isOpen) return;
      inbox.close();
      owners.close();
      store.db.close();
    },
  };
}

function createChildren({db, attempt, quickly}: Store): Immediate<Children> {
  const insert = db.prepare('INSERT OR REPLACE INTO children VALUES (?, ?, ?)');
  const findAll = db.prepare('SELECT * FROM children WHERE interaction = ? ORDER BY rowid');
  const remove = db.prepare('DELETE FROM children WHERE interaction = ?');
  return {
    remember: (interaction, processGroup, startedAt) => {
      requireInteractionId(interaction);
      quickly(() => insert.run(interaction, processGroup, startedAt));
    },
    list: (interaction) => {
      requireInteractionId(interaction);
      return attempt(() => findAll.all(interaction)).map((row) => ({
        processGroup: Number(row['process_group']),
        startedAt: String(row['started_at']),
      }));
    },
    forget: (interaction) => {
      requireInteractionId(interaction);
      quickly(() => remove.run(interaction));
    },
  };
}
