/** What actors of each kind of logic can do, here and in XState itself. */

import {describe, expect, test} from 'vitest';
import {
  type AnyActorLogic,
  type AnyEventObject,
  createActor,
  createMachine,
  fromCallback,
  fromEventObservable,
  fromObservable,
  fromPromise,
  fromTransition,
  sendParent,
  sendTo,
  setup,
  type Observer,
  type Subscribable,
} from 'xstate';

import {drive, explore, lintChart, next, sends} from '../../../machines/testing/index.ts';
import {kindOf} from '../../../machines/testing/world/kinds.ts';

const said = {type: 'said'} as const;
const bug = new Error('a bug');

/** An observable that does this when it is subscribed to. */
function observable<Value>(act: (observer: Partial<Observer<Value>>) => void): Subscribable<Value> {
  return {
    subscribe(observer: Observer<Value> | ((value: Value) => void)) {
      if (typeof observer === 'object') act(observer);
      return {unsubscribe: () => {}};
    },
  };
}

/** Logic of each kind, a variant for each way in which an actor of the kind can behave. */
const kinds: Readonly<Record<string, readonly AnyActorLogic[]>> = {
  promise: [fromPromise(async () => 1), fromPromise(async () => await Promise.reject(bug))],
  callback: [
    fromCallback(({sendBack}) => sendBack(said)),
    fromCallback(() => {
      throw bug;
    }),
    fromCallback(({receive}) =>
      receive(() => {
        throw bug;
      }),
    ),
  ],
  observable: [
    fromObservable(() => observable<number>((each) => each.next?.(1))),
    fromObservable(() => observable<never>((each) => each.complete?.())),
    fromObservable(() => observable<never>((each) => each.error?.(bug))),
  ],
  'event observable': [
    fromEventObservable(() => observable<AnyEventObject>((each) => each.next?.(said))),
    fromEventObservable(() => observable<never>((each) => each.complete?.())),
    fromEventObservable(() => observable<never>((each) => each.error?.(bug))),
  ],
  transition: [
    fromTransition((count: number) => count + 1, 0),
    fromTransition(() => {
      throw bug;
    }, 0),
  ],
  machine: [
    createMachine({entry: sendParent(said)}),
    createMachine({initial: 'end', states: {end: {type: 'final'}}}),
    createMachine({
      entry: () => {
        throw bug;
      },
    }),
  ],
};

/** Everything that an actor can do leads to a state of its own. */
function watching(logic: AnyActorLogic) {
  return setup({actors: {logic}}).createMachine({
    id: 'watching',
    initial: 'waiting',
    states: {
      waiting: {
        invoke: {
          src: 'logic',
          id: 'logic',
          onDone: 'done',
          onError: 'failed',
          onSnapshot: {guard: ({event}) => event.snapshot.context === 1, target: 'changed'},
        },
        on: {said: 'told', poke: {actions: sendTo('logic', {type: 'poke'})}},
      },
      done: {},
      failed: {},
      changed: {},
      told: {},
    },
  });
}

/** Where a real actor of this logic leads. */
async function realEnd(logic: AnyActorLogic): Promise<string> {
  const actor = createActor(watching(logic));
  actor.start();
  await Promise.resolve().then(() => Promise.resolve());
  actor.send({type: 'poke'});
  return actor.getSnapshot().value;
}

describe.each(Object.entries(kinds))('an actor made by the logic of a %s', (kind, variants) => {
  test('is known as one', () => {
    expect(new Set(variants.map(kindOf))).toEqual(new Set([kind]));
  });

  test('has the outcomes of real actors, and no others', async () => {
    const real = new Set(await Promise.all(variants.map(realEnd)));
    real.add('waiting');
    // What it says and which values it has are for samples to tell.
    const outcomes = {
      callback: [sends(said)],
      'event observable': [undefined, sends(said)],
      observable: [1, next(1)],
      machine: [1, sends(said)],
    };
    const list = Object.entries(outcomes).find(([name]) => name === kind)?.[1];
    const entered = variants.flatMap((logic) => {
      const {states} = explore(watching(logic), {
        events: {said: []},
        ...(list ? {outcomes: {logic: list}} : {}),
      });
      return states.covered.map((id) => id.replace(/^watching\.?/, '') || 'waiting');
    });
    expect(new Set(entered)).toEqual(real);
  });
});

test('a callback fails when it starts or when it receives an event, not later', () => {
  const machine = watching(fromCallback(() => {}));
  const fresh = drive(machine);
  fresh.fails('logic', bug);
  expect(fresh.state).toBe('failed');
  const poked = drive(machine);
  poked.send({type: 'poke'});
  poked.fails('logic', bug);
  expect(poked.state).toBe('failed');
  const late = drive(machine);
  late.send({type: 'unknown'});
  expect(() => late.fails('logic', bug)).toThrow('it fails when it starts');
});

test('samples that an actor of its kind cannot show are refused', () => {
  const callback = watching(fromCallback(() => {}));
  expect(() => explore(callback, {outcomes: {logic: [1]}})).toThrow(
    'logic is made by fromCallback: it never is done; it sends, or fails',
  );
  expect(() => drive(callback).done('logic')).toThrow('it never is done');
  const promise = watching(fromPromise(async () => {}));
  expect(() => explore(promise, {outcomes: {logic: [sends(said)]}})).toThrow('it never sends');
});

test('a handler for the end of a callback or of a reducer is a finding', () => {
  const endless = [fromCallback(() => {}), fromTransition((count: number) => count + 1, 0)];
  expect(
    endless.flatMap((logic) => lintChart(watching(logic), {rules: ['never-taken']})),
  ).toMatchObject([
    {
      state: 'watching.waiting',
      transition: 'watching.waiting xstate.done.actor.logic → done',
      message: 'logic is made by fromCallback: it is stopped, never done',
    },
    {message: 'logic is made by fromTransition: it is stopped, never done'},
  ]);
  expect(lintChart(watching(fromPromise(async () => {})), {rules: ['never-taken']})).toEqual([]);
});

test('the machine of a user is as it was after a search', () => {
  const machine = watching(fromPromise(async () => {}));
  const text = () => JSON.stringify([machine.definition, machine.options]);
  const before = [text(), String(machine.options.maxIterations), machine.root.entry.length];
  explore(machine);
  expect([text(), String(machine.options.maxIterations), machine.root.entry.length]).toEqual(
    before,
  );
});
