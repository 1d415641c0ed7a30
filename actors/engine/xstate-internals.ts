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
