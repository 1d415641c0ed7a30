/**
 * The actors of a machine under test, by the public parts of XState alone. A machine runs inside a logic that gives it a scope
 * of its own: custom actions, delayed events and transitions are noted there. Puppets take the place of all other actors.
 */

import type {
  ActorLogic,
  ActorRefLike,
  AnyActorRef,
  AnyActorScope,
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  ExecutableActionObject,
} from 'xstate';

import {type ChartTransition, isForbidden, isMachine, nodesOf, transitionsOf} from '../chart.ts';
import {kindOf, type LogicKind, makers, outcomesOf} from './kinds.ts';
import {type Move, Outcome, verbs} from './moves.ts';
import {handles, type Tables} from './tables.ts';

export interface Member {
  /** The ids of its ancestors below the machine under test and its own, joined by `/`; empty for the machine itself. */
  readonly path: string;
  /** The names by which samples and tests may call it: its path, its id, the name of its logic. */
  readonly names: readonly string[];
  readonly actor: AnyActorRef;
  readonly kind: LogicKind;
  /** The machine that started it; absent for the machine under test. */
  readonly parent?: AnyStateMachine;
  readonly parentRef?: AnyActorRef;
  /** Absent: a puppet. */
  readonly machine?: AnyStateMachine;
}

export type RunningMachine = Member & {readonly machine: AnyStateMachine};

/** A performed action that is not one of XState's own. */
export interface Performed {
  /** Its name; `(anonymous)` for an inline function. */
  readonly type: string;
  readonly params: unknown;
}

/** A delayed event. */
export interface Timer {
  readonly source: AnyActorRef;
  readonly id: unknown;
  readonly event: AnyEventObject;
  readonly delayMs: number;
  /** The number of the move that set it. */
  readonly setAt: number;
  readonly target: () => AnyActorRef;
}

export interface Taken {
  readonly transition: ChartTransition;
  readonly actor: AnyActorRef;
}

type MachineLogic = ActorLogic<AnyMachineSnapshot, AnyEventObject, unknown>;

export class Actors {
  /** The logic of the machine under test. */
  readonly subject: MachineLogic;
  readonly performed: Performed[] = [];
  /** The transitions of the last move, in order. */
  taken: Taken[] = [];
  /** Ids of the states that the last move entered. */
  entered: string[] = [];
  /** The actors that the last move started. */
  started: Member[] = [];
  /** The number of the last move. */
  #move = 0;
  /** Puppets that the last move started, or sent an event. */
  #active = new Set<unknown>();
  readonly #machine: AnyStateMachine;
  readonly #tables: Tables;
  readonly #runsActions: boolean;
  readonly #members: Member[] = [];
  readonly #inputs = new Map<unknown, unknown>();
  readonly #counts = new Map<string, number>();
  /** The machines that are taking a step: the last one makes the actors that are announced. */
  readonly #working: Omit<RunningMachine, 'kind'>[] = [];
  #timers: Timer[] = [];

  constructor(machine: AnyStateMachine, tables: Tables, runsActions: boolean) {
    this.#machine = machine;
    this.#tables = tables;
    this.#runsActions = runsActions;
    this.subject = this.#logicOf(machine);
  }

  /** Begins the next move. */
  begin(): void {
    this.#move += 1;
    this.#active = new Set();
    this.taken = [];
    this.entered = [];
    this.started = [];
  }

  /** Prepares an actor that has announced itself, before its first step: only then its logic can still be replaced. */
  meet(actor: ActorRefLike): void {
    if (!isNewActor(actor)) throw new Error('this version of XState makes actors in another way');
    const {logic} = actor;
    if (logic === this.subject) {
      const place = {path: '', names: ['', actor.id]};
      this.#members.push({...place, actor, kind: 'machine', machine: this.#machine});
    }
    const maker = this.#working.at(-1);
    if (!maker) return;
    const member = {...this.#placeOf(actor, maker), actor, kind: kindOf(logic)};
    const isPlayed = member.names.some((name) => this.#tables.outcomes.has(name));
    if (isMachine(logic) && !isPlayed) {
      Object.assign(actor, {logic: this.#logicOf(logic)});
      this.#add({...member, machine: logic});
    } else if (isPlayed || member.kind !== 'transition') {
      Object.assign(actor, {logic: this.#puppetLogic});
      this.#add(member);
      this.#active.add(actor);
    }
  }

  #add(member: Member): void {
    this.#members.push(member);
    this.started.push(member);
  }

  #placeOf(actor: NewActor, maker: Omit<RunningMachine, 'kind'>) {
    const {src} = actor;
    const isNamed = typeof src === 'string' && !src.startsWith('xstate.');
    const name = isNamed ? src : hasCountedId(actor) ? 'inline' : actor.id;
    if (hasCountedId(actor)) {
      const count = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, count);
      Object.assign(actor, {id: `${name}:${count}`});
    }
    const path = maker.path === '' ? actor.id : `${maker.path}/${actor.id}`;
    return {
      path,
      names: [path, actor.id, name],
      parent: maker.machine,
      parentRef: maker.actor,
    };
  }

  /** Puppets that have not ended, in the order in which they were started. */
  puppets(): readonly Member[] {
    return this.#members.filter((each) => each.machine === undefined && isAlive(each.actor));
  }

  /** Machines that have not ended, the one under test first. */
  machines(): readonly RunningMachine[] {
    return this.#members.flatMap(({machine, ...member}) =>
      machine && isAlive(member.actor) ? [{...member, machine}] : [],
    );
  }

  /** Machines and puppets that have not ended. */
  all(): readonly Member[] {
    return this.#members.filter(({actor}) => isAlive(actor));
  }

  /** Events that wait for their time, in the order in which they were delayed. */
  timers(): readonly Timer[] {
    return this.#timers.filter(({source}) => isAlive(source));
  }

  /** The events that the last move has delayed. */
  delayed(): readonly Timer[] {
    return this.timers().filter(({setAt}) => setAt === this.#move);
  }

  fire(timer: Timer): void {
    this.#timers = this.#timers.filter((each) => each !== timer);
    timer.target().send(timer.event);
  }

  pathOf(actor: AnyActorRef): string {
    return this.#members.find((member) => member.actor === actor)?.path ?? '';
  }

  inputOf({actor, machine}: Member): unknown {
    return machine ? this.#inputs.get(actor) : Object(actor.getSnapshot()).input;
  }

  /** A callback fails in its own code: when it starts, or when it receives an event. */
  canFail({kind, actor}: Member): boolean {
    return kind !== 'callback' || this.#active.has(actor);
  }

  readonly #puppetLogic = {
    getInitialSnapshot: (_: AnyActorScope, input: unknown): PuppetSnapshot => ({
      status: 'active',
      output: undefined,
      error: undefined,
      context: undefined,
      input,
    }),
    transition: (
      snapshot: PuppetSnapshot,
      {type, value}: AnyEventObject,
      {self}: AnyActorScope,
    ): PuppetSnapshot => {
      if (snapshot.status !== 'active') return snapshot;
      if (type === 'puppet.done') return {...snapshot, status: 'done', output: value};
      if (type === 'puppet.fails') return {...snapshot, status: 'error', error: value};
      if (type === 'puppet.next') return {...snapshot, context: value};
      if (type === 'xstate.stop') return {...snapshot, status: 'stopped'};
      this.#active.add(self);
      return snapshot;
    },
    getPersistedSnapshot: (snapshot: PuppetSnapshot) => snapshot,
  };

  #logicOf(machine: AnyStateMachine): MachineLogic {
    const {clone, marks} = cloneOf(machine);
    const step = <Result>(scope: AnyActorScope, act: (own: AnyActorScope) => Result): Result => {
      const {self} = scope;
      const member = this.#members.find(({actor}) => actor === self);
      this.#working.push({path: '', names: [], ...member, actor: self, machine});
      const actionExecutor = (action: ExecutableActionObject) =>
        this.#carryOut(action, scope, marks);
      try {
        return act({...scope, actionExecutor});
      } finally {
        this.#working.pop();
      }
    };
    return {
      getInitialSnapshot: (scope: AnyActorScope, input: unknown) => {
        this.#inputs.set(scope.self, input);
        return step(scope, (own) => clone.getInitialSnapshot(own, input));
      },
      transition: (snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: AnyActorScope) =>
        step(scope, (own) => clone.transition(snapshot, event, own)),
      start: (snapshot) => clone.start(snapshot),
      getPersistedSnapshot: (snapshot) => clone.getPersistedSnapshot(snapshot),
    };
  }

  #carryOut(action: ExecutableActionObject, scope: AnyActorScope, marks: Clone['marks']): void {
    const {type, params, exec, info} = action;
    const mark = marks.get(exec);
    if (typeof mark === 'string') this.entered.push(mark);
    else if (mark) this.taken.push({transition: mark, actor: scope.self});
    else if (isDelayed(params)) this.#delay(params, scope.self);
    else if (type === 'xstate.cancel') this.#cancel(params, scope.self);
    else if (type.startsWith('xstate.') && type !== 'xstate.log') exec?.(info, params);
    else {
      this.performed.push({type, params});
      if (this.#runsActions) scope.actionExecutor(action);
    }
  }

  #delay(params: Delayed, source: AnyActorRef): void {
    const {id, event, delay: delayMs} = params;
    // A target that is spawned later in the same step is known only when the step is over.
    const target = () => params.to ?? source;
    this.#timers.push({source, id, event, delayMs, setAt: this.#move, target});
  }

  #cancel(params: unknown, source: AnyActorRef): void {
    const {sendId} = Object(params);
    this.#timers = this.#timers.filter((timer) => timer.source !== source || timer.id !== sendId);
  }
}

/** Everything that a puppet may do now. Throws Error for a sample that an actor of its kind cannot show. */
export function movesOf(puppet: Member, actors: Actors, tables: Tables): Move[] {
  const {kind} = puppet;
  const name = nameAmong(puppet, actors.puppets());
  return outcomesToTry(puppet, tables)
    .filter(({kind: does}) => outcomesOf[kind].includes(does))
    .filter(({kind: does}) => does !== 'fails' || actors.canFail(puppet))
    .map(({kind: does, value}) => ({type: 'settle', actor: name, does, value}));
}

/** The samples, without outputs that nothing takes up; without samples, what the machine handles. */
function outcomesToTry({names, actor, kind, parent}: Member, {outcomes}: Tables): Outcome[] {
  const given = names.map((name) => outcomes.get(name)).find((list) => list !== undefined);
  for (const {kind: does} of given ?? []) requirePossible(does, kind, names[2]);
  const handled = (event: string, outcome: Outcome) =>
    parent && handles(parent, `xstate.${event}.${actor.id}`) ? [outcome] : [];
  const done = handled('done.actor', new Outcome('done', undefined));
  const failure = new Outcome('fails', new Error(`${names[2]} failed`));
  const failures = handled('error.actor', failure);
  if (!given) return [...done, ...handled('snapshot', new Outcome('next', undefined)), ...failures];
  const isWhole = given.length === 0 || given.some(({kind: does}) => does === 'fails');
  const received = {
    done: () => done.length > 0,
    fails: () => true,
    next: () => handled('snapshot', failure).length > 0,
    sends: (value: unknown) =>
      parent !== undefined && isEvent(value) && handles(parent, value.type),
  };
  const taken = given.filter(({kind: does, value}) => received[does](value));
  return taken.concat(isWhole ? [] : failures);
}

function requirePossible(does: Outcome['kind'], kind: LogicKind, name = ''): void {
  if (outcomesOf[kind].includes(does)) return;
  const known = outcomesOf[kind].map((each) => verbs[each]).join(', or ');
  throw new Error(
    `${name} is made by ${makers[kind]}: it never ${verbs[does]}${known === '' ? '' : `; it ${known}`}`,
  );
}

/** The name of its logic, if no other actor has it. */
export function nameAmong({path, names: [, , src = path]}: Member, all: readonly Member[]): string {
  return all.filter(({names}) => names.includes(src)).length === 1 ? src : path;
}

/** Returns a function that has a puppet do something. Throws Error for an outcome that an actor of its kind cannot have now. */
export function outcomeOf(
  puppet: Member,
  actors: Actors,
  does: Outcome['kind'],
  value: unknown,
): () => void {
  const {actor, kind, names, parentRef} = puppet;
  requirePossible(does, kind, names[2]);
  if (does === 'fails' && !actors.canFail(puppet)) {
    throw new Error(
      `${names[2]} is a callback: it fails when it starts or when it receives an event, and not now`,
    );
  }
  if (does !== 'sends') return () => actor.send({type: `puppet.${does}`, value});
  if (isEvent(value)) return () => parentRef?.send(value);
  throw new Error('an actor sends an object with a type');
}

function isEvent(value: unknown): value is AnyEventObject {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isAlive(actor: AnyActorRef): boolean {
  return Object(actor.getSnapshot()).status === 'active';
}

export interface PuppetSnapshot {
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly output: unknown;
  readonly error: unknown;
  readonly input: unknown;
  /** The last value of a puppet that takes the place of an observable. */
  readonly context: unknown;
}

type NewActor = AnyActorRef & {readonly logic: unknown};

function isNewActor(actor: ActorRefLike): actor is NewActor {
  return 'logic' in actor && 'id' in actor && 'src' in actor;
}

/** True if an actor that was given no id has one of XState's, which differs in each run of the program. */
function hasCountedId({id}: AnyActorRef): boolean {
  return /^x:\d+$/.test(id);
}

interface Delayed {
  readonly delay: number;
  readonly event: AnyEventObject;
  readonly id?: unknown;
  readonly to?: AnyActorRef;
}

function isDelayed(params: unknown): params is Delayed {
  return typeof Object(params).delay === 'number' && isEvent(Object(params).event);
}

/** A copy of a machine whose entries and transitions carry a mark each: an action that says what is entered or taken. */
interface Clone {
  readonly clone: AnyStateMachine;
  /** An id of a state, or a transition. */
  readonly marks: ReadonlyMap<unknown, string | ChartTransition>;
}

const clones = new WeakMap<AnyStateMachine, Clone>();

/** Microsteps after one event: a machine that takes more has a loop without an end. XState before 5.31 has no such bound. */
const maxMicrosteps = 2_000;

function cloneOf(machine: AnyStateMachine): Clone {
  const known = clones.get(machine);
  if (known) return known;
  const clone = machine.provide({});
  const marks = new Map<unknown, string | ChartTransition>();
  const mark = (what: string | ChartTransition) => {
    const action = () => what;
    marks.set(action, what);
    return action;
  };
  for (const node of nodesOf(clone.root)) {
    Object.assign(node, {entry: [mark(node.id), ...node.entry]});
    for (const transition of transitionsOf(node)) {
      if (isForbidden(transition)) continue;
      Object.assign(transition, {actions: [mark(transition), ...transition.actions]});
    }
  }
  const {options}: {options?: {maxIterations?: number}} = clone;
  if (options?.maxIterations === Infinity) options.maxIterations = maxMicrosteps;
  clones.set(machine, {clone, marks});
  return {clone, marks};
}
