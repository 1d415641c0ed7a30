/** Questions without a folder: what their models get, and what such a run refuses. */

import {expect, test} from 'vitest';
import {z} from 'zod';

import {defineTool, type ToolContext} from '../../../tools/index.ts';
import {lastText, say, turnOf, use} from '../../support/asking.ts';
import {folderWith, follow, setStage, type StageOptions} from '../../support/stage.ts';

const looking = {
  name: 'look',
  description: 'Looks.',
  parameters: z.strictObject({}),
  risk: 'low',
  repeatability: 'repeatable',
  run: async (_: object, {workspace}: ToolContext) =>
    await Promise.resolve({kind: 'succeeded', text: `in "${workspace}"`} as const),
} as const;
const look = defineTool({...looking, reaches: 'nothing'});
/** It may reach anything: it does not say. */
const probe = defineTool({...looking, name: 'probe'});

const asking = (options: StageOptions = {}) => setStage({tools: [look, probe], ...options});

const unplaced = {form: 'ask', request: 'What is it?', workspace: null} as const;

test('a question without a folder has the tools that need none, and nothing of the current folder', async () => {
  const {runtime, requests} = asking({
    config: {search: {paths: ['**/*.md']}, database: {path: 'data.db'}, web: {enabled: true}},
    say: (request) =>
      turnOf(request) === 0
        ? use('', ['look', {}], ['read_file', {path: 'package.json'}])
        : say(lastText(request)),
  });
  const {result} = await follow(runtime.start(unplaced));
  expect(requests[0]?.tools).toEqual(['calculator', 'find_tools', 'look', 'web_fetch']);
  const [looked, read] = result.steps ?? [];
  expect(looked).toMatchObject({observation: 'in ""'});
  expect(read).toMatchObject({observation: expect.stringContaining('no tool "read_file"')});
  expect(requests[0]?.transcript.messages[0]?.text).toBe('# Question\nWhat is it?');
  expect((await runtime.interactions())[0]).toMatchObject({workspace: ''});
});

test('a question without a folder starts no interaction, and takes no folder later', async () => {
  const asked = Promise.withResolvers<void>();
  const stage = asking({
    say: async () => {
      asked.resolve();
      return await new Promise(() => {});
    },
  });
  const {runtime} = stage;
  const refusal = Promise.withResolvers<void>();
  const run = runtime.start({
    ...unplaced,
    onEvent: ({type}) => {
      if (type === 'interaction.refused') refusal.resolve();
    },
  });
  await asked.promise;
  run.send({type: 'interaction.spawn', form: 'agent', request: 'Look around'});
  await refusal.promise;
  await run.suspend('interrupted');

  const workspace = folderWith();
  const refused = {code: 'usage', message: expect.stringContaining('works in no folder')};
  await expect(runtime.resume(run.id, {workspace})).rejects.toMatchObject(refused);
  await expect(runtime.fork(run.id, {at: 0, workspace})).rejects.toMatchObject(refused);
  const next = asking({journal: stage.journal, say: () => say('It is this.')});
  expect(await (await next.runtime.fork(run.id, {at: 0})).result).toMatchObject({
    status: 'completed',
  });
  expect(await (await next.runtime.resume(run.id)).result).toMatchObject({answer: 'It is this.'});
});

test('only a question is started without a folder', () => {
  const {runtime} = asking();
  for (const form of ['agent', 'discuss', 'interview', 'review', 'command'] as const)
    expect(() => runtime.start({form, request: 'Do it', workspace: null})).toThrow(
      expect.objectContaining({code: 'usage', message: expect.stringContaining(form)}),
    );
});
