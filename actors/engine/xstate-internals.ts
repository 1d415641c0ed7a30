/** Parts of XState 5.33 without a public name that the engine uses. Each function throws Error when its part is missing. */

import type {AnyActorRef} from 'xstate';

type System = AnyActorRef['system'];

interface Making {
  readonly _sendInspectionEvent: (event: {
    readonly type: string;
    readonly actorRef: AnyActorRef;
  }) => void;
}

interface Ending {
  readonly _unregister: (actor: AnyActorRef) => void;
}

/** How an actor executes its actions. */
export interface Scope {
  actionExecutor: unknown;
}

/** From now on, `hook` is called with every new actor of the system, before its first step. */
export function onActorMade(system: System, hook: (actor: AnyActorRef) => void): void {
  if (!isMaking(system)) throw new Error('this version of XState does not report new actors');
  const {_sendInspectionEvent: send} = system;
  const making: Making = {
    _sendInspectionEvent: (event) => {
      if (event.type === '@xstate.actor') hook(event.actorRef);
      send(event);
    },
  };
  Object.assign(system, making);
}

/** From now on, `hook` is called with every actor of the system that has ended, before its parent is notified. */
export function onActorEnded(system: System, hook: (actor: AnyActorRef) => void): void {
  if (!isEnding(system)) throw new Error('this version of XState does not report ended actors');
  const {_unregister: unregister} = system;
  const ending: Ending = {
    _unregister: (actor) => {
      unregister(actor);
      hook(actor);
    },
  };
  Object.assign(system, ending);
}

export function scopeOf(actor: object): Scope {
  if (!isScoped(actor)) throw new Error('this version of XState executes actions in another way');
  const {_actorScope: scope} = actor;
  return scope;
}

function isMaking(system: object): system is Making {
  return '_sendInspectionEvent' in system;
}

function isEnding(system: object): system is Ending {
  return '_unregister' in system;
}

function isScoped(actor: object): actor is {readonly _actorScope: Scope} {
  return '_actorScope' in actor;
}

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

/**
 * Makes the root, and every actor of its system from now on, keep the executor of its actions. XState 5.33 replaces it in each
 * microstep by a new function that collects the actions, for callers that compute steps without an actor. V8 keeps everything that
 * such functions reference until its next major collection: ended actors with their inputs, half of a long run's garbage.
 */
export function keepExecutors(root: AnyActorRef): void {
  onActorMade(root.system, keepExecutor);
  keepExecutor(root);
}

function keepExecutor(actor: object): void {
  const scope: PinnedScope = scopeOf(actor);
  scope[own] = scope.actionExecutor;
  Object.defineProperty(scope, 'actionExecutor', pinned);
}

/**
 * From now on, when an actor of the system crashes, the actors below it are stopped at once, before its parent is notified. XState
 * leaves them running (statelyai/xstate#5153): their effects would continue, and no actor would receive the outcomes.
 */
export function stopOrphans(system: AnyActorRef['system']): void {
  onActorEnded(system, (actor) => {
    const snapshot: unknown = actor.getSnapshot();
    if (!isCrashed(snapshot)) return;
    const orphans = Object.values(snapshot.children).filter(isAtWork);
    for (const orphan of orphans) orphan.send({type: 'xstate.stop'});
  });
}

function isCrashed(
  snapshot: unknown,
): snapshot is {readonly children: Readonly<Record<string, AnyActorRef | undefined>>} {
  return (
    typeof snapshot === 'object' &&
    snapshot !== null &&
    'status' in snapshot &&
    snapshot.status === 'error' &&
    'children' in snapshot
  );
}

function isAtWork(actor: AnyActorRef | undefined): actor is AnyActorRef {
  return actor?.getSnapshot().status === 'active';
}
