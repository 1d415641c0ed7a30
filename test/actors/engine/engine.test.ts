/** The engine: calls, outcomes, charts that throw, many engines of one log, and the internals of XState that it uses. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {type AnyActorRef, createActor, createMachine, setup} from 'xstate';

import {ActorTree} from '../../../actors/engine/actor-tree.ts';
import type {EffectContext} from '../../../actors/engine/engine.ts';
import {onActorEnded, onActorMade, scopeOf} from '../../../actors/engine/xstate-internals.ts';
import {createFunctionModel, createRuntime} from '../../../actors/index.ts';
import {begunIn} from '../../../actors/journal/chain.ts';
import type {Addition, Log} from '../../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../../actors/journal/sqlite.ts';
import type {PortNature} from '../../../machines/port-natures.ts';
import {createPort} from '../../../machines/ports.ts';
import {parentOf} from '../../../machines/tree/path.ts';
import {createTally, openTally, say, tallyPorts} from '../../support/tally.ts';

async function firstQuestion({asked}: {readonly asked: readonly string[]}): Promise<string> {
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  return asked[0] ?? '';
}

describe('a port that a person settles', () => {
  test('needs no code in the engine: its table declares it, and an event that names the question answers it', async () => {
    const tally = createTally({id: 'a', log: createMemoryJournal().log});
    openTally(tally);
    const key = await firstQuestion(tally);
    expect(key).toBe('i/ask#1');
    say(tally, key);
    expect(await tally.ended).toBeUndefined();
    expect(tally.performed()).toBe(1);
  });

  test('is asked once its question is durable, and a resumed engine asks it again', async () => {
    const {log} = createMemoryJournal();
    const first = createTally({id: 'a', log});
    openTally(first);
    const key = await firstQuestion(first);
    await vi.waitFor(async () =>
      expect((await log.read('a')).at(-1)).toMatchObject({
        type: 'noted',
        note: {text: `asks ${key}`, actor: 'ask'},
      }),
    );
    await first.engine.suspend({type: 'run.suspended'});
    const second = createTally({id: 'a', log});
    await second.resume();
    expect(await firstQuestion(second)).toBe(key);
    say(second, key);
    expect(await second.ended).toBeUndefined();
  });

  test('ignores an answer to a question that is not open', async () => {
    const tally = createTally({id: 'a', log: createMemoryJournal().log});
    openTally(tally);
    say(tally, 'i/ask#7');
    say(tally, await firstQuestion(tally));
    expect(await tally.ended).toBeUndefined();
  });
});

/** A call in flight that never ends; it may take 1,000 ms. */
async function endless(nature: Partial<PortNature<unknown>> = {}) {
  const {log} = createMemoryJournal();
  const work = {...tallyPorts.work, limitMs: () => 1_000, ...nature};
  const {promise, resolve} = Promise.withResolvers<EffectContext>();
  const tally = createTally({
    id: 'a',
    log,
    ports: {...tallyPorts, work},
    perform: async (context) => {
      resolve(context);
      return await new Promise(() => {});
    },
  });
  openTally(tally);
  while (tally.asked.length === 0) await new Promise(setImmediate);
  say(tally, tally.asked[0]);
  return {log, tally, ...(await promise)};
}

describe('a call', () => {
  beforeEach(() => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
  });

  afterEach(() => vi.useRealTimers());

  test('that exceeds the limit of its port is aborted, and abandoned when it does not stop', async () => {
    const {tally, signal} = await endless();
    vi.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
    vi.advanceTimersByTime(5_000);
    expect(await tally.ended).toBeUndefined();
    expect(tally.warnings).toEqual([expect.stringContaining('work did not end')]);
  });

  test('that must not be repeated and was abandoned is in doubt', async () => {
    const {tally, log} = await endless({
      repeatability: () => 'once',
      doubt: (message) => ({doubt: message}),
    });
    vi.advanceTimersByTime(1_000);
    vi.advanceTimersByTime(5_000);
    expect(await tally.ended).toBeUndefined();
    expect((await log.read('a')).findLast(({type}) => type === 'settled')).toMatchObject({
      outcome: {doubt: expect.stringContaining('abandoned after 6 s')},
    });
  });

  test('that waits for others spends no time meanwhile', async () => {
    const {tally, signal, hold} = await endless();
    hold(true);
    vi.advanceTimersByTime(60_000);
    hold(false);
    expect(tally.time.ranMs).toBe(0);
    vi.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
    expect(tally.time.ranMs).toBe(1_000);
    vi.advanceTimersByTime(5_000);
    await tally.ended;
  });
});

describe('an outcome', () => {
  test.each([
    ['undefined', () => undefined],
    ['a BigInt', () => ({text: 1n})],
    [
      'a cycle',
      () => {
        const outcome: Record<string, unknown> = {};
        outcome['self'] = outcome;
        return outcome;
      },
    ],
    [
      'a getter that throws',
      () => ({
        get text(): string {
          throw new Error('no');
        },
      }),
    ],
    ['a list', () => [1]],
  ])('that is %s counts as a crash, and its journal replays', async (_, outcome) => {
    const {log} = createMemoryJournal();
    const tally = createTally({id: 'a', log, perform: async () => outcome()});
    openTally(tally);
    say(tally, await firstQuestion(tally));
    expect(await tally.ended).toBeUndefined();
    const settled = (await log.read('a')).filter((entry) => entry.type === 'settled');
    expect(settled).toMatchObject([{key: 'i/work#1', outcome: {crashed: {code: 'internal'}}}]);
  });
});

const asking = createPort<object, object>('ask');
const working = createPort<object, object>('work');

/** Throws when it receives the answer, while its child has a call in flight. */
const crashing = setup({
  actors: {
    ask: asking,
    below: setup({actors: {work: working}}).createMachine({
      initial: 'working',
      states: {working: {invoke: {src: 'work', id: 'work', input: {}}}},
    }),
  },
  actions: {
    fail: () => {
      throw new Error('a bug in a chart');
    },
  },
}).createMachine({
  initial: 'asking',
  invoke: {src: 'below', id: 'below'},
  states: {asking: {invoke: {src: 'ask', id: 'ask', input: {}, onDone: {actions: 'fail'}}}},
});

const guarding = setup({actors: {crashing, ask: asking}}).createMachine({
  initial: 'guarding',
  states: {
    guarding: {invoke: {src: 'crashing', id: 'crashing', onError: 'deciding'}},
    deciding: {invoke: {src: 'ask', id: 'ask', input: {}, onDone: 'done'}},
    done: {type: 'final'},
  },
});

describe('a chart that throws', () => {
  test.each([
    ['at the root', crashing, []],
    ['below a parent that continues', guarding, ['i/ask#1']],
  ])('%s leaves nothing in flight below it, and its journal replays', async (_, logic, more) => {
    const {log} = createMemoryJournal();
    const aborted = Promise.withResolvers<undefined>();
    const perform = async ({signal}: EffectContext): Promise<unknown> => {
      signal.addEventListener('abort', () => aborted.resolve(undefined));
      await aborted.promise;
      return {text: 'aborted'};
    };
    const tally = createTally({id: 'a', log, logic, perform});
    openTally(tally);
    say(tally, await firstQuestion(tally));
    await aborted.promise;
    await vi.waitFor(() => expect(tally.asked.slice(1)).toEqual(more));
    for (const key of more) say(tally, key);
    expect(await tally.ended).toBeUndefined();
    const again = createTally({id: 'a', log, logic});
    await expect(again.resume()).resolves.toBeUndefined();
  });
});

/** Holds back the first batch that announces an effect. */
function slowLog() {
  const {log} = createMemoryJournal();
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const append = async (batch: readonly Addition[]): Promise<void> => {
    const bodies = batch.flatMap((addition) => addition.bodies);
    if (bodies.some(({type}) => type === 'requested')) {
      reached.resolve();
      await released.promise;
    }
    await log.append(batch);
  };
  return {...log, append, reached: reached.promise, letGo: released.resolve};
}

test('an effect that must not be repeated and had not begun at the suspension is not in doubt', async () => {
  const work: PortNature<unknown> = {
    ...tallyPorts.work,
    repeatability: () => 'once',
    doubt: (message) => ({doubt: message}),
  };
  const log = slowLog();
  const ports = {...tallyPorts, work};
  const first = createTally({id: 'a', log, ports});
  openTally(first);
  const key = await firstQuestion(first);
  say(first, key);
  await log.reached;
  const suspended = first.engine.suspend({type: 'run.suspended'});
  log.letGo();
  expect(await suspended).toBe(true);
  expect(first.performed()).toBe(0);
  expect(begunIn(await log.read('a')).size).toBe(0);
  const second = createTally({id: 'a', log, ports});
  await second.resume();
  expect(await second.ended).toBeUndefined();
  expect(second.performed()).toBe(1);
  const outcomes = (await log.read('a')).flatMap((entry) =>
    entry.type === 'settled' ? [entry.outcome] : [],
  );
  expect(outcomes).toEqual([{text: 'done'}]);
});

test('the engine names no model, no tool and no gate', () => {
  const folder = join(import.meta.dirname, '../../../actors/engine');
  const sources = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const named = sources.filter((file) =>
    /\b(?:model|tool|gate|panel|plan)s?\b/i.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(named).toEqual([]);
});

/** A log that answers later and records the number of interactions in each batch. */
function laterLog(refused = ''): Log & {readonly batches: number[]} {
  const {log} = createMemoryJournal();
  const batches: number[] = [];
  return {
    ...log,
    batches,
    append: async (batch: readonly Addition[]) => {
      await sleep(1);
      if (batch.some(({interaction}) => interaction === refused)) throw new Error('refused');
      batches.push(new Set(batch.map(({interaction}) => interaction)).size);
      await log.append(batch);
    },
  };
}

describe('many engines of one log', () => {
  test('share transactions, even when the log answers later', async () => {
    const log = laterLog();
    const tallies = Array.from({length: 50}, (_, index) =>
      createTally({id: `t${index}`, log, turns: 3}),
    );
    for (const tally of tallies) openTally(tally);
    for (const tally of tallies) say(tally, await firstQuestion(tally));
    expect(await Promise.all(tallies.map(async ({ended}) => await ended))).toEqual(
      tallies.map(() => undefined),
    );
    expect(Math.max(...log.batches)).toBeGreaterThan(20);
    for (const {id} of tallies.map((_, index) => ({id: `t${index}`}))) {
      const again = createTally({id, log, turns: 3});
      await expect(again.resume()).resolves.toBeUndefined();
    }
  });

  test('a group that cannot be written fails only the runs whose own addition is refused', async () => {
    const log = laterLog('t1');
    const tallies = ['t0', 't1', 't2'].map((id) => createTally({id, log}));
    for (const tally of tallies) openTally(tally);
    expect(await tallies[1]?.ended).toMatchObject({message: 'refused'});
    for (const tally of [tallies[0], tallies[2]]) {
      if (!tally) throw new Error('there are three');
      say(tally, await firstQuestion(tally));
      expect(await tally.ended).toBeUndefined();
    }
  });

  test('performers that answer at once leave room for timers', async () => {
    const tally = createTally({id: 'a', log: createMemoryJournal().log, turns: 4_000});
    openTally(tally);
    say(tally, await firstQuestion(tally));
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await tally.ended;
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
  });
});

/** The function that executes the actions of an actor in the current step. */
function executorOf({self}: {readonly self: AnyActorRef}): unknown {
  const scope: unknown = Reflect.get(self, '_actorScope');
  return Reflect.get(Object(scope), 'actionExecutor');
}

function openedCharts() {
  const executors: Record<'root' | 'child', unknown[]> = {root: [], child: []};
  const child = setup({
    actions: {look: (args) => void executors.child.push(executorOf(args))},
  }).createMachine({
    entry: 'look',
    initial: 'first',
    states: {first: {entry: 'look', always: 'second'}, second: {entry: 'look'}},
  });
  const root = setup({
    actors: {child},
    actions: {look: (args) => void executors.root.push(executorOf(args))},
  }).createMachine({
    entry: 'look',
    invoke: {src: 'child', id: 'child'},
    on: {again: {actions: 'look'}},
  });
  const tree = new ActorTree({logic: root, ports: {}, onReport: () => {}});
  tree.deliver({kind: 'opened', input: {}, version: ''}, 1);
  tree.deliver({kind: 'received', event: {type: 'again'}}, 2);
  tree.deliver({kind: 'received', event: {type: 'again'}}, 3);
  return executors;
}

describe('the executor of the actions of an actor', () => {
  test('is the same function in all its steps: a fresh one would keep what it executed from minor collections', () => {
    const {root, child} = openedCharts();
    expect(root).toHaveLength(3);
    expect(new Set(root).size).toBe(1);
    expect(child).toHaveLength(3);
    expect(new Set(child).size).toBe(1);
  });
});

const worker = createMachine({
  initial: 'working',
  states: {working: {on: {'work.done': 'done'}}, done: {type: 'final'}},
});
const parent = createMachine({
  initial: 'idle',
  states: {
    idle: {on: {'work.begin': 'busy'}},
    busy: {
      invoke: {src: worker, id: 'child'},
      on: {'work.done': {actions: ({self}) => childOf(self)?.send({type: 'work.done'})}},
    },
  },
});

function childOf(actor: AnyActorRef): AnyActorRef | undefined {
  return actor.getSnapshot().children['child'];
}

test('every actor is visited before its first step and at its end', () => {
  const root = createActor(parent, {id: 'root'});
  const met: string[] = [];
  onActorMade(root.system, (actor) => met.push(`${actor.id} made`));
  onActorEnded(root.system, ({id}) => met.push(`${id} ended`));
  root.start();
  root.send({type: 'work.begin'});
  root.send({type: 'work.done'});
  expect(met).toEqual(['child made', 'child ended']);
});

test('an actor knows its parent, and executes its actions by its own executor', () => {
  const root = createActor(parent, {id: 'root'}).start();
  root.send({type: 'work.begin'});
  const own = childOf(root);
  expect(own && parentOf(own)).toBe(root);
  expect(scopeOf(root).actionExecutor).toBeTypeOf('function');
  expect(() => scopeOf({})).toThrow('executes actions in another way');
});

test('readers of the journal see what a run has read while its first model call is still open', async () => {
  const {promise: reply, reject} = Promise.withResolvers<never>();
  const runtime = createRuntime({
    journal: createMemoryJournal(),
    config: {agent: {exploration_model: 'test/slow', decision_model: 'test/slow'}},
    models: [createFunctionModel('test/slow', async () => await reply)],
    env: {},
  });
  onTestFinished(async () => await runtime.close());
  const run = runtime.agent('Change the thing', {workspace: import.meta.dirname});
  await run.opened;
  await vi.waitFor(async () => {
    const entries = await runtime.entries(run.id);
    expect(entries.map((entry) => ('key' in entry ? entry.key : entry.type))).toEqual([
      'opened',
      expect.stringMatching(/gathering\/survey/),
    ]);
  });
  expect(run.atWork()).toMatchObject([expect.stringMatching(/model/)]);
  await run.suspend('interrupted');
  reject(new Error('too late'));
});
