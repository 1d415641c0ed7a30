/** A machine that has started, among actors that the search plays, with a clock that the search advances. */

import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  fromTransition,
  type SnapshotFrom,
} from 'xstate';

import {
  activeNodes,
  isForbidden,
  isMachine,
  transitionName,
  transitionsOf,
  variantOf,
} from '../chart.ts';
import type {World} from '../search.ts';
import {
  Actors,
  type Member,
  movesOf,
  nameAmong,
  outcomeOf,
  type Performed,
  type PuppetSnapshot,
  type Timer,
} from './actors.ts';
import {createKeys, placeOf} from './keys.ts';
import {type Move, moveText} from './moves.ts';
import {isEqual} from './plain.ts';
import {eventTypesOf, type Tables, tablesOf} from './tables.ts';

/** The id of the machine under test. */
const subjectId = 'subject';

/** By the constructor of a machine, which each copy of XState has for itself: true if custom actions can be withheld. */
const withholding = new WeakMap<object, boolean>();

/** Throws Error when the machine's copy of XState executes custom actions all the same, as XState before 5.19 does. */
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
  const config = {entry: () => {}};
  const probe: unknown =
    typeof maker === 'function' ? Reflect.construct(maker, [config, {}]) : undefined;
  if (!isMachine(probe)) return false;
  const actors = new Actors(probe, tablesOf({}), false);
  createActor(actors.subject).start();
  return actors.performed.length === 1;
}

interface WorldOptions {
  readonly machine: AnyStateMachine;
  readonly tables: Tables;
  /** True if custom actions are executed; otherwise they are noted. */
  readonly runsActions: boolean;
  /** The part of the machine's context that distinguishes its states. Absent: all of it. */
  distinguish?(this: void, context: unknown): unknown;
}

/** An event that the guards of these transitions refuse. */
export interface Refusal {
  readonly move: Move;
  readonly names: readonly string[];
}

const logEvents = fromTransition(
  (log: readonly AnyEventObject[], event: AnyEventObject) => [...log, event],
  [],
);

/** A machine that has started. */
export class Stage implements World<Move> {
  readonly #options: WorldOptions;
  readonly #actors: Actors;
  readonly #subject: AnyActorRef;
  readonly #outside;
  readonly #keyOf: (actor: AnyActorRef) => string;
  /** The context before the last move. */
  #before: ReadonlyMap<string, unknown> = new Map();
  /** The forbidden transitions that have stopped the event of the last move. */
  #forbidden: readonly string[] = [];
  #isSent = false;

  constructor(options: WorldOptions, input: unknown) {
    const {machine, tables, runsActions, distinguish} = options;
    if (!runsActions) requireWithholding(machine);
    this.#options = options;
    this.#actors = new Actors(machine, tables, runsActions);
    this.#keyOf = createKeys({
      contextOf: ({id}, context) =>
        distinguish && id === subjectId ? distinguish(context) : context,
      // The input of an actor that does not run distinguishes nothing.
      essence: (_, snapshot) =>
        isPuppet(snapshot) ? [snapshot.status, snapshot.output, snapshot.context] : undefined,
    });
    this.#outside = createActor(logEvents, {
      id: 'outside',
      inspect: (event) => {
        if (event.type === '@xstate.actor') this.#actors.meet(event.actorRef);
      },
    }).start();
    const logic = this.#actors.subject;
    this.#subject = createActor(logic, {id: subjectId, parent: this.#outside, input});
    this.#subject.start();
    this.#before = this.#context();
  }

  snapshot(): AnyMachineSnapshot {
    const snapshot: AnyMachineSnapshot = this.#subject.getSnapshot();
    return snapshot;
  }

  /** As the type of the machine under test, which a stage does not know. */
  snapshotAs<Machine extends AnyStateMachine>(): SnapshotFrom<Machine> {
    return this.#subject.getSnapshot();
  }

  key(): string {
    const callbacks = failing(this.#actors, this.#options.tables);
    return [this.#keyOf(this.#subject), ...this.#waiting(), ...callbacks].join(' ');
  }

  place(): string {
    return `${placeOf(this.#subject)} ${this.#waiting().toSorted().join(' ')}`;
  }

  #waiting(): string[] {
    const actors = this.#actors;
    return actors.timers().map((timer) => `${timerName(timer, actors)} ${timer.delayMs}`);
  }

  status(): 'working' | 'done' | 'broken' {
    const {status} = this.snapshot();
    if (status === 'error') return 'broken';
    return status === 'active' ? 'working' : 'done';
  }

  moves(): Move[] {
    return this.status() === 'working' ? openMoves(this.#actors, this.#options.tables) : [];
  }

  apply(move: Move): void {
    const take = deedOf(move, this.#actors);
    this.#before = this.#context();
    this.#actors.begin();
    this.#forbidden = ignoredBy(move, this.#actors);
    this.#isSent = move.type === 'send';
    take();
  }

  #context(): ReadonlyMap<string, unknown> {
    return new Map(Object.entries(Object(this.snapshot().context)));
  }

  /**
   * Names of the transitions that the last move took, of all machines; after the start, of the start. Each counts once more for the
   * members of the context that the move has changed.
   */
  taken(): string[] {
    const changed = [...this.#context()]
      .filter(([key, value]) => !isEqual(value, this.#before.get(key)))
      .map(([key]) => key);
    const way = `changes ${changed.join(', ')}`;
    const names = namesOfTaken(this.#actors);
    const changing = changed.length === 0 ? [] : names.map((name) => variantOf(name, way));
    return [...names, ...changing, ...this.#forbidden];
  }

  /** Ids of the states that the last move entered, of all machines. */
  entered(): readonly string[] {
    return this.#actors.entered;
  }

  /** True if the last move was an event that a guard has refused or a forbidden transition has stopped. */
  isIgnored(): boolean {
    return this.#isSent && this.#actors.taken.length === 0;
  }

  /** Events of the machine that guards refuse now: sending one changes nothing. */
  refusals(): Refusal[] {
    const isWorking = this.status() === 'working';
    return isWorking ? refusals(this.#options, this.snapshot(), this.#options.tables) : [];
  }

  /** Names of the actors that have not ended and of the timers that are set. */
  pending(): string[] {
    return [
      ...this.#actors.puppets().map((puppet, _, all) => nameAmong(puppet, all)),
      ...this.#actors.timers().map((timer) => timerName(timer, this.#actors)),
    ];
  }

  /** Custom actions that were not executed, in the order of their turns. */
  performed(): readonly Performed[] {
    return this.#actors.performed;
  }

  /** The descriptors of events that the machine's active states take. */
  accepts(): string[] {
    const isWorking = this.status() === 'working';
    return isWorking ? acceptedTypes(this.#options.machine, this.snapshot()) : [];
  }

  /** The inputs of the actors that the last move has started, by their names. */
  inputs(): Readonly<Record<string, unknown>> {
    const {started} = this.#actors;
    return Object.fromEntries(
      started.map((each) => [nameAmong(each, started), this.#actors.inputOf(each)]),
    );
  }

  /** The delays in ms of the timers that the last move has set, by their names. */
  delays(): Readonly<Record<string, number>> {
    const delayed = this.#actors.delayed();
    return Object.fromEntries(
      delayed.map((timer) => [timerName(timer, this.#actors), timer.delayMs]),
    );
  }

  /** Of an actor that has not ended. */
  input(name: string): unknown {
    return this.#actors.inputOf(memberNamed(name, this.#actors.all()));
  }

  /** Of a timer that is set, in ms. */
  delay(name: string): number {
    return timerNamed(name, this.#actors).delayMs;
  }

  /** Events that the machine sent to its parent. */
  toParent(): AnyEventObject[] {
    return this.#outside.getSnapshot().context.filter(({type}) => !type.startsWith('xstate.'));
  }
}

/** A machine from before its start: with several inputs, starting it is the first move. */
export class MachineWorld implements World<Move> {
  /** Undefined before the start. */
  stage: Stage | undefined;
  readonly #options: WorldOptions;

  constructor(options: WorldOptions) {
    const {inputs} = options.tables;
    this.#options = options;
    if (inputs.length === 1) this.stage = new Stage(options, inputs[0]);
  }

  key(): string {
    return this.stage?.key() ?? 'not started';
  }

  place(): string {
    return this.stage?.place() ?? 'not started';
  }

  status(): 'working' | 'done' | 'broken' {
    return this.stage?.status() ?? 'working';
  }

  taken(): readonly string[] {
    return this.stage?.taken() ?? [];
  }

  moves(): readonly Move[] {
    const {inputs} = this.#options.tables;
    return this.stage?.moves() ?? inputs.map((input) => ({type: 'start', input}));
  }

  apply(move: Move): void {
    if (this.stage) this.stage.apply(move);
    else if (move.type === 'start') this.stage = new Stage(this.#options, move.input);
    else throw new Error('the machine has not started');
  }
}

function isPuppet(snapshot: unknown): snapshot is PuppetSnapshot {
  return typeof snapshot === 'object' && snapshot !== null && 'input' in snapshot;
}

/** The names of the transitions of the last move; of one to a history, also with the states that it leads back to. */
function namesOfTaken({taken}: Actors): string[] {
  return taken.flatMap(({transition, actor}) => {
    const {historyValue: history} = actor.getSnapshot();
    const name = transitionName(transition);
    const back = (transition.target ?? []).filter(({type}) => type === 'history');
    return [name].concat(
      back.map(({id}) => variantOf(name, `back to ${idsOf(history[id]).join(', ')}`)),
    );
  });
}

function idsOf(nodes: readonly {readonly id: string}[] = []): string[] {
  return nodes.map(({id}) => id);
}

/** Names of the forbidden transitions that stop an event: XState takes them without a trace. */
function ignoredBy(move: Move, actors: Actors): readonly string[] {
  if (move.type !== 'send') return [];
  const {machine, actor} = memberNamed(move.actor ?? '', actors.machines(), move);
  return forbiddenBy(machine, actor.getSnapshot(), move.event);
}

function forbiddenBy(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: AnyEventObject,
): string[] {
  try {
    return machine.getTransitionData(snapshot, event).filter(isForbidden).map(transitionName);
  } catch {
    return [];
  }
}

/** Callbacks that may fail now: in other states that are equal they can't. */
function failing(actors: Actors, tables: Tables): string[] {
  const mayFail = (puppet: Member) =>
    movesOf(puppet, actors, tables).some((move) => move.type === 'settle' && move.does === 'fails');
  const callbacks = actors.puppets().filter(({kind}) => kind === 'callback');
  return callbacks.filter(mayFail).map(({path}) => `${path} may fail`);
}

/** Events that no guard lets pass now, each with the names of the transitions that it is refused. */
function refusals(
  {machine}: WorldOptions,
  snapshot: AnyMachineSnapshot,
  tables: Tables,
): Refusal[] {
  const types = new Set(eventTypesOf(machine));
  const guarded = activeNodes(machine, snapshot.value)
    .flatMap(transitionsOf)
    .filter(({guard, eventType}) => guard !== undefined && types.has(eventType));
  return [...Map.groupBy(guarded, ({eventType}) => eventType)].flatMap(([type, transitions]) => {
    const names = transitions.map((each) => variantOf(transitionName(each), 'refused'));
    return (tables.events.get(type) ?? [{type}])
      .filter((event) => !isAwaited(machine, snapshot, event))
      .map((event) => ({move: {type: 'send', event}, names}));
  });
}

function openMoves(actors: Actors, tables: Tables): Move[] {
  const set = actors.timers();
  return [
    ...actors.puppets().flatMap((puppet) => movesOf(puppet, actors, tables)),
    ...set
      .filter((timer) => mayFireFirst(timer, set))
      .map((timer): Move => ({type: 'fire', timer: timerName(timer, actors)})),
    ...actors.machines().flatMap(({machine, actor, path}) => {
      const types = new Set(eventTypesOf(machine));
      for (const type of tables.events.keys()) types.add(type);
      return [...types]
        .flatMap((type) => tables.events.get(type) ?? [{type}])
        .filter((event) => isAwaited(machine, actor.getSnapshot(), event))
        .map((event): Move =>
          path === '' ? {type: 'send', event} : {type: 'send', event, actor: path},
        );
    }),
  ];
}

/** True if a transition takes or stops the event. A guard that throws is for the search to find. */
function isAwaited(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: AnyEventObject,
): boolean {
  try {
    return snapshot.can(event) || forbiddenBy(machine, snapshot, event).length > 0;
  } catch {
    return true;
  }
}

/** Returns a function that takes the move. Throws Error when it is not possible now. */
function deedOf(move: Move, actors: Actors): () => void {
  if (move.type === 'start') throw new Error('the machine has started already');
  if (move.type === 'fire') {
    const timer = timerNamed(move.timer, actors);
    return () => actors.fire(timer);
  }
  if (move.type === 'settle') {
    const puppet = memberNamed(move.actor, actors.puppets(), move);
    return outcomeOf(puppet, actors, move.does, move.value);
  }
  const {actor} = memberNamed(move.actor ?? '', actors.machines(), move);
  return () => actor.send(move.event);
}

/** `move`: for the message. */
function memberNamed<Known extends Member>(
  name: string,
  members: readonly Known[],
  move?: Move,
): Known {
  const byPath = members.find(({path}) => path === name);
  const [found, ...others] = byPath ? [byPath] : members.filter(({names}) => names.includes(name));
  if (found && others.length === 0) return found;
  throw impossible(
    move ? moveText(move) : name,
    members.map(({path}) => path),
  );
}

function timerNamed(name: string, actors: Actors): Timer {
  const found = actors.timers().find((timer) => timerName(timer, actors) === name);
  if (found) return found;
  throw impossible(
    name,
    actors.timers().map((timer) => timerName(timer, actors)),
  );
}

function impossible(what: string, others: readonly string[]): Error {
  const known = others.filter((name) => name !== '').join(', ');
  const open = known === '' ? 'nothing of the kind is open' : `open: ${known}`;
  return new Error(`"${what}" is not possible now; ${open}`);
}

/** The descriptors of events that the active states take, whatever their guards say; not those that a state forbids. */
function acceptedTypes(machine: AnyStateMachine, {value}: AnyMachineSnapshot): string[] {
  const taken = activeNodes(machine, value)
    .flatMap(transitionsOf)
    .filter((transition) => !isForbidden(transition))
    .map(({eventType}) => eventType);
  return [...new Set(taken)]
    .filter((type) => type !== '' && !type.startsWith('xstate.'))
    .toSorted((one, other) => (one < other ? -1 : 1));
}

/** `after 500 in checkout.paying`; for a delayed event its type. Prefixed by the path of a machine below the one under test. */
function timerName({event, target}: Timer, actors: Actors): string {
  const [, delay, state] = /^xstate\.after\.([^.]+)\.(.+)$/.exec(event.type) ?? [];
  const name = delay === undefined ? event.type : `after ${delay} in ${state}`;
  const path = actors.pathOf(target());
  return path === '' ? name : `${path}: ${name}`;
}

/**
 * True if a timer may fire before the others that are set: none was set at the same time or earlier with a shorter delay, or
 * with the same delay before it.
 */
function mayFireFirst(timer: Timer, set: readonly Timer[]): boolean {
  const rank = set.indexOf(timer);
  return !set.some((other, index) => {
    if (other === timer || other.setAt > timer.setAt || other.delayMs > timer.delayMs) return false;
    return other.setAt < timer.setAt || other.delayMs < timer.delayMs || index < rank;
  });
}
