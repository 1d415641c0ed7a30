/** A machine that has started, among actors that the search plays, with a clock that the search advances. */

import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  fromTransition,
  type InspectionEvent,
  isMachineSnapshot,
} from 'xstate';

import {quickDigest} from '../../domain/digest.ts';
import {isMachine, transitionName, transitionsOf, variantOf} from '../chart.ts';
import type {World} from '../search.ts';
import {
  type Cast,
  createCast,
  type Member,
  movesOf,
  nameAmong,
  newActor,
  pathOf,
  type Performed,
  settle,
  subjectId,
  withholdActions,
} from './cast.ts';
import {type Move, moveText} from './moves.ts';
import {eventTypesOf, type Tables} from './tables.ts';

// True if custom actions of a machine can be withheld: XState before 5.19 executes them by itself.

/** By the constructor of a machine, which each copy of XState has for itself. */
const withholding = new WeakMap<object, boolean>();

/** Throws Error when the machine's copy of XState executes custom actions all the same. */
function requireWithholding(machine: AnyStateMachine): void {
  const {constructor: maker} = machine;
  const can = withholding.get(maker) ?? canWithhold(maker);
  withholding.set(maker, can);
  if (can) return;
  throw new Error(
    'custom actions would be executed by this version of xstate: update it to 5.19 or later, or let them run by runActions: true',
  );
}

/** Tries it with a machine of one action. */
function canWithhold(maker: object): boolean {
  let ran = false;
  const act = () => {
    ran = true;
  };
  const probe: unknown =
    typeof maker === 'function' ? Reflect.construct(maker, [{entry: act}, {}]) : undefined;
  if (!isMachine(probe)) return false;
  createActor(probe, {
    inspect: (event) => {
      if (event.type === '@xstate.actor') withholdActions(newActor(event.actorRef), () => {});
    },
  }).start();
  return !ran;
}

interface Stage extends MachineWorld {
  readonly actor: () => AnyActorRef;
  readonly snapshot: () => AnyMachineSnapshot;
}

const logEvents = fromTransition(
  (log: readonly AnyEventObject[], event: AnyEventObject) => [...log, event],
  [],
);

/** Starts the machine. */
export function createStage(options: WorldOptions, input: unknown): Stage {
  const {machine, tables, runsActions, distinguish, inspect} = options;
  if (!runsActions) requireWithholding(machine);
  const cast = createCast(tables, runsActions);
  const keyOf = createKeys({
    contextOf: ({id}, context) =>
      distinguish && id === subjectId ? distinguish(context) : context,
  });
  let taken: string[] = [];
  let moveCount = 0;
  const timers = createTimers(
    () => {
      const {_scheduledEvents: scheduled} = parent.system.getSnapshot();
      return scheduled;
    },
    () => moveCount,
  );
  const parent = createActor(logEvents, {
    id: 'outside',
    clock: timers.clock,
    inspect: (event) => {
      if (event.type === '@xstate.actor') cast.meet(event.actorRef);
      if (event.type === '@xstate.microstep') taken.push(...namesOfTaken(event));
      inspect?.(event);
    },
  }).start();
  const subject: AnyActorRef = createActor(machine, {id: subjectId, parent, input});
  subject.start();
  const snapshot = (): AnyMachineSnapshot => subject.getSnapshot();
  const delays = () => timers.set().map((timer) => `${timerName(timer)} ${timer.delayMs}`);
  return {
    actor: () => subject,
    snapshot,
    key: () => `${keyOf(subject)} ${delays().join(' ')}`,
    place: () => `${placeOf(subject)} ${delays().toSorted().join(' ')}`,
    status: () => statusOf(snapshot()),
    moves: () => (statusOf(snapshot()) === 'working' ? openMoves(cast, tables, timers) : []),
    taken: () => taken,
    pending: () => [
      ...cast.puppets().map((puppet, _, all) => nameAmong(puppet, all)),
      ...timers.set().map(timerName),
    ],
    performed: () => cast.performed,
    refusals: () =>
      statusOf(snapshot()) === 'working' ? refusals(options, snapshot(), tables) : [],
    toParent: () => parent.getSnapshot().context.filter(({type}) => !type.startsWith('xstate.')),
    apply(move) {
      taken = [];
      moveCount += 1;
      take(move, cast, timers);
    },
  };
}

/** The names of the transitions of a step; of one to a history, also with the states that it leads back to. */
function namesOfTaken({
  _transitions: transitions,
  snapshot,
}: InspectionEvent & {type: '@xstate.microstep'}): string[] {
  const history = isMachineSnapshot(snapshot) ? snapshot.historyValue : {};
  return transitions.flatMap((transition) => {
    const name = transitionName(transition);
    const back = (transition.target ?? []).filter(({type}) => type === 'history');
    return [name].concat(
      back.map(({id}) =>
        variantOf(name, `back to ${history[id]?.map((node) => node.id).join(', ')}`),
      ),
    );
  });
}

/** Events that no guard lets pass now, each with the names of the transitions that it is refused. */
function refusals(
  {machine}: WorldOptions,
  snapshot: AnyMachineSnapshot,
  tables: Tables,
): Refusal[] {
  const types = new Set(eventTypesOf(machine));
  const {_nodes: nodes} = snapshot;
  const guarded = nodes
    .flatMap(transitionsOf)
    .filter(({guard, eventType}) => guard !== undefined && types.has(eventType));
  return [...Map.groupBy(guarded, ({eventType}) => eventType)].flatMap(([type, transitions]) => {
    const names = transitions.map((each) => variantOf(transitionName(each), 'refused'));
    return (tables.events.get(type) ?? [{type}])
      .filter((event) => !isAwaited(snapshot, event))
      .map((event) => ({move: {type: 'send', event}, names}));
  });
}

function statusOf({status}: AnyMachineSnapshot): 'working' | 'done' | 'broken' {
  if (status === 'error') return 'broken';
  return status === 'active' ? 'working' : 'done';
}

function openMoves(cast: Cast, tables: Tables, timers: Timers): Move[] {
  const set = timers.set();
  return [
    ...cast.puppets().flatMap((puppet, _, all) => movesOf(puppet, all, tables)),
    ...set
      .filter((timer) => mayFireFirst(timer, set))
      .map((timer): Move => ({type: 'fire', timer: timerName(timer)})),
    ...cast.machines().flatMap(({machine, actor, path}) => {
      const types = new Set(eventTypesOf(machine));
      for (const type of tables.events.keys()) types.add(type);
      return [...types]
        .flatMap((type) => tables.events.get(type) ?? [{type}])
        .filter((event) => isAwaited(actor.getSnapshot(), event))
        .map((event): Move =>
          path === '' ? {type: 'send', event} : {type: 'send', event, actor: path},
        );
    }),
  ];
}

/** A guard that throws is for the search to find. */
function isAwaited(snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean {
  try {
    return snapshot.can(event);
  } catch {
    return true;
  }
}

function take(move: Move, cast: Cast, timers: Timers): void {
  if (move.type === 'start') throw new Error('the machine has started already');
  if (move.type === 'fire') {
    const timer = timers.set().find((each) => timerName(each) === move.timer);
    if (!timer) throw new Error(impossible(move, timers.set().map(timerName)));
    timers.fire(timer);
  } else if (move.type === 'settle') {
    settle(memberNamed(move.actor, move, cast.puppets()), move.does, move.value);
  } else {
    memberNamed(move.actor ?? '', move, cast.machines()).actor.send(move.event);
  }
}

function memberNamed(name: string, move: Move, members: readonly Member[]): Member {
  const byPath = members.find(({path}) => path === name);
  const [found, ...others] = byPath ? [byPath] : members.filter(({names}) => names.includes(name));
  if (found && others.length === 0) return found;
  throw new Error(
    impossible(
      move,
      members.map(({path}) => path),
    ),
  );
}

function impossible(move: Move, others: readonly string[]): string {
  const known = others.filter((name) => name !== '').join(', ');
  return `"${moveText(move)}" is not possible now; ${known === '' ? 'nothing of the kind is open' : `open: ${known}`}`;
}

/** `after 500 in checkout.paying`; for a delayed event its type. Prefixed by the path of a machine below the one under test. */
function timerName({scheduled: {target, event}}: Timer): string {
  const [, delay, state] = /^xstate\.after\.([^.]+)\.(.+)$/.exec(event.type) ?? [];
  const name = delay === undefined ? event.type : `after ${delay} in ${state}`;
  const path = pathOf(target).split('/').slice(1).join('/');
  return path === '' ? name : `${path}: ${name}`;
}

// A clock whose timers fire when the search says so.

export interface Scheduled {
  readonly target: AnyActorRef;
  readonly event: AnyEventObject;
}

export interface Timer {
  readonly scheduled: Scheduled;
  readonly delayMs: number;
  /** How many timers were set before this one. */
  readonly order: number;
  /** The value of `now` when it was set. */
  readonly setAt: number;
}

interface Timers {
  /** For `createActor`. */
  readonly clock: {
    readonly setTimeout: (fire: () => void, delayMs: number) => number;
    readonly clearTimeout: (id: number) => void;
  };
  /** The timers that are set, in the order in which they were set. */
  readonly set: () => readonly Timer[];
  /** Fires a timer that is set. */
  readonly fire: (timer: Timer) => void;
}

/**
 * @param scheduled the events that the actor's system has scheduled: XState does not pass the purpose of a timer to a clock.
 * @param now a counter of moves: timers of the same move are set at the same time.
 */
export function createTimers(
  scheduled: () => Readonly<Record<string, Scheduled>>,
  now: () => number = () => 0,
): Timers {
  const waiting = new Map<number, {readonly timer: Timer; readonly fire: () => void}>();
  const known = new WeakSet<object>();
  let count = 0;
  return {
    clock: {
      setTimeout(fire, delayMs) {
        const entry = Object.values(scheduled()).find((candidate) => !known.has(candidate));
        if (!entry) throw new Error('a timer without an event');
        known.add(entry);
        count += 1;
        waiting.set(count, {timer: {scheduled: entry, delayMs, order: count, setAt: now()}, fire});
        return count;
      },
      clearTimeout: (id) => waiting.delete(id),
    },
    set: () => [...waiting.values()].map(({timer}) => timer),
    fire(timer) {
      const found = waiting.get(timer.order);
      if (!found) throw new Error(`no timer ${timer.scheduled.event.type} is set`);
      waiting.delete(timer.order);
      found.fire();
    },
  };
}

/**
 * True if a timer may fire before the others that are set: none was set at the same time or earlier with a shorter delay, or
 * with the same delay before it.
 */
function mayFireFirst(timer: Timer, set: readonly Timer[]): boolean {
  return !set.some((other) => isEarlier(other, timer));
}

function isEarlier(one: Timer, other: Timer): boolean {
  if (one === other || one.setAt > other.setAt || one.delayMs > other.delayMs) return false;
  return one.setAt < other.setAt || one.delayMs < other.delayMs || one.order < other.order;
}

// A key of the state of an actor and of all actors below it.

export interface KeyOptions {
  /** The values that distinguish the states of an actor; undefined: its snapshot. */
  readonly essence?: (actor: AnyActorRef, snapshot: unknown) => readonly unknown[] | undefined;
  /** The part of a context that distinguishes states. Absent: all of it. */
  readonly contextOf?: (actor: AnyActorRef, context: unknown) => unknown;
  /** Members of objects that distinguish nothing, wherever they are. */
  readonly leftOut?: ReadonlySet<string>;
  /** Contexts are never changed in place, so that the digest of an object remains right and is kept. */
  readonly isFrozen?: boolean;
}

/** Equal for two actors when the same actors below them are in the same states, with any contexts. */
export function placeOf(actor: AnyActorRef): string {
  const snapshot: unknown = actor.getSnapshot();
  if (!isMachineSnapshot(snapshot)) return '';
  return [JSON.stringify(snapshot.value), ...below(snapshot.children, placeOf)].join(' ');
}

/**
 * Returns a function that gives equal keys for two actors exactly when their states and contexts are equal, and those of the
 * actors below them. An actor in a context counts by its id, a function by its name.
 */
export function createKeys({essence, contextOf, leftOut, isFrozen = false}: KeyOptions = {}): (
  actor: AnyActorRef,
) => string {
  const digests = new WeakMap<object, string>();
  /** Objects that are being read: an object may contain itself. */
  const open = new Set<object>();

  function actorText(actor: AnyActorRef): string {
    const snapshot: unknown = actor.getSnapshot();
    const own = essence?.(actor, snapshot);
    if (own) return own.map(digestOf).join(' ');
    if (!isMachineSnapshot(snapshot)) return digestOf(snapshot);
    const {value, status, context, output, error} = snapshot;
    const held: unknown = contextOf ? contextOf(actor, context) : context;
    return [value, status, held, output, error, historyOf(snapshot)]
      .map(digestOf)
      .concat(below(snapshot.children, actorText))
      .join(' ');
  }

  function digestOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return scalarText(value);
    const known = digests.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) return 'itself';
    open.add(value);
    const digest = quickDigest(membersOf(value).join(','));
    open.delete(value);
    if (isFrozen) digests.set(value, digest);
    return digest;
  }

  function membersOf(value: object): string[] {
    if (Array.isArray(value)) return value.map(digestOf);
    if (value instanceof Map || value instanceof Set) return [...value].map(digestOf);
    if (value instanceof Error) return [value.name, value.message];
    if (isActor(value)) return [value.id];
    if (isDate(value)) return [String(value.getTime())];
    return Object.entries(value)
      .filter(([name, member]) => member !== undefined && leftOut?.has(name) !== true)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${name}:${digestOf(member)}`);
  }

  return (actor) => quickDigest(actorText(actor));
}

function scalarText(value: unknown): string {
  if (typeof value === 'function') return `function ${value.name}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function isActor(value: object): value is AnyActorRef {
  return 'sessionId' in value && 'getSnapshot' in value;
}

/** By its kind: a machine may come from another realm, and charts know no clock. */
function isDate(value: object): value is {readonly getTime: () => number} {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** The ids of the states that each history leads back to. */
function historyOf(snapshot: AnyMachineSnapshot): Readonly<Record<string, readonly string[]>> {
  const {historyValue} = snapshot;
  return Object.fromEntries(
    Object.entries(historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id)]),
  );
}

function below(
  children: Readonly<Record<string, AnyActorRef | undefined>>,
  describe: (child: AnyActorRef) => string,
): string[] {
  return Object.entries(children)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, child]) => `${id}(${child ? describe(child) : ''})`);
}

// A machine under test, from before its start: with several inputs, starting it is the first move.

interface WorldOptions {
  readonly machine: AnyStateMachine;
  readonly tables: Tables;
  /** True if custom actions are executed; otherwise they are noted. */
  readonly runsActions: boolean;
  /** The part of the machine's context that distinguishes its states. Absent: all of it. */
  distinguish?(this: void, context: unknown): unknown;
  readonly inspect?: (event: InspectionEvent) => void;
}

/** An event that the guards of these transitions refuse. */
export interface Refusal {
  readonly move: Move;
  readonly names: readonly string[];
}

export interface MachineWorld extends World<Move> {
  /** Names of the transitions that the last move took, of all machines; after the start, of the start. */
  readonly taken: () => readonly string[];
  /** The machine's actor; undefined before the machine has started. */
  readonly actor: () => AnyActorRef | undefined;
  /** Events of the machine that guards refuse now: sending one changes nothing. */
  readonly refusals: () => readonly Refusal[];
  /** Undefined before the machine has started. */
  readonly snapshot: () => AnyMachineSnapshot | undefined;
  /** Names of the actors that have not ended and of the timers that are set. */
  readonly pending: () => readonly string[];
  /** Custom actions that were not executed, in the order of their turns. */
  readonly performed: () => readonly Performed[];
  /** Events that the machine sent to its parent. */
  readonly toParent: () => readonly AnyEventObject[];
}

export function createMachineWorld(options: WorldOptions): MachineWorld {
  const {inputs} = options.tables;
  let stage: Stage | undefined;
  if (inputs.length === 1) stage = createStage(options, inputs[0]);
  return {
    key: () => stage?.key() ?? 'not started',
    place: () => stage?.place() ?? 'not started',
    status: () => stage?.status() ?? 'working',
    taken: () => stage?.taken() ?? [],
    actor: () => stage?.actor(),
    snapshot: () => stage?.snapshot(),
    pending: () => stage?.pending() ?? [],
    performed: () => stage?.performed() ?? [],
    refusals: () => stage?.refusals() ?? [],
    toParent: () => stage?.toParent() ?? [],
    moves: () => stage?.moves() ?? inputs.map((input) => ({type: 'start', input})),
    apply(move) {
      if (stage) stage.apply(move);
      else if (move.type === 'start') stage = createStage(options, move.input);
      else throw new Error('the machine has not started');
    },
  };
}
