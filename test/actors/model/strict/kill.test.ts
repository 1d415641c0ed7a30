/** A run of 100 turns that dies at any of its entries: the resumed run continues with the same request, byte by byte. */

import {expect, test} from 'vitest';
import {z} from 'zod';

import type {Entry} from '../../../../actors/journal/journal.ts';
import {defineTool} from '../../../../tools/index.ts';
import {isDeep} from '../../../support/depth.ts';
import {cutJournal} from '../../../support/scenario.ts';
import type {Asked, Said} from '../../../support/strict/server.ts';
import {call, dialectNamed, strictWorld, work} from './dialects.ts';

const turns = 100;

const tick = defineTool({
  name: 'tick',
  description: 'Counts.',
  parameters: z.strictObject({turn: z.number()}),
  risk: 'low',
  repeatability: 'repeatable',
  run: async ({turn}) => await Promise.resolve({kind: 'succeeded', text: `tick ${turn}`}),
});

const options = {
  tools: [tick],
  config: {
    agent: {max_tool_turns: turns + 1, review_models: ['policy/safety']},
    limits: {max_model_calls: 2 * turns},
  },
};

function count(asked: Asked): Said {
  const {tools, turn} = asked;
  if (!tools.includes('tick')) return work(asked);
  return tools.includes('write_file') && turn < turns ? call('tick', {turn}) : {text: 'counted'};
}

const dialects = ['gemini', 'deepseek', 'anthropic', 'responses'];

/** The first and the last entries, and some between them. In a deep search, the dialects together have every entry. */
function cutsOf(entries: readonly Entry[], name: string): number[] {
  const near = 4;
  const [every, from] = isDeep ? [dialects.length, dialects.indexOf(name)] : [47, 0];
  return [...entries.keys()].filter(
    (at) => at > 0 && (at < near || at >= entries.length - near || at % every === from),
  );
}

test.each(dialects)('%s', {timeout: 300_000}, async (name) => {
  let caught: ((body: string) => void) | undefined;
  const answer = (asked: Asked): Said => {
    caught?.(asked.body);
    return caught ? 'hang' : count(asked);
  };
  const world = await strictWorld(dialectNamed(name), answer);
  const runtime = await world.open(options);
  const run = runtime.start({form: 'agent', request: 'Count.', workspace: world.workspace});
  expect(await run.result).toMatchObject({status: 'completed', exitCode: 0});
  const whole = [...world.server.bodies];
  const seals = whole.map((body) => new Set(body.match(/sealed-\d+/g)).size);
  expect(Math.max(...seals)).toBe(turns);
  const entries = await runtime.entries(run.id);
  const replies = entries.map(
    (entry) => entry.type === 'settled' && 'calls' in Object(entry.outcome),
  );
  for (const cut of cutsOf(entries, name)) {
    const next = Promise.withResolvers<string>();
    caught = next.resolve;
    const journal = cutJournal(run.id, entries.slice(0, cut));
    const again = await world.open({...options, journal});
    const resumed = await again.resume(run.id);
    const expected = whole[replies.slice(0, cut).filter(Boolean).length];
    const sent = expected === undefined ? (await resumed.result, undefined) : await next.promise;
    expect(sent === expected, `the request after entry ${cut}`).toBe(true);
  }
  expect(world.server.refusals).toEqual([]);
});
