/** The inspector's page in Chromium when it goes from one trace or server to another. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';

import {silentLogger} from '../../../../actors/logger.ts';
import {runFile} from '../../../../cli/inspect/html.ts';
import {addressOf, type Inspector, startInspector} from '../../../../cli/inspect/inspector.ts';
import {createRunTraces} from '../../../../cli/inspect/run-traces.ts';
import {requests, speak} from '../../../fixtures/journals/recorded-models.ts';
import {call, revised} from '../../../support/agent-models.ts';
import {
  chromiumForTests,
  type Inspected,
  inspectRuns,
  type InspectorPage,
  openInspectorPage,
} from '../../../support/inspecting.ts';

const chromium = await chromiumForTests();
const other = `${requests.contested}, and another one`;
const task = {tool: 'write_file', args: {path: 'other.txt', content: 'hello\n'}};
const plan = {
  objective: 'Write another note',
  reasoning: 'it is asked for',
  tasks: [{id: 'other', description: 'Write it', ...task}],
};
let inspected: Inspected;

beforeAll(async () => {
  inspected = await inspectRuns((received) =>
    received.tools.includes('create_plan') && received.text.includes(other)
      ? call('create_plan', revised(plan, received.text))
      : speak(received),
  );
});

afterAll(async () => {
  await chromium.close();
  await inspected[Symbol.asyncDispose]();
});

async function open(address: string): Promise<InspectorPage> {
  return await openInspectorPage(chromium.browser(), address);
}

/** Opens an address in the same tab. */
async function goTo({page}: InspectorPage, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
}

async function inspectorAt(port: number): Promise<Inspector> {
  const traces = createRunTraces(inspected.runtime);
  const inspector = await startInspector({traces, port, logger: silentLogger});
  onTestFinished(inspector.close);
  return inspector;
}

describe.runIf(chromium.isThere)('the page of the inspector', () => {
  test('of two places that are opened before a trace has arrived shows the second', async () => {
    const run = await inspected.ended(requests.contested, {decision: 'approve'});
    const next = await inspected.ended(other, {decision: 'approve'});
    await using shown = await open(inspected.address(run));
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
    await expect
      .poll(async () => await page.locator('.scrub-place').innerText())
      .toMatch(/^entry 3 of /);
  });

  test('takes the new address of a restarted server in the same tab', async () => {
    const run = await inspected.ended(requests.contested, {decision: 'approve'});
    const before = await inspectorAt(0);
    await using shown = await open(addressOf(before, run.id));
    const {page} = shown;
    await shown.state('completed');
    await before.close();
    const after = await inspectorAt(Number(new URL(before.url).port));
    await page.getByRole('heading', {name: 'This address has no valid token'}).waitFor();

    await page.goto(addressOf(after, run.id));
    await page.getByRole('treeitem').first().waitFor();
    expect(page.url()).not.toContain(after.token);
  });

  test('shows why a trace can not be read, instead of connecting for ever', async () => {
    const run = await inspected.ended(requests.contested, {decision: 'approve'});
    const next = await inspected.ended(other, {decision: 'approve'});
    await using shown = await open(inspected.address(run));
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
    const run = await inspected.ended(requests.contested, {decision: 'approve'});
    const fork = await runtime.fork(run.id, {at: 0});
    await fork.opened;
    const text = `Fork of ${run.id} after 0`;
    await using live = await open(inspected.address(fork));
    await expect.poll(async () => await live.page.getByRole('link', {name: text}).count()).toBe(1);

    const folder = mkdtempSync(join(tmpdir(), 'quorate-inspect-fork-'));
    onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
    const path = join(folder, 'fork.html');
    const entries = await runtime.entries(fork.id);
    const trace = await runtime.inspectEntries(fork.id, entries);
    writeFileSync(path, await runFile(fork.id, entries, trace));
    await using file = await open(pathToFileURL(path).href);
    await file.page.getByText(text).waitFor();
    expect(await file.page.getByRole('link').count()).toBe(0);
    await runtime.cancel(fork.id);
  });
});
