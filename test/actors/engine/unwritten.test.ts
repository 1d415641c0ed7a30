/** Outcomes that can be obtained again wait for the next entry that matters, but only for a moment. */

import {expect, onTestFinished, test, vi} from 'vitest';

import {createFunctionModel, createMemoryJournal, createRuntime} from '../../../actors/index.ts';

test('readers of the journal see what a run has read while its first model call is still open', async () => {
  const {promise: reply, reject} = Promise.withResolvers<never>();
  const runtime = createRuntime({
    journal: createMemoryJournal(),
    config: {agent: {exploration_model: 'test/slow', decision_model: 'test/slow'}},
    models: [createFunctionModel('test/slow', async () => await reply)],
    env: {},
  });
  onTestFinished(async () => await runtime.close());
  const run = runtime.agent('Change the thing', {workspace: import.meta.dirname});
  await run.opened;
  await vi.waitFor(async () => {
    const entries = await runtime.entries(run.id);
    expect(entries.map((entry) => ('key' in entry ? entry.key : entry.type))).toEqual([
      'opened',
      expect.stringMatching(/gathering\/survey/),
    ]);
  }, 30_000);
  expect(run.atWork()).toMatchObject([expect.stringMatching(/model/)]);
  await run.suspend('interrupted');
  reject(new Error('too late'));
});
