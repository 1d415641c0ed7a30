/** XState has the effects that the messages of the rules name. */

import {expect, test} from 'vitest';
import {
  type AnyStateMachine,
  createActor,
  createMachine,
  fromCallback,
  fromPromise,
  SimulatedClock,
  toPromise,
} from 'xstate';

import {badCharts} from './bad-charts.ts';

const failing = fromPromise(() => Promise.reject(new Error('declined')));
const ended = {type: 'final'} as const;
const report = () => {};

function started(machine: AnyStateMachine | undefined) {
  if (machine === undefined) throw new Error('there is no such chart');
  const clock = new SimulatedClock();
  const errors: unknown[] = [];
  const actor = createActor(machine, {clock});
  actor.subscribe({error: (error) => errors.push(error)});
  return {actor: actor.start(), clock, errors};
}

test('an unhandled error stops the machine, and a bare * handles it like any other event', async () => {
  const config = {initial: 'a', states: {a: {invoke: {src: failing}, on: {NEXT: 'b'}}, b: ended}};
  await expect(toPromise(started(createMachine(config)).actor)).rejects.toThrow('declined');
  const {actor} = started(createMachine({...config, on: {'*': '.b'}}));
  await toPromise(actor);
  expect(actor.getSnapshot().value).toBe('b');
});

test('an actor without logic does not start, and a later state shows no error', () => {
  const states = {
    a: {on: {NEXT: 'b'}},
    b: {invoke: {src: 'load', onDone: 'c', onError: 'c'}},
    c: ended,
  };
  const {actor, errors} = started(createMachine({initial: 'a', states}));
  actor.send({type: 'NEXT'});
  expect([actor.getSnapshot().value, errors]).toEqual(['b', []]);
});

test('a delay without an implementation is over at once', () => {
  expect(started(badCharts['unknown-delay']?.bad).actor.getSnapshot().value).toBe('b');
  expect(started(badCharts['unknown-delay']?.good).actor.getSnapshot().value).toBe('a');
});

test('a guard without an implementation stops the machine with an error', () => {
  const {actor, errors} = started(badCharts['unknown-guard']?.bad);
  expect(errors).toEqual([]);
  actor.send({type: 'NEXT'});
  expect(actor.getSnapshot().status).toBe('error');
  expect(errors).toHaveLength(1);
});

test('an action without an implementation is skipped', () => {
  const {actor, errors} = started(badCharts['unknown-action']?.bad);
  actor.send({type: 'NEXT'});
  expect([actor.getSnapshot().status, errors]).toEqual(['done', []]);
});

test('an output of the last state is lost without an output of the machine', () => {
  for (const [kind, output] of [
    ['bad', undefined],
    ['good', {paid: true}],
  ] as const) {
    const {actor} = started(badCharts['lost-output']?.[kind]);
    actor.send({type: 'NEXT'});
    expect(actor.getSnapshot().output).toEqual(output);
  }
});

test.each([
  ['*', 'active'],
  ['user.*', 'done'],
])('a child with %s leaves its parent %s after the delay', (wildcard, status) => {
  const child = {initial: 'x', states: {x: {on: {[wildcard]: {actions: report}}}}};
  const states = {a: {...child, after: {10: 'b'}}, b: ended};
  const {actor, clock} = started(createMachine({initial: 'a', states}));
  clock.increment(10);
  expect(actor.getSnapshot().status).toBe(status);
});

test('a callback is not done when it returns, and the root receives no event when it is complete', () => {
  const done: string[] = [];
  const callback = fromCallback(({sendBack}) => sendBack({type: 'RETURNED'}));
  const {actor} = started(
    createMachine({
      initial: 'a',
      states: {
        a: {
          invoke: {src: callback, onDone: {actions: () => done.push('callback')}},
          on: {RETURNED: 'b'},
        },
        b: ended,
      },
      onDone: {actions: () => done.push('root')},
    }),
  );
  expect(actor.getSnapshot().status).toBe('done');
  expect(done).toEqual([]);
});

test('a choice without a branch that holds hangs', () => {
  const machine = badCharts['choice-without-default']?.bad.provide({
    guards: {isSmall: () => false, isLarge: () => false},
  });
  expect(started(machine).actor.getSnapshot()).toMatchObject({value: 'sizing', status: 'active'});
});
