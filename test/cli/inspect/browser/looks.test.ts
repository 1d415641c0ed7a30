/** The inspector's page in Chromium for everybody: keyboards and screen readers, small windows, dark, Japanese, no access. */

import type {BrowserContextOptions} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import type {Run} from '../../../../actors/index.ts';
import {requests} from '../../../fixtures/journals/recorded-models.ts';
import {
  chromiumForTests,
  type Inspected,
  inspectRuns,
  type InspectorPage,
  openInspectorPage,
} from '../../../support/inspecting.ts';

const chromium = await chromiumForTests();
let inspected: Inspected;
let run: Run;

beforeAll(async () => {
  inspected = await inspectRuns();
  run = await inspected.atGate(requests.contested);
});

afterAll(async () => {
  await chromium.close();
  await inspected[Symbol.asyncDispose]();
});

async function open(options: BrowserContextOptions = {}, address = inspected.address(run)) {
  return await openInspectorPage(chromium.browser(), address, options);
}

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

describe.runIf(chromium.isThere)('the page of the inspector', () => {
  test('has no serious violation of accessibility in any panel, light and dark', async () => {
    await using shown = await open();
    expect(await shown.violations()).toEqual([]);
    const found = await withTabs(shown, async () => await shown.violations('panels'));
    expect(found).toEqual(Array.from({length: 5}, () => []));
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
      ['Chart', 'Actors', 'States', 'Journal', 'Context', 'Votes', 'Prompts'].map((name) => [
        name,
        0,
        true,
      ]),
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
    const tabs = ['図', '状態', 'コンテキスト', '投票', 'プロンプト'];
    await expect.poll(async () => await page.getByRole('tab').allInnerTexts()).toEqual(tabs);
    await shown.state('人の回答待ち');
    const votes = await shown.tab('投票');
    await expect.poll(async () => await votes.innerText()).toMatch(/却下[^]*it needs a date/);
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
});
