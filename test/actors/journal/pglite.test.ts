/** The journal on PostgreSQL's SQL without a server. */

import {afterAll, beforeAll} from 'vitest';

import {createPostgresJournal, type Database} from '../../../actors/journal/postgres/postgres.ts';
import {openPglite} from '../../support/pglite.ts';
import {describeJournal} from './conformance.ts';

let database: Database;
let schemas = 0;
beforeAll(async () => {
  database = await openPglite();
});
afterAll(async () => await database.close());

describeJournal('the PostgreSQL journal in this process', async (options = {}) => {
  schemas += 1;
  return await createPostgresJournal({database, schema: `journal_${schemas}`, ...options});
});
