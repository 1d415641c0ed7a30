/** Time while a breakpoint holds a tree: timers and running time stand still, live and in a replay alike. */

import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {setup} from 'xstate';

import type {Entry, Log} from '../../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {createPort} from '../../../machines/ports.ts';
import {cutJournal} from '../../support/scenario.ts';
import {createTally, openTally, type Tally, tallyPorts} from '../../support/tally.ts';

beforeEach(() => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date']});
});

afterEach(() => vi.useRealTimers());

const port = createPort<object, object>('work');

/** After two seconds it wants `halt`. Meanwhile a call is in flight, whose outcome starts a timer, and another timer runs. */
const timing = setup({
  actors: {work: port, halt: createPort<object, object>('halt')},
  actions: {
    fail: () => {
      throw new Error('an event for the engine reached a chart');
    },
  },
}).createMachine({
  type: 'parallel',
  on: {
    'breakpoints.changed': {actions: 'fail'},
    'run.held': {actions: 'fail'},
    'run.released': {actions: 'fail'},
  },
  states: {
    ringing: {initial: 'set', states: {set: {after: {10_000: 'rung'}}, rung: {}}},
    calling: {
      initial: 'called',
      states: {
        called: {invoke: {src: 'work', id: 'work', input: {}, onDone: 'set'}},
        set: {after: {3_000: 'rung'}},
        rung: {},
      },
    },
    halting: {
      initial: 'set',
      states: {
        set: {after: {2_000: 'halted'}},
        halted: {
          invoke: {src: 'halt', id: 'halt', input: {}, onDone: 'passed'},
          on: {'halt.dropped': 'passed', 'user.cancel': 'ending'},
        },
        ending: {invoke: {src: 'halt', id: 'halt', input: {}, onDone: 'passed'}},
        passed: {},
      },
    },
  },
});

interface Timed {
  readonly tally: Tally;
  readonly log: Log;
  /** Ends the call in flight. */
  readonly settle: () => void;
}

function timed(log: Log): Timed {
  const {promise, resolve} = Promise.withResolvers<object>();
  const tally = createTally({
    id: 'a',
    log,
    logic: timing,
    ports: {work: tallyPorts.work, halt: tallyPorts.work},
    perform: async ({key}) => (key.includes('work') ? await promise : {}),
  });
  return {tally, log, settle: () => resolve({})};
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

async function pass(ms: number): Promise<void> {
  await turns();
  vi.advanceTimersByTime(ms);
  await turns();
}

function send({engine}: Tally, event: {readonly type: string; readonly [key: string]: unknown}) {
  engine.take({kind: 'received', event: JSON.parse(JSON.stringify(event))});
}

function valueOf({engine}: Tally): unknown {
  const snapshot: unknown = engine.tree.root?.getSnapshot();
  return typeof snapshot === 'object' && snapshot && 'value' in snapshot ? snapshot.value : null;
}

/** Held for a minute; in the middle of it the call in flight ends. */
async function heldForAMinute(): Promise<Timed> {
  const run = timed(createMemoryJournal().log);
  openTally(run.tally);
  send(run.tally, {type: 'breakpoints.changed', before: ['halt']});
  await pass(2_000);
  expect(run.tally.engine.tree.breakpoints.held).toEqual({effect: 'i/halt#1', port: 'halt'});
  await pass(30_000);
  run.settle();
  await pass(30_000);
  expect(valueOf(run.tally)).toEqual({ringing: 'set', calling: 'set', halting: 'halted'});
  expect(run.tally.performed()).toBe(1);
  return run;
}

/** From the end of the hold, a timer has three seconds left, and another eight. */
async function expectTimeLeft({tally}: Timed): Promise<void> {
  await pass(2_999);
  expect(valueOf(tally)).toMatchObject({calling: 'set', halting: 'passed'});
  await pass(1);
  expect(valueOf(tally)).toMatchObject({ringing: 'set', calling: 'rung'});
  await pass(4_999);
  expect(valueOf(tally)).toMatchObject({ringing: 'set'});
  await pass(1);
  expect(valueOf(tally)).toMatchObject({ringing: 'rung'});
}

async function entriesOf({log}: Timed): Promise<readonly Entry[]> {
  return await log.read('a');
}

test('timers have the time left after a hold that they had before it, and a hold is not running time', async () => {
  const run = await heldForAMinute();
  expect(run.tally.time.ranMs).toBe(2_000);
  send(run.tally, {type: 'run.released', effect: 'i/halt#1'});
  await pass(0);
  expect(run.tally.performed()).toBe(2);
  await expectTimeLeft(run);
  expect(run.tally.time.ranMs).toBe(10_000);
});

test.each(['run.held', 'settled', 'run.released'])(
  'timers have the same time left in a process that continues after the entry %s',
  async (last) => {
    const run = await heldForAMinute();
    send(run.tally, {type: 'run.released', effect: 'i/halt#1'});
    await pass(0);
    const entries = await entriesOf(run);
    const at = entries.findIndex((entry) =>
      entry.type === 'received' ? entry.event['type'] === last : entry.type === last,
    );
    const next = timed(cutJournal('a', entries.slice(0, at + 1)).log);
    next.settle();
    await pass(600_000);
    await next.tally.resume();
    await pass(0);
    expect(next.tally.engine.tree.breakpoints).toMatchObject({before: [], held: undefined});
    await expectTimeLeft(next);
  },
);

test('a release of another hold, as after two clicks, changes nothing', async () => {
  const {tally} = await heldForAMinute();
  send(tally, {type: 'run.released', effect: 'i/halt#7'});
  await pass(0);
  expect(tally.engine.tree.breakpoints.isHeld).toBe(true);
  expect(tally.performed()).toBe(1);
});

test('a hold ends with the wait for its effect', async () => {
  const run = await heldForAMinute();
  send(run.tally, {type: 'halt.dropped'});
  await pass(0);
  expect(run.tally.engine.tree.breakpoints.isHeld).toBe(false);
  await expectTimeLeft(run);
  expect(run.tally.performed()).toBe(1);
});

test('a cancel ends the hold and all breakpoints, so that the calls which end the work are made', async () => {
  const {tally} = await heldForAMinute();
  send(tally, {type: 'user.cancel'});
  await pass(0);
  expect(valueOf(tally)).toMatchObject({halting: 'passed'});
  expect(tally.performed()).toBe(2);
});
