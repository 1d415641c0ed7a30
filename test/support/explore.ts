/**
 * Every state that a machine and its descendants can reach, and runs that go through every step between them. A usual
 * search takes every step in the states that it comes to first, and wherever the actors stand as they have not stood
 * before; elsewhere it goes on by one step.
 */

import {adjacencyMapToArray, getAdjacencyMap} from '@xstate/graph';
import type {ActorLogic, InspectionEvent} from 'xstate';

import type {PortName} from '../../machines/ports.ts';
import {isDeep} from './depth.ts';
import {type Move, type Scenario, play, type Played} from './played.ts';

/** A person answers these: a run is resumed by one. */
const persons: ReadonlySet<PortName> = new Set(['askHuman', 'askPerson', 'awaitResume']);

/** A reached state, with the moves of one way to it. */
interface Reached {
  readonly status: 'active';
  readonly output: undefined;
  readonly error: undefined;
  readonly past: readonly Move[];
  readonly key: string;
  readonly end: boolean;
  readonly moves: readonly Move[];
}

export interface Step {
  readonly move: Move;
  readonly to: string;
}

export interface Graph {
  readonly start: string;
  /** The steps out of each state; none out of an end. */
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  readonly ends: ReadonlySet<string>;
  /** States of which a usual search has left out steps. */
  readonly cut: ReadonlySet<string>;
}

/** So many states have all their steps taken in every search. */
const wholeStates = 12;

type Inspect = (event: InspectionEvent) => void;

/** Plays a scenario again from the start, as a replay of a journal does. */
function replay(scenario: Scenario, moves: readonly Move[], inspect: Inspect): Played {
  const played = play(scenario, inspect);
  for (const move of moves) played.apply(move);
  return played;
}

/**
 * Explores the real actors from replayed pasts. `check` sees the scenario at the end of each past; what it throws ends
 * the exploration. `inspect` is told of every step of every actor. Throws when there are more than `limit` steps.
 */
export function explore(
  scenario: Scenario,
  check: (played: Played) => void,
  inspect: Inspect = () => {},
  limit = 50_000,
): Graph {
  /** The one that first came to a state goes on from there; for other steps the past is replayed. */
  const waiting = new Map<string, Played | undefined>();
  const known = new Map<string, Reached>();
  const narrow = createNarrowing(scenario);
  const reach = (played: Played, past: readonly Move[]): Reached => {
    check(played);
    const key = played.key();
    const before = known.get(key);
    if (before) return before;
    const end = played.status() !== 'working';
    waiting.set(key, end ? undefined : played);
    const moves = narrow.choose(played, key);
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
  const logic: ActorLogic<Reached, Move, undefined> = {
    getInitialSnapshot: () => reach(play(scenario, inspect), []),
    transition: ({past, key}, move) => {
      const played = waiting.get(key) ?? replay(scenario, past, inspect);
      waiting.set(key, undefined);
      played.apply(move);
      return reach(played, [...past, move]);
    },
    getPersistedSnapshot: (snapshot) => snapshot,
  };
  const edges = adjacencyMapToArray(
    getAdjacencyMap(logic, {
      input: undefined,
      limit,
      serializeState: ({key}) => key,
      events: ({moves}) => [...moves],
    }),
  );
  const steps = Map.groupBy(
    edges.map(({state, event, nextState}) => ({from: state.key, move: event, to: nextState.key})),
    ({from}) => from,
  );
  const ends = edges.filter(({nextState}) => nextState.end).map(({nextState}) => nextState.key);
  const start = reach(play(scenario, inspect), []);
  return {start: start.key, steps, ends: new Set(start.end ? [start.key] : ends), cut: narrow.cut};
}

/** Which of the moves that a new state leaves open are taken. */
function createNarrowing({isWhole = isDeep}: Scenario) {
  const cut = new Set<string>();
  /** How many states there have been in which the actors stood so. */
  const places = new Map<string, number>();
  let states = 0;
  return {
    cut,
    choose(played: Played, key: string): readonly Move[] {
      const moves = played.moves();
      const place = played.place();
      const before = places.get(place) ?? 0;
      places.set(place, before + 1);
      states += 1;
      if (isWhole || states <= wholeStates || before === 0 || moves.length < 2) return moves;
      cut.add(key);
      return moves.slice(before % moves.length, (before % moves.length) + 1);
    },
  };
}

/** Runs from the start to an end that together take every step of the graph at least once. */
export function runsThroughAll(graph: Graph): Step[][] {
  const left = new Map([...graph.steps].map(([key, steps]) => [key, new Set(steps)]));
  const all: Step[][] = [];
  for (let run = nextRun(graph, left); run.length > 0; run = nextRun(graph, left)) all.push(run);
  return all;
}

function nextRun(graph: Graph, left: ReadonlyMap<string, Set<Step>>): Step[] {
  const run: Step[] = [];
  const at = () => run.at(-1)?.to ?? graph.start;
  const follow = (path: readonly Step[]) => {
    for (const step of path) {
      left.get(at())?.delete(step);
      run.push(step);
    }
  };
  for (;;) {
    const path = stepsTo(graph, at(), (key) => (left.get(key)?.size ?? 0) > 0);
    const [fresh] = path ? (left.get(path.at(-1)?.to ?? at()) ?? []) : [];
    if (!path || !fresh) break;
    follow([...path, fresh]);
  }
  if (run.length > 0) follow(stepsTo(graph, at(), (key) => graph.ends.has(key)) ?? []);
  return run;
}

/** The shortest way from a state to one that is wanted; undefined when none can be reached. */
export function stepsTo(
  graph: Graph,
  from: string,
  isWanted: (key: string) => boolean,
): readonly Step[] | undefined {
  const seen = new Set([from]);
  let front: {key: string; path: readonly Step[]}[] = [{key: from, path: []}];
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

/** Whether a run can go on for ever without a person's word and without messages from outside. */
export function canGoOnForEver(graph: Graph): boolean {
  const own = (key: string) =>
    (graph.steps.get(key) ?? []).filter(({move}) => !isPersonal(move)).map(({to}) => to);
  const steps = new Map([...graph.steps.keys()].map((key) => [key, own(key)]));
  for (let before = -1; before !== steps.size;) {
    before = steps.size;
    for (const [key, next] of steps) if (!next.some((to) => steps.has(to))) steps.delete(key);
  }
  return steps.size > 0;
}

function isPersonal(move: Move): boolean {
  return move.type === 'send' || (move.type === 'settle' && persons.has(move.port));
}
