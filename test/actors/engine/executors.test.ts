import {describe, expect, test} from 'vitest';
import {type AnyActorRef, setup} from 'xstate';

import {ActorTree} from '../../../actors/engine/actor-tree.ts';

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
