/** Journals of earlier schemas. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {schema1Runs, unpackSchema1} from '../../fixtures/journals/recorded.ts';
import {append, closed} from './entries.ts';

let folder: string;
let path: string;
const journals: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'data', 'journal.db');
});

afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

test('a journal of schema 1 is listed and read', async () => {
  unpackSchema1(path);
  const journal = create();
  const {completed, killed, waiting, answered} = schema1Runs;

  expect(await journal.log.list()).toMatchObject([
    {...answered, form: 'ask', status: 'completed', request: 'How much is 2 * 21?'},
    {...waiting, form: 'agent', status: undefined, workspace: '/tmp/quorate-recorded'},
    {...killed, form: 'agent', status: undefined},
    {...completed, form: 'agent', status: 'completed', request: 'Fix the failing test'},
  ]);
  for (const {id, entries} of Object.values(schema1Runs)) {
    const read = await journal.log.read(id);
    expect(read).toHaveLength(entries);
    expect(read[0]).toMatchObject({type: 'opened', input: {id}});
  }
});

test('an open run of schema 1 is taken over, continued and closed', async () => {
  unpackSchema1(path);
  const journal = create();
  const {id, entries} = schema1Runs.killed;
  await journal.owners.own(id);
  await journal.log.read(id);
  await append(journal, id, [closed], 1);

  expect((await create().log.read(id)).at(-1)).toMatchObject({type: 'closed', seq: entries});
});

function create(): Journal {
  const journal = createSqliteJournal(path);
  journals.push(journal);
  return journal;
}
