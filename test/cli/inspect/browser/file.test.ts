/** Programs with XState, and a run as one file, in Chromium; texts that try to break out of the page, live and in the file. */

import {rmSync, writeFileSync, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {afterAll, describe, expect, onTestFinished, test, beforeAll} from 'vitest';
import {assign, createActor, createMachine, enqueueActions, setup} from 'xstate';

import type {Run} from '../../../../actors/index.ts';
import {type ProgramInspector, inspect} from '../../../../cli/inspect/index.ts';
import {runFile} from '../../../../cli/inspect/inspect.ts';
import {requests, speak} from '../../../fixtures/journals/recorded-models.ts';
import {ballot, isPlanBallot} from '../../../support/agent-models.ts';
import {
  chromiumForTests,
  type InspectorPage,
  openInspectorPage,
  type Inspected,
  inspectRuns,
  countOf,
  textOf,
} from '../../../support/inspecting.ts';

const chromium = await chromiumForTests();

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

const hostileMachine = setup({guards: {[`guard${evil}`]: () => true}}).createMachine({
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
    const actor = createActor(hostileMachine, {id: `actor${evil}`, inspect: inspector}).start();
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

const folder = mkdtempSync(join(tmpdir(), 'quorate-inspect-file-'));

/** Ends elements and comments, begins new ones, loads, turns the direction of texts, rings. */
const hostile = [
  '<img src="https://example.com/x" onerror="document.title=1">',
  '</script><script>document.title = 2</script>',
  '<!--<script>',
  ']]></style><b class="hostile">bold</b>',
  '{{7*7}} ${7*7} $& $` %3Cscript%3E',
  '\u202Egnirts\u202C \u0007\u200B',
].join(' ');
const request = `${requests.contested} ${hostile} ${'long '.repeat(20_000)}the end`;

let inspected: Inspected;
let run: Run;

beforeAll(async () => {
  inspected = await inspectRuns((received) => {
    if (isPlanBallot(received)) return received.model === 'c' ? 'hang' : ballot('reject', hostile);
    return received.tools.length === 0 ? {text: hostile} : speak(received);
  });
  run = await inspected.ended(request, {decision: 'reject', reason: hostile});
});

afterAll(async () => {
  await chromium.close();
  await inspected[Symbol.asyncDispose]();
  rmSync(folder, {recursive: true, force: true});
});

async function fileOf({id}: Run): Promise<string> {
  const path = join(folder, `${id}.html`);
  const entries = await inspected.runtime.entries(id);
  writeFileSync(
    path,
    await runFile(id, entries, await inspected.runtime.inspectEntries(id, entries)),
  );
  return pathToFileURL(path).href;
}

/** The texts of the panels at the moment of the first vote, and at the end. */
async function seen(shown: InspectorPage): Promise<object[]> {
  const {page} = shown;
  const moments: object[] = [];
  const last = Number(await shown.slider.getAttribute('max'));
  for (const entry of [9, last]) {
    await shown.scrubTo(entry);
    for (const name of ['Chart', 'States', 'Context', 'Votes', 'Prompts']) {
      const panel = await shown.tab(name);
      if (name === 'Votes')
        await panel
          .getByRole('button', {name: /^Prompt/})
          .first()
          .waitFor();
      if (name === 'Prompts') await panel.getByRole('option').first().waitFor();
      moments.push({entry, name, text: await panel.textContent()});
    }
    const tree = await page.getByRole('tree', {name: 'Actors'}).textContent();
    const place = await page.locator('.scrub-place').textContent();
    const journal = await page.getByRole('listbox', {name: 'Entries'}).textContent();
    moments.push({tree, place, journal});
  }
  return moments;
}

/** The text is visible as it is, with names for its invisible characters, and did nothing. */
async function expectHarmless(shown: InspectorPage): Promise<void> {
  const {page} = shown;
  const visible = [
    '<img src="https://example.com/x" onerror="document.title=1">',
    '</script><script>document.title = 2</script>',
    '<!--<script>',
    '<b class="hostile">bold</b>',
    '{{7*7}} ${7*7} $& $` %3Cscript%3E',
  ].join(' ');
  const title = page.getByRole('heading', {level: 1}).filter({hasText: '<img'});
  const heading = await title.innerText();
  for (const part of visible.split(' ')) expect(heading).toContain(part);
  expect(heading).toContain(String.raw`<U+202E>gnirts<U+202C> \x07<U+200B>`);
  for (const sign of ['\u202E', '\u0007', '\u200B']) expect(heading).not.toContain(sign);
  await expect.poll(async () => await page.title()).toMatch(/^Write a contested note/);

  await shown.scrubTo(9);
  const votes = await shown.tab('Votes');
  const reason = votes.locator('.reason').first();
  for (const part of visible.split(' ')) await expect.poll(textOf(reason)).toContain(part);
  await votes.getByRole('button', {name: 'Prompt: a'}).click();
  const prompts = page.getByRole('tabpanel', {name: 'Prompts'});
  await prompts.locator('.prompt-part').first().waitFor();
  await shown.showAll(prompts);
  await expect.poll(textOf(prompts)).toMatch(/long long the end/);
  expect(
    await page.locator('img:not(svg), iframe, .hostile, main script, header script').count(),
  ).toBe(0);
  expect(await shown.overflow()).toBe(0);
}

describe.runIf(chromium.isThere)('the page of the inspector', () => {
  test('shows hostile and long texts as they are, and executes nothing', async () => {
    await using shown = await openInspectorPage(chromium.browser(), inspected.address(run));
    await expectHarmless(shown);
    expect(shown.complaints).toEqual([]);
  });

  test('is also a file that requests nothing, in which hostile texts do nothing', async () => {
    await using shown = await openInspectorPage(chromium.browser(), await fileOf(run));
    await expectHarmless(shown);
    expect(shown.complaints).toEqual([]);
    await expect.poll(textOf(shown.page.getByRole('contentinfo'))).toContain('File');
  });

  test('shows in the file what it shows live, at every moment', async () => {
    const plain = await inspected.ended(requests.contested, {decision: 'approve'});
    await using live = await openInspectorPage(chromium.browser(), inspected.address(plain));
    await using file = await openInspectorPage(chromium.browser(), await fileOf(plain));
    expect(await seen(file)).toEqual(await seen(live));
    expect(file.complaints).toEqual([]);
  });
});
