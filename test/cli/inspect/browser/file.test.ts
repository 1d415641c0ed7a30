/** A run as one file in Chromium, and texts that try to break out of the page, live and in the file. */

import {rmSync, writeFileSync, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import type {Run} from '../../../../actors/index.ts';
import {runFile} from '../../../../cli/inspect/html.ts';
import {requests, speak} from '../../../fixtures/journals/recorded-models.ts';
import {ballot, isPlanBallot} from '../../../support/agent-models.ts';
import {
  chromiumForTests,
  type Inspected,
  inspectRuns,
  type InspectorPage,
  openInspectorPage,
} from '../../../support/inspecting.ts';
import {textOf} from './polls.ts';

const chromium = await chromiumForTests();
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
  const heading = await page.getByRole('heading', {level: 1}).innerText();
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
