/** Many runs at once in one process: all end, their memory is released, and a listener that throws stops none of them. */

import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

import {describe, afterEach, beforeEach, expect, test} from 'vitest';

import type {Run} from '../../actors/runtime-api.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {isDeep} from '../support/depth.ts';
import {answer, createScenario, reply} from '../support/scenario.ts';
import {folderWith, journalIn, setStage, type Stage} from '../support/stage.ts';

const roots = isDeep ? 100 : 25;

const forms = ['agent', 'ask', 'discuss'] as const;

const plan = {
  objective: 'Say it',
  asks_for_change: false,
  reasoning: 'asked for',
  tasks: [{id: 'a', description: 'say what is so'}],
};

function work({purpose, model}: ModelRequest): ModelOutcome | undefined {
  if (/^(?:plan|evaluate|review)/.test(purpose)) return undefined;
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

/** A root of each form in turn, with a child of every form. */
function plant({runtime, workspace}: Stage, index: number): Run {
  const run = runtime.start({
    form: forms[index % forms.length] ?? 'ask',
    request: `root ${index}`,
    session: 'crowd',
    contextMode: 'fresh',
    workspace,
  });
  for (const form of forms)
    run.send({type: 'interaction.spawn', form, request: `${form} below ${index}`});
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

async function endAll(stage: Stage, count: number) {
  const runs = Array.from({length: count}, (_, index) => plant(stage, index));
  return await Promise.all(runs.map(async ({result}) => await result));
}

test(`${roots} roots with three children each end, side by side, and release their memory`, async () => {
  const folder = folderWith();
  const stage = setStage({folder, plan, say: work, journal: journalIn(folder)});
  await endAll(stage, 6);
  const before = heldMb();
  const results = await endAll(stage, roots);
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
  expect((await stage.runtime.sessions({search: 'crowd'}))[0]?.roots).toHaveLength(roots + 6);
  expect(kept).toBeLessThan(10);
});

describe('a listener that throws', () => {
  const others = process.listeners('uncaughtException');
  const uncaught: unknown[] = [];

  beforeEach(() => {
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => uncaught.push(error));
  });

  afterEach(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  });

  test('a listener that throws stops neither its own run nor the other runs of its journal', async () => {
    const scenario = createScenario();
    const broken = new Error('the listener is broken');
    const observed = scenario.runtime.agent('Change the thing', {
      workspace: import.meta.dirname,
      onEvent: ({type}) => {
        if (type === 'plan.created' || type === 'result') throw broken;
      },
    });
    const other = scenario.start();
    expect(await observed.result).toMatchObject({status: 'completed'});
    expect(await other.result).toMatchObject({status: 'completed'});
    expect(new Set(uncaught)).toEqual(new Set([broken]));
  });
});
