import {once} from 'node:events';
import {setImmediate} from 'node:timers/promises';

import {describe, expect, test} from 'vitest';

import type {Journal} from '../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../actors/journal/memory.ts';
import {answer, createScenario, work} from '../support/scenario.ts';

/** A journal whose ownership calls wait until `letGo`; with `isDeaf` they ignore their abort signals. */
function lockedJournal({isDeaf = false} = {}): {
  readonly journal: Journal;
  readonly letGo: () => void;
} {
  const journal = createMemoryJournal();
  const {promise: free, resolve: letGo} = Promise.withResolvers<undefined>();
  const own: Journal['owners']['own'] = async (interaction, signal) => {
    const isAbortable = signal && !isDeaf;
    if (!isAbortable) await free;
    else if (!signal.aborted) await Promise.race([free, once(signal, 'abort')]);
    if (!isDeaf) signal?.throwIfAborted();
    return journal.owners.own(interaction);
  };
  return {journal: {...journal, owners: {...journal.owners, own}}, letGo: () => letGo(undefined)};
}

describe('a run that is suspended while it opens', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    'can be resumed, after %i turns of the event loop',
    async (turns) => {
      let isSuspended = false;
      const {runtime, start} = createScenario({
        work: (request) => (isSuspended ? work(request) : new Promise(() => {})),
      });
      const run = start();
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await run.suspend('interrupted');
      isSuspended = true;
      expect(await run.result).toMatchObject({status: 'waiting', exitCode: 130});
      expect((await runtime.entries(run.id))[0]).toMatchObject({type: 'opened'});
      expect(await (await runtime.resume(run.id)).result).toMatchObject({status: 'completed'});
    },
  );

  test.each([0, 1])(
    'ends at once while its journal is locked, after %i turns of the event loop, and leaves nothing',
    async (turns) => {
      const {journal} = lockedJournal();
      const scenario = createScenario({journal});
      const run = scenario.start();
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await run.suspend('interrupted');
      expect(await run.result).toMatchObject({
        status: 'cancelled',
        exitCode: 130,
        summary: 'Interrupted before the run was open: nothing was done.',
      });
      await expect(run.opened).rejects.toThrow(/aborted/);
      expect(await scenario.runtime.entries(run.id)).toEqual([]);
    },
  );

  test('does nothing afterwards, however late the journal answers', async () => {
    const {journal, letGo} = lockedJournal({isDeaf: true});
    const scenario = createScenario({journal, work: () => answer('nothing to know')});
    const run = scenario.start();
    const closed = scenario.runtime.close();
    await setImmediate();
    letGo();
    await closed;
    expect(await run.result).toMatchObject({status: 'waiting', exitCode: 130});
    const {length} = await scenario.runtime.entries(run.id);
    const asked = scenario.performed.models.length;
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    expect(await scenario.runtime.entries(run.id)).toHaveLength(length);
    expect(scenario.performed.models).toHaveLength(asked);
    expect(scenario.performed.tools).toEqual([]);
  });
});

/** A journal that answers after a turn of the event loop. */
function laterJournal(): Journal {
  const journal = createMemoryJournal();
  return {
    ...journal,
    log: {
      ...journal.log,
      append: async (additions) => {
        await setImmediate();
        journal.log.append(additions);
        await setImmediate();
      },
    },
  };
}

test.each(Array.from({length: 24}, (_, turns) => turns))(
  'a run that is suspended while the journal appends an input continues, after %i turns of the event loop',
  async (turns) => {
    const {runtime, start} = createScenario({journal: laterJournal()});
    const run = start();
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    await run.suspend('interrupted');
    const {status} = await run.result;
    const {result} = await runtime.resume(run.id);
    expect([status, (await result).status]).toEqual(['waiting', 'completed']);
  },
);

test('a run that is resumed while its runtime closes is suspended with it', async () => {
  const {runtime, start, performed} = createScenario({work: () => new Promise(() => {})});
  const run = start();
  await run.opened;
  await run.suspend('interrupted');
  const resumed = runtime.resume(run.id);
  await runtime.close();
  expect(await (await resumed).result).toMatchObject({status: 'waiting', exitCode: 130});
  const asked = performed.models.length;
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(performed.models).toHaveLength(asked);
});
