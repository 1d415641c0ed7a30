/** Models, tools and policies of the calling program that never end, or return invalid values: the run continues. */

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {z} from 'zod';

import {createFunctionModel, type Model} from '../../actors/index.ts';
import {policyDeadlineMs} from '../../actors/policies/names.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {type AnyTool, defineTool} from '../../tools/index.ts';
import {replyOfAgent} from '../support/scenario.ts';
import {ofType, passTime, setStage, stopTime} from '../support/stage.ts';

beforeEach(stopTime);
afterEach(() => vi.useRealTimers());

/** Time in which an aborted call has to end, ms. */
const graceMs = 5_000;

/** Calls that never end. */
interface Stuck {
  readonly hang: () => Promise<never>;
  /** Resolves when the first hangs. */
  readonly isStuck: Promise<undefined>;
}

function createStuck(): Stuck {
  const {promise: isStuck, resolve} = Promise.withResolvers<undefined>();
  const hang = async (): Promise<never> => {
    resolve(undefined);
    return await new Promise<never>(() => {});
  };
  return {hang, isStuck};
}

const plan = {
  objective: 'do',
  reasoning: 'asked for',
  tasks: [{id: 'a', description: 'Do it', tool: 'deed', args: {}}],
};

const work = (request: ModelRequest): ModelOutcome => replyOfAgent(request, plan);

interface Parts {
  readonly model?: Model;
  readonly deed?: Partial<AnyTool>;
  /** May return any value, as in plain JavaScript. */
  readonly policy?: () => unknown;
}

function started({model, deed, policy}: Parts) {
  const tool = defineTool({
    name: 'deed',
    description: 'Does it.',
    parameters: z.strictObject({}),
    run: async () => await Promise.resolve({kind: 'succeeded', text: 'done'}),
    ...deed,
  });
  const {runtime, start} = setStage({
    folder: import.meta.dirname,
    config: {
      agent: {
        exploration_model: 't/w',
        decision_model: 't/w',
        review_models: policy ? ['policy/own'] : ['t/w'],
        max_replans: 0,
        max_plan_revisions: 1,
        max_tool_retries: 0,
      },
    },
    models: [model ?? createFunctionModel('t/w', work)],
    tools: [tool],
    ...(policy ? {policies: Object({own: policy})} : {}),
  });
  const events: ProgressEvent[] = [];
  return {runtime, run: start('Do it', {onEvent: (event) => events.push(event)}), events};
}

function warningsOf(events: readonly ProgressEvent[]): string {
  return ofType(events, 'warning')
    .map(({message}) => message)
    .join('\n');
}

const isFor = (purpose: string) => (request: ModelRequest) => request.purpose === purpose;

/** A model that never answers some of its calls and ignores their signal. */
function hangingModel(stuck: Stuck, hangsAt: (request: ModelRequest) => boolean): Model {
  return {
    name: 't/w',
    call: async (request) => (hangsAt(request) ? await stuck.hang() : work(request)),
  };
}

const hanging: readonly (readonly [string, (stuck: Stuck) => Parts, number, object, RegExp])[] = [
  [
    'a preview',
    ({hang}) => ({deed: {preview: hang}}),
    60_000,
    {status: 'failed', tasks: [{failure: {code: 'given_up'}}]},
    /previewTool did not end .* after 65 s/,
  ],
  [
    'a tool',
    ({hang}) => ({deed: {run: hang}}),
    120_000,
    {status: 'failed', tasks: [{failure: {code: 'in_doubt'}}]},
    /runTool did not end .* after 125 s and may still be running/,
  ],
  [
    'a model that plans',
    (stuck) => ({model: hangingModel(stuck, isFor('plan'))}),
    900_000,
    {status: 'failed', error: {code: 'internal'}},
    /callModel did not end .* after 905 s/,
  ],
  [
    'a model on the panel',
    (stuck) => ({model: hangingModel(stuck, isFor('review-plan'))}),
    120_000,
    {status: 'rejected', reviews: [{verdict: 'noQuorum'}]},
    /callModel did not end .* after 125 s/,
  ],
];

describe.each(hanging)(
  '%s that never ends and ignores its signal',
  (_, partsOf, limitMs, end, warned) => {
    function stuckRun() {
      const stuck = createStuck();
      return {...started(partsOf(stuck)), ...stuck};
    }

    test('ends at the time limit of its call, and the run continues without it', async () => {
      const {run, events, isStuck} = stuckRun();
      await isStuck;
      await passTime(limitMs + graceMs);
      expect(await run.result).toMatchObject(end);
      expect(warningsOf(events)).toMatch(warned);
    });

    test('does not keep a run from being cancelled', async () => {
      const {run, isStuck} = stuckRun();
      await isStuck;
      run.send({type: 'user.cancel'});
      await passTime(graceMs);
      expect(await run.result).toMatchObject({status: 'cancelled'});
    });

    test('keeps neither a runtime from closing nor a run from being suspended', async () => {
      const {runtime, run, isStuck} = stuckRun();
      await isStuck;
      const closed = runtime.close();
      await passTime(graceMs);
      await closed;
      expect(await run.result).toMatchObject({status: 'waiting'});
    });
  },
);

test('a tool that ends when its time is up has failed with a timeout', async () => {
  const {promise: isStuck, resolve} = Promise.withResolvers<undefined>();
  const run: AnyTool['run'] = async (_, {signal}) =>
    await new Promise((end) => {
      signal.addEventListener('abort', () => end({kind: 'cancelled', message: '', text: 'half'}));
      resolve(undefined);
    });
  const {run: late} = started({deed: {run, timeoutMs: 2_000}});
  await isStuck;
  await passTime(2_000);
  expect(await late.result).toMatchObject({
    status: 'failed',
    tasks: [{failure: {code: 'timeout', message: 'deed took longer than 2000 ms and was stopped'}}],
  });
});

test('a policy that never answers rejects at its deadline, with a warning', async () => {
  const stuck = createStuck();
  const {run, events} = started({policy: stuck.hang});
  await stuck.isStuck;
  await passTime(4 * policyDeadlineMs);
  expect(await run.result).toMatchObject({
    status: 'rejected',
    reviews: [{verdict: 'rejected', votes: [{verdict: 'reject', rules: ['no-verdict']}]}],
  });
  expect(warningsOf(events)).toContain('policy/own gave no valid verdict: no answer in 10 s');
});

const senseless: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['no calls', {kind: 'ok', text: ''}],
  ['calls that are not a list', {kind: 'ok', text: '', calls: 'nope'}],
  ['a value that JSON cannot hold', {kind: 'ok', text: '', calls: [], at: 1n}],
  ['a failure without a message', {kind: 'network'}],
];

test.each(senseless)('a model that answers with %s fails only that call', async (_, said) => {
  for (const [purpose, end] of [
    ['explore', {status: 'completed'}],
    ['plan', {status: 'failed', error: {code: 'internal'}}],
    ['review-plan', {status: 'rejected', reviews: [{verdict: 'noQuorum'}]}],
    ['evaluate', {status: 'failed', tasks: [{status: 'succeeded'}], error: {code: 'internal'}}],
  ] as const) {
    const call = async (request: ModelRequest) =>
      await Promise.resolve(request.purpose === purpose ? said : work(request));
    const {run, runtime} = started({model: Object({name: 't/w', call})});
    expect(await run.result).toMatchObject(end);
    expect((await runtime.entries(run.id)).at(-1)).toMatchObject({type: 'closed'});
  }
});
