/** The part of a journal's contract that is about runs of other journals. */

import {expect, test} from 'vitest';

import type {ImportedRun, Journal} from '../../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {append, attempt, closed, opened, settled} from './entries.ts';

/** A run as another journal had it: entries at three times, and a backup. */
async function exported(id: string): Promise<ImportedRun> {
  const other = createMemoryJournal();
  const request = {type: 'requested', key: 'k', request: 'r'} as const;
  await append(other, id, [{...opened, input: {...opened.input, session: 's'}}, request], 1000);
  await append(other, id, [settled('k')], 2000);
  const backups = [{path: 'a', effect: 'k', after: 'i'}];
  return {interaction: id, entries: other.log.read(id), backups};
}

export function testAdopting(given: () => Journal): void {
  test('a run of another journal is kept as it was, and is imported until an entry follows', async () => {
    const {log, backups, adopt, owners} = given();
    if (!adopt) return;
    const run = await exported('a');

    expect(await adopt(run)).toBe(true);
    expect(await log.read('a')).toEqual(run.entries);
    expect(await backups?.list('a')).toEqual(run.backups);
    const [row] = await log.list();
    expect(row).toMatchObject({
      openedAt: 1000,
      updatedAt: 2000,
      session: 's',
      status: undefined,
      imported: true,
    });
    expect(row?.bytes).toBeGreaterThan(100);

    await owners.own('a');
    await log.read('a');
    await append(given(), 'a', [closed], 3000);
    expect(await log.read('a')).toMatchObject([{}, {}, {}, {type: 'closed', seq: 3}]);
    expect((await log.list())[0]).not.toHaveProperty('imported');
  });

  test('a run that is there is not imported again, and never replaced by other entries', async () => {
    const {log, backups, adopt} = given();
    if (!adopt) return;
    const run = await exported('a');
    await adopt(run);
    const before = [await log.read('a'), await log.list()];

    expect(await adopt(run)).toBe(false);
    const shorter = {...run, entries: run.entries.slice(0, 2)};
    await expect(attempt(() => adopt(shorter))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('run a is in this journal with other entries'),
    });
    expect([await log.read('a'), await log.list()]).toEqual(before);
    expect(await backups?.list('a')).toHaveLength(1);
  });
}
