/** The record of a run for audit: calls, notes of the program, prices, versions, and an end that is not lost. */

import {expect, test} from 'vitest';

import {createMemoryJournal, type Entry, type Journal} from '../../actors/index.ts';
import {chartsVersion} from '../../actors/version.ts';
import {callHash} from '../../machines/domain/tool.ts';
import {createScenario, work} from '../support/scenario.ts';

function typed<T extends Entry['type']>(
  entries: readonly Entry[],
  type: T,
): Extract<Entry, {readonly type: T}>[] {
  return entries.filter(
    (entry): entry is Extract<Entry, {readonly type: T}> => entry.type === type,
  );
}

test('a call that must not be repeated is announced with its tool, its hash and its approval', async () => {
  const scenario = createScenario();
  const run = scenario.start();
  await run.result;
  const requested = typed(await scenario.runtime.entries(run.id), 'requested');
  const hash = callHash('change', {what: 'a little'});
  expect(requested).toContainEqual(
    expect.objectContaining({tool: 'change', callHash: hash, approval: hash}),
  );
});

test('notes of the program are marked, notes of the charts are not', async () => {
  let isDown = true;
  const scenario = createScenario({
    work: (request) =>
      isDown && request.purpose === 'evaluate' ? {kind: 'auth', message: 'no key'} : work(request),
  });
  const run = scenario.start();
  expect((await run.result).status).toBe('waiting');
  const notes = typed(await scenario.runtime.entries(run.id), 'noted');
  const byHost = notes.filter(({by}) => by === 'host').map(({note}) => note['type']);
  expect(byHost).toEqual(['run.suspended']);
  expect(notes.map(({note}) => note['type'])).toContain('quorum.decided');
  isDown = false;
});

test('a resumption names the version of the charts', async () => {
  let isDown = true;
  const scenario = createScenario({
    work: (request) =>
      isDown && request.purpose === 'evaluate' ? {kind: 'auth', message: 'no key'} : work(request),
  });
  const run = scenario.start();
  await run.result;
  isDown = false;
  await (
    await scenario.runtime.resume(run.id)
  ).result;
  const received = typed(await scenario.runtime.entries(run.id), 'received');
  expect(received[0]?.event).toMatchObject({type: 'run.resumed', version: chartsVersion()});
});

test('the opening records the prices of the models, which apply when the table has changed', async () => {
  let isDown = true;
  const usage = {inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 0};
  const priced = (input: number, journal: Journal): ReturnType<typeof createScenario> =>
    createScenario({
      journal,
      config: {prices: {'test/worker': {input, cached_input: input, output: input}}},
      work: (request) => {
        if (isDown && request.purpose === 'evaluate') return {kind: 'auth', message: 'no key'};
        const outcome = work(request);
        return outcome.kind === 'ok' && request.purpose === 'evaluate'
          ? {...outcome, usage}
          : outcome;
      },
    });
  const journal = createMemoryJournal();
  const first = priced(1, journal);
  const run = first.start();
  await run.result;
  const [opened] = typed(await first.runtime.entries(run.id), 'opened');
  expect(opened?.input['prices']).toMatchObject({
    'test/worker': {input: 1, cachedInput: 1, output: 1},
  });
  isDown = false;
  const before = (await run.result).usage.costUsd ?? 0;
  const {usage: after} = await (await priced(100, journal).runtime.resume(run.id)).result;
  expect((after.costUsd ?? 0) - before).toBeLessThan(2);
});

test('a run whose end cannot be written is not reported as ended, and continues', async () => {
  const journal = createMemoryJournal();
  let isFull = true;
  const scenario = createScenario({
    journal: {
      ...journal,
      log: {
        ...journal.log,
        append: (batch) => {
          if (isFull && batch.some(({bodies}) => bodies.some(({type}) => type === 'closed')))
            throw new Error('no space left');
          journal.log.append(batch);
        },
      },
    },
  });
  const run = scenario.start();
  expect(await run.result).toMatchObject({status: 'error'});
  isFull = false;
  const again = await scenario.runtime.resume(run.id);
  expect((await again.result).status).toBe('completed');
});
