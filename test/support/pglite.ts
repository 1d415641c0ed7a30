/** PostgreSQL in this process, for a suite that needs its SQL and no server. */

import {PGlite} from '@electric-sql/pglite';

import type {Database} from '../../actors/journal/postgres/postgres.ts';

/** It has one connection: transactions follow one another. */
export async function openPglite(): Promise<Database> {
  const lite = await PGlite.create();
  return {
    query: async (sql, args = []) =>
      (await lite.query<Record<string, unknown>>(sql, [...args])).rows,
    transaction: async (work) =>
      await lite.transaction(
        async (within) =>
          await work(
            async (sql, args = []) =>
              (await within.query<Record<string, unknown>>(sql, [...args])).rows,
          ),
      ),
    listen: (channel, onMessage) => void lite.listen(channel, onMessage),
    close: async () => await lite.close(),
  };
}
