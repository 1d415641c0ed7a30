/** Messages for the owners of runs. A notification names the run; a poll finds the messages of notifications that were lost. */

import type {Json} from '../../../machines/domain/json.ts';
import {requireInteractionId} from '../chain.ts';
import type {Inbox} from '../journal.ts';
import {parseMessage} from '../sqlite-inbox.ts';
import type {Database, Store} from './pg-database.ts';

const POLL_MS = 2_000;

interface Watcher {
  readonly callback: () => void;
  /** The newest message that it was called for. */
  seen: number;
}

interface PgInbox extends Inbox {
  readonly close: () => void;
}

export function createPgInbox(store: Store, {listen}: Database, channel: string): PgInbox {
  const {query, at} = store;
  const board = new Board(async (runs) => {
    const rows = await query(
      `SELECT run, max(id) AS id FROM ${at}inbox WHERE run = ANY($1::text[]) GROUP BY run`,
      [runs],
    );
    return rows.map(({run, id}) => [String(run), Number(id)] as const);
  });
  listen(channel, (run) => void board.look([run]));
  return {
    post: async (run, event) => {
      requireInteractionId(run);
      await query(
        `WITH posted AS (
           INSERT INTO ${at}inbox (run, event) SELECT $1, $2
           WHERE NOT EXISTS (SELECT 1 FROM ${at}runs WHERE id = $1 AND status IS NOT NULL) RETURNING run
         ), woken AS (
           UPDATE ${at}runs SET claim_at = now() WHERE id = $1 AND status IS NULL AND opening IS NOT NULL
         ) SELECT pg_notify($3, run) FROM posted`,
        [run, JSON.stringify(event), channel],
      );
      void board.look([run]);
    },
    read: async (run) => {
      requireInteractionId(run);
      const rows = await query(`SELECT id, event FROM ${at}inbox WHERE run = $1 ORDER BY id`, [
        run,
      ]);
      return rows.map(({id, event}): {id: number; event: Json} => ({
        id: Number(id),
        event: parseMessage(String(event)),
      }));
    },
    remove: async (run, ids) => {
      requireInteractionId(run);
      await query(`DELETE FROM ${at}inbox WHERE run = $1 AND id = ANY($2::bigint[])`, [run, ids]);
    },
    watch: (run, callback) => {
      requireInteractionId(run);
      const stop = board.add(run, callback);
      void board.look([run]);
      return stop;
    },
    close: () => board.close(),
  };
}

/** The watchers, and the timer that polls while there are any. */
class Board {
  readonly #newest: (runs: readonly string[]) => Promise<readonly (readonly [string, number])[]>;
  readonly #watchers = new Map<string, Set<Watcher>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    newest: (runs: readonly string[]) => Promise<readonly (readonly [string, number])[]>,
  ) {
    this.#newest = newest;
  }

  add(run: string, callback: () => void): () => void {
    const watcher = {callback, seen: 0};
    const listeners = this.#watchers.get(run) ?? new Set<Watcher>();
    this.#watchers.set(run, listeners.add(watcher));
    this.#timer ??= setInterval(() => void this.look([...this.#watchers.keys()]), POLL_MS).unref();
    return () => {
      listeners.delete(watcher);
      if (listeners.size === 0 && this.#watchers.get(run) === listeners) this.#watchers.delete(run);
      if (this.#watchers.size === 0) this.close();
    };
  }

  /** Calls the watchers of those runs that have newer messages. A failure is left to the next poll. */
  async look(runs: readonly string[]): Promise<void> {
    const watched = runs.filter((run) => this.#watchers.has(run));
    if (watched.length === 0) return;
    try {
      for (const [run, newest] of await this.#newest(watched)) this.#announce(run, newest);
    } catch {}
  }

  #announce(run: string, newest: number): void {
    for (const watcher of this.#watchers.get(run) ?? []) {
      if (watcher.seen >= newest) continue;
      watcher.seen = newest;
      watcher.callback();
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#watchers.clear();
  }
}
