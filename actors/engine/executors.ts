/**
 * Keeps the executors of actors' actions. XState 5.33 replaces the executor of an actor in each microstep by a new function
 * that collects the actions, for callers that compute steps without an actor. V8 keeps everything that such functions
 * reference until its next major collection: ended actors with their inputs, half of a long run's garbage.
 */

import type {AnyActorRef} from 'xstate';

import {onActorMade, type Scope, scopeOf} from './xstate-internals.ts';

const own = Symbol('own executor');

interface PinnedScope extends Scope {
  [own]?: unknown;
}

/** Shared by all actors, so that V8 gives them one shape. */
const pinned: PropertyDescriptor & ThisType<PinnedScope> = {
  get() {
    return this[own];
  },
  set() {},
};

/** Makes the root, and every actor of its system from now on, keep the executor that it was created with. */
export function keepExecutors(root: AnyActorRef): void {
  onActorMade(root.system, keepExecutor);
  keepExecutor(root);
}

function keepExecutor(actor: object): void {
  const scope: PinnedScope = scopeOf(actor);
  scope[own] = scope.actionExecutor;
  Object.defineProperty(scope, 'actionExecutor', pinned);
}
