/** An outage suspends a run in any phase, and the resumed run continues where it stopped. */

import {renameSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';

import {createFunctionModel, createMemoryJournal, createRuntime} from '../../actors/index.ts';
import type {Run} from '../../actors/runtime-api.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {isDeep} from '../support/depth.ts';
import {putManyFiles} from '../support/many-files.ts';
import {answer, createScenario, type Scenario, vote, work} from '../support/scenario.ts';
import {folderWith, passTime, setStage, stopTime} from '../support/stage.ts';

type Phase = 'explore' | 'plan' | 'review-plan' | 'act' | 'review-action' | 'evaluate';

/** A workspace in a parent folder of its own, so that it can be moved. */
function createPlace(): string {
  const place = join(folderWith({'work/.keep': ''}), 'work');
  putManyFiles(place);
  return place;
}

const phases = [
  ['gathering', 'explore'],
  ['planning', 'plan'],
  ['reviewing the plan', 'review-plan'],
  ['executing', 'act'],
  ['reviewing an action', 'review-action'],
  ['evaluating', 'evaluate'],
] as const satisfies readonly (readonly [string, Phase])[];

const outages: readonly (readonly [what: string, ModelOutcome])[] = [
  ['a revoked key', {kind: 'auth', message: 'the key is revoked'}],
  ['a used-up quota', {kind: 'billing', message: 'no credit'}],
  ['a server that is down', {kind: 'network', message: 'no answer', retryAfterMs: 90_000}],
  ['a rate limit of an hour', {kind: 'rateLimited', message: 'later', retryAfterMs: 3_600_000}],
];

/** A scenario whose models fail in a phase until `restore`. */
function failing(phase: Phase, failure: ModelOutcome) {
  let isDown = true;
  const scenario = createScenario({
    work: (request) => (isDown && request.purpose === phase ? failure : work(request)),
  });
  return {scenario, restore: () => (isDown = false)};
}

async function resumed({runtime}: Scenario, {interaction}: RunResult): Promise<RunResult> {
  return await (
    await runtime.resume(interaction)
  ).result;
}

async function lastOf({runtime}: Scenario, {interaction}: RunResult) {
  return (await runtime.entries(interaction)).at(-1);
}

/** One outage per phase, and every outage in some phase; in a deep search, all combinations. */
const meetings = phases.flatMap(([during, phase], row) =>
  outages
    .filter((_, column) => isDeep || row % outages.length === column)
    .map(([what, failure]) => ({during, what, phase, failure})),
);

describe('an outage', () => {
  test.each(meetings)(
    'while $during: $what suspends the run, and it continues after the repair',
    async ({phase, failure}) => {
      const {scenario, restore} = failing(phase, failure);
      const first = await scenario.start().result;
      expect(first).toMatchObject({status: 'waiting', exitCode: 2, error: {code: failure.kind}});
      expect(await lastOf(scenario, first)).toMatchObject({
        type: 'noted',
        note: {type: 'run.suspended', why: 'outage'},
      });
      const still = await resumed(scenario, first);
      expect(still).toMatchObject({status: 'waiting', exitCode: 2});
      restore();
      const last = await resumed(scenario, first);
      expect(last).toMatchObject({status: 'completed', exitCode: 0});
      expect(await lastOf(scenario, first)).toMatchObject({type: 'closed'});
      expect(scenario.performed.tools.toSorted()).toEqual([
        'change a little',
        'look here',
        'look there',
        'prove it',
      ]);
    },
  );
});

/** The result of a run; time passes only while a model call waits for its retry. */
async function pastRetries(run: Run): Promise<RunResult> {
  for await (const event of run.events) {
    if (event.type === 'model.retried') await passTime(event.delayMs + 1_000);
  }
  return await run.result;
}

describe('a model of the calling program that throws', () => {
  beforeEach(stopTime);
  afterEach(() => vi.useRealTimers());

  test.each(phases)('while %s suspends the run after the last retry', async (_, phase) => {
    let isDown = true;
    const scenario = createScenario({
      work: (request) => {
        if (isDown && request.purpose === phase) throw new Error('read ECONNRESET');
        return work(request);
      },
    });
    const first = await pastRetries(scenario.start());
    expect(first).toMatchObject({
      status: 'waiting',
      exitCode: 2,
      error: {code: 'unavailable', message: expect.stringContaining('threw: read ECONNRESET')},
      resumable: true,
    });
    isDown = false;
    expect(await resumed(scenario, first)).toMatchObject({status: 'completed', exitCode: 0});
  });

  test('once is retried, and the run does not notice', async () => {
    let throws = 1;
    const scenario = createScenario({
      work: async (request) => {
        if (request.purpose === 'evaluate' && throws-- > 0) throw new Error('read ECONNRESET');
        return await Promise.resolve(work(request));
      },
    });
    expect(await pastRetries(scenario.start())).toMatchObject({status: 'completed', exitCode: 0});
  });
});

/** The result of a question, and the number of calls. */
async function askThrowing(error: () => unknown) {
  let calls = 0;
  const oracle = createFunctionModel('house/oracle', () => {
    calls += 1;
    throw error();
  });
  const model = 'house/oracle';
  const agent = {exploration_model: model, decision_model: model, review_models: [model]};
  const {start} = setStage({models: [oracle], config: {ask: {model}, agent}});
  const result = await pastRetries(start('Why?', {form: 'ask'}));
  return {result, calls};
}

describe('a call of a model of the calling program', () => {
  beforeEach(stopTime);
  afterEach(() => vi.useRealTimers());

  test.each([
    ['TypeError', TypeError],
    ['ReferenceError', ReferenceError],
    ['RangeError', RangeError],
    ['SyntaxError', SyntaxError],
  ])('that throws a %s fails at once, with the line of the fault', async (name, Fault) => {
    const {result, calls} = await askThrowing(() => new Fault('no words'));
    const message = `the model house/oracle threw ${name}: no words, at `;
    expect([result.status, result.error?.code, calls]).toEqual(['error', 'internal', 1]);
    expect(result.error?.message).toMatch(
      new RegExp(String.raw`^${message}test/actors/outage\.test\.ts:\d+:\d+$`),
    );
  });

  test.each([
    ['a fault of the network', () => new TypeError('fetch failed', {cause: new Error('reset')})],
    ['a reply that is not JSON', () => thrownBy(() => JSON.parse('<html>'))],
    ['any other error', () => new Error('read ECONNRESET')],
  ])('that throws because of %s is repeated; the failure names the line', async (_, error) => {
    const {result, calls} = await askThrowing(error);
    expect([result.status, result.error?.code, calls]).toEqual(['waiting', 'unavailable', 5]);
    expect(result.error?.message).toMatch(/, at test\/actors\/outage\.test\.ts:\d+:\d+$/);
  });

  test('that throws no error is repeated', async () => {
    const {result} = await askThrowing(() => 'no words');
    expect(result.error?.message).toBe('the model house/oracle threw: no words');
  });
});

function thrownBy(fail: () => unknown): unknown {
  try {
    return fail();
  } catch (error) {
    return error;
  }
}

describe.each(phases)('while %s', (_, phase) => {
  const down: ModelOutcome = {kind: 'auth', message: 'the key is revoked'};

  test('an exceeded limit suspends the run as limited, and so does every resume without a higher one', async () => {
    const whole = createScenario();
    await whole.start().result;
    const count = whole.performed.models.findIndex((call) => call.endsWith(` ${phase}`));
    const limits = count === 0 ? {max_cost_usd: 0.001} : {max_model_calls: count};
    const prices = {'test/worker': {input: 1, output: 20}};
    const scenario = createScenario({config: {limits, prices}});
    const first = await scenario.start().result;
    expect(first).toMatchObject({status: 'limited', exitCode: 3});
    expect(first.summary).toContain(Object.keys(limits)[0]);
    expect(await lastOf(scenario, first)).toMatchObject({note: {type: 'run.suspended'}});
    const again = await resumed(scenario, first);
    expect(again).toMatchObject({status: 'limited', exitCode: 3});
    expect(scenario.performed.models).toHaveLength(count);
  });

  test('a provider that is missing in the configuration prevents a resume', async () => {
    const {scenario, restore} = failing(phase, down);
    const first = await scenario.start().result;
    restore();
    const before = await scenario.runtime.entries(first.interaction);
    const poor = createRuntime({journal: scenario.journal, env: {}});
    await expect(poor.resume(first.interaction)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('unknown provider "test"'),
    });
    expect(await scenario.runtime.entries(first.interaction)).toEqual(before);
    expect(await resumed(scenario, first)).toMatchObject({status: 'completed'});
  });

  test('a workspace that was moved prevents a resume', async () => {
    const {scenario, restore} = failing(phase, down);
    const place = createPlace();
    const request = {form: 'agent', request: 'Change the thing', workspace: place} as const;
    const first = await scenario.runtime.start(request).result;
    restore();
    renameSync(place, `${place}-elsewhere`);
    const before = await scenario.runtime.entries(first.interaction);
    await expect(scenario.runtime.resume(first.interaction)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(place),
    });
    expect(await scenario.runtime.entries(first.interaction)).toEqual(before);
    renameSync(`${place}-elsewhere`, place);
    expect(await resumed(scenario, first)).toMatchObject({status: 'completed'});
  });

  test('a suspended run can be cancelled while the cause of its suspension persists', async () => {
    const {scenario} = failing(phase, down);
    const first = await scenario.start().result;
    const poor = createRuntime({journal: scenario.journal, env: {}});
    expect(await poor.cancel(first.interaction)).toMatchObject({status: 'cancelled', exitCode: 1});
  });
});

const moves: readonly (readonly [when: string, purpose: Phase, about: string])[] = [
  ['gathering', 'explore', ''],
  ['planning', 'plan', ''],
  ['reviewing the plan', 'review-plan', ''],
  ['executing', 'act', ''],
  ['reviewing an action', 'review-action', ''],
  ['reviewing a call that must not be repeated', 'review-action', '"what": "it"'],
];

test.each(moves)(
  'a workspace that is moved while %s suspends the run, and it continues when it is back',
  async (_, purpose, about) => {
    const place = createPlace();
    const elsewhere = `${place}-elsewhere`;
    let isMoved = false;
    const scenario = createScenario({
      work: (request) => {
        const text = request.transcript.messages[0]?.text ?? '';
        if (!isMoved && request.purpose === purpose && text.includes(about)) {
          renameSync(place, elsewhere);
          isMoved = true;
        }
        return work(request);
      },
    });
    const request = {form: 'agent', request: 'Change the thing', workspace: place} as const;
    const first = await scenario.runtime.start(request).result;
    expect(first).toMatchObject({
      status: 'waiting',
      exitCode: 2,
      summary: `Suspended: the workspace ${place} is gone; put it back`,
      error: {code: 'workspaceGone'},
      resumable: true,
    });
    renameSync(elsewhere, place);
    expect(await resumed(scenario, first)).toMatchObject({status: 'completed', exitCode: 0});
    expect(scenario.performed.tools.toSorted()).toEqual([
      'change a little',
      'look here',
      'look there',
      'prove it',
    ]);
  },
);

function states({tasks}: RunResult) {
  return tasks?.map(({status}) => status);
}

describe('the result of a suspended run', () => {
  const down: ModelOutcome = {kind: 'auth', message: 'the key is revoked'};

  test('has its plan, its votes, its finished and its unfinished tasks', async () => {
    const {scenario, restore} = failing('review-action', down);
    const first = await scenario.start().result;
    expect(first).toMatchObject({
      status: 'waiting',
      plan: {objective: expect.any(String)},
      reviews: [{verdict: 'rejected'}, {verdict: 'approved'}],
      decisions: [{decision: 'reject'}, {decision: 'approve'}],
      denied: [],
    });
    expect(new Set(states(first))).toEqual(new Set(['succeeded', 'running', 'pending']));
    restore();
    const last = await resumed(scenario, first);
    expect(last.tasks?.map(({id}) => id)).toEqual(first.tasks?.map(({id}) => id));
    expect(last.reviews?.slice(0, 2)).toEqual(first.reviews);
  });

  test('is the same when a limit suspends it, and when its time was up before the resume', async () => {
    stopTime();
    onTestFinished(() => void vi.useRealTimers());
    const hanging = Promise.withResolvers<undefined>();
    let isHanging = true;
    const scenario = createScenario({
      config: {limits: {timeout_ms: 300}},
      work: (request) => {
        if (!isHanging || request.purpose !== 'evaluate') return work(request);
        hanging.resolve(undefined);
        return new Promise(() => {});
      },
    });
    const run = scenario.start();
    await hanging.promise;
    await passTime(1_000);
    const first = await run.result;
    isHanging = false;
    const again = await resumed(scenario, first);
    for (const result of [first, again]) {
      expect(result).toMatchObject({
        status: 'limited',
        exitCode: 3,
        plan: {},
        denied: [{tool: 'change'}],
      });
      expect(new Set(states(result))).toEqual(new Set(['succeeded']));
      expect(result.decisions).not.toEqual([]);
    }
  });

  test('has the plan and the votes on it while a person is asked', async () => {
    const scenario = createScenario({
      config: {agent: {max_plan_revisions: 1, hil_mode: 'interactive'}},
      work: (request) => (request.purpose.startsWith('review') ? vote('reject') : work(request)),
    });
    const run = scenario.start();
    for await (const {type} of run.events) if (type === 'human.requested') break;
    await run.suspend('waiting');
    const result = await run.result;
    expect(result).toMatchObject({
      status: 'waiting',
      exitCode: 4,
      decisions: [{by: 'panel', decision: 'reject'}],
    });
    expect(result.plan).toEqual(result.waiting?.plan);
    expect(result.reviews).toEqual(result.waiting?.votes);
    expect(new Set(states(result))).toEqual(new Set(['pending']));
  });
});

/** A runtime whose model answers, unless `fails` returns an outcome for the call of this number. */
function asked(fails: (request: ModelRequest, before: number) => ModelOutcome | undefined) {
  let count = 0;
  const model = createFunctionModel('test/a', async (request) => {
    count += 1;
    return fails(request, count) ?? answer('Four.');
  });
  return createRuntime({config: {ask: {model: 'test/a', max_steps: 1}}, models: [model], env: {}});
}

describe('a question', () => {
  const down: ModelOutcome = {kind: 'billing', message: 'no credit'};

  test('is suspended while its model is down, and answered when it is resumed', async () => {
    const runtime = asked((_, count) => (count === 1 ? down : undefined));
    const first = await runtime.ask('What is two and two?').result;
    expect(first).toMatchObject({status: 'waiting', exitCode: 2, error: {code: 'billing'}});
    const run = await runtime.resume(first.interaction);
    expect(await run.result).toMatchObject({status: 'completed', answer: 'Four.'});
  });

  test('is also suspended when its last, direct answer fails', async () => {
    const look = {kind: 'ok', text: '', calls: [{id: 'c', name: 'calculator', args: {}}]} as const;
    const runtime = asked((_, count) => [look, down][count - 1]);
    const first = await runtime.ask('What is two and two?').result;
    expect(first).toMatchObject({
      status: 'waiting',
      exitCode: 2,
      error: {code: 'billing'},
      steps: [{action: 'calculator'}],
      toolCalls: 1,
    });
    const run = await runtime.resume(first.interaction);
    expect(await run.result).toMatchObject({answer: 'Four.'});
  });
});

test('a missing key prevents a resume, and the message names its variable', async () => {
  const journal = createMemoryJournal();
  const runtimeWith = (env: Readonly<Record<string, string>>) => {
    const kind = 'openai-compatible' as const;
    const house = {kind, base_url: 'http://127.0.0.1:9/v1', api_key_env: 'HOUSE_KEY'};
    const model = 'house/m';
    const roles = {exploration_model: model, decision_model: model, review_models: [model]};
    return createRuntime({config: {agent: roles, providers: {house}}, journal, env});
  };
  const key = {HOUSE_KEY: 'no key'};
  const run = runtimeWith(key).agent('Look', {workspace: import.meta.dirname});
  expect(await run.result).toMatchObject({status: 'waiting', error: {code: 'auth'}});
  const before = await runtimeWith(key).entries(run.id);
  await expect(runtimeWith({}).resume(run.id)).rejects.toMatchObject({
    code: 'credentials',
    message: expect.stringContaining('HOUSE_KEY'),
  });
  expect(await runtimeWith(key).entries(run.id)).toEqual(before);
});
