/** Many trees at once in one process: all end, and their memory is released. */

import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {
  createFunctionModel,
  createRuntime,
  createSqliteJournal,
  type Journal,
} from '../../actors/index.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {isDeep} from '../support/depth.ts';
import {answer, reply, vote} from '../support/scenario.ts';

const roots = isDeep ? 100 : 25;

const forms = ['agent', 'ask', 'discuss'] as const;

const plan = {
  objective: 'Say it',
  asks_for_change: false,
  reasoning: 'asked for',
  tasks: [{id: 'a', description: 'say what is so'}],
};

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-crowd-')));
});
afterEach(() => rmSync(folder, {recursive: true}));

function work({purpose, model}: ModelRequest): ModelOutcome {
  if (purpose === 'plan') return reply('create_plan', plan);
  if (purpose === 'evaluate') return reply('evaluate_result', {successful: true, problems: []});
  if (purpose.startsWith('review')) return vote('approve');
  if (purpose === 'rank-answers') {
    const reviews = [{label: 'Response A', assessment: 'clear', score: 7}];
    return reply('rank_answers', {ranking: ['Response A'], reviews});
  }
  if (purpose === 'conclude') {
    const none = {key_points: [], agreements: [], disagreements: []};
    return reply('conclude', {conclusion: 'It is so.', ...none});
  }
  return answer(`so it is, says ${model}`);
}

function createCrowd(journal: Journal): Runtime {
  const names = ['t/worker', 't/ann', 't/bob'];
  const [worker = ''] = names;
  return createRuntime({
    config: {
      agent: {exploration_model: worker, decision_model: worker, review_models: names},
      ask: {model: worker},
    },
    named: new Set(),
    models: names.map((name) => createFunctionModel(name, work)),
    journal,
    env: {},
  });
}

/** A root of each form in turn, with a child of every form. */
function plant(runtime: Runtime, index: number): Run {
  const run = runtime.start({
    form: forms[index % forms.length] ?? 'ask',
    request: `root ${index}`,
    session: 'crowd',
    contextMode: 'fresh',
    workspace: folder,
  });
  for (const form of forms) {
    run.send({type: 'interaction.spawn', form, request: `${form} below ${index}`});
  }
  return run;
}

/** MiB in use after garbage collection. */
function heldMb(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
}

async function endAll(runtime: Runtime, count: number) {
  const runs = Array.from({length: count}, (_, index) => plant(runtime, index));
  return await Promise.all(runs.map(async ({result}) => await result));
}

test(`${roots} roots with three children each end, side by side, and release their memory`, async () => {
  const journal = createSqliteJournal(join(folder, 'journal.db'));
  const runtime = createCrowd(journal);
  await endAll(runtime, 6);
  const before = heldMb();
  const results = await endAll(runtime, roots);
  for (const {status, interactions} of results) {
    expect(status).toBe('completed');
    expect(interactions?.map(({form, status: end}) => [form, end])).toEqual(
      forms.map((form) => [form, 'completed']),
    );
  }
  results.length = 0;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  const kept = heldMb() - before;
  expect((await runtime.sessions({search: 'crowd'}))[0]?.roots).toHaveLength(roots + 6);
  await runtime.close();
  await journal.close();
  expect(kept).toBeLessThan(10);
});
