/** Turns XState's inspection events into the steps of a trace. Works for any actor system. */

import type {AnyActorRef, InspectionEvent} from 'xstate';

import {type Json, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {type ChartTransition, transitionName} from '../../machines/testing/chart.ts';
import {patchBetween} from '../../machines/trace/patch.ts';
import type {
  ActorChange,
  ActorState,
  ActorStatus,
  LastTransition,
  Message,
  Step,
} from '../../machines/trace/step.ts';
import {parentOf, pathOf} from '../../machines/tree/path.ts';

/** The part of a step that the recorder knows. */
type Recording = Pick<Step, 'changes' | 'messages'>;

type Children = Readonly<Record<string, AnyActorRef>>;

interface Known {
  readonly actor: AnyActorRef;
  state: ActorState;
  /** The context itself: compared by identity before its JSON is made. */
  context: unknown;
  /** As they were looked at last: XState replaces the object when it changes. */
  children?: Children | undefined;
}

interface RecorderOptions {
  /** The JSON of a context. */
  readonly toJson: (context: unknown) => Json;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #known = new Map<string, Known>();
  /** Paths of children by the path of their parent. */
  readonly #below = new Map<string, Set<string>>();
  readonly #dirty = new Set<AnyActorRef>();
  readonly #lasts = new Map<AnyActorRef, LastTransition>();
  #messages: Message[] = [];

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** For the `inspect` option of XState. Never throws. */
  readonly inspect = (event: InspectionEvent): void => {
    const {actorRef: actor} = event;
    if (!isActor(actor)) return;
    if (event.type === '@xstate.event') this.#note(event, actor);
    else if (event.type === '@xstate.microstep') this.#move(event, actor);
    if (event.type !== '@xstate.action') this.#dirty.add(actor);
  };

  /** Everything since the last call. */
  take(): Recording {
    const changes: ActorChange[] = [];
    for (const actor of this.#dirty) this.#endLost(actor, changes);
    for (const actor of this.#dirty) if (isAttached(actor)) this.#record(actor, changes);
    this.#dirty.clear();
    this.#lasts.clear();
    return {changes, messages: this.#messages.splice(0)};
  }

  #note(
    {sourceRef, event}: Extract<InspectionEvent, {type: '@xstate.event'}>,
    to: AnyActorRef,
  ): void {
    const from = sourceRef && isActor(sourceRef) ? {from: pathOf(sourceRef)} : {};
    // The input of an actor is in its context.
    const shown = event.type === 'xstate.init' ? {type: event.type} : event;
    this.#messages.push({...from, to: pathOf(to), event: plainEvent(shown, brief)});
  }

  #move(
    {event, _transitions: taken}: Extract<InspectionEvent, {type: '@xstate.microstep'}>,
    actor: AnyActorRef,
  ): void {
    if (taken.length === 0) return;
    const names = taken.map(nameOf);
    const before = this.#lasts.get(actor);
    const earlier = before?.event === event.type ? before.transitions : [];
    this.#lasts.set(actor, {event: event.type, transitions: [...earlier, ...names]});
  }

  /** Children that their parent has no more, and an actor in the place of another. */
  #endLost(actor: AnyActorRef, changes: ActorChange[]): void {
    const path = pathOf(actor);
    const known = this.#known.get(path);
    if (!known) return;
    if (known.actor !== actor && isAttached(actor)) this.#end(path, changes);
    const children = childrenOf(actor);
    if (children && children !== known.children) this.#endLostBelow(path, children, changes);
    known.children = children;
  }

  #endLostBelow(path: string, children: Children, changes: ActorChange[]): void {
    for (const childPath of this.#below.get(path) ?? []) {
      const child = this.#known.get(childPath)?.actor;
      if (child && children[child.id] !== child) this.#end(childPath, changes);
    }
  }

  #end(path: string, changes: ActorChange[]): void {
    const known = this.#known.get(path);
    if (!known) return;
    this.#below.get(known.state.parent ?? '')?.delete(path);
    this.#forget(path);
    changes.push({change: 'ended', path});
  }

  #forget(path: string): void {
    for (const child of this.#below.get(path) ?? []) this.#forget(child);
    this.#below.delete(path);
    this.#known.delete(path);
  }

  #record(actor: AnyActorRef, changes: ActorChange[]): void {
    const path = pathOf(actor);
    const known = this.#known.get(path);
    const snapshot = readSnapshot(actor);
    const last = this.#lasts.get(actor);
    if (!known) {
      const state = {...this.#begin(actor, snapshot), ...(last ? {last} : {})};
      this.#known.set(path, {actor, state, context: snapshot.context});
      this.#noteChild(state);
      changes.push({change: 'started', ...state});
      return;
    }
    const {status, value} = snapshot;
    const context = known.context === snapshot.context ? known.state.context : this.#json(snapshot);
    const patch = patchBetween(known.state.context, context);
    const isMoved = !isSame(known.state.state, value);
    const moved = {
      ...(status === known.state.status ? {} : {status}),
      ...(isMoved ? {state: value} : {}),
      ...(patch.length > 0 ? {context: patch} : {}),
      ...(last ? {last} : {}),
    };
    if (Object.keys(moved).length === 0) return;
    known.state = {...known.state, status, state: value, context};
    known.context = snapshot.context;
    changes.push({change: 'moved', path, ...moved});
  }

  #noteChild({path, parent}: ActorState): void {
    if (parent === undefined) return;
    const siblings = this.#below.get(parent) ?? new Set();
    this.#below.set(parent, siblings.add(path));
  }

  #begin(actor: AnyActorRef, snapshot: ReadSnapshot): ActorState {
    const parent = parentOf(actor);
    return {
      path: pathOf(actor),
      ...(parent ? {parent: pathOf(parent)} : {}),
      ...(snapshot.machine === undefined ? {} : {machine: snapshot.machine}),
      logic: typeof actor.src === 'string' ? actor.src : (snapshot.machine ?? ''),
      status: snapshot.status,
      state: snapshot.value,
      context: this.#json(snapshot),
    };
  }

  #json({machine, context}: ReadSnapshot): Json {
    return machine === undefined ? null : this.#options.toJson(context);
  }
}

interface ReadSnapshot {
  readonly machine: string | undefined;
  readonly status: ActorStatus;
  readonly value: Json;
  readonly context: unknown;
}

function readSnapshot(actor: AnyActorRef): ReadSnapshot {
  const {status, value, context, machine} = actor.getSnapshot();
  return {machine: machine?.id, status, value: plain(value ?? null, wide), context};
}

function childrenOf(actor: AnyActorRef): Children | undefined {
  return actor.getSnapshot()?.children;
}

/** False for an actor that was stopped or replaced in the same step. */
function isAttached(actor: AnyActorRef): boolean {
  const parent = parentOf(actor);
  if (!parent) return true;
  return childrenOf(parent)?.[actor.id] === actor && isAttached(parent);
}

const transitionNames = new WeakMap<ChartTransition, string>();

function nameOf(transition: ChartTransition): string {
  const name = transitionNames.get(transition) ?? transitionName(transition);
  transitionNames.set(transition, name);
  return name;
}

function isSame(one: Json, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

// Values of any program as bounded JSON.

interface Bounds {
  /** Characters of a text. */
  readonly text: number;
  /** Members of an object or an array. */
  readonly members: number;
  readonly depth: number;
  /** Objects and arrays in all: a graph may hold the same object many times. */
  readonly objects: number;
}

/** For the context of an actor: cut only where it would not be readable any more. */
export const wide: Bounds = {text: 100_000, members: 5_000, depth: 24, objects: 20_000};
/** For an event in a list of messages. */
export const brief: Bounds = {text: 120, members: 8, depth: 2, objects: 20};

/** Never throws: what JSON can't hold becomes a short text in square brackets. */
export function plain(value: unknown, bounds: Bounds): Json {
  return new Plain(bounds).of(value);
}

export function plainEvent(
  event: {readonly type: string},
  bounds: Bounds,
): JsonObject & {type: string} {
  const made = plain(event, bounds);
  return {...(isJsonObject(made) ? made : {}), type: event.type};
}

class Plain {
  readonly #bounds: Bounds;
  readonly #above: object[] = [];
  #objects = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  of(value: unknown): Json {
    if (typeof value !== 'object' || value === null) return scalar(value, this.#bounds.text);
    try {
      return this.#object(value);
    } catch {
      // A trap of a proxy, or a member of another type than its class has.
      return unreadable;
    }
  }

  #object(value: object): Json {
    if (isActor(value)) return `[actor ${pathOf(value)}]`;
    if (ArrayBuffer.isView(value)) return `[${value.constructor.name} ${value.byteLength}]`;
    if (this.#above.includes(value)) return '[circular]';
    this.#objects += 1;
    if (this.#above.length >= this.#bounds.depth || this.#objects > this.#bounds.objects)
      return Array.isArray(value) ? '[array]' : '[object]';
    this.#above.push(value);
    try {
      return this.#composed(value);
    } finally {
      this.#above.pop();
    }
  }

  #composed(value: object): Json {
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Date) return dateText(value);
    if (value instanceof URL) return value.href;
    if (value instanceof Error) {
      const {text} = this.#bounds;
      return {name: cut(value.name, text), message: cut(value.message, text)};
    }
    if (value instanceof Map) return {'[Map]': this.#list([...value])};
    if (value instanceof Set) return {'[Set]': this.#list([...value])};
    return this.#members(value);
  }

  #members(value: object): Json {
    const names = Object.keys(value);
    const shown = names.slice(0, this.#bounds.members).flatMap((name) => {
      const member = memberOf(value, name);
      return member === undefined ? [] : [[name, this.of(member)] as const];
    });
    const rest = names.length - this.#bounds.members;
    return Object.fromEntries(rest > 0 ? [...shown, ['[more]', rest]] : shown);
  }

  #list(values: readonly unknown[]): Json {
    const shown = values.slice(0, this.#bounds.members).map((member) => this.of(member ?? null));
    const rest = values.length - shown.length;
    return rest > 0 ? [...shown, `[${rest} more]`] : shown;
  }
}

const unreadable = '[unreadable]';

/** A getter of a user may throw. */
function memberOf(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return unreadable;
  }
}

function scalar(value: unknown, most: number): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value, most);
  if (typeof value === 'number') return Number.isFinite(value) ? value : `[${value}]`;
  return typeof value === 'bigint' ? `[${value}n]` : `[${typeof value}]`;
}

function cut(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  return `${whole.slice(0, most).toWellFormed()}… [${whole.length - most} more]`;
}

/** By its members: a user's program may bring a copy of XState of its own. */
export function isActor(value: object): value is AnyActorRef {
  return 'sessionId' in value && 'getSnapshot' in value && 'send' in value;
}

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? '[invalid date]' : date.toISOString();
}
