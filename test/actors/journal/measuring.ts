/** The part of a journal's contract that is about figures of runs and reactions to them. */

import {expect, test} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {append, attempt, closed, opened, settled} from './entries.ts';

export function testMeasuring(given: () => Journal): void {
  const figuresOf = async (id: string) =>
    (await given().metrics?.list())?.find(({interaction}) => interaction === id)?.figures;

  test('figures are kept for interactions that have ended, the latest in place of earlier ones', async () => {
    const {metrics} = given();
    if (!metrics) return;
    await append(given(), 'a', [opened, closed], 1);
    await append(given(), 'open', [opened], 2);
    await metrics.keep([
      {interaction: 'a', figures: {calls: 1}},
      {interaction: 'open', figures: {calls: 2}},
      {interaction: 'unknown', figures: {calls: 3}},
    ]);
    expect(await metrics.list()).toEqual([{interaction: 'a', figures: {calls: 1}}]);

    await metrics.keep([{interaction: 'a', figures: {calls: 4, models: {'p/m': [1.5, null]}}}]);
    expect(await figuresOf('a')).toEqual({calls: 4, models: {'p/m': [1.5, null]}});
  });

  test('of ratings the last one counts; an undo is kept beside it', async () => {
    const {metrics} = given();
    if (!metrics) return;
    await append(given(), 'a', [opened, closed], 1);
    await append(given(), 'b', [opened, closed], 2);
    await metrics.react('a', {kind: 'down', at: 3, words: 'no "tests"\n日本語'});
    await metrics.react('a', {kind: 'undone', at: 4});
    await metrics.react('b', {kind: 'down', at: 5});
    await metrics.react('unknown', {kind: 'up', at: 6});
    const own = async () =>
      (await metrics.reactions('a')).toSorted((one, other) => one.at - other.at);
    expect(await own()).toEqual([
      {interaction: 'a', kind: 'down', at: 3, words: 'no "tests"\n日本語'},
      {interaction: 'a', kind: 'undone', at: 4},
    ]);

    await metrics.react('a', {kind: 'up', at: 7});
    expect(await own()).toEqual([
      {interaction: 'a', kind: 'undone', at: 4},
      {interaction: 'a', kind: 'up', at: 7},
    ]);
    expect(await metrics.reactions()).toHaveLength(3);
    expect(await metrics.reactions('unknown')).toEqual([]);
  });

  test('erasing an interaction erases its figures and reactions, and no others', async () => {
    const {metrics, erase} = given();
    if (!metrics) return;
    for (const id of ['a', 'b']) {
      await append(given(), id, [opened, settled('x'), closed], 1);
      await metrics.keep([{interaction: id, figures: {calls: 1}}]);
      await metrics.react(id, {kind: 'up', at: 2, words: `words on ${id}`});
    }
    await erase('a');
    expect(await metrics.list()).toEqual([{interaction: 'b', figures: {calls: 1}}]);
    expect(await metrics.reactions()).toMatchObject([{interaction: 'b'}]);

    await append(given(), 'a', [opened, closed], 3);
    expect(await figuresOf('a')).toBeUndefined();
    expect(await metrics.reactions('a')).toEqual([]);
  });

  test('a reaction to an invalid id is refused', async () => {
    const {metrics} = given();
    if (!metrics) return;
    await expect(attempt(() => metrics.react('../a', {kind: 'up', at: 1}))).rejects.toMatchObject({
      code: 'usage',
    });
  });
}
