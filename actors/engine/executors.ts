/**
 * How an actor's actions are executed. XState 5.33 puts a fresh function over all actions of a microstep in the place of the
 * actor's own, to tell them to whoever computes steps without an actor. V8 takes what such functions hold for alive until its
 * next major collection: ended actors with their inputs, half of a long run's garbage.
 */

import type {AnyActorRef} from 'xstate';

import {onActorMade, type Scope, scopeOf} from './xstate-internals.ts';

const own = Symbol('own executor');

interface PinnedScope extends Scope {
  [own]?: unknown;
}

/** One for all actors, so that V8 gives them one shape. */
const pinned: PropertyDescriptor & ThisType<PinnedScope> = {
  get() {
    return this[own];
  },
  set() {},
};

/** The root, and from now on every actor below it, keeps the executor that it was made with. */
export function keepExecutors(root: AnyActorRef): void {
  onActorMade(root.system, keepExecutor);
  keepExecutor(root);
}

function keepExecutor(actor: object): void {
  const scope: PinnedScope = scopeOf(actor);
  scope[own] = scope.actionExecutor;
  Object.defineProperty(scope, 'actionExecutor', pinned);
}
