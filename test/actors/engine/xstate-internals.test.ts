/** These tests fail when XState changes the internals that the engine uses. */

import {expect, test} from 'vitest';
import {type AnyActorRef, createActor, createMachine} from 'xstate';

import {onActorEnded, onActorMade, scopeOf} from '../../../actors/engine/xstate-internals.ts';
import {parentOf} from '../../../machines/tree/path.ts';

const child = createMachine({
  initial: 'working',
  states: {working: {on: {'work.done': 'done'}}, done: {type: 'final'}},
});
const parent = createMachine({
  initial: 'idle',
  states: {
    idle: {on: {'work.begin': 'busy'}},
    busy: {
      invoke: {src: child, id: 'child'},
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
