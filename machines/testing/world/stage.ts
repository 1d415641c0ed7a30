/** A machine that has started, among actors that the search plays, with a clock that the search advances. */

import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  fromTransition,
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
  const {machine, tables, runsActions, distinguish} = options;
  if (!runsActions) requireWithholding(machine);
  const actors = new Actors(machine, tables, runsActions);
  const keyOf = createKeys({
    contextOf: ({id}, context) =>
      distinguish && id === subjectId ? distinguish(context) : context,
    // The input of an actor that does not run distinguishes nothing.
    essence: (_, snapshot) =>
      isPuppet(snapshot) ? [snapshot.status, snapshot.output, snapshot.context] : undefined,
  });
  const parent = createActor(logEvents, {
    id: 'outside',
    inspect: (event) => {
      if (event.type === '@xstate.actor') actors.meet(event.actorRef);
    },
  }).start();
  const subject: AnyActorRef = createActor(actors.subject, {id: subjectId, parent, input});
  subject.start();
  const snapshot = (): AnyMachineSnapshot => subject.getSnapshot();
  const delays = () =>
    actors.timers().map((timer) => `${timerName(timer, actors)} ${timer.delayMs}`);
  const isWorking = () => statusOf(snapshot()) === 'working';
  let [ignored, isSent]: [readonly string[], boolean] = [[], false];
  return {
    actor: () => subject,
    snapshot,
    key: () => [keyOf(subject), ...delays(), ...failing(actors, tables)].join(' '),
    place: () => `${placeOf(subject)} ${delays().toSorted().join(' ')}`,
    status: () => statusOf(snapshot()),
    moves: () => (isWorking() ? openMoves(actors, tables) : []),
    taken: () => [...namesOfTaken(actors), ...ignored],
    entered: () => actors.entered,
    isIgnored: () => isSent && actors.taken.length === 0,
    pending: () => [
      ...actors.puppets().map((puppet, _, all) => nameAmong(puppet, all)),
      ...actors.timers().map((timer) => timerName(timer, actors)),
    ],
    performed: () => actors.performed,
    refusals: () => (isWorking() ? refusals(options, snapshot(), tables) : []),
    toParent: () => parent.getSnapshot().context.filter(({type}) => !type.startsWith('xstate.')),
    apply(move) {
      const take = deedOf(move, actors);
      actors.begin();
      [ignored, isSent] = [ignoredBy(move, actors), move.type === 'send'];
      take();
    },
  };
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
  const {machine, actor} = memberNamed(move.actor ?? '', move, actors.machines());
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

function statusOf({status}: AnyMachineSnapshot): 'working' | 'done' | 'broken' {
  if (status === 'error') return 'broken';
  return status === 'active' ? 'working' : 'done';
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
    const names = actors.timers().map((timer) => timerName(timer, actors));
    const timer = actors.timers()[names.indexOf(move.timer)];
    if (!timer) throw new Error(impossible(move, names));
    return () => actors.fire(timer);
  }
  if (move.type === 'settle') {
    const puppet = memberNamed(move.actor, move, actors.puppets());
    return outcomeOf(puppet, actors, move.does, move.value);
  }
  const {actor} = memberNamed(move.actor ?? '', move, actors.machines());
  return () => actor.send(move.event);
}

function memberNamed<Known extends Member>(
  name: string,
  move: Move,
  members: readonly Known[],
): Known {
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

// A machine under test, from before its start: with several inputs, starting it is the first move.

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

export interface MachineWorld extends World<Move> {
  /** Names of the transitions that the last move took, of all machines; after the start, of the start. */
  readonly taken: () => readonly string[];
  /** The machine's actor; undefined before the machine has started. */
  readonly actor: () => AnyActorRef | undefined;
  /** Events of the machine that guards refuse now: sending one changes nothing. */
  readonly refusals: () => readonly Refusal[];
  /** Ids of the states that the last move entered, of all machines. */
  readonly entered: () => readonly string[];
  /** True if the last move was an event that a guard has refused or a forbidden transition has stopped. */
  readonly isIgnored: () => boolean;
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
    entered: () => stage?.entered() ?? [],
    isIgnored: () => stage?.isIgnored() ?? false,
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
