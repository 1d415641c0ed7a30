/**
 * Ownership of runs by leases. Each process is a holder that is alive until a time on the server's clock, which its heartbeat
 * moves on; a lease is a run of a holder, with a number that grows from owner to owner. A holder whose time is over is removed,
 * and with it everything that it held: it learns so from its next heartbeat or append, and from its own clock before that.
 */

import {AppError} from '../../../machines/domain/app-error.ts';
import {requireInteractionId, takenOver} from '../chain.ts';
import type {Claim, Owners, Ownership, Sharing, Tenure} from '../journal.ts';
import type {Query, Store} from './pg-database.ts';

const HEARTBEAT_MS = 1_000;
/** From the last heartbeat. Another process takes over soon after it. */
export const LEASE_MS = 3_500;

/** Notifies the log of changes of ownership. */
interface Watch {
  readonly onOwned: (run: string) => void;
  readonly onReleased: (run: string) => void;
}

interface Held {
  readonly holder: Holder;
  /** The fencing number. */
  readonly token: string;
  readonly loss: AbortController;
}

export class PgOwners implements Owners {
  readonly #store: Store;
  readonly #host: string;
  readonly #watch: Watch;
  /** Undefined while the lease is being taken. */
  readonly #mine = new Map<string, Held | undefined>();
  /** Taken by `claim`; `own` returns them. */
  readonly #claimed = new Map<string, Held>();
  #holding: Promise<Holder> | undefined;

  constructor(store: Store, host: string, watch: Watch) {
    this.#store = store;
    this.#host = host;
    this.#watch = watch;
  }

  readonly own = async (run: string): Promise<Ownership> => {
    requireInteractionId(run);
    if (this.#mine.has(run)) throw busy(run, 'this process');
    this.#mine.set(run, undefined);
    try {
      const held = this.#claimed.get(run) ?? (await this.#take(run));
      this.#claimed.delete(run);
      this.#mine.set(run, held);
      this.#watch.onOwned(run);
      return {
        lost: held.loss.signal,
        isHeld: () => held.holder.isAlive() && !held.loss.signal.aborted,
        release: async () => await this.#release(run, held),
      };
    } catch (error) {
      this.#mine.delete(run);
      throw error;
    }
  };

  readonly claim = async (wanted: Claim): Promise<readonly string[]> => {
    await removeDead(this.#store);
    const holder = await this.#holder();
    // A run that was lost is not claimed before its calls have ended, and it is released.
    const except = [...(wanted.except ?? []), ...this.#mine.keys()];
    const leases = await claimLeases(this.#store, holder, {...wanted, except});
    for (const {run, token} of leases)
      this.#claimed.set(run, {holder, token, loss: new AbortController()});
    return leases.map(({run}) => run);
  };

  readonly tenureOf = async (run: string): Promise<Tenure> => {
    requireInteractionId(run);
    const {query, at} = this.#store;
    const [row] = await query(
      `SELECT EXISTS (SELECT 1 FROM ${at}holders h WHERE h.holder = l.holder AND h.until > now()) AS alive
       FROM ${at}leases l WHERE run = $1`,
      [run],
    );
    if (!row) return 'free';
    return row['alive'] === true ? 'owned' : 'abandoned';
  };

  /** Matches no lease for a run that is not owned. */
  tokenOf(run: string): string {
    return this.#mine.get(run)?.token ?? '0';
  }

  /** Inside a transaction. Rejects with AppError `busy` when another process has taken over one of the runs. */
  async requireOwned(query: Query, runs: readonly string[]): Promise<void> {
    const rows = await query(
      `SELECT l.run FROM ${this.#store.at}leases l
       JOIN unnest($1::text[], $2::bigint[]) AS g (run, token) ON l.run = g.run AND l.token = g.token FOR SHARE OF l`,
      [runs, runs.map((run) => this.tokenOf(run))],
    );
    const kept = new Set(rows.map(({run}) => run));
    const gone = runs.find((run) => !kept.has(run));
    if (gone === undefined) return;
    const error = takenOver(gone);
    this.lose(gone, error);
    throw error;
  }

  /** Another process has written to the run. The loss is reported after the error of the transaction. */
  lose(run: string, error: AppError): void {
    queueMicrotask(() => this.#mine.get(run)?.loss.abort(error));
  }

  /** Releases everything. */
  async close(): Promise<void> {
    const holder = await this.#holding?.catch(() => undefined);
    this.#mine.clear();
    this.#claimed.clear();
    await holder?.end();
  }

  async #take(run: string): Promise<Held> {
    const holder = await this.#holder();
    const take = async (): Promise<string | undefined> => await takeLease(this.#store, run, holder);
    const token = (await take()) ?? ((await removeDead(this.#store)) ? await take() : undefined);
    if (token === undefined) throw busy(run, 'another process');
    return {holder, token, loss: new AbortController()};
  }

  async #release(run: string, held: Held): Promise<void> {
    if (this.#mine.get(run) !== held) return;
    this.#mine.delete(run);
    this.#watch.onReleased(run);
    const {query, at} = this.#store;
    try {
      await query(`DELETE FROM ${at}leases WHERE run = $1 AND token = $2`, [run, held.token]);
    } catch {
      // The lease is void once this process has ended.
    }
  }

  async #holder(): Promise<Holder> {
    this.#holding ??= beginHolder(this.#store, this.#host, (gone) => this.#onGone(gone));
    try {
      return await this.#holding;
    } catch (error) {
      this.#holding = undefined;
      throw error;
    }
  }

  #onGone(gone: Holder): void {
    this.#holding = undefined;
    for (const [run, held] of this.#mine)
      if (held?.holder === gone) held.loss.abort(takenOver(run));
    this.#claimed.clear();
  }
}

function busy(run: string, where: string): AppError {
  return new AppError(
    'busy',
    `interaction ${run} is being run by ${where}; wait until it has ended, or cancel it`,
  );
}

/** This process, as long as its heartbeat reaches the server in time. */
interface Holder {
  readonly name: string;
  /** False as soon as other processes may take over what it holds. */
  readonly isAlive: () => boolean;
  readonly end: () => Promise<void>;
}

async function beginHolder(
  {query, queryOnce, at}: Store,
  host: string,
  onGone: (holder: Holder) => void,
): Promise<Holder> {
  const name = crypto.randomUUID();
  let since = timeNow();
  let isGone = false;
  const lease = `now() + interval '${LEASE_MS} milliseconds'`;
  await query(
    `INSERT INTO ${at}holders VALUES ($1, $2, $3, ${lease}) ON CONFLICT (holder) DO UPDATE SET until = excluded.until`,
    [name, host, process.pid],
  );
  const leave = (): void => {
    if (isGone) return;
    isGone = true;
    clearInterval(timer);
    onGone(holder);
  };
  const beat = async (): Promise<void> => {
    const sent = timeNow();
    try {
      const rows = await queryOnce(
        `UPDATE ${at}holders SET until = ${lease} WHERE holder = $1 RETURNING holder`,
        [name],
      );
      if (rows.length === 0) leave();
      else if (holder.isAlive()) since = sent;
    } catch {}
  };
  const holder: Holder = {
    name,
    isAlive: () => !isGone && elapsedSince(since) < LEASE_MS,
    end: async () => {
      clearInterval(timer);
      isGone = true;
      const removals = [`DELETE FROM ${at}leases`, `DELETE FROM ${at}holders`];
      await Promise.allSettled(
        removals.map(async (removal) => await queryOnce(`${removal} WHERE holder = $1`, [name])),
      );
    },
  };
  const timer = setInterval(() => {
    if (holder.isAlive()) void beat();
    else leave();
  }, HEARTBEAT_MS).unref();
  return holder;
}

/** Two clocks: the one stands still while the machine sleeps, the other can be set. */
interface Time {
  readonly steady: number;
  readonly wall: number;
}

function timeNow(): Time {
  return {steady: performance.now(), wall: Date.now()};
}

function elapsedSince({steady, wall}: Time): number {
  return Math.max(performance.now() - steady, Date.now() - wall);
}

/** Undefined while a holder has the run, dead or alive. */
async function takeLease(
  {query, at}: Store,
  run: string,
  {name}: Holder,
): Promise<string | undefined> {
  const [row] = await query(
    `INSERT INTO ${at}leases AS l (run, holder, token) VALUES ($1, $2, nextval('${at}tokens'))
     ON CONFLICT (run) DO UPDATE SET holder = excluded.holder, token = excluded.token
     WHERE l.holder = excluded.holder OR NOT EXISTS (SELECT 1 FROM ${at}holders h WHERE h.holder = l.holder)
     RETURNING token`,
    [run, name],
  );
  return row && String(row['token']);
}

/** Removes the holders whose time is over: a heartbeat that arrives later finds none. False when there was none. */
async function removeDead({query, at}: Store): Promise<boolean> {
  const rows = await query(`DELETE FROM ${at}holders WHERE until < now() RETURNING holder`);
  return rows.length > 0;
}

/** Of a row `r` of the runs: open, not at rest, and nobody has it. */
const isUnclaimed = (at: string): string => `
  r.status IS NULL AND r.opening IS NOT NULL AND r.claim_at <= now()
  AND NOT EXISTS (SELECT 1 FROM ${at}leases l JOIN ${at}holders h USING (holder) WHERE l.run = r.id)`;

/** Rows that another worker is claiming are skipped. */
async function claimLeases(
  {queryOnce, at}: Store,
  {name}: Holder,
  {host, workspace, most, except = []}: Claim,
): Promise<readonly {readonly run: string; readonly token: string}[]> {
  const rows = await queryOnce(
    `WITH open AS (
       SELECT id FROM ${at}runs r
       WHERE ${isUnclaimed(at)} AND id <> ALL($5::text[])
         AND (host IS NULL OR (host = $2 AND ($3::text IS NULL OR workspace = $3)))
       ORDER BY opened_at LIMIT $4 FOR UPDATE OF r SKIP LOCKED
     )
     INSERT INTO ${at}leases AS l (run, holder, token) SELECT id, $1, nextval('${at}tokens') FROM open
     ON CONFLICT (run) DO UPDATE SET holder = excluded.holder, token = excluded.token
     WHERE NOT EXISTS (SELECT 1 FROM ${at}holders h WHERE h.holder = l.holder)
     RETURNING run, token`,
    [name, host, workspace ?? null, most, except],
  );
  return rows.map(({run, token}) => ({run: String(run), token: String(token)}));
}

export async function readSharing({query, at}: Store): Promise<Sharing> {
  const since = performance.now();
  const [about] = await query(`SELECT current_setting('server_version') AS version`);
  const answerMs = performance.now() - since;
  const owners = await query(
    `SELECT coalesce(m.name, h.host) AS host, h.pid, count(l.run) AS runs
     FROM ${at}holders h LEFT JOIN ${at}hosts m ON m.id = h.host LEFT JOIN ${at}leases l USING (holder)
     WHERE h.until > now() GROUP BY h.holder, m.name, h.host, h.pid ORDER BY 1, h.pid`,
  );
  const [left] = await query(
    `SELECT count(*) AS runs, coalesce(extract(epoch FROM now() - min(claim_at)) * 1000, 0) AS oldest
     FROM ${at}runs r WHERE ${isUnclaimed(at)}`,
  );
  return {
    server: `PostgreSQL ${String(about?.['version'])}`,
    answerMs,
    owners: owners.map(({host, pid, runs}) => ({
      host: String(host),
      pid: Number(pid),
      runs: Number(runs),
    })),
    unclaimed: {runs: Number(left?.['runs']), oldestMs: Number(left?.['oldest'])},
  };
}
