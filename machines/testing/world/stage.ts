/** A machine that has started, among actors that the search plays, with a clock that the search advances. */

import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  createActor,
  fromTransition,
  type InspectionEvent,
  isMachineSnapshot,
  type AnyStateMachine,
} from 'xstate';

import {transitionName, transitionsOf, variantOf, isMachine} from '../chart.ts';
import {createKeys, placeOf} from '../state-key.ts';
import {createTimers, mayFireFirst, type Timer, type Timers} from '../timers.ts';
import {type Cast, createCast, type Member, movesOf, nameAmong, settle, subjectId} from './cast.ts';
import type {MachineWorld, Refusal, WorldOptions} from './machine-world.ts';
import {type Move, moveText} from './moves.ts';
import {pathOf, newActor, withholdActions} from './puppet.ts';
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

export interface Stage extends MachineWorld {
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
