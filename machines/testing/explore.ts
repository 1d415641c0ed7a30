/** Explores a machine: the states that it can reach, and the moves between them. */

import {
  type AnyStateMachine,
  type ContextFrom,
  isMachineSnapshot,
  type StateValue,
  type InspectionEvent,
} from 'xstate';

import {statesOf, transitionNames, transitionName} from './chart.ts';
import {type Graph, type Limits, search, stepsTo} from './search.ts';
import {type Move, valueText} from './world/moves.ts';
import {createMachineWorld, type MachineWorld, type Refusal} from './world/stage.ts';
import {type MachineSamples, tablesOf} from './world/tables.ts';

export interface ExploreOptions<
  Machine extends AnyStateMachine = AnyStateMachine,
> extends MachineSamples<Machine> {
  /** At most 2,000 states and 60 moves to each are explored, unless other limits are given. */
  readonly limits?: Partial<Limits>;
  /**
   * The part of the context that distinguishes states: two states in which it is equal count as one. Absent: all of the context. A counter
   * without a bound, for example, makes the states endless.
   */
  readonly distinguish?: (context: ContextFrom<Machine>) => unknown;
  /** True if custom actions are executed. They are not by default: they may reach the world outside. */
  readonly runActions?: boolean;
}

export interface Share {
  readonly covered: readonly string[];
  readonly missing: readonly string[];
}

/** A state in which the machine has failed: an action, a guard or an actor threw, and nothing handled it. */
export interface Failure {
  readonly message: string;
  /** The shortest way to it. */
  readonly moves: readonly Move[];
}

export interface Exploration {
  readonly machine: AnyStateMachine;
  readonly graph: Graph<Move>;
  /** Ids of the machine's states, entered and not entered. */
  readonly states: Share;
  /** Names of the machine's transitions, taken and not taken. */
  readonly transitions: Share;
  /** The limits that were reached: what lies beyond them was not explored. */
  readonly limits: readonly (keyof Limits)[];
  readonly failures: readonly Failure[];
  /** Keys of the states in which the machine has failed. */
  readonly failed: ReadonlySet<string>;
  /** The state value of the machine by the key of a state in the graph; undefined before the machine has started. */
  readonly values: ReadonlyMap<string, StateValue | undefined>;
  /** Events that guards refuse, by the key of a state in the graph. */
  readonly refusals: ReadonlyMap<string, readonly Refusal[]>;
  /** A new world, before the first move. */
  readonly open: () => MachineWorld;
}

const usualLimits: Limits = {states: 2_000, depth: 60};

/**
 * Takes every possible move in every reachable state of a machine: events from outside, outcomes of the actors that it
 * starts, timers. Throws Error when no samples can be made from a schema, and what `check` throws; `check` sees the world in
 * every state, and the moves to it.
 */
export function explore<Machine extends AnyStateMachine>(
  machine: Machine,
  options: ExploreOptions<Machine> = {},
  check: (world: MachineWorld, past: readonly Move[]) => void = () => {},
): Exploration {
  const tables = tablesOf(options);
  const coverage: Coverage = {entered: new Set(), taken: new Set()};
  const inspect = noting(coverage);
  const values = new Map<string, StateValue | undefined>();
  const refusals = new Map<string, readonly Refusal[]>();
  const failures = new Map<string, Failure>();
  const failed = new Set<string>();
  const {runActions: runsActions = false, distinguish} = options;
  const open = () =>
    createMachineWorld({
      machine,
      tables,
      runsActions,
      inspect,
      ...(distinguish ? {distinguish} : {}),
    });
  const graph = search<Move, MachineWorld>({
    start: open,
    isWhole: true,
    limits: {...usualLimits, ...options.limits},
    check: (world, past) => {
      const snapshot = world.snapshot();
      const key = world.key();
      values.set(key, isMachineSnapshot(snapshot) ? snapshot.value : undefined);
      if (!refusals.has(key)) refusals.set(key, world.refusals());
      // A state that no transition leads to is entered at the start alone.
      if (past.length < 2) enter(snapshot, coverage);
      const message = failureOf(world);
      if (message !== undefined) {
        failed.add(key);
        if (!failures.has(message)) failures.set(message, {message, moves: past});
      }
      check(world, past);
    },
  });
  return {
    machine,
    graph,
    states: shareOf(statesOf(machine), coverage.entered),
    transitions: shareOf(transitionNames(machine), coverage.taken),
    limits: graph.reached,
    failures: [...failures.values()],
    failed,
    values,
    refusals,
    open,
  };
}

function enter(snapshot: unknown, {entered}: Coverage): void {
  if (!isMachineSnapshot(snapshot)) return;
  const {_nodes: nodes} = snapshot;
  for (const {id} of nodes) entered.add(id);
}

/** Why the machine has failed; undefined: it has not. */
export function failureOf(world: MachineWorld): string | undefined {
  return world.status() === 'broken' ? valueText(world.snapshot()?.error) : undefined;
}

/** The shortest moves to a state, by its id or the path of its keys (`paying.retrying`); undefined: it is not reached. */
export function pathTo(exploration: Exploration, state: string): readonly Move[] | undefined {
  const {graph, values, machine} = exploration;
  const id = state.replace(/^#/, '');
  const isIn = (key: string): boolean => {
    const value = values.get(key);
    return value !== undefined && idsIn(machine, value).includes(id);
  };
  return stepsTo(graph, graph.start, isIn)?.map(({move}) => move);
}

/** The ids of the states that a value names, and their paths. */
function idsIn(machine: AnyStateMachine, value: StateValue): string[] {
  return pathsIn(value).flatMap((path) => {
    const node = path.reduce<AnyStateMachine['root'] | undefined>(
      (above, key) => above?.states[key],
      machine.root,
    );
    return [path.join('.')].concat(node?.id ?? []);
  });
}

function pathsIn(value: StateValue, above: readonly string[] = []): string[][] {
  if (typeof value === 'string') return [[...above, value]];
  return Object.entries(value).flatMap(([key, below]) => {
    const path = [...above, key];
    return [path].concat(below === undefined ? [] : pathsIn(below, path));
  });
}

function shareOf(all: readonly string[], found: ReadonlySet<string>): Share {
  return {
    covered: all.filter((name) => found.has(name)),
    missing: all.filter((name) => !found.has(name)),
  };
}

// Which states and transitions of the charts runs go through.

export interface Coverage {
  /** Ids of states. */
  readonly entered: Set<string>;
  /** Names of transitions, as `transitionName` spells them. */
  readonly taken: Set<string>;
}

/** For `createActor`'s `inspect`: notes the states and transitions of every actor of the system. */
export function noting({entered, taken}: Coverage) {
  return (event: InspectionEvent): void => {
    if (event.type !== '@xstate.microstep') return;
    const {_transitions: transitions, snapshot} = event;
    for (const transition of transitions) {
      taken.add(transitionName(transition));
      entered.add(transition.source.id);
    }
    if (!isMachineSnapshot(snapshot)) return;
    const {_nodes: nodes} = snapshot;
    for (const {id} of nodes) entered.add(id);
  };
}
