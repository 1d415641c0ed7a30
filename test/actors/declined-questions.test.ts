/** Runs whose MCP servers ask the person: elicitation is not declared, so nobody is asked. */

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {createFunctionModel, createMemoryJournal, createRuntime} from '../../actors/index.ts';
import {say, use} from '../support/asking.ts';
import {createMcpPlace, listed, pinsOf, serverOf} from '../tools/mcp/place.ts';

const question = {message: 'How deep?', requestedSchema: {type: 'object', properties: {}}};
const modern = join(import.meta.dirname, '../fixtures/mcp/modern.ts');
const launch = {kind: 'stdio', command: process.execPath, args: [modern], env: {}} as const;

test.each([
  {protocol: 'the older protocol', tool: 'hand__ask', observation: '"code":-32601'},
  {
    protocol: '2026-07-28',
    tool: 'modern__confirm',
    observation: 'do not declare the required capability',
  },
])(
  'a server of $protocol that asks the person is declined, and the run continues',
  async ({tool, observation}) => {
    const place = createMcpPlace();
    const workspace = join(place.folder, 'work');
    mkdirSync(workspace);
    const byHand = place.byHand({tools: [listed('ask', {annotations: {readOnlyHint: true}})]});
    let calls = 0;
    const model = createFunctionModel('test/m', () => {
      calls += 1;
      return calls === 1 ? use('', [tool, question]) : say('so it is');
    });
    const runtime = createRuntime({
      config: {ask: {model: 'test/m'}, agent: {hil_mode: 'interactive'}, sandbox: {mode: 'off'}},
      models: [model],
      mcpServers: [{...byHand, trusted: true}, serverOf('modern', launch, true)],
      pinFolder: pinsOf(place.folder),
      journal: createMemoryJournal(),
      env: {},
    });
    onTestFinished(async () => await runtime.close());
    await runtime.ready({workspace});
    const run = runtime.start({form: 'ask', request: 'Measure', workspace});
    expect(await run.result).toMatchObject({
      status: 'completed',
      answer: expect.stringContaining('so it is'),
      steps: [{observation: expect.stringContaining(observation)}],
    });
  },
);
