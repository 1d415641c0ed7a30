/** The question of a server on the inspector's page: its fields, the answer, and what is wrong with it. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, describe, expect, test} from 'vitest';
import {z} from 'zod';

import {
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  type Run,
} from '../../../../actors/index.ts';
import {silentLogger} from '../../../../actors/logger.ts';
import {addressOf, startInspector} from '../../../../cli/inspect/inspector.ts';
import {createRunTraces} from '../../../../cli/inspect/run-traces.ts';
import type {ServerQuestion} from '../../../../machines/server-input/server-input.ts';
import {defineTool} from '../../../../tools/index.ts';
import {lastText, say, turnOf, use} from '../../../support/asking.ts';
import {chromiumForTests, openInspectorPage} from '../../../support/inspecting.ts';

const chromium = await chromiumForTests();
afterAll(async () => await chromium.close());

const question: ServerQuestion = {
  server: 'pool',
  message: 'How deep is \u001b[2J it?',
  digest: 'd'.repeat(64),
  fields: [
    {name: 'level', type: 'integer', required: true, min: 1, max: 9, description: 'The depth.'},
    {
      name: 'unit',
      type: 'choice',
      required: false,
      choices: [{value: 'm', title: 'Metres'}, {value: 'ft'}],
      default: 'm',
    },
    {name: 'sides', type: 'choices', required: false, choices: [{value: 'n'}, {value: 's'}]},
    {name: 'sure', type: 'boolean', required: false},
    {name: 'note', type: 'text', required: false},
  ],
};

/** Asks as a server does, and reports the answer. */
const measure = defineTool({
  name: 'measure',
  description: 'Measures.',
  parameters: z.strictObject({}),
  risk: 'low',
  repeatability: 'repeatable',
  run: async (_, {input}) =>
    await Promise.resolve(
      input
        ? {kind: 'succeeded', text: JSON.stringify(input.answers)}
        : {kind: 'asksPerson', message: 'it asks', question, held: {}},
    ),
});

interface Shown extends AsyncDisposable {
  readonly run: Run;
  readonly address: string;
}

async function atQuestion(): Promise<Shown> {
  const workspace = mkdtempSync(join(tmpdir(), 'quorate-inspect-'));
  const runtime = createRuntime({
    config: {ask: {model: 'test/m'}},
    models: [
      createFunctionModel('test/m', (request) =>
        turnOf(request) === 0 ? use('', ['measure', {}]) : say(lastText(request)),
      ),
    ],
    tools: [measure],
    journal: createMemoryJournal(),
    env: {},
  });
  const traces = createRunTraces(runtime);
  const inspector = await startInspector({traces, port: 0, logger: silentLogger});
  const run = runtime.ask('How deep?', {workspace});
  traces.adopt(run);
  for await (const {type} of run.events) if (type === 'human.requested') break;
  return {
    run,
    address: addressOf(inspector, run.id),
    [Symbol.asyncDispose]: async () => {
      await inspector.close();
      await runtime.close();
      rmSync(workspace, {recursive: true, force: true});
    },
  };
}

describe.runIf(chromium.isThere)('a question of a server', () => {
  test('is answered with values; a wrong one is explained, and nothing is lost', async () => {
    await using asked = await atQuestion();
    await using shown = await openInspectorPage(chromium.browser(), asked.address);
    const control = await shown.tab('Control');
    const form = control.locator('.gate-form');
    await form.getByText('asks, in its own words').waitFor();
    expect(await form.innerText()).toContain(String.raw`\x1b[2J`);
    await form.getByRole('button', {name: 'Answer …'}).click();
    const level = form.getByRole('textbox', {name: /^level \(required\)/});
    await level.fill('12');
    const send = form.getByRole('button', {name: 'Send to pool'});
    await send.click();
    await form.getByRole('alert').getByText('level: must be at most 9').waitFor();
    await level.fill('3');
    await form.getByRole('listbox', {name: /^sides/}).selectOption(['n', 's']);
    await form.getByRole('combobox', {name: /^sure/}).selectOption('no');
    await form.getByRole('textbox', {name: /^note/}).fill('cold');
    await send.click();
    expect((await asked.run.result).answer).toContain(
      '"content":{"level":3,"unit":"m","sides":["n","s"],"sure":false,"note":"cold"}',
    );
    expect(await shown.violations()).toEqual([]);
    // The one that the run refused.
    expect(shown.complaints).toEqual([expect.stringContaining('400')]);
  });

  test('is declined in Japanese', async () => {
    await using asked = await atQuestion();
    await using shown = await openInspectorPage(chromium.browser(), asked.address, {locale: 'ja'});
    const control = await shown.tab('操作');
    const form = control.locator('.gate-form');
    await form.getByRole('button', {name: '回答する…'}).click();
    await form.getByText('level (必須)').waitFor();
    await form.getByRole('button', {name: '却下'}).click();
    expect((await asked.run.result).answer).toContain('"action":"decline"');
  });
});
