/** A run whose journal was written with differently worded prompts, and one whose journal has other calls. */

import {beforeAll, describe, expect, test} from 'vitest';

import type {Entry} from '../../../actors/journal/journal.ts';
import {asJson} from '../../../machines/domain/json.ts';
import {createAsking, say, turnOf, use} from '../../support/asking.ts';
import {createScenario, cutJournal} from '../../support/scenario.ts';

describe('a run that was opened with differently worded prompts', () => {
  let entries: readonly Entry[];
  let id: string;

  beforeAll(async () => {
    const scenario = createScenario();
    const run = scenario.start();
    await run.result;
    entries = await scenario.runtime.entries(run.id);
    id = run.id;
  });

  /** Every prompt quotes the request. */
  function reworded(count: number): Entry[] {
    return entries
      .slice(0, count)
      .map((entry) =>
        entry.type === 'opened'
          ? Object.assign({}, entry, {input: {...entry.input, request: 'Please see to the thing'}})
          : entry,
      );
  }

  test('continues to the same end from any entry', async () => {
    for (let count = 1; count < entries.length; count += 6) {
      const {runtime} = createScenario({journal: cutJournal(id, reworded(count))});
      const run = await runtime.resume(id);
      for await (const event of run.events) {
        if (event.type === 'human.requested') run.send({type: 'human.decided', decision: 'retry'});
      }
      expect({count, status: (await run.result).status}).toEqual({count, status: 'completed'});
    }
  });
});

describe('a run whose tool was called with other arguments', () => {
  test('is refused with the entry, the call and the expected requests', async () => {
    const asking = createAsking({
      answer: (request) =>
        turnOf(request) === 0 ? use('look', ['probe', {at: 'x'}]) : say('deep'),
    });
    const {result} = await asking.ask();
    const entries = await asking.runtime.entries(result.interaction);
    const other = entries.map((entry) =>
      entry.type === 'settled' && JSON.stringify(entry.outcome).includes('"probe"')
        ? Object.assign({}, entry, {outcome: asJson(use('look', ['probe', {at: 'y'}]))})
        : entry,
    );
    const run = other.findIndex((entry) => entry.type === 'settled' && entry.key.includes('run#'));
    const {runtime} = createAsking({
      answer: () => say('deep'),
      journal: cutJournal(result.interaction, other.slice(0, run + 1)),
    });
    await expect(runtime.resume(result.interaction)).rejects.toMatchObject({
      code: 'divergence',
      message: expect.stringMatching(
        new RegExp(
          `^entry ${run} \\(settled\\) can't be replayed: the request of (i/\\S*run#1) differs\\. The charts wait for: \\1\\.$`,
        ),
      ),
    });
  });
});
