import {expect, test} from 'vitest';

import {createMemoryJournal} from '../../actors/journal/memory.ts';
import {findRow} from '../../cli/find-run.ts';

test('a run is found by its ID or the beginning that no other has', async () => {
  const journal = createMemoryJournal();
  for (const id of ['ab', 'abc1', 'abd2']) {
    journal.log.append([
      {interaction: id, at: 1, bodies: [{type: 'opened', input: {}, version: 'v'}]},
    ]);
  }
  expect((await findRow(journal, 'abc')).id).toBe('abc1');
  expect((await findRow(journal, 'ab')).id).toBe('ab');
  await expect(findRow(journal, 'a')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^a is the beginning of 3 runs: .*ab.*; write more of it$/),
  });
  await expect(findRow(journal, '')).rejects.toMatchObject({code: 'not_found'});
  await expect(findRow(journal, 'x')).rejects.toMatchObject({code: 'not_found'});
});
