/** A page in Chromium, driven through the tours of its machine. */

import type {Page, Route} from 'playwright-core';
import {afterAll, describe, expect, test} from 'vitest';

import {placeText} from '../../../machines/testing/chart.ts';
import {testModel} from '../../../machines/testing/index.ts';
import {ticketMachine, ticketSamples} from '../../fixtures/charts/ticket.ts';
import {chromiumForTests} from '../../support/inspecting.ts';

const html = `<!doctype html>
<form><input name="text"><button>Send</button></form>
<p role="status">editing</p>
<button id="retry">Retry</button>
<script>
  const [form, status] = [document.querySelector('form'), document.querySelector('p')];
  let tries = 0;
  let timer;
  const show = (view, ms, act) => {
    status.textContent = view;
    clearTimeout(timer);
    if (act) timer = setTimeout(act, ms);
  };
  const save = async () => {
    tries += 1;
    show('saving', 5000, () => show('givenUp'));
    const body = form.elements.text.value;
    const isSaved = await fetch('/save', {method: 'POST', body}).then(({ok}) => ok, () => false);
    if (status.textContent !== 'saving') return;
    if (isSaved || tries >= 2) show(isSaved ? 'saved' : 'givenUp');
    else show('failed', 1000, save);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void save();
  });
  document.querySelector('#retry').addEventListener('click', save);
</script>`;

interface Sut {
  readonly page: Page;
  /** The requests that wait. */
  readonly routes: Route[];
}

const chromium = await chromiumForTests();
afterAll(async () => await chromium.close());

async function start(): Promise<Sut> {
  const page = await chromium.browser().newPage();
  const routes: Route[] = [];
  await page.clock.install();
  await page.route('http://tickets.test/**', async (route) => {
    if (route.request().method() === 'POST') routes.push(route);
    else await route.fulfill({contentType: 'text/html', body: html});
  });
  await page.goto('http://tickets.test/');
  return {page, routes};
}

/** Answers the request that waits. */
async function answer({routes}: Sut, status: number): Promise<void> {
  await expect.poll(() => routes.length).toBe(1);
  await routes.pop()?.fulfill({status});
}

describe.skipIf(!chromium.isThere)('a page', () => {
  const cases = testModel(ticketMachine, {
    samples: ticketSamples,
    sut: start,
    close: async ({page}) => await page.close(),
    events: {
      sent: async ({page}, {text}) => {
        await page.locator('input').fill(text);
        await page.getByRole('button', {name: 'Send'}).click();
      },
      retried: async ({page}) => await page.getByRole('button', {name: 'Retry'}).click(),
    },
    outcomes: {
      save: {
        done: async (sut) => await answer(sut, 200),
        fails: async (sut) => await answer(sut, 500),
      },
    },
    timers: async ({page, routes}, ms) => {
      routes.length = 0;
      await page.clock.runFor(ms);
    },
    states: {
      '*': async ({page}, {state}) =>
        await page
          .getByRole('status')
          .filter({hasText: new RegExp(`^${placeText(state ?? '')}$`)})
          .waitFor(),
    },
  });

  test.each(cases)('$title', async ({run}) => await expect(run()).resolves.toBeUndefined());
});
