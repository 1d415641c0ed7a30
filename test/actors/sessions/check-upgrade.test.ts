/** Which open runs these charts can continue, over journals of real runs. */

import {expect, test} from 'vitest';

import {createMemoryJournal} from '../../../actors/index.ts';
import type {Entry, Journal} from '../../../actors/journal/journal.ts';
import {checkUpgrade} from '../../../actors/sessions/check-upgrade.ts';
import {chartsVersion} from '../../../actors/version.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {createScenario, work} from '../../support/scenario.ts';

/** An open run that was suspended while its worker was called, and resumed once. */
async function suspended(): Promise<{readonly id: string; readonly entries: readonly Entry[]}> {
  const journal = createMemoryJournal();
  const leave = async (id?: string): Promise<string> => {
    const asked = Promise.withResolvers<undefined>();
    const {start, runtime} = createScenario({
      journal,
      work: async (request) => {
        if (request.purpose !== 'act') return work(request);
        asked.resolve(undefined);
        return await new Promise(() => {});
      },
    });
    const run = id === undefined ? start() : await runtime.resume(id);
    await asked.promise;
    await run.suspend('interrupted');
    return run.id;
  };
  const id = await leave();
  await leave(id);
  return {id, entries: journal.log.read(id)};
}

function put(journal: Journal, interaction: string, entries: readonly Entry[]): void {
  for (const {seq: _, at, hash: __, ...body} of entries)
    void journal.log.append([{interaction, bodies: [body], at}]);
}

test('the runs that diverge are listed with the entry and the versions, and nothing is written', async () => {
  const {id, entries} = await suspended();
  const other = entries.map((entry): Entry =>
    entry.type === 'opened' ? {...entry, version: 'older'} : entry,
  );
  const at = other.findLastIndex(({type}) => type === 'settled');
  const diverging = other.map((entry, index): Entry =>
    index === at && entry.type === 'settled'
      ? Object.assign({}, entry, {key: `${entry.key}-of-old`})
      : entry,
  );
  const journal = createMemoryJournal();
  put(journal, id, entries);
  const before = journal.log.list();
  const report = await checkUpgrade(journal);

  expect(report).toMatchObject({
    version: chartsVersion(),
    runs: [{id, state: 'replays', versions: [chartsVersion()]}],
  });
  expect(journal.log.list()).toEqual(before);

  const upgraded = createMemoryJournal();
  put(upgraded, id, diverging);
  const {runs} = await checkUpgrade(upgraded);
  expect(runs).toMatchObject([
    {
      id,
      state: 'diverges',
      versions: ['older', chartsVersion()],
      entry: at,
      reason: expect.stringContaining('-of-old'),
    },
  ]);
});

test('ended runs are not replayed, and damaged ones are named as such', async () => {
  const {id, entries} = await suspended();
  const journal = createMemoryJournal();
  put(journal, id, entries);
  const damage = new AppError('journal_corrupt', 'entry 3 was changed');
  const result = {status: 'completed'};
  journal.log.append([{interaction: 'ended', bodies: [{type: 'closed', result}], at: 1}]);
  const damaged: Journal = {
    ...journal,
    log: {...journal.log, salvage: () => ({entries: entries.slice(0, 3), damage})},
  };

  expect(await checkUpgrade(damaged)).toMatchObject({
    runs: [{id, state: 'damaged', reason: 'entry 3 was changed'}],
  });
});
