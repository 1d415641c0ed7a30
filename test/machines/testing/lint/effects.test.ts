/** XState has the effects that the messages of the rules name. */

import {expect, test} from 'vitest';
import {
  type AnyStateMachine,
  createActor,
  createMachine,
  fromPromise,
  SimulatedClock,
  toPromise,
} from 'xstate';

import {badCharts} from './bad-charts.ts';

const failing = fromPromise(() => Promise.reject(new Error('declined')));
const ended = {type: 'final'} as const;

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

test('a delay without an implementation is over at once', () => {
  expect(started(badCharts['unknown-delay']?.bad).actor.getSnapshot().value).toBe('b');
  expect(started(badCharts['unknown-delay']?.good).actor.getSnapshot().value).toBe('a');
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
