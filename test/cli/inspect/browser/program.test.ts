/** Programs with XState in the inspector's page in Chromium: events from the page, and hundreds of actors. */

import {afterAll, describe, expect, onTestFinished, test} from 'vitest';
import {assign, createActor, createMachine, enqueueActions, setup} from 'xstate';

import {type ProgramInspector, inspect} from '../../../../cli/inspect/index.ts';
import {
  chromiumForTests,
  type InspectorPage,
  openInspectorPage,
} from '../../../support/inspecting.ts';
import {countOf, textOf} from './polls.ts';

const chromium = await chromiumForTests();

afterAll(async () => await chromium.close());

const light = createMachine({
  id: 'light',
  context: {count: 0},
  initial: 'red',
  states: {
    red: {on: {NEXT: 'green', BREAK: {target: 'broken', guard: ({event}) => event['by'] === 'me'}}},
    green: {entry: assign({count: ({context}) => context['count'] + 1}), on: {NEXT: 'red'}},
    broken: {type: 'final'},
  },
});

const walker = createMachine({
  id: 'walker',
  initial: 'walking',
  states: {walking: {on: {REST: 'resting'}}, resting: {}},
});

const crowd = setup({actors: {walker}}).createMachine({
  id: 'crowd',
  entry: enqueueActions(({enqueue}) => {
    for (let each = 0; each < 500; each += 1) enqueue.spawnChild('walker', {id: `walker-${each}`});
  }),
});

/** Turns the direction of the text after it, and is followed by a character without a width. */
const evil = '\u202E\u200B';

const hostile = setup({guards: {[`guard${evil}`]: () => true}}).createMachine({
  id: `machine${evil}`,
  initial: `first${evil}`,
  context: {[`member${evil}`]: `value${evil}`},
  states: {
    [`first${evil}`]: {
      tags: [`tag${evil}`],
      on: {[`EVENT${evil}`]: {target: `second${evil}`, guard: `guard${evil}`}},
    },
    [`second${evil}`]: {
      type: 'parallel',
      states: {
        [`left${evil}`]: {on: {[`BACK${evil}`]: `#machine${evil}.first${evil}`}},
        [`right${evil}`]: {on: {[`BACK${evil}`]: `#machine${evil}.first${evil}`}},
      },
    },
  },
});

function started(): {
  readonly inspector: ProgramInspector;
  readonly show: () => Promise<InspectorPage>;
} {
  const inspector = inspect({onAddress: () => {}});
  onTestFinished(inspector.close);
  const show = async () => await openInspectorPage(chromium.browser(), await inspector.address);
  return {inspector, show};
}

describe.runIf(chromium.isThere)('the page of the inspector', () => {
  test('draws the machine of a program, and follows its actor', async () => {
    const {inspector, show} = started();
    const actor = createActor(light, {id: 'crossing', inspect: inspector}).start();
    await using shown = await show();
    const {page} = shown;
    await page.getByRole('img', {name: 'Statechart of light. Active: red.'}).waitFor();
    actor.send({type: 'NEXT'});
    await page.getByRole('img', {name: 'Statechart of light. Active: green.'}).waitFor();
    const values = await shown.tab('Context');
    await expect.poll(textOf(values)).toContain('count: 1');
    actor.send({type: 'NEXT'});
    actor.send({type: 'BREAK', by: 'me'});
    await shown.state('done');
    expect(shown.complaints).toEqual([]);
  });

  test('has names for the invisible characters in the names of a program, in every panel', async () => {
    const {inspector, show} = started();
    const actor = createActor(hostile, {id: `actor${evil}`, inspect: inspector}).start();
    onTestFinished(() => void actor.stop());
    actor.send({type: `EVENT${evil}`});
    await using shown = await show();
    const {page} = shown;
    await page.getByRole('img', {name: /^Statechart of machine<U\+202E>/}).waitFor();
    for (const name of ['Chart', 'States', 'Context']) {
      const panel = await shown.tab(name);
      await panel.getByText('<U+202E>').first().waitFor();
      expect((await page.content()).match(/.{0,30}[\u202E\u200B].{0,30}/)?.[0]).toBeUndefined();
    }
    await expect.poll(async () => await page.title()).toMatch(/^actor<U\+202E>/);
  });

  test('stays readable with 500 actors: they are collapsed and filtered', async () => {
    const {inspector, show} = started();
    const actor = createActor(crowd, {id: 'crowd', inspect: inspector}).start();
    onTestFinished(() => void actor.stop());
    await using shown = await show();
    const {page} = shown;
    const rows = page.getByRole('treeitem');
    await shown.actor('walker-0').waitFor();
    await expect
      .poll(async () => await shown.actor('walker-0').getAttribute('aria-setsize'))
      .toBe('500');
    await expect.poll(countOf(rows)).toBeLessThan(50);
    const tree = page.getByRole('tree', {name: 'Actors'});
    await tree.press('End');
    await shown.selected('walker-499');
    await page.getByRole('img', {name: 'Statechart of walker. Active: walking.'}).waitFor();

    const filter = page.getByRole('searchbox', {name: 'Filter actors'});
    await filter.fill('walker-42');
    await page.getByText('12 shown').waitFor();
    await expect.poll(countOf(rows)).toBe(12);
    await filter.fill('resting');
    await page.getByText('No actor matches the filter.').waitFor();
    actor.getSnapshot().children['walker-7']?.send({type: 'REST'});
    await shown.actor('walker-7').waitFor();
    await filter.fill('');
    await expect.poll(countOf(rows)).toBeGreaterThan(12);
    await tree.press('Home');
    await shown.selected('crowd');
    await tree.press('ArrowLeft');
    await page.getByText('500 below').waitFor();
    await expect.poll(countOf(rows)).toBe(1);
  });
});
