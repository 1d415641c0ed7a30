/** Explores a machine: the states that it can reach, and the moves between them. */

import type {AnyStateMachine, ContextFrom, StateValue} from 'xstate';

import {
  activeNodes,
  type ChartTransition,
  nodesOf,
  statesOf,
  transitionName,
  transitionNames,
  transitionsOf,
} from './chart.ts';
import {type Graph, type Limits, search, type Step, stepsTo} from './search.ts';
import {type Move, valueText} from './world/moves.ts';
import {MachineWorld, type Refusal, type Stage} from './world/stage.ts';
import {type MachineSamples, type Tables, tablesOf} from './world/tables.ts';

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

/**
 * Why a transition was not taken: its state was not entered, its event has an empty list of samples, its actor never does this,
 * its guard let nothing pass, or another transition takes the event first.
 */
export type Reason = 'notEntered' | 'noSamples' | 'neverHappens' | 'refused' | 'preceded';

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
  /** By the name of each transition that was not taken. */
  readonly reasons: ReadonlyMap<string, Reason>;
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
 * Takes every possible move in every reachable state of a machine: events from outside, outcomes of the actors that it starts,
 * timers. Throws Error for a sample that an actor of its kind cannot show, and what `check` throws; `check` sees the world in every
 * state, and the moves to it.
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
  const given = distinguish ? {distinguish} : {};
  const open = () => new MachineWorld({machine, tables, runsActions, ...given});
  const limits = {...usualLimits, ...options.limits};
  const searchFor = (isWhole: boolean) =>
    search<Move, MachineWorld>({start: open, isWhole, limits, check: look});
  const note = (stage: Stage, key: string): void => {
    values.set(key, stage.snapshot().value);
    if (!refusals.has(key)) refusals.set(key, stage.refusals());
    for (const id of stage.entered()) entered.add(id);
  };
  const look = (world: MachineWorld, past: readonly Move[]): void => {
    const key = world.key();
    if (world.stage) note(world.stage, key);
    for (const name of world.taken()) taken.add(name);
    const message = failureOf(world);
    if (message !== undefined) {
      failed.add(key);
      if (!failures.has(message)) failures.set(message, {message, moves: past});
    }
    check(world, past);
  };
  const all = transitionNames(machine);
  const breadth = searchFor(true);
  const isLeft = breadth.reached.length > 0 && all.some((name) => !taken.has(name));
  const graph = isLeft ? united(breadth, searchFor(false)) : breadth;
  const transitions = shareOf(all, taken);
  return {
    machine,
    graph,
    states: shareOf(statesOf(machine), entered),
    transitions,
    reasons: reasonsFor(transitions.missing, {machine, graph, entered, tables}),
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
  return world.status() === 'broken' ? valueText(world.stage?.snapshot().error) : undefined;
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

/**
 * The graph of two searches. Where breadth reaches a limit, a second search takes every move only in combinations of states that
 * are new, whatever the contexts are: it goes deep where breadth would count.
 */
function united(one: Graph<Move>, other: Graph<Move>): Graph<Move> {
  const steps = new Map(one.steps);
  for (const [key, list] of other.steps) {
    const known = steps.get(key) ?? [];
    const isNew = ({to, taken}: Step<Move>) =>
      !known.some((each) => each.to === to && each.taken.join() === taken.join());
    steps.set(key, [...known, ...list.filter(isNew)]);
  }
  return {...one, steps, ends: new Set([...one.ends, ...other.ends])};
}

interface Tried {
  readonly machine: AnyStateMachine;
  readonly graph: Graph<Move>;
  readonly entered: ReadonlySet<string>;
  readonly tables: Tables;
}

function reasonsFor(missing: readonly string[], tried: Tried): ReadonlyMap<string, Reason> {
  const all = nodesOf(tried.machine.root).flatMap(transitionsOf);
  const names = new Set(missing);
  const left = all.filter((transition) => names.has(transitionName(transition)));
  return new Map(
    left.map((transition) => [transitionName(transition), reasonFor(transition, tried)]),
  );
}

function reasonFor(transition: ChartTransition, {graph, entered, tables}: Tried): Reason {
  const {source, eventType, guard} = transition;
  if (!entered.has(source.id)) return 'notEntered';
  if (tables.events.get(eventType)?.length === 0) return 'noSamples';
  const moves = [...graph.steps.values()].flat().map(({move}) => move);
  const isActors = /^xstate\.(?:done\.actor|error|snapshot)\./.test(eventType);
  if (isActors && !moves.some((move) => isCause(move, transition))) return 'neverHappens';
  return guard === undefined ? 'preceded' : 'refused';
}

/** True if the move is an outcome of the actor whose event the transition takes. */
function isCause(move: Move, {source, eventType}: ChartTransition): boolean {
  if (move.type !== 'settle') return false;
  const kind = {done: 'done', fails: 'error', next: 'snapshot', sends: ''}[move.does];
  const [, event, id] = /^xstate\.(done|error|snapshot)\.(?:actor\.)?(.+)$/.exec(eventType) ?? [];
  const src = source.invoke.find((each) => each.id === id)?.src;
  return kind === event && (move.actor === src || move.actor.split('/').at(-1) === id);
}

function shareOf(all: readonly string[], found: ReadonlySet<string>): Share {
  return {
    covered: all.filter((name) => found.has(name)),
    missing: all.filter((name) => !found.has(name)),
  };
}
