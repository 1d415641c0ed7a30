/** Parts of a run: its ledger, its watchdog, its progress, its attachments, and the cost of a whole repair. */

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';

import {RunningTime} from '../../../actors/engine/engine.ts';
import {toReceived} from '../../../actors/run/inbound.ts';
import {Ledger} from '../../../actors/run/ledger.ts';
import {fitAttachments} from '../../../actors/run/live-runs.ts';
import {createProgress} from '../../../actors/run/progress.ts';
import {createWatchdog} from '../../../actors/run/run-host.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {ballot, call} from '../../support/agent-models.ts';
import type {ReceivedRequest, Said} from '../../support/mock-openai.ts';
import {commitAll, folderWith, setWireStage} from '../../support/stage.ts';

const source = `import {roundHalfUp} from './round.js';

/** The price after a discount in percent. */
export function discounted(price, percent) {
  return roundHalfUp(price - percent);
}
`;

const files = {
  'README.md': '# shop\n\nPrices of a shop. `npm test` runs the tests.\n',
  'package.json': `${JSON.stringify({name: 'shop', version: '1.0.0', type: 'module', scripts: {test: 'node --test'}}, undefined, 2)}\n`,
  'src/round.js': 'export const roundHalfUp = (value) => Math.floor(value + 0.5);\n',
  'src/discount.js': source,
  'test/discount.test.js': `import assert from 'node:assert/strict';
import {test} from 'node:test';

import {discounted} from '../src/discount.js';

test('ten percent of 200', () => assert.equal(discounted(200, 10), 180));
test('a third of 10 is rounded', () => assert.equal(discounted(10, 33), 7));
`,
};

const request = 'discounted(200, 10) returns 190 instead of 180. Fix it; npm test must pass.';
const wrong = 'roundHalfUp(price - price / percent)';
const right = 'roundHalfUp(price - (price * percent) / 100)';

/** Calls of models, and tokens (characters / 4) of their system texts, messages and tools. */
interface RoleFigures {
  readonly role: string;
  readonly calls: number;
  readonly tokens: number;
}

interface BugFix {
  readonly result: RunResult;
  readonly roles: readonly RoleFigures[];
  readonly received: readonly ReceivedRequest[];
}

/** `isBatched`: the worker edits and tests in one turn. */
async function fixBug(isBatched: boolean): Promise<BugFix> {
  const folder = folderWith(files);
  commitAll(folder);
  const {run, received} = await setWireStage({
    folder,
    say: (each) => speak(each, isBatched),
    config: {agent: {review_models: ['mock/a', 'mock/b'], hil_mode: 'auto_reject'}},
    env: {PATH: process.env['PATH'] ?? ''},
  });
  return {result: await run(request), roles: figuresOf(received), received};
}

function figuresOf(received: readonly ReceivedRequest[]): RoleFigures[] {
  const byRole = Map.groupBy(received, roleOf);
  return [...byRole].map(([role, requests]) => ({
    role,
    calls: requests.length,
    tokens: requests.reduce((sum, each) => sum + tokensOf(each), 0),
  }));
}

function tokensOf({text, definitions}: ReceivedRequest): number {
  return Math.ceil((text.length + JSON.stringify(definitions).length) / 4);
}

function roleOf({tools, text, model}: ReceivedRequest): string {
  if (tools.includes('create_plan')) return 'planner';
  if (tools.includes('evaluate_result')) return 'evaluator';
  if (tools.includes('cast_ballot'))
    return /# Proposal \(plan/.test(text) ? 'panel, plan' : 'panel, actions';
  if (model === 'explorer') return 'explorer';
  return tools.includes('edit_file') ? 'worker' : 'closing';
}

function speak(received: ReceivedRequest, isBatched: boolean): Said {
  switch (roleOf(received)) {
    case 'planner':
      return call('create_plan', plan);
    case 'evaluator':
      return call('evaluate_result', {successful: true, problems: []});
    case 'panel, plan':
    case 'panel, actions':
      return ballot('approve', 'It is needed, and its arguments are right.');
    case 'explorer':
      return explore(received);
    case 'worker':
      return work(received, isBatched);
    default:
      return {text: closing};
  }
}

const plan = {
  objective: 'Fix the discount',
  reasoning: 'The percentage is subtracted as an amount.',
  tasks: [
    {
      id: 'fix',
      description: 'Fix discounted() in src/discount.js and run the tests',
      expected_outcome: 'npm test passes',
      context_mode: 'full',
    },
  ],
};

const closing =
  'discounted() subtracted the percentage as an amount. It now subtracts price * percent / 100; npm test passes.';

function explore({turn}: ReceivedRequest): Said {
  if (turn === 0) return call('read_file', {path: 'src/discount.js'});
  if (turn === 1) return call('read_file', {path: 'test/discount.test.js'});
  return {text: 'src/discount.js subtracts the percentage itself. npm test runs node --test.'};
}

type Step = readonly {readonly name: string; readonly args: unknown}[];

const check = {name: 'run_command', args: {command: 'npm test'}};

function edit(from: string, to: string): Step[number] {
  return {name: 'edit_file', args: {path: 'src/discount.js', old_text: from, new_text: to}};
}

function work({text, turn}: ReceivedRequest, isBatched: boolean): Said {
  const isKnown = text.split('\n# Task')[0]?.includes('roundHalfUp(price - percent)') === true;
  const looks: Step[] = [
    [{name: 'grep_search', args: {pattern: 'discounted'}}],
    [{name: 'read_file', args: {path: 'src/discount.js'}}],
  ];
  const first = edit('roundHalfUp(price - percent)', wrong);
  const second = edit(wrong, right);
  const acts: Step[] = isBatched
    ? [
        [first, check],
        [second, check],
      ]
    : [[first], [check], [second], [check]];
  const step = [...(isKnown ? [] : looks), ...acts][turn];
  return step ? {calls: step} : {text: closing};
}

const limits = {maxCostUsd: 5, maxModelCalls: 2, timeoutMs: 1_000};

function requestTo(model: string): ModelRequest {
  const transcript = openTranscript('a question');
  return {
    purpose: 'ask',
    model,
    system: '',
    transcript,
    tools: [],
    toolChoice: 'auto',
    maxOutputTokens: 1_000,
  };
}

function priced(): Ledger {
  return new Ledger(limits, () => ({input: 1, cachedInput: 1, output: 10}));
}

function unpriced(): Ledger {
  return new Ledger({...limits, maxCostUsd: 0.3, maxModelCalls: 99}, () => undefined);
}

describe('a call', () => {
  test('is booked at its usage, without a mark', () => {
    const ledger = priced();
    ledger.reserve('a', requestTo('test/a'));
    const usage = {inputTokens: 1_000, outputTokens: 100, cachedTokens: 0};
    ledger.book('a', requestTo('test/a'), {usage});
    expect(ledger.totals).toEqual({
      modelCalls: 1,
      inputTokens: 1_000,
      outputTokens: 100,
      cachedTokens: 0,
      costUsd: 0.002,
    });
  });

  test('that was withdrawn is booked at its estimated usage, and marked as an estimate', () => {
    const ledger = priced();
    const usage = {inputTokens: 1_000, outputTokens: 5, cachedTokens: 0, estimated: true};
    ledger.book('a', requestTo('test/a'), {kind: 'cancelled', usage});
    expect(ledger.totals).toMatchObject({outputTokens: 5, costUsd: 0.00105, estimated: true});
  });

  test('of a model without a price is booked at the cost that its provider reported', () => {
    const ledger = unpriced();
    const usage = {inputTokens: 10, outputTokens: 1, cachedTokens: 0, costUsd: 0.2};
    ledger.book('a', requestTo('test/a'), {usage});
    expect(ledger.totals.costUsd).toBe(0.2);
    expect(ledger.reserve('b', requestTo('test/a')).ok).toBe(false);
  });

  test('with unknown usage is booked at its worst case, as an estimate', () => {
    const ledger = priced();
    ledger.book('a', requestTo('test/a'), {});
    expect(ledger.totals.costUsd).toBeGreaterThan(0.01);
    expect(ledger.totals.estimated).toBe(true);
  });

  test('may contain definitions of tools up to the budget for them, and once more those that were found', () => {
    const free = {input: 1, cachedInput: 1, output: 0};
    const isAdmitted = (maxSchemaTokens: number, found: readonly string[], maxCostUsd: number) =>
      new Ledger({...limits, maxCostUsd}, () => free, maxSchemaTokens).reserve('a', {
        ...requestTo('test/a'),
        found,
      }).ok;
    expect(isAdmitted(2_000, [], 0.004)).toBe(true);
    expect(isAdmitted(100_000, [], 0.18)).toBe(false);
    expect(isAdmitted(100_000, [], 0.19)).toBe(true);
    expect(isAdmitted(2_000, ['a'], 0.014)).toBe(false);
    expect(isAdmitted(2_000, ['a'], 0.016)).toBe(true);
    expect(isAdmitted(2_000, ['a', 'b', 'c'], 0.02)).toBe(true);
  });

  test('that would fit if the calls in flight cost less than their worst case must wait, any other is refused', () => {
    const ledger = new Ledger({...limits, maxCostUsd: 0.02}, () => ({
      input: 1,
      cachedInput: 1,
      output: 10,
    }));
    expect(ledger.reserve('a', requestTo('test/a'))).toEqual({ok: true});
    expect(ledger.reserve('b', requestTo('test/b'))).toMatchObject({ok: false, isLater: true});
    ledger.release('a');
    expect(ledger.reserve('b', requestTo('test/b'))).toEqual({ok: true});
    const dear = {...requestTo('test/c'), maxOutputTokens: 9_000};
    expect(ledger.reserve('c', dear)).not.toHaveProperty('isLater');
  });

  test('of which the budget allows only a shorter reply is limited to it, and costs no more than is left', () => {
    const price = {input: 0, cachedInput: 0, output: 10};
    const ledger = new Ledger({...limits, maxCostUsd: 0.2}, () => price);
    const long = {...requestTo('test/a'), maxOutputTokens: 32_000};
    expect(ledger.reserve('a', long)).toEqual({ok: true});
    const cappedTokens = ledger.cappedTokens('a') ?? 0;
    expect(cappedTokens).toBe(19_999);
    ledger.book('a', long, {cappedTokens});
    expect(ledger.totals.costUsd).toBeLessThanOrEqual(0.2);
    expect(ledger.reserve('b', long)).toMatchObject({ok: false, limit: 'max_cost_usd'});
  });

  test('waits for the calls in flight before its reply is limited', () => {
    const price = {input: 0, cachedInput: 0, output: 10};
    const ledger = new Ledger({...limits, maxCostUsd: 0.4}, () => price);
    const long = {...requestTo('test/a'), maxOutputTokens: 32_000};
    expect(ledger.reserve('a', long)).toEqual({ok: true});
    expect(ledger.cappedTokens('a')).toBeUndefined();
    expect(ledger.reserve('b', long)).toMatchObject({ok: false, isLater: true});
    ledger.book('a', long, {usage: {inputTokens: 0, outputTokens: 10_000, cachedTokens: 0}});
    expect(ledger.reserve('b', long)).toEqual({ok: true});
    expect(ledger.cappedTokens('b')).toBe(29_999);
  });

  test('whose reply was cut off is not made again with a limit that is not higher', () => {
    const price = {input: 0, cachedInput: 0, output: 10};
    const ledger = new Ledger({...limits, maxCostUsd: 0.3}, () => price);
    const raised = {...requestTo('test/a'), maxOutputTokens: 32_000, outputTokens: 64_000};
    expect(ledger.reserve('a', raised)).toMatchObject({ok: false, limit: 'max_cost_usd'});
  });

  test('of the offline model costs and counts nothing', () => {
    const ledger = priced();
    for (const key of ['a', 'b', 'c']) {
      expect(ledger.reserve(key, requestTo('offline/offline'))).toEqual({ok: true});
      ledger.book(key, requestTo('offline/offline'), {});
    }
    expect(ledger.totals).toEqual({
      modelCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
    });
  });
});

describe('a model without a known price', () => {
  const usage = {inputTokens: 10, outputTokens: 1, cachedTokens: 0, costUsd: 0.15};

  test('is limited by its reported costs: the next call is assumed to cost as much as the most expensive one', () => {
    const ledger = unpriced();
    for (const key of ['a', 'b']) {
      expect(ledger.reserve(key, requestTo('own/model'))).toEqual({ok: true});
      ledger.book(key, requestTo('own/model'), {usage});
    }
    expect(ledger.reserve('c', requestTo('own/model'))).toMatchObject({
      ok: false,
      limit: 'max_cost_usd',
    });
    expect(ledger.reserve('d', requestTo('free/model'))).toEqual({ok: true});
  });

  test('makes further calls wait for those in flight once it has reported a cost', () => {
    const ledger = unpriced();
    ledger.book('a', requestTo('own/model'), {usage});
    expect(ledger.reserve('b', requestTo('own/model'))).toEqual({ok: true});
    expect(ledger.reserve('c', requestTo('own/model'))).toMatchObject({ok: false, isLater: true});
    ledger.release('b');
    expect(ledger.reserve('c', requestTo('own/model'))).toEqual({ok: true});
  });
});

function watched(limitMs: number) {
  let timeoutMs = limitMs;
  const time = new RunningTime();
  const onTimeout = vi.fn<() => void>();
  const watchdog = createWatchdog({time, timeoutMs: () => timeoutMs, onTimeout});
  const busy = (isBusy: boolean): void => {
    time.busy(isBusy);
    watchdog.busy(isBusy);
  };
  const limit = (ms: number): void => {
    timeoutMs = ms;
    watchdog.rearm();
  };
  return {time, busy, limit, onTimeout};
}

describe('the watchdog', () => {
  beforeEach(() => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
  });

  afterEach(() => vi.useRealTimers());

  test('reports the timeout once, however often the run rests and resumes', () => {
    const {busy, onTimeout} = watched(100);
    for (let round = 0; round < 5; round += 1) {
      busy(true);
      vi.advanceTimersByTime(60);
      busy(false);
      vi.advanceTimersByTime(1_000);
    }
    expect(onTimeout).toHaveBeenCalledTimes(1);
  });

  test('counts only the time at work', () => {
    const {busy, onTimeout} = watched(100);
    busy(true);
    vi.advanceTimersByTime(99);
    busy(false);
    vi.advanceTimersByTime(1_000);
    busy(true);
    expect(onTimeout).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onTimeout).toHaveBeenCalledTimes(1);
  });

  test('reports at once a timeout that earlier processes used up', () => {
    const {time, busy, onTimeout} = watched(100);
    time.restore(150);
    busy(true);
    vi.advanceTimersByTime(0);
    expect(onTimeout).toHaveBeenCalledTimes(1);
  });

  test('a changed limit applies at once, also to the time already spent', () => {
    const {busy, limit, onTimeout} = watched(100);
    busy(true);
    vi.advanceTimersByTime(60);
    limit(200);
    vi.advanceTimersByTime(139);
    expect(onTimeout).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onTimeout).toHaveBeenCalledTimes(1);
  });

  test('a timer that fires early does not end the time', () => {
    const {busy, onTimeout} = watched(100);
    busy(true);
    const early = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 99.4);
    vi.advanceTimersByTime(100);
    expect(onTimeout).not.toHaveBeenCalled();
    early.mockRestore();
    vi.advanceTimersByTime(1);
    expect(onTimeout).toHaveBeenCalledTimes(1);
  });
});

const many = 60_000;

function emitMany(): {readonly events: AsyncIterable<ProgressEvent>; readonly emit: () => void} {
  const {events, report, end} = createProgress('run');
  const emit = (): void => {
    for (let at = 0; at < many; at += 1) report({type: 'thought', text: 'hm'}, 'i', at);
    report({type: 'model.delta', model: 'm', text: 'h'}, 'i', many);
    end();
  };
  return {events, emit};
}

async function collect(events: AsyncIterable<ProgressEvent>): Promise<ProgressEvent[]> {
  const all: ProgressEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('without a listener few events are kept: a late listener receives the last ones', async () => {
  const {events, emit} = emitMany();
  emit();
  const late = await collect(events);
  expect(late).toHaveLength(500);
  expect([late[0]?.seq, late.at(-1)?.seq]).toEqual([many - 499, many]);
});

test('unread events are kept up to a limit, and the gap shows in their numbers', async () => {
  const {events, emit} = emitMany();
  const slow = events[Symbol.asyncIterator]();
  emit();
  const first = await slow.next();
  const second = await slow.next();
  expect(first.value?.seq).toBe(many - 50_000 + 1);
  expect(second.value?.seq).toBe(many - 50_000 + 2);
});

test('attachments share one limit; a cut is reported, and a cut file does not count as read', () => {
  const whole = {name: 'a', text: 'x'.repeat(60), file: 'a'};
  const long = {name: 'b', text: 'y'.repeat(100), file: 'b'};
  const {attachments, warnings} = fitAttachments([whole, long], 100);
  expect(attachments).toEqual([
    whole,
    {name: 'b', text: `${'y'.repeat(9)}\n[… 86 characters cut …]\n${'y'.repeat(5)}`},
  ]);
  expect(warnings).toEqual([
    'b has 100 bytes and was cut in the middle: context.max_attached_bytes = 100 is the limit for all attachments together',
  ]);
});

test.each([
  {turns: 'one call in each turn', isBatched: false, maxCalls: 17, maxTokens: 25_000},
  {turns: 'an edit and its test in one turn', isBatched: true, maxCalls: 11, maxTokens: 19_000},
])(
  'a bug is fixed by $turns, with at most $maxCalls calls and $maxTokens tokens',
  async ({isBatched, maxCalls, maxTokens}) => {
    const {result, roles} = await fixBug(isBatched);
    expect(result).toMatchObject({status: 'completed', tasks: [{id: 'fix', status: 'succeeded'}]});
    expect(roles.reduce((sum, {calls}) => sum + calls, 0)).toBeLessThanOrEqual(maxCalls);
    expect(roles.reduce((sum, {tokens}) => sum + tokens, 0)).toBeLessThanOrEqual(maxTokens);
  },
);

const ground = {
  form: 'agent',
  gates: [],
  asks: [],
  interview: () => undefined,
  interactions: [],
  tools: [],
  settingsEvent: (settings: object) => ({...settings}),
} as const;

test.each([
  [{type: 'user.spoke'}, /a run takes events of the types human\.decided, .*form\.changed/],
  [undefined, /plain JSON/],
  [{type: 'user.said', text: ' \n'}, /text: must be a text that is not blank/],
  [{type: 'interaction.spawn', form: 1, contextMode: 'half'}, /form: .*request: .*contextMode: /],
])('the event %j is refused with all problems of its shape', (event, problems) => {
  expect(() => toReceived(event, ground)).toThrow(
    expect.objectContaining({code: 'usage', message: expect.stringMatching(problems)}),
  );
});
