/** The inspector's page in Chromium when it is opened: by everybody, on any window, from one trace or server to another. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import type {BrowserContextOptions} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';

import type {Run} from '../../../../actors/index.ts';
import {silentLogger} from '../../../../actors/logger.ts';
import {runFile} from '../../../../cli/inspect/inspect.ts';
import {type Inspector, addressOf, startInspector} from '../../../../cli/inspect/inspector.ts';
import {createRunTraces} from '../../../../cli/inspect/run-traces.ts';
import {requests, speak} from '../../../fixtures/journals/recorded-models.ts';
import {call, revised} from '../../../support/agent-models.ts';
import {
  type Inspected,
  type InspectorPage,
  chromiumForTests,
  inspectRuns,
  openInspectorPage,
  countOf,
  textOf,
} from '../../../support/inspecting.ts';

const chromium = await chromiumForTests();

afterAll(async () => await chromium.close());

/** Does something with each tab of the page in turn. */
async function withTabs<T>(shown: InspectorPage, act: (name: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  const names = await shown.page.getByRole('tab').allInnerTexts();
  for (const name of names) {
    await shown.tab(name);
    results.push(await act(name));
  }
  return results;
}

const other = `${requests.contested}, and another one`;

const task = {tool: 'write_file', args: {path: 'other.txt', content: 'hello\n'}};

const plan = {
  objective: 'Write another note',
  reasoning: 'it is asked for',
  tasks: [{id: 'other', description: 'Write it', ...task}],
};

async function openAt(address: string): Promise<InspectorPage> {
  return await openInspectorPage(chromium.browser(), address);
}

/** Opens an address in the same tab. */
async function goTo({page}: InspectorPage, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
}

let inspected: Inspected;

/** Waits at its gate. */
let run: Run;

beforeAll(async () => {
  inspected = await inspectRuns((received) =>
    received.tools.includes('create_plan') && received.text.includes(other)
      ? call('create_plan', revised(plan, received.text))
      : speak(received),
  );
  run = await inspected.atGate(requests.contested);
});

afterAll(async () => await inspected[Symbol.asyncDispose]());

async function open(options: BrowserContextOptions = {}, address = inspected.address(run)) {
  return await openInspectorPage(chromium.browser(), address, options);
}

async function inspectorAt(port: number): Promise<Inspector> {
  const traces = createRunTraces(inspected.runtime);
  const inspector = await startInspector({traces, port, logger: silentLogger});
  onTestFinished(inspector.close);
  return inspector;
}

describe.runIf(chromium.isThere)('the page of the inspector', () => {
  test('has no serious violation of accessibility in any panel, light and dark', async () => {
    await using shown = await open();
    expect(await shown.violations()).toEqual([]);
    const found = await withTabs(shown, async () => await shown.violations('panels'));
    expect(found).toEqual(Array.from({length: 7}, () => []));
  });

  test('fits into 320 pixels, where everything is a tab and the slider stays in sight', async () => {
    await using shown = await open({
      viewport: {width: 320, height: 640},
      isMobile: true,
      hasTouch: true,
      colorScheme: 'dark',
    });
    const found = await withTabs(shown, async (name) => [
      name,
      await shown.overflow(),
      await shown.slider.evaluate((slider) => slider.getBoundingClientRect().bottom <= 640),
    ]);
    expect(found).toEqual(
      [
        'Overview',
        'Waterfall',
        'Chart',
        'Actors',
        'States',
        'Journal',
        'Votes',
        'Prompts',
        'Context',
      ].map((name) => [name, 0, true]),
    );
    const back = await shown.page.evaluate('getComputedStyle(document.body).backgroundColor');
    const brightness = String(back).match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
    expect(Math.max(...brightness)).toBeLessThan(80);
    expect(await shown.violations()).toEqual([]);
  });

  test('speaks Japanese', async () => {
    const address = inspected.address(run).replace('/#', '/?lang=ja#');
    await using shown = await open({}, address);
    const {page} = shown;
    await expect.poll(async () => await page.locator('html').getAttribute('lang')).toBe('ja');
    const tabs = ['概要', '時系列', '図', '状態', '投票', 'プロンプト', 'コンテキスト'];
    await expect.poll(async () => await page.getByRole('tab').allInnerTexts()).toEqual(tabs);
    await shown.state('人の回答待ち');
    const votes = await shown.tab('投票');
    await expect.poll(textOf(votes)).toMatch(/却下[^]*it needs a date/);
    const names = await withTabs(shown, async () => await page.getByRole('button').allInnerTexts());
    const own = names.flat().filter((name) => /^(?:Copy|Fit|Follow)/.test(name));
    expect(own).toEqual([]);
    expect(shown.complaints).toEqual([]);
  });

  test('says that a token is wrong, and that a run does not exist', async () => {
    const {url, token} = inspected.inspector;
    await using refused = await open({}, `${url}/#token=${token}x&run=${run.id}`);
    const {page} = refused;
    await page.getByRole('heading', {name: 'This address has no valid token'}).waitFor();
    expect(await page.getByText(requests.contested).count()).toBe(0);
    expect(page.url()).not.toContain(token);

    await using lost = await open({}, `${url}/#token=${token}&run=nobody`);
    await lost.page.getByRole('heading', {name: 'This run does not exist'}).waitFor();
  });

  test('without a run in its address opens the newest run, and keeps its token from the address', async () => {
    const {url, token} = inspected.inspector;
    await using shown = await open({}, `${url}/#token=${token}`);
    const {page} = shown;
    await page.getByRole('heading', {level: 1, name: requests.contested}).waitFor();
    await shown.scrubTo(9);
    await page.waitForURL(new RegExp(`#run=${run.id}&at=9$`));
    await page.reload();
    await page.locator('.scrub-place').getByText('entry 9 of').waitFor();
    await expect.poll(async () => await shown.slider.inputValue()).toBe('9');
  });

  test('finds another run by its text, its state or its folder, and lists the keys', async () => {
    const ended = await inspected.ended(other, {decision: 'approve'});
    await using shown = await open();
    const {page} = shown;
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', {name: 'Keys'});
    await keys.getByText('to the previous or next decision').waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({state: 'hidden'});

    await page.keyboard.press('/');
    const runs = page.getByRole('dialog', {name: 'Runs'});
    const rows = runs.getByRole('button').filter({hasText: 'agent'});
    await runs.getByRole('searchbox').fill(`completed ${inspected.workspace}`);
    const found = await rows.allInnerTexts();
    expect(found.length).toBeGreaterThan(0);
    for (const text of found) expect(text).toMatch(/completed[^]*\$/);
    await runs.getByRole('searchbox').fill(ended.id);
    await runs.getByText('1 run', {exact: true}).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {level: 1, name: other}).waitFor();
    expect(await runs.isVisible()).toBe(false);
    expect(shown.complaints).toEqual([]);
  });

  test('of two places that are opened before a trace has arrived shows the second', async () => {
    const ended = await inspected.ended(requests.contested, {decision: 'approve'});
    const next = await inspected.ended(other, {decision: 'approve'});
    await using shown = await openAt(inspected.address(ended));
    const {page} = shown;
    await shown.state('completed');
    const released = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route('**/steps', async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await goTo(shown, `#run=${next.id}&at=9`);
    await asked.promise;
    await goTo(shown, `#run=${next.id}&at=3`);
    released.resolve();
    await page.getByRole('banner').getByText(next.id, {exact: true}).waitFor();
    await expect.poll(textOf(page.locator('.scrub-place'))).toMatch(/^entry 3 of /);
  });

  test('takes the new address of a restarted server in the same tab', async () => {
    const ended = await inspected.ended(requests.contested, {decision: 'approve'});
    const before = await inspectorAt(0);
    await using shown = await openAt(addressOf(before, ended.id));
    const {page} = shown;
    await shown.state('completed');
    await before.close();
    const after = await inspectorAt(Number(new URL(before.url).port));
    await page.getByRole('heading', {name: 'This address has no valid token'}).waitFor();

    await page.goto(addressOf(after, ended.id));
    await page.getByRole('treeitem').first().waitFor();
    expect(page.url()).not.toContain(after.token);
  });

  test('shows why a trace can not be read, instead of connecting for ever', async () => {
    const ended = await inspected.ended(requests.contested, {decision: 'approve'});
    const next = await inspected.ended(other, {decision: 'approve'});
    await using shown = await openAt(inspected.address(ended));
    const error = {code: 'journal_damaged', message: 'entry 7 of the journal is damaged'};
    await shown.page.route('**/steps', async (route) => {
      await route.fulfill({status: 503, json: {error}});
    });
    await goTo(shown, `#run=${next.id}`);
    await shown.page.getByRole('heading', {name: 'The trace could not be opened'}).waitFor();
    expect(await shown.page.getByText(error.message).isVisible()).toBe(true);
  });

  test('leads from a fork to its origin, but not in a file, which holds one trace', async () => {
    const {runtime} = inspected;
    const ended = await inspected.ended(requests.contested, {decision: 'approve'});
    const fork = await runtime.fork(ended.id, {at: 0});
    await fork.opened;
    const text = `Fork of ${ended.id} after 0`;
    await using live = await openAt(inspected.address(fork));
    await expect.poll(countOf(live.page.getByRole('link', {name: text}))).toBe(1);

    const folder = mkdtempSync(join(tmpdir(), 'quorate-inspect-fork-'));
    onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
    const path = join(folder, 'fork.html');
    const entries = await runtime.entries(fork.id);
    const trace = await runtime.inspectEntries(fork.id, entries);
    writeFileSync(path, await runFile(fork.id, entries, trace));
    await using file = await openAt(pathToFileURL(path).href);
    await file.page.getByText(text).waitFor();
    expect(await file.page.getByRole('link').count()).toBe(0);
    await runtime.cancel(fork.id);
  });
});
