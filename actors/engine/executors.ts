/**
 * How an actor's actions are executed. XState 5.33 puts a fresh function over all actions of a microstep in the place of the
 * actor's own, to tell them to whoever computes steps without an actor. V8 takes what such functions hold for alive until its
 * next major collection: ended actors with their inputs, half of a long run's garbage.
 */

import type {AnyActorRef} from 'xstate';

/** XState's own, for which it has no public word. */
interface Registry {
  /** Hears of every actor before its first step. */
  readonly _sendInspectionEvent: (event: {
    readonly type: string;
    readonly actorRef: AnyActorRef;
  }) => void;
}

const own = Symbol('own executor');

interface Scope {
  actionExecutor: unknown;
  [own]?: unknown;
}

/** One for all actors, so that V8 gives them one shape. */
const pinned: PropertyDescriptor & ThisType<Scope> = {
  get() {
    return this[own];
  },
  set() {},
};

/** The root, and from now on every actor below it, keeps the executor that it was made with. */
export function keepExecutors(root: AnyActorRef): void {
  const {system} = root;
  if (!isRegistry(system)) throw new Error('this XState does not tell when an actor is made');
  const {_sendInspectionEvent: tell} = system;
  const registry: Registry = {
    _sendInspectionEvent: (event) => {
      if (event.type === '@xstate.actor') keepExecutor(event.actorRef);
      tell(event);
    },
  };
  Object.assign(system, registry);
  keepExecutor(root);
}

function keepExecutor(actor: object): void {
  if (!isScoped(actor)) throw new Error('this XState executes actions in another way');
  const {_actorScope: scope} = actor;
  scope[own] = scope.actionExecutor;
  Object.defineProperty(scope, 'actionExecutor', pinned);
}

function isRegistry(system: object): system is Registry {
  return '_sendInspectionEvent' in system;
}

function isScoped(actor: object): actor is {readonly _actorScope: Scope} {
  return '_actorScope' in actor;
}
