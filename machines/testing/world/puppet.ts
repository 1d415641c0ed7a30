/**
 * Puppets replace the actors that a machine starts, with any logic: the search decides what they do, and when.
 *
 * This file holds all parts of XState 5 without a public name that a search needs. An actor announces itself to inspectors
 * before it makes its first snapshot, so that its logic can still be replaced, whether it is invoked or spawned, by name or
 * inline, at any depth.
 */

import type {ActorRefLike, AnyActorRef, AnyEventObject, AnyStateMachine} from 'xstate';

import {isMachine} from '../chart.ts';

/** The next act of a puppet. */
export type Deed =
  | {readonly type: 'puppet.done'; readonly output: unknown}
  | {readonly type: 'puppet.fail'; readonly error: unknown}
  | {readonly type: 'puppet.next'; readonly value: unknown};

interface PuppetSnapshot {
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly output: unknown;
  readonly error: unknown;
  readonly input: unknown;
  /** The last value of a puppet that stands for an observable. */
  readonly context: unknown;
}

/** A performed action that is not one of XState's own. */
export interface Performed {
  /** Its name; `(anonymous)` for an inline function. */
  readonly type: string;
  readonly params: unknown;
}

interface Scope {
  actionExecutor: (action: Performed) => void;
}

/** An actor as it is before its first snapshot. */
export interface NewActor extends ActorRefLike {
  readonly id: string;
  readonly src: unknown;
  readonly logic: object;
  readonly _parent: AnyActorRef | undefined;
  readonly _actorScope: Scope & {readonly id: string};
}

const puppetLogic = {
  getInitialSnapshot: (_: unknown, input: unknown): PuppetSnapshot => ({
    status: 'active',
    output: undefined,
    error: undefined,
    context: undefined,
    input,
  }),
  transition(snapshot: PuppetSnapshot, event: AnyEventObject): PuppetSnapshot {
    if (snapshot.status !== 'active') return snapshot;
    if (event.type === 'puppet.done') return {...snapshot, status: 'done', output: event['output']};
    if (event.type === 'puppet.fail') return {...snapshot, status: 'error', error: event['error']};
    if (event.type === 'puppet.next') return {...snapshot, context: event['value']};
    return event.type === 'xstate.stop' ? {...snapshot, status: 'stopped'} : snapshot;
  },
  getPersistedSnapshot: (snapshot: PuppetSnapshot) => snapshot,
};

/** Throws Error when XState has changed. */
export function newActor(actor: ActorRefLike): NewActor {
  if (!isNewActor(actor)) throw new Error('this version of XState makes actors in another way');
  return actor;
}

function isNewActor(actor: ActorRefLike): actor is NewActor {
  return 'logic' in actor && 'id' in actor && '_actorScope' in actor && !('snapshot' in actor);
}

/** The machine that an actor runs; undefined for other logic. */
export function machineOf(actor: object): AnyStateMachine | undefined {
  const logic = 'logic' in actor ? actor.logic : undefined;
  return isMachine(logic) ? logic : undefined;
}

/** True if the actor does anything by itself: it calls, waits or listens. A reducer of `fromTransition` does not. */
export function isActive({logic}: NewActor): boolean {
  return !isMachine(logic) && 'start' in logic && typeof logic.start === 'function';
}

/** True if an actor that was given no id has one of XState's, which differs in each run of the program. */
export function hasCountedId({id}: NewActor): boolean {
  return /^x:\d+$/.test(id);
}

/** Gives an actor another id before anything refers to it. */
export function rename(actor: NewActor, id: string): void {
  const {_actorScope: scope} = actor;
  Object.assign(actor, {id});
  Object.assign(scope, {id});
}

/** Microsteps after one event: a machine that takes more has a loop without an end. */
const maxMicrosteps = 2_000;

/**
 * Has a machine that takes steps without an end fail instead of hang. It is changed in place: its methods are bound to it. XState
 * before 5.31 has no such bound.
 */
export function boundSteps(machine: AnyStateMachine): void {
  const {options}: {options?: {maxIterations?: number}} = machine;
  if (options?.maxIterations === Infinity) options.maxIterations = maxMicrosteps;
}

/** From now on the actor does what it is sent as a {@link Deed}, and nothing else. */
export function replaceByPuppet(actor: NewActor): void {
  Object.assign(actor, {logic: puppetLogic});
}

/** Custom actions of the actor are reported to `perform` and not executed. XState's own are: they assign, raise, send, spawn … */
export function withholdActions(actor: NewActor, perform: (action: Performed) => void): void {
  const {_actorScope: scope} = actor;
  const {actionExecutor: execute} = scope;
  scope.actionExecutor = (action) => {
    if (action.type.startsWith('xstate.') && action.type !== 'xstate.log') execute(action);
    else perform({type: action.type, params: action.params});
  };
}

/** The actor that started another; undefined for the root actor of a system. */
export function parentOf(actor: NewActor): AnyActorRef | undefined {
  const {_parent: parent} = actor;
  return parent;
}

/** The ids of an actor and of its ancestors below the root actor of the system, joined by `/`. */
export function pathOf(actor: {
  readonly id: string;
  readonly _parent?: AnyActorRef | undefined;
}): string {
  const {_parent: parent} = actor;
  if (!parent) return '';
  const above = pathOf(parent);
  return above === '' ? actor.id : `${above}/${actor.id}`;
}
