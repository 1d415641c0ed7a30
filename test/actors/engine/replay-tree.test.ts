/**
 * Runs of three levels, killed at every kind of entry (in a deep search, at every entry), continue to the same tree and the
 * same result.
 */

import {beforeAll, describe, expect, test, vi} from 'vitest';

import type {Entry} from '../../../actors/journal/journal.ts';
import type {Run} from '../../../actors/runtime-api.ts';
import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import {
  answer,
  createScenario,
  cutJournal,
  cutsOf,
  reply,
  type Scenario,
  vote,
} from '../../support/scenario.ts';

// As many runs as a run has entries.
vi.setConfig({testTimeout: 240_000, hookTimeout: 120_000});

/** The first message to a model; its request names the interaction. */
function firstMessageTo({transcript}: ModelRequest): string {
  return transcript.messages[0]?.text ?? '';
}

function turnsOf({transcript}: ModelRequest): number {
  return transcript.messages.filter(({role}) => role === 'assistant').length;
}

const changing = {id: 'a', description: 'change it', tool: 'change', args: {what: 'a little'}};
const proving = {id: 'z', description: 'prove it', tool: 'prove', args: {what: 'it'}};

/** The root spawns a question, which spawns `third`, and runs `prove` afterwards. */
function planOf(request: ModelRequest): ModelOutcome {
  const isRoot = firstMessageTo(request).startsWith('# Request\nChange the thing');
  const asking = {id: 'q', description: 'ask', tool: 'spawn_ask', args: {request: 'How deep?'}};
  const tasks = isRoot ? [asking, {...proving, depends_on: ['q']}] : [changing, proving];
  return reply('create_plan', {objective: isRoot ? 'Know it' : 'Change it', reasoning: '', tasks});
}

function talkOf(third: 'agent' | 'discuss') {
  return (request: ModelRequest): ModelOutcome => {
    const {purpose} = request;
    if (purpose === 'plan') return planOf(request);
    if (purpose === 'evaluate') return reply('evaluate_result', {successful: true, problems: []});
    if (purpose.startsWith('review')) return vote('approve');
    if (purpose === 'ask' && turnsOf(request) === 0)
      return reply(`spawn_${third}`, {request: 'Change a little'});
    if (purpose === 'rank-answers') {
      const reviews = [{label: 'Response A', assessment: 'clear', score: 7}];
      return reply('rank_answers', {ranking: ['Response A'], reviews});
    }
    if (purpose === 'conclude') {
      const none = {key_points: [], agreements: [], disagreements: []};
      return reply('conclude', {conclusion: 'It is deep enough.', ...none});
    }
    return answer(`so it is, says ${request.model}`);
  };
}

interface Options {
  readonly work: (request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>;
  readonly kept?: {readonly id: string; readonly entries: readonly Entry[]};
}

/** With a gate before each plan. */
function createTree({work, kept}: Options): Scenario {
  return createScenario({
    config: {
      agent: {confirm_execution: true},
      ask: {model: 'test/x'},
      discuss: {participants: ['test/y', 'test/z'], moderator: 'test/y'},
    },
    work,
    ...(kept ? {journal: cutJournal(kept.id, kept.entries)} : {}),
  });
}

/** Approves every question and answers each call in doubt with `retry`. Resolves with the number of retries. */
async function decide(run: Run): Promise<number> {
  let retries = 0;
  for await (const event of run.events) {
    if (event.type !== 'human.requested') continue;
    const isDoubt = event.question.kind === 'in-doubt';
    if (isDoubt) retries += 1;
    run.send({type: 'human.decided', gate: event.gate, decision: isDoubt ? 'retry' : 'approve'});
  }
  return retries;
}

function essence({status, tasks, denied, reviews, interactions, answer: said}: RunResult) {
  return {
    status,
    said,
    tasks: tasks?.map(({id, status: end, output}) => ({id, end, output})),
    denied,
    interactions,
    votes: reviews?.map(({kind, title, verdict}) => ({kind, title, verdict})),
  };
}

/** Model calls and tool runs whose outcomes the entries hold. */
function performedIn(entries: readonly Entry[]): number {
  return entries.filter(
    (entry) =>
      entry.type === 'settled' &&
      /\/(call|model|repair|run)#\d+$/.test(entry.key) &&
      !JSON.stringify(entry.outcome).includes('"cancelled"'),
  ).length;
}

/** Runs of `prove`, which must not be repeated. */
function provesIn(entries: readonly Entry[], type: 'requested' | 'settled'): number {
  return entries.filter(
    (entry) => entry.type === type && entry.key.includes('/task:z/') && entry.key.includes('/run#'),
  ).length;
}

function countOf({performed}: Scenario): number {
  return performed.models.length + performed.tools.length;
}

describe.each([
  ['agent', 2],
  ['discuss', 1],
] as const)('an agent waits for a question that waits for %s', (third, proofs) => {
  const work = talkOf(third);
  let id: string;
  let entries: readonly Entry[];
  let whole: RunResult;
  let all: number;

  beforeAll(async () => {
    const scenario = createTree({work});
    const run = scenario.runtime.start({
      form: 'agent',
      request: 'Change the thing a little, and prove it',
      workspace: import.meta.dirname,
    });
    await decide(run);
    whole = await run.result;
    id = run.id;
    entries = await scenario.runtime.entries(id);
    all = countOf(scenario);
  });

  test('and the tree ends as its models reply', () => {
    expect(whole).toMatchObject({
      status: 'completed',
      interactions: [
        {id: `${id}.1`, form: 'ask', parent: id, depth: 1, by: 'model', status: 'completed'},
        {id: `${id}.1.1`, form: third, parent: `${id}.1`, depth: 2, status: 'completed'},
      ],
    });
    expect(provesIn(entries, 'settled')).toBe(proofs);
  });

  test('killed at any entry, it reaches the same tree and the same result without repeating anything', async () => {
    for (const count of cutsOf(entries)) {
      const kept = entries.slice(0, count);
      const scenario = createTree({work, kept: {id, entries: kept}});
      const run = await scenario.runtime.resume(id);
      const retries = await decide(run);
      expect({count, ...essence(await run.result)}).toEqual({count, ...essence(whole)});
      expect(countOf(scenario)).toBeLessThanOrEqual(all - performedIn(kept));
      expect(retries).toBe(provesIn(kept, 'requested') - provesIn(kept, 'settled'));
    }
  });

  test('killed while it waits, it waits again: only the interaction that it waits for continues', async () => {
    for (const child of [`${id}.1`, `${id}.1.1`]) {
      const spawned = entries.findIndex(
        ({type, ...rest}) =>
          type === 'noted' &&
          JSON.stringify(rest).includes(`"interaction.spawned","child":"${child}"`),
      );
      const asked: string[] = [];
      const scenario = createTree({
        work: (request) => {
          asked.push(firstMessageTo(request));
          return new Promise(() => {});
        },
        kept: {id, entries: entries.slice(0, spawned + 1)},
      });
      const run = await scenario.runtime.resume(id);
      await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
      const open = run.interactions().filter(({result}) => !result);
      expect(open.map((node) => node.id)).toEqual(
        [id, `${id}.1`, `${id}.1.1`].slice(0, child.split('.').length),
      );
      const own = child === `${id}.1` ? 'How deep?' : 'Change a little';
      for (const text of asked) expect(text).toContain(own);
      await run.suspend('interrupted');
    }
  });
});
