/** The part of a journal's contract that is about the submissions of a server. */

import {beforeEach, describe, expect, test} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {hashToken} from '../../../actors/journal/node-crypto.ts';
import {append, attempt, closed, opened} from './entries.ts';

function record(id: string, form = 'job') {
  const tokenHash = hashToken(`token of ${id}`);
  return {id, form, tokenHash, createdAt: 1, updatedAt: 1, state: 'greeting'};
}

async function begin({log}: Journal, id: string, given: {form?: string; owner?: string} = {}) {
  const {form = 'job', owner = id} = given;
  const submission = {form, tokenHash: hashToken(`token of ${owner}`)};
  await log.append([{interaction: id, bodies: [opened], at: 1, seq: 0, submission}]);
}

export function testSubmissions(given: () => Journal): void {
  describe('submissions', () => {
    beforeEach(async () => {
      await begin(given(), 'a');
    });

    test('are found by id and by token, in their latest state', async () => {
      const {submissions} = given();
      if (!submissions) return;
      await begin(given(), 'b');
      await submissions.update('a', {state: 'submitted', updatedAt: 7});
      await submissions.update('nobody', {state: 'submitted', updatedAt: 7});

      const seen = {...record('a'), state: 'submitted', updatedAt: 7};
      expect(await submissions.find('a')).toEqual(seen);
      expect(await submissions.findByToken(hashToken('token of a'))).toEqual(seen);
      expect(await submissions.find('c')).toBeUndefined();
      expect(await submissions.findByToken(hashToken('token of c'))).toBeUndefined();
    });

    test('are recorded with the entry that opens them, or neither is', async () => {
      const {submissions, log} = given();
      if (!submissions) return;
      const second = attempt(async () => await begin(given(), 'b', {owner: 'a'}));
      await expect(second).rejects.toMatchObject({code: 'usage'});
      expect(await submissions.find('b')).toBeUndefined();
      expect(await log.lengthOf('b')).toBe(0);
      await begin(given(), 'b');
      expect(await log.lengthOf('b')).toBe(1);
    });

    test('are recorded once when their addition is repeated', async () => {
      const {submissions, log} = given();
      if (!submissions) return;
      await begin(given(), 'a');
      expect(await submissions.list('job', {limit: 9})).toEqual([record('a')]);
      expect(await log.lengthOf('a')).toBe(1);
    });

    test('of a form are listed in pages, the oldest first', async () => {
      const {submissions} = given();
      if (!submissions) return;
      for (const id of ['b', 'c', 'd']) await begin(given(), id);
      await begin(given(), 'x', {form: 'other'});

      const pages = [undefined, 'b', 'd'].map(
        async (after) => await submissions.list('job', {after, limit: 2}),
      );
      const ids = (await Promise.all(pages)).map((page) => page.map(({id}) => id));
      expect(ids).toEqual([['a', 'b'], ['c', 'd'], []]);
    });

    test('keep receipts until they are old, and the first of each key', async () => {
      const {submissions} = given();
      if (!submissions) return;
      const receipt = {key: 'k', digest: 'd', before: 1, at: 10};
      expect(await submissions.keepReceipt('a', receipt, 0)).toEqual(receipt);
      const late = {...receipt, before: 3, at: 12};
      expect(await submissions.keepReceipt('a', late, 0)).toEqual(receipt);
      await submissions.keepReceipt('a', {...receipt, after: 3}, 0);
      expect(await submissions.keepReceipt('a', late, 0)).toEqual({...receipt, after: 3});
      expect(await submissions.findReceipt('a', 'k')).toEqual({...receipt, after: 3});
      expect(await submissions.findReceipt('b', 'k')).toBeUndefined();

      await submissions.keepReceipt('a', {...receipt, key: 'later', at: 20}, 11);
      expect(await submissions.findReceipt('a', 'k')).toBeUndefined();
      expect(await submissions.findReceipt('a', 'later')).toMatchObject({before: 1});
    });

    test('are erased with their interaction', async () => {
      const {submissions, erase} = given();
      if (!submissions) return;
      await submissions.keepReceipt('a', {key: 'k', digest: 'd', before: 1, at: 10}, 0);
      await append(given(), 'a', [closed], 2);
      await erase('a');

      expect(await submissions.find('a')).toBeUndefined();
      expect(await submissions.findByToken(hashToken('token of a'))).toBeUndefined();
      await begin(given(), 'a');
      expect(await submissions.findReceipt('a', 'k')).toBeUndefined();
    });

    test('are kept beside the other interactions that a server has begun, the newest first and each once', async () => {
      const {submissions, erase} = given();
      if (!submissions) return;
      for (const id of ['x', 'y', 'x']) await submissions.addInteraction(id, 1);
      expect(await submissions.interactions()).toEqual(['y', 'x']);
      await erase('x');
      expect(await submissions.interactions()).toEqual(['y']);
    });
  });
}
