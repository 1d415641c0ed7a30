/** Messages for the owner of an interaction, left by any process that has the journal open. */

import type {Json} from '../../machines/domain/json.ts';
import {requireInteractionId} from './chain.ts';
import type {Inbox, InboxMessage} from './journal.ts';
import {isLockedOut} from './sqlite-errors.ts';
import {isEnded} from './sqlite-log.ts';
import type {Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';

const POLL_MS = 150;

interface Watcher {
  readonly callback: () => void;
  /** The newest message that it was called for. */
  seen: number;
}

interface SqliteInbox extends Inbox {
  /** Inside a transaction. `ids`: of these messages; absent: of all. */
  readonly clear: (interaction: string, ids?: readonly number[]) => void;
  readonly close: () => void;
}

export function createInbox(store: Store, turns: Turns): SqliteInbox {
  const insert = store.db.prepare(
    `INSERT INTO inbox (interaction, event) SELECT ?, ?
     WHERE NOT EXISTS (SELECT 1 FROM interactions WHERE id = ? AND ${isEnded})`,
  );
  const list = store.db.prepare('SELECT id, event FROM inbox WHERE interaction = ? ORDER BY id');
  const removeAll = store.db.prepare('DELETE FROM inbox WHERE interaction = ?');
  const removeOne = store.db.prepare('DELETE FROM inbox WHERE interaction = ? AND id = ?');
  const findNewest = store.db.prepare('SELECT max(id) AS id FROM inbox WHERE interaction = ?');
  const newestOf = (interaction: string) =>
    store.attempt(() => Number(findNewest.get(interaction)?.['id'] ?? 0));
  const board = createBoard(store);
  const clear = (interaction: string, ids?: readonly number[]): void => {
    if (!ids) removeAll.run(interaction);
    for (const id of ids ?? []) removeOne.run(interaction, id);
  };
  const read = (interaction: string): InboxMessage[] =>
    list
      .all(interaction)
      .map((row) => ({id: Number(row['id']), event: parseMessage(String(row['event']))}));

  return {
    clear,
    post: (interaction, event) => {
      requireInteractionId(interaction);
      const text = JSON.stringify(event);
      return turns.take(() => {
        store.durably(() => insert.run(interaction, text, interaction));
        board.announce(interaction, newestOf(interaction));
      }, [interaction]);
    },
    read: (interaction) => {
      requireInteractionId(interaction);
      return turns.take(() => store.attempt(() => read(interaction)), [interaction]);
    },
    remove: (interaction, ids) => {
      requireInteractionId(interaction);
      return turns.take(() => store.quickly(() => clear(interaction, ids)), [interaction]);
    },
    watch: (interaction, callback) => {
      requireInteractionId(interaction);
      const stop = board.add(interaction, callback);
      board.look(() => board.announce(interaction, newestOf(interaction)));
      return stop;
    },
    close: board.close,
  };
}

/** The watchers, and the timer that polls for messages of other processes while there are watchers. */
function createBoard(store: Store) {
  const waiting = store.db.prepare(
    'SELECT interaction, max(id) AS id FROM inbox GROUP BY interaction',
  );
  const dataVersion = store.db.prepare('PRAGMA data_version');
  const watchers = new Map<string, Set<Watcher>>();
  let version: unknown;
  let timer: NodeJS.Timeout | undefined;

  const announce = (interaction: string, newest: number) => {
    const listeners = watchers.get(interaction);
    for (const watcher of listeners ?? []) {
      if (watcher.seen >= newest) continue;
      watcher.seen = newest;
      queueMicrotask(() => {
        if (listeners?.has(watcher)) watcher.callback();
      });
    }
  };
  const poll = () => {
    const current = dataVersion.get()?.['data_version'];
    if (current === version) return;
    for (const row of waiting.all()) announce(String(row['interaction']), Number(row['id']));
    version = current;
  };
  const close = () => {
    clearInterval(timer);
    timer = undefined;
    for (const listeners of watchers.values()) listeners.clear();
    watchers.clear();
  };
  return {
    announce,
    close,
    /** Ignores a locked database: the first tick afterwards announces every waiting message. */
    look: (work: () => void) => {
      try {
        work();
      } catch (error) {
        if (!isLockedOut(error)) throw error;
        version = undefined;
      }
    },
    add: (interaction: string, callback: () => void) => {
      const watcher = {callback, seen: 0};
      const listeners = watchers.get(interaction) ?? new Set<Watcher>();
      watchers.set(interaction, listeners.add(watcher));
      timer ??= setInterval(() => attemptPoll(poll), POLL_MS).unref();
      return () => {
        listeners.delete(watcher);
        if (listeners.size === 0 && watchers.get(interaction) === listeners)
          watchers.delete(interaction);
        if (watchers.size === 0) close();
      };
    },
  };
}

/** A failed poll is repeated at the next tick. A broken store is reported by `append` and `take`. */
function attemptPoll(poll: () => void): void {
  try {
    poll();
  } catch {}
}

export function parseMessage(text: string): Json {
  try {
    const message: Json = JSON.parse(text);
    return message;
  } catch {
    return text;
  }
}
