/** Two runtimes over one journal on disk whose lock files are gone: the journal itself lets one of them write a run. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createSqliteJournal, type Journal} from '../../actors/index.ts';
import {createScenario, work} from '../support/scenario.ts';

let folder: string;
const journals: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-fence-'));
});

afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

function openJournal(): Journal {
  const journal = createSqliteJournal(join(folder, 'journal.db'));
  journals.push(journal);
  return journal;
}

/** A run that waits for its worker's model, after its lock file was removed. */
async function runWithoutLock() {
  const asked = Promise.withResolvers<undefined>();
  const answering = Promise.withResolvers<undefined>();
  const first = createScenario({
    journal: openJournal(),
    work: async (request) => {
      if (request.purpose === 'act') {
        asked.resolve(undefined);
        await answering.promise;
      }
      return work(request);
    },
  });
  const run = first.start();
  await asked.promise;
  rmSync(join(folder, 'locks'), {recursive: true});
  return {first, run, goOn: () => answering.resolve(undefined)};
}

test('a run that was taken over without a lock writes nothing more, does nothing more, and says why', async () => {
  const {first, run, goOn} = await runWithoutLock();
  const second = createScenario({journal: openJournal()});
  const successor = await second.runtime.resume(run.id);
  expect(await successor.result).toMatchObject({status: 'completed'});
  const entries = await second.runtime.entries(run.id);
  const toolsBefore = [...first.performed.tools];

  goOn();
  expect(await run.result).toMatchObject({
    status: 'error',
    error: {code: 'busy', message: expect.stringContaining('written by another process')},
  });
  expect(first.performed.tools).toEqual(toolsBefore);
  expect(await second.runtime.entries(run.id)).toEqual(entries);
  expect(entries.filter(({type}) => type === 'closed')).toHaveLength(1);
});

test('one that was about to take it over writes nothing when the run has moved on meanwhile', async () => {
  const {run, goOn} = await runWithoutLock();
  const journal = openJournal();
  const second = createScenario({
    journal: {
      ...journal,
      log: {
        ...journal.log,
        salvage: async (id) => {
          const salvaged = await journal.log.salvage(id);
          goOn();
          await run.result;
          return salvaged;
        },
      },
    },
  });
  const successor = await second.runtime.resume(run.id);
  expect(await successor.result).toMatchObject({status: 'error', error: {code: 'busy'}});
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(second.performed.tools).toEqual([]);
});
