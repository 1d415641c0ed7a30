/** Earlier contents of files, reactions, records of submissions and enrolled machines in a journal on PostgreSQL. */

import {AppError} from '../../../machines/domain/app-error.ts';
import {requireInteractionId} from '../chain.ts';
import type {Backup, Backups, Hosts, Rates, Reaction, Reactions} from '../journal.ts';
import {backupCells, toBackup} from '../sqlite-backups.ts';
import {toReaction} from '../sqlite.ts';
import {
  type NewSubmission,
  type SubmissionRecord,
  type SubmissionRecords,
  toReceipt,
  toRecord,
} from '../submissions.ts';
import {columnsOf, isKeyTaken, type Query, type Row, type Store} from './pg-database.ts';

export function createPgBackups({query, queryOnce, at}: Store): Backups {
  return {
    keep: async (run, backups: readonly Backup[]) => {
      requireInteractionId(run);
      if (backups.length === 0) return;
      await queryOnce(
        `INSERT INTO ${at}backups (run, path, effect, after, hash, mode, content, missing)
         SELECT $1, path, effect, after, hash, mode, content, missing
         FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bytea[], $8::text[])
           WITH ORDINALITY AS b (path, effect, after, hash, mode, content, missing, place)
         ORDER BY place`,
        [run, ...columnsOf(backups.map(backupCells))],
      );
    },
    list: async (run) => {
      requireInteractionId(run);
      const rows = await query(`SELECT * FROM ${at}backups WHERE run = $1 ORDER BY id`, [run]);
      return rows.map(({content, ...row}) =>
        toBackup({
          ...row,
          content: content instanceof Uint8Array ? Uint8Array.from(content) : content,
        }),
      );
    },
    sizes: async () => {
      const rows = await query(
        `SELECT run, sum(length(content)) AS bytes FROM ${at}backups WHERE content IS NOT NULL GROUP BY run`,
      );
      return new Map(rows.map(({run, bytes}) => [String(run), Number(bytes)]));
    },
  };
}

export function createPgReactions({query, at}: Store): Reactions {
  return {
    add: async (run, {kind, at: time, words}) => {
      requireInteractionId(run);
      await query(
        `INSERT INTO ${at}reactions (run, about, kind, at, words) SELECT id, $2, $3, $4, $5 FROM ${at}runs WHERE id = $1
         ON CONFLICT (run, about) DO UPDATE SET kind = excluded.kind, at = excluded.at, words = excluded.words`,
        [run, kind === 'undone' ? 'changes' : 'result', kind, time, words ?? null],
      );
    },
    list: async (run) => {
      const rows = await query(
        `SELECT run AS id, kind, at, words FROM ${at}reactions WHERE $1::text IS NULL OR run = $1 ORDER BY run, about`,
        [run ?? null],
      );
      return rows.flatMap((row): (Reaction & {readonly interaction: string})[] => toReaction(row));
    },
  };
}

export function createPgHosts({query, transact, at}: Store): Hosts {
  return {
    found: async ({id, name, key}) => {
      const found = await transact(
        async (within) => {
          // The row is the lock: of several machines that begin at once, one is the first.
          await within(`SELECT one FROM ${at}migrations FOR UPDATE`);
          return await within(
            `INSERT INTO ${at}hosts (id, name, key, enrolled_at) SELECT $1, $2, $3, now()
             WHERE NOT EXISTS (SELECT 1 FROM ${at}hosts WHERE id <> $1) ON CONFLICT (id) DO UPDATE SET name = excluded.name
             RETURNING id`,
            [id, name, key],
          );
        },
        {isRepeatable: true},
      );
      return found.length > 0;
    },
    enroll: async ({id, name, key}) => {
      await query(
        `INSERT INTO ${at}hosts VALUES ($1, $2, $3, now()) ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
        [id, name, key],
      );
    },
    list: async () => {
      const rows = await query(`SELECT id, name, key FROM ${at}hosts ORDER BY enrolled_at, id`);
      return rows.map(({id, name, key}) => ({
        id: String(id),
        name: String(name),
        key: String(key),
      }));
    },
  };
}

/** By the clock of the server. */
export function createPgRates({queryOnce, at}: Store): Rates {
  return {
    reserve: async (provider, everyMs) => {
      const every = `$2::float8 * interval '1 millisecond'`;
      const [row] = await queryOnce(
        `INSERT INTO ${at}rates AS r (provider, next_at) VALUES ($1, now() + ${every})
         ON CONFLICT (provider) DO UPDATE SET next_at = greatest(r.next_at, now()) + ${every}
         RETURNING extract(epoch FROM next_at - ${every} - now()) * 1000 AS wait`,
        [provider, everyMs],
      );
      return Math.max(0, Number(row?.['wait']));
    },
  };
}

/** Inside a transaction. Rejects with AppError `usage` when there is a submission with this token. */
export async function recordSubmission(
  query: Query,
  {at}: Store,
  {run, time, form, tokenHash}: NewSubmission & {readonly run: string; readonly time: number},
): Promise<void> {
  try {
    await query(
      `INSERT INTO ${at}submissions (run, form, token_hash, created_at, updated_at, state)
       VALUES ($1, $2, $3, $4, $4, 'greeting')`,
      [run, form, tokenHash, time],
    );
  } catch (error) {
    if (!isKeyTaken(error)) throw error;
    throw new AppError('usage', `there is a submission ${run} already, or one with its token`);
  }
}

export function createPgSubmissions({query, at}: Store): SubmissionRecords {
  const records = `SELECT * FROM ${at}submissions`;
  return {
    find: async (id) => toRecords(await query(`${records} WHERE run = $1`, [id]))[0],
    findByToken: async (hash) =>
      toRecords(await query(`${records} WHERE token_hash = $1`, [hash]))[0],
    list: async (form, {after = '', limit}) =>
      toRecords(
        await query(
          `${records} WHERE form = $1 AND number > coalesce((SELECT number FROM ${at}submissions WHERE run = $2), 0)
           ORDER BY number LIMIT $3`,
          [form, after, limit],
        ),
      ),
    update: async (id, {state, updatedAt}) => {
      await query(`UPDATE ${at}submissions SET state = $2, updated_at = $3 WHERE run = $1`, [
        id,
        state,
        updatedAt,
      ]);
    },
    findReceipt: async (id, key) => {
      const [row] = await query(`SELECT * FROM ${at}receipts WHERE run = $1 AND key = $2`, [
        id,
        key,
      ]);
      return row && toReceipt(row);
    },
    keepReceipt: async (id, {key, digest, before, at: time, after = null}, since) => {
      await query(`DELETE FROM ${at}receipts WHERE run = $1 AND at < $2`, [id, since]);
      const [kept] = await query(
        `INSERT INTO ${at}receipts AS r (run, key, digest, before, at, after) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (run, key) DO UPDATE SET after = coalesce(excluded.after, r.after) RETURNING *`,
        [id, key, digest, before, time, after],
      );
      return toReceipt({...kept});
    },
    addInteraction: async (id, time) => {
      await query(`INSERT INTO ${at}begun (run, at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
        id,
        time,
      ]);
    },
    interactions: async () =>
      (await query(`SELECT run FROM ${at}begun ORDER BY number DESC`)).map(({run}) => String(run)),
  };
}

function toRecords(rows: readonly Row[]): SubmissionRecord[] {
  return rows.map((row) => toRecord(row, row['run']));
}
