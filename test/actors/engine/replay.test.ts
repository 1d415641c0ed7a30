import {beforeAll, describe, expect, test} from 'vitest';

import type {Entry} from '../../../actors/journal/journal.ts';
import type {Run} from '../../../actors/runtime-api.ts';
import {asJson} from '../../../machines/domain/json.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import {createAsking, say, turnOf, use} from '../../support/asking.ts';
import {
  createScenario,
  cutJournal,
  cutsOf,
  type Performed,
  reply,
  work,
} from '../../support/scenario.ts';

let entries: readonly Entry[];
let whole: RunResult;
let wholePerformed: Performed;
let id: string;

beforeAll(async () => {
  const scenario = createScenario();
  const run = scenario.start();
  whole = await run.result;
  entries = await scenario.runtime.entries(run.id);
  wholePerformed = scenario.performed;
  id = run.id;
});

/** The keys of the effects whose outcomes the entries hold. */
function settledIn(of: readonly Entry[]): string[] {
  return of.flatMap((entry) => (entry.type === 'settled' ? [entry.key] : []));
}

function isCheck(key: string): boolean {
  return /(?:survey|check|preview)#/.test(key);
}

describe('a run of the scenario', () => {
  test('ends as its script says', () => {
    expect(whole).toMatchObject({status: 'completed', exitCode: 0});
    expect(wholePerformed.tools.toSorted()).toEqual([
      'change a little',
      'look here',
      'look there',
      'prove it',
    ]);
    expect(whole.denied).toMatchObject([{tool: 'change'}]);
  });

  test('records the digest of the state with outcomes that must not be lost, not with checks that can be repeated', () => {
    const digested = settledIn(entries.filter(({digest}) => digest !== undefined));
    expect(settledIn(entries).filter(isCheck)).not.toEqual([]);
    expect(digested.filter(isCheck)).toEqual([]);
    expect(digested).toContain('i/interaction/form/planning/question/call/model#1');
  });
});

test('a resumed run reports nothing twice', async () => {
  const scenario = createScenario({journal: cutJournal(id, entries.slice(0, -2))});
  const run = await scenario.runtime.resume(id);
  const types: string[] = [];
  for await (const event of run.events) types.push(event.type);
  expect(types).not.toContain('plan.created');
  expect(types.at(-1)).toBe('result');
});

async function resumeWith(kept: readonly Entry[]): Promise<Run> {
  const scenario = createScenario({journal: cutJournal(id, kept)});
  return await scenario.runtime.resume(id);
}

/** The entries up to `index`, with `change` applied to the last, and `more` entries after it. */
function diverted(index: number, change: object, more = 0): Entry[] {
  const [kept, rest] = [entries.slice(0, index), entries.slice(index + 1, index + 1 + more)];
  const original = entries[index];
  if (!original) throw new Error(`there is no entry ${index}`);
  return [...kept, {...original, ...change}, ...rest];
}

describe('divergence', () => {
  test('an outcome that no chart requested is an error that names the entry and the open requests', async () => {
    const index = entries.findIndex((entry) => entry.type === 'settled');
    await expect(
      resumeWith(diverted(index, {key: 'i/interaction/form/elsewhere#1'})),
    ).rejects.toThrow(
      new RegExp(
        `entry ${index} .*the charts did not request i/interaction/form/elsewhere#1.*wait for: i/interaction/form/gathering`,
      ),
    );
  });

  test('an outcome other than the recorded one leads to other states, and the next transaction reports it', async () => {
    const index = entries.findIndex(
      (entry) => entry.type === 'settled' && entry.key.includes('planning'),
    );
    const tasks = [{id: 'q', description: 'q'}];
    const other = asJson(reply('create_plan', {objective: 'x', reasoning: '', tasks}));
    await expect(resumeWith(diverted(index, {outcome: other}, 1))).rejects.toThrow(
      /can't be replayed/,
    );
  });
});

describe('a run whose tool was called with other arguments', () => {
  test('is refused with the entry, the call and the expected requests', async () => {
    const asking = createAsking({
      answer: (request) =>
        turnOf(request) === 0 ? use('look', ['probe', {at: 'x'}]) : say('deep'),
    });
    const {result} = await asking.ask();
    const recorded = await asking.runtime.entries(result.interaction);
    const other = recorded.map((entry) =>
      entry.type === 'settled' && JSON.stringify(entry.outcome).includes('"probe"')
        ? Object.assign({}, entry, {outcome: asJson(use('look', ['probe', {at: 'y'}]))})
        : entry,
    );
    const run = other.findIndex((entry) => entry.type === 'settled' && entry.key.includes('run#'));
    const {runtime} = createAsking({
      answer: () => say('deep'),
      journal: cutJournal(result.interaction, other.slice(0, run + 1)),
    });
    await expect(runtime.resume(result.interaction)).rejects.toMatchObject({
      code: 'divergence',
      message: expect.stringMatching(
        new RegExp(
          `^entry ${run} \\(settled\\) can't be replayed: the request of (i/\\S*run#1) differs\\. The charts wait for: \\1\\.$`,
        ),
      ),
    });
  });
});

describe('cancelling', () => {
  test('at any entry ends the run as cancelled, and nothing new starts', async () => {
    for (const count of cutsOf(entries.slice(0, -1))) {
      const scenario = createScenario({journal: cutJournal(id, entries.slice(0, count))});
      const result = await scenario.runtime.cancel(id);
      expect(result).toMatchObject({status: 'cancelled', exitCode: 1});
      expect(scenario.performed).toEqual({models: [], tools: []});
      expect((await scenario.runtime.entries(id)).at(-1)?.type).toBe('closed');
    }
  });

  test('reaches a call in flight', async () => {
    const asked = Promise.withResolvers<undefined>();
    const scenario = createScenario({
      work: (request) => {
        if (request.purpose !== 'act') return work(request);
        asked.resolve(undefined);
        return new Promise(() => {});
      },
    });
    const run = scenario.start();
    await asked.promise;
    run.send({type: 'user.cancel'});
    expect(await run.result).toMatchObject({status: 'cancelled'});
    expect(scenario.performed.tools).not.toContain('prove it');
  });
});

describe('limits', () => {
  test('no model call is made beyond max_model_calls, and the result says limited', async () => {
    for (let calls = 1; calls < wholePerformed.models.length; calls += 2) {
      const scenario = createScenario({config: {limits: {max_model_calls: calls}}});
      const result = await scenario.start().result;
      expect(result).toMatchObject({status: 'limited', exitCode: 3});
      expect(scenario.performed.models.length).toBeLessThanOrEqual(calls);
    }
  });

  test.each([
    ['suffices when seats wait for the possible cost of others', 0.3, 'completed'],
    ['is too small for a short reply to the next call', 0.06, 'limited'],
  ])('the budget is never exceeded: one that %s', async (_, budget, status) => {
    const scenario = createScenario({
      config: {
        limits: {max_cost_usd: budget},
        prices: Object.fromEntries(
          ['worker', 'x', 'y', 'z'].map((name) => [`test/${name}`, {input: 1, output: 20}]),
        ),
      },
    });
    const result = await scenario.start().result;
    expect(result.usage.costUsd ?? 0).toBeLessThanOrEqual(budget);
    expect(result.status).toBe(status);
  });

  test('no task is started beyond max_iterations', async () => {
    const scenario = createScenario({config: {agent: {max_iterations: 2}}});
    const result = await scenario.start().result;
    expect(result).toMatchObject({status: 'limited', exitCode: 3, resumable: true});
    expect(result.summary).toContain(
      'max_iterations: no more tasks may be started, 2 of this plan',
    );
    expect(scenario.performed.tools.toSorted()).toEqual(['look here', 'look there']);
  });

  test('the running time suspends a run that hangs', async () => {
    const scenario = createScenario({
      config: {limits: {timeout_ms: 200}},
      work: (request) => (request.purpose === 'act' ? new Promise(() => {}) : work(request)),
    });
    expect(await scenario.start().result).toMatchObject({status: 'limited', exitCode: 3});
  });
});
