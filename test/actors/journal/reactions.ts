/** The part of a journal's contract that is about reactions to runs. */

import {expect, test} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {append, attempt, closed, opened, settled} from './entries.ts';

export function testReactions(given: () => Journal): void {
  test('of ratings the last one counts; an undo is kept beside it', async () => {
    const {reactions} = given();
    if (!reactions) return;
    await append(given(), 'a', [opened, closed], 1);
    await append(given(), 'b', [opened, closed], 2);
    await reactions.add('a', {kind: 'down', at: 3, words: 'no "tests"\n日本語'});
    await reactions.add('a', {kind: 'undone', at: 4});
    await reactions.add('b', {kind: 'down', at: 5});
    await reactions.add('unknown', {kind: 'up', at: 6});
    const own = async () => (await reactions.list('a')).toSorted((one, other) => one.at - other.at);
    expect(await own()).toEqual([
      {interaction: 'a', kind: 'down', at: 3, words: 'no "tests"\n日本語'},
      {interaction: 'a', kind: 'undone', at: 4},
    ]);

    await reactions.add('a', {kind: 'up', at: 7});
    expect(await own()).toEqual([
      {interaction: 'a', kind: 'undone', at: 4},
      {interaction: 'a', kind: 'up', at: 7},
    ]);
    expect(await reactions.list()).toHaveLength(3);
    expect(await reactions.list('unknown')).toEqual([]);
  });

  test('erasing an interaction erases its reactions, and no others', async () => {
    const {reactions, erase} = given();
    if (!reactions) return;
    for (const id of ['a', 'b']) {
      await append(given(), id, [opened, settled('x'), closed], 1);
      await reactions.add(id, {kind: 'up', at: 2, words: `words on ${id}`});
    }
    await erase('a');
    expect(await reactions.list()).toMatchObject([{interaction: 'b'}]);

    await append(given(), 'a', [opened, closed], 3);
    expect(await reactions.list('a')).toEqual([]);
  });

  test('a reaction to an invalid id is refused', async () => {
    const {reactions} = given();
    if (!reactions) return;
    await expect(attempt(() => reactions.add('../a', {kind: 'up', at: 1}))).rejects.toMatchObject({
      code: 'usage',
    });
  });
}
