/** The actors that a machine under test starts: puppets, which the search settles, and machines, which are run. */

import type {ActorRefLike, AnyActorRef, AnyEventObject, AnyStateMachine} from 'xstate';

import {isMachine} from '../chart.ts';
import {type Move, Outcome} from './moves.ts';
import {handles, type Tables} from './tables.ts';

/** The id of the machine under test. */
export const subjectId = 'subject';

export interface Member {
  /** The ids of its ancestors below the machine under test and its own, joined by `/`; empty for the machine itself. */
  readonly path: string;
  /** The names by which samples and tests may call it: its path, its id, the name of its logic. */
  readonly names: readonly string[];
  readonly actor: NewActor;
  /** Absent: a puppet. */
  readonly machine?: AnyStateMachine;
}

export interface Cast {
  /** Prepares a new actor, before its first step. */
  readonly meet: (actor: ActorRefLike) => void;
  /** Puppets that have not ended, in the order in which they were started. */
  readonly puppets: () => readonly Member[];
  /** Machines that have not ended, the one under test first. */
  readonly machines: () => readonly (Member & {readonly machine: AnyStateMachine})[];
  readonly performed: readonly Performed[];
}

export function createCast({outcomes}: Tables, runsActions: boolean): Cast {
  const members: Member[] = [];
  const performed: Performed[] = [];
  const counts = new Map<string, number>();

  function nameAnew(actor: NewActor, src: string): void {
    const count = (counts.get(src) ?? 0) + 1;
    counts.set(src, count);
    rename(actor, `${src}:${count}`);
  }

  return {
    meet(ref) {
      const actor = newActor(ref);
      if (parentOf(actor) === undefined) return;
      const src = srcOf(actor);
      if (hasCountedId(actor)) nameAnew(actor, src);
      if (!runsActions) withholdActions(actor, (action) => performed.push(action));
      const path = pathBelow(actor);
      const names = [path, actor.id, src];
      const machine = machineOf(actor);
      const isPlayed = path !== '' && names.some((name) => outcomes.has(name));
      if (machine && !isPlayed) {
        boundSteps(machine);
        members.push({path, names, actor, machine});
      } else if (isPlayed || isActive(actor)) {
        replaceByPuppet(actor);
        members.push({path, names, actor});
      }
    },
    puppets: () => members.filter((each) => each.machine === undefined && isAlive(each)),
    machines: () =>
      members.flatMap(({machine, ...member}) =>
        machine && isAlive(member) ? [{...member, machine}] : [],
      ),
    performed,
  };
}

/** Everything that a puppet may do now. */
export function movesOf(puppet: Member, all: readonly Member[], {outcomes}: Tables): Move[] {
  const {names, actor} = puppet;
  const above = parentOf(actor);
  const parent = above && machineOf(above);
  const canReceive = (type: string) =>
    parent === undefined || handles(parent, `${type}.${actor.id}`);
  const given = names.map((name) => outcomes.get(name)).find((list) => list !== undefined);
  const usual = canReceive('xstate.done.actor') ? [new Outcome('done', undefined)] : [];
  const failure = new Outcome('fails', new Error(`${names[2]} failed`));
  const listed = given ?? usual;
  const mayFail =
    canReceive('xstate.error.actor') &&
    given?.length !== 0 &&
    !listed.some(({kind}) => kind === 'fails');
  const name = nameAmong(puppet, all);
  return listed.concat(mayFail ? failure : []).map(({kind, value}) => ({
    type: 'settle',
    actor: name,
    does: kind,
    value,
  }));
}

/** The name of its logic, if no other actor has it. */
export function nameAmong({path, names: [, , src = path]}: Member, all: readonly Member[]): string {
  return all.filter(({names}) => names.includes(src)).length === 1 ? src : path;
}

/** Has a puppet do something. */
export function settle({actor}: Member, does: Outcome['kind'], value: unknown): void {
  if (does !== 'sends') actor.send(deedOf(does, value));
  else if (isEvent(value)) parentOf(actor)?.send(value);
  else throw new Error('an actor sends an object with a type');
}

function deedOf(does: Exclude<Outcome['kind'], 'sends'>, value: unknown): Deed {
  if (does === 'done') return {type: 'puppet.done', output: value};
  return does === 'fails' ? {type: 'puppet.fail', error: value} : {type: 'puppet.next', value};
}

function isEvent(value: unknown): value is {readonly type: string} {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isAlive({actor}: Member): boolean {
  const snapshot: unknown = actor.getSnapshot();
  return (
    typeof snapshot === 'object' &&
    snapshot !== null &&
    'status' in snapshot &&
    snapshot.status === 'active'
  );
}

/** Below the machine under test. */
function pathBelow(actor: NewActor): string {
  return pathOf(actor).split('/').slice(1).join('/');
}

/** The name of an actor's logic in `setup`; of an inline logic, the actor's id. */
function srcOf({src, id}: NewActor): string {
  if (typeof src === 'string' && !src.startsWith('xstate.')) return src;
  return /^x:\d+$/.test(id) ? 'inline' : id;
}

// Puppets replace the actors that a machine starts, with any logic: the search decides what they do, and when.
//
// This file holds all parts of XState 5 without a public name that a search needs. An actor announces itself to inspectors
// before it makes its first snapshot, so that its logic can still be replaced, whether it is invoked or spawned, by name or
// inline, at any depth.

/** The next act of a puppet. */
type Deed =
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
interface NewActor extends ActorRefLike {
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
function machineOf(actor: object): AnyStateMachine | undefined {
  const logic = 'logic' in actor ? actor.logic : undefined;
  return isMachine(logic) ? logic : undefined;
}

/** True if the actor does anything by itself: it calls, waits or listens. A reducer of `fromTransition` does not. */
function isActive({logic}: NewActor): boolean {
  return !isMachine(logic) && 'start' in logic && typeof logic.start === 'function';
}

/** True if an actor that was given no id has one of XState's, which differs in each run of the program. */
function hasCountedId({id}: NewActor): boolean {
  return /^x:\d+$/.test(id);
}

/** Gives an actor another id before anything refers to it. */
function rename(actor: NewActor, id: string): void {
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
function boundSteps(machine: AnyStateMachine): void {
  const {options}: {options?: {maxIterations?: number}} = machine;
  if (options?.maxIterations === Infinity) options.maxIterations = maxMicrosteps;
}

/** From now on the actor does what it is sent as a {@link Deed}, and nothing else. */
function replaceByPuppet(actor: NewActor): void {
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
function parentOf(actor: NewActor): AnyActorRef | undefined {
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
