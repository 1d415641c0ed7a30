/** The states that a list shows for open runs, over journals of real runs. */

import {expect, test} from 'vitest';

import type {Entry, Journal} from '../../../actors/journal/journal.ts';
import {silentLogger} from '../../../actors/logger.ts';
import {runStateOf} from '../../../actors/sessions/run-state.ts';
import {createMemoryRepository} from '../../../actors/submissions/memory.ts';
import {chartsVersion} from '../../../actors/version.ts';
import {createRunTraces} from '../../../cli/inspect/run-traces.ts';
import {findRow} from '../../../cli/past/find-run.ts';
import {createInteractions} from '../../../cli/serve/interactions.ts';
import {createScenario, cutJournal, work} from '../../support/scenario.ts';

/** A run that was suspended while the model of its worker was called. */
async function suspended(): Promise<{readonly id: string; readonly entries: readonly Entry[]}> {
  const asked = Promise.withResolvers<undefined>();
  const {start, runtime} = createScenario({
    work: async (request) => {
      if (request.purpose !== 'act') return work(request);
      asked.resolve(undefined);
      return await new Promise(() => {});
    },
  });
  const run = start();
  await asked.promise;
  await run.suspend('interrupted');
  return {id: run.id, entries: await runtime.entries(run.id)};
}

function ofVersion(version: string, entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => (entry.type === 'opened' ? {...entry, version} : entry));
}

/** As written by charts that request other effects. */
function ofOtherKeys(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) =>
    entry.type === 'settled' ? {...entry, key: `${entry.key}-of-old`} : entry,
  );
}

/** As the commands, the server and the inspector show it. */
async function state(id: string, journal: Journal): Promise<string> {
  const {runtime} = createScenario({journal});
  const {look} = createInteractions({
    runtime,
    repository: createMemoryRepository(),
    logger: silentLogger,
    workspace: '.',
  });
  const [row] = await createRunTraces(runtime).list();
  const listed = await runStateOf(await findRow(journal, id), journal);
  expect(row?.state).toBe(listed);
  expect((await look(id)).status).toBe(listed);
  expect(await runtime.stateOf(id)).toBe(listed);
  return listed;
}

test('a run of other charts is suspended or crashed as long as the current charts can replay it', async () => {
  const {id, entries} = await suspended();
  const journal = cutJournal(id, ofVersion('older', entries));
  const died = {...journal, owners: {...journal.owners, tenureOf: () => 'abandoned' as const}};

  expect(await state(id, journal)).toBe('suspended');
  expect(await state(id, died)).toBe('crashed');
});

test('a run that the current charts cannot replay is outdated, whether its process died or not', async () => {
  const {id, entries} = await suspended();
  const journal = cutJournal(id, ofVersion('older', ofOtherKeys(entries)));
  const died = {...journal, owners: {...journal.owners, tenureOf: () => 'abandoned' as const}};

  expect(await state(id, journal)).toBe('outdated');
  expect(await state(id, died)).toBe('outdated');
});

test('a run of the current charts that they cannot replay is damaged', async () => {
  const {id, entries} = await suspended();

  expect(await state(id, cutJournal(id, ofOtherKeys(entries)))).toBe('damaged');
});

test('the refusal to resume an outdated run names both versions', async () => {
  const {id, entries} = await suspended();
  const journal = cutJournal(id, ofVersion('older', ofOtherKeys(entries)));
  const {runtime} = createScenario({journal});

  await expect(runtime.resume(id)).rejects.toMatchObject({
    code: 'divergence',
    message: expect.stringMatching(
      new RegExp(`recorded by version older of the charts, and this is version ${chartsVersion()}`),
    ),
  });
});
