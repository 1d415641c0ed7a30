/**
 * Searches every state that a world can reach. A world is one or more actors whose surroundings the search plays: it
 * says which moves it is open to, and takes them.
 *
 * A whole search takes every move in every state. Otherwise it takes every move in the first states and wherever the
 * actors are in states in which they have not been together before; elsewhere it takes one move.
 */

import {adjacencyMapToArray, getAdjacencyMap} from '@xstate/graph';
import type {ActorLogic, EventObject} from 'xstate';

export interface World<Move> {
  /** Equal for two worlds exactly when the same may happen in both from now on. */
  readonly key: () => string;
  /** Equal for two worlds when the same actors are in the same states, with any contexts. */
  readonly place: () => string;
  /** The moves that are possible now. */
  readonly moves: () => readonly Move[];
  readonly apply: (move: Move) => void;
  readonly status: () => 'working' | 'done' | 'broken';
  /** Names of the transitions that the last move took. Absent: they are not noted. */
  readonly taken?: () => readonly string[];
}

export interface Limits {
  /** States that are searched. */
  readonly states: number;
  /** Moves from the start to a state. */
  readonly depth: number;
}

export interface Search<Move extends EventObject, Subject extends World<Move>> {
  /** Makes the world as it is before the first move. Two worlds that take the same moves must reach the same states. */
  readonly start: () => Subject;
  /** Sees the world in each state, at the end of each way that was tried, and the way. An exception ends the search. */
  readonly check?: (world: Subject, past: readonly Move[]) => void;
  readonly isWhole: boolean;
  readonly limits: Limits;
}

export interface Step<Move> {
  readonly move: Move;
  /** The key of the state that the move leads to. */
  readonly to: string;
  /** Names of the transitions that it takes, as far as the world notes them. */
  readonly taken: readonly string[];
}

export interface Graph<Move> {
  readonly start: string;
  /** The steps out of each state; none out of an end. */
  readonly steps: ReadonlyMap<string, readonly Step<Move>[]>;
  readonly ends: ReadonlySet<string>;
  /** Keys of states some of whose moves were left out. */
  readonly cut: ReadonlySet<string>;
  /** The limits that were reached. */
  readonly reached: readonly (keyof Limits)[];
}

/** A reached state, with the moves of one way to it. */
interface Reached<Move> {
  readonly status: 'active';
  readonly output: undefined;
  readonly error: undefined;
  readonly past: readonly Move[];
  readonly key: string;
  readonly end: boolean;
  readonly moves: readonly Move[];
}

/** So many states have all their moves taken in every search. */
const wholeStates = 12;

/** Makes a world and takes moves in it. */
export function replay<Move, Subject extends World<Move>>(
  start: () => Subject,
  moves: readonly Move[],
): Subject {
  const world = start();
  for (const move of moves) world.apply(move);
  return world;
}

/** Breadth first, so that the first way to a state is a shortest one. Throws what `check` throws. */
export function search<Move extends EventObject, Subject extends World<Move>>(
  options: Search<Move, Subject>,
): Graph<Move> {
  const {start, check} = options;
  /** The world that first reached a state takes its first move; for the other moves its past is replayed. */
  const waiting = new Map<string, Subject | undefined>();
  const known = new Map<string, Reached<Move>>();
  const choosing = createChoosing(options);
  const taken = new Map<Move, readonly string[]>();
  const reach = (world: Subject, past: readonly Move[]): Reached<Move> => {
    check?.(world, past);
    const key = world.key();
    const before = known.get(key);
    if (before) return before;
    const end = world.status() !== 'working';
    waiting.set(key, end ? undefined : world);
    const moves = end ? [] : choosing.choose(world, key, past.length);
    const reached = {
      status: 'active',
      output: undefined,
      error: undefined,
      past,
      key,
      end,
      moves,
    } as const;
    known.set(key, reached);
    return reached;
  };
  const logic: ActorLogic<Reached<Move>, Move, undefined> = {
    getInitialSnapshot: () => reach(start(), []),
    transition: ({past, key}, move) => {
      const world = waiting.get(key) ?? replay(start, past);
      waiting.set(key, undefined);
      world.apply(move);
      taken.set(move, world.taken?.() ?? []);
      return reach(world, [...past, move]);
    },
    getPersistedSnapshot: (snapshot) => snapshot,
  };
  const steps = stepsOf(logic, taken);
  const ends = [...known.values()].filter(({end}) => end).map(({key}) => key);
  const [first = ''] = known.keys();
  return {start: first, steps, ends: new Set(ends), cut: choosing.cut, reached: choosing.reached};
}

/** Takes every move. `taken`: the transitions of each move that has been taken. */
function stepsOf<Move extends EventObject>(
  logic: ActorLogic<Reached<Move>, Move, undefined>,
  taken: ReadonlyMap<Move, readonly string[]>,
): ReadonlyMap<string, readonly Step<Move>[]> {
  // Moves hold values that JSON does not distinguish.
  const ids = new Map<Move, string>();
  const idOf = (move: Move): string => {
    const id = ids.get(move) ?? String(ids.size);
    ids.set(move, id);
    return id;
  };
  const edges = adjacencyMapToArray(
    getAdjacencyMap(logic, {
      input: undefined,
      serializeState: ({key}) => key,
      serializeEvent: (move) => idOf(move),
      events: ({moves}) => [...moves],
    }),
  );
  const steps = new Map<string, Step<Move>[]>();
  for (const {state, event: move, nextState} of edges) {
    const step = {move, to: nextState.key, taken: taken.get(move) ?? []};
    steps.set(state.key, [...(steps.get(state.key) ?? []), step]);
  }
  return steps;
}

/** Which of the moves that a new state is open to are taken. */
function createChoosing<Move extends EventObject, Subject extends World<Move>>({
  isWhole,
  limits,
}: Search<Move, Subject>) {
  const cut = new Set<string>();
  const reached: (keyof Limits)[] = [];
  /** How many states there have been in which the actors were in the same states. */
  const places = new Map<string, number>();
  let states = 0;
  const stop = (key: string, limit: keyof Limits): readonly Move[] => {
    cut.add(key);
    if (!reached.includes(limit)) reached.push(limit);
    return [];
  };
  return {
    cut,
    reached,
    choose(world: Subject, key: string, depth: number): readonly Move[] {
      const moves = world.moves();
      if (moves.length === 0) return moves;
      states += 1;
      if (states > limits.states) return stop(key, 'states');
      if (depth >= limits.depth) return stop(key, 'depth');
      const place = world.place();
      const before = places.get(place) ?? 0;
      places.set(place, before + 1);
      if (isWhole || states <= wholeStates || before === 0 || moves.length < 2) return moves;
      cut.add(key);
      return moves.slice(before % moves.length, (before % moves.length) + 1);
    },
  };
}

/** A shortest way from a state to one that is wanted; undefined when none can be reached. */
export function stepsTo<Move>(
  graph: Graph<Move>,
  from: string,
  isWanted: (key: string) => boolean,
): readonly Step<Move>[] | undefined {
  const seen = new Set([from]);
  let front: {key: string; path: readonly Step<Move>[]}[] = [{key: from, path: []}];
  while (front.length > 0) {
    const found = front.find(({key}) => isWanted(key));
    if (found) return found.path;
    front = front.flatMap(({key, path}) =>
      (graph.steps.get(key) ?? []).flatMap((step) => {
        if (seen.has(step.to)) return [];
        seen.add(step.to);
        return [{key: step.to, path: path.concat(step)}];
      }),
    );
  }
  return undefined;
}
