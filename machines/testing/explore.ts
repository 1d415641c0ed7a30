/** Explores a machine: the states that it can reach, and the moves between them. */

import type {AnyStateMachine, ContextFrom, StateValue} from 'xstate';

import {activeNodes, statesOf, transitionNames} from './chart.ts';
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
  const entered = new Set<string>();
  const taken = new Set<string>();
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
      ...(distinguish ? {distinguish} : {}),
    });
  const graph = search<Move, MachineWorld>({
    start: open,
    isWhole: true,
    limits: {...usualLimits, ...options.limits},
    check: (world, past) => {
      const key = world.key();
      values.set(key, world.snapshot()?.value);
      if (!refusals.has(key)) refusals.set(key, world.refusals());
      for (const id of world.entered()) entered.add(id);
      for (const name of world.taken()) taken.add(name);
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
    states: shareOf(statesOf(machine), entered),
    transitions: shareOf(transitionNames(machine), taken),
    limits: graph.reached,
    failures: [...failures.values()],
    failed,
    values,
    refusals,
    open,
  };
}

/** Why the machine has failed; undefined: it has not. */
export function failureOf(world: MachineWorld): string | undefined {
  return world.status() === 'broken' ? valueText(world.snapshot()?.error) : undefined;
}

/** The shortest moves to a state, by its id or the path of its keys (`paying.retrying`); undefined: it is not reached. */
export function pathTo(exploration: Exploration, state: string): readonly Move[] | undefined {
  const {graph, values, machine} = exploration;
  const name = state.replace(/^#/, '');
  const isIn = (key: string): boolean => {
    const nodes = activeNodes(machine, values.get(key) ?? {});
    return nodes.some(({id, path}) => id === name || path.join('.') === name);
  };
  return stepsTo(graph, graph.start, isIn)?.map(({move}) => move);
}

function shareOf(all: readonly string[], found: ReadonlySet<string>): Share {
  return {
    covered: all.filter((name) => found.has(name)),
    missing: all.filter((name) => !found.has(name)),
  };
}
