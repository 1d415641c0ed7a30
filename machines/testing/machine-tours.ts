/** Tours of a machine: runs from its start that together take every transition that exploring it has found. */

import type {StateValue} from 'xstate';

import {placeText, withoutVariant} from './chart.ts';
import type {Exploration} from './explore.ts';
import {type Graph, type Step, stepsTo} from './search.ts';
import type {Move} from './world/moves.ts';
import {isPlain, isSame} from './world/plain.ts';
import type {MachineWorld, Stage} from './world/stage.ts';

/** Where the machine is after a move. */
export interface Stop {
  /** Undefined before the machine has started. */
  readonly state: StateValue | undefined;
  /** The members of the context that differ from the stop before, as far as they are plain data. */
  readonly changed: Readonly<Record<string, unknown>>;
  /** Names of the actors that have not ended and of the timers that are set. */
  readonly pending: readonly string[];
  /** Names of the custom actions of the move, in order. */
  readonly performed: readonly string[];
  /** The descriptors of events that the active states take, such as `user.*`. */
  readonly accepts: readonly string[];
  /** The inputs of the actors that the move has started, as far as they are plain data, by their names. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The delays in ms of the timers that the move has set, by their names. */
  readonly delays: Readonly<Record<string, number>>;
  readonly isDone: boolean;
  readonly output: unknown;
}

export interface TourStep extends Noted {
  readonly move: Move;
}

interface Noted extends Stop {
  /** Names of the transitions that the move takes, of all machines. */
  readonly takes: readonly string[];
  /** True if the move is an event that a guard refuses or a forbidden transition stops: nothing changes. */
  readonly isIgnored: boolean;
}

export interface Tour {
  readonly start: Stop;
  readonly steps: readonly TourStep[];
}

/** Each tour is a test: a longer one is hard to read. */
const maxSteps = 20;

/**
 * Tours that together take every transition of the machine that the exploration has found, except the ones that only a failure
 * of the machine takes: a transition to a history once for each state that it leads back to, and one with a guard also where
 * the guard refuses its event. Each goes to the nearest transition that none has taken before.
 */
export function tours(exploration: Exploration): readonly Tour[] {
  const sound = soundGraph(exploration);
  const own = new Set(exploration.transitions.covered);
  const found = [...sound.steps.values()].flatMap((steps) => steps.flatMap(({taken}) => taken));
  const left = new Set(found.filter((name) => own.has(withoutVariant(name))));
  for (const name of exploration.open().taken()) left.delete(name);
  const all: Tour[] = [];
  for (let steps = wander(sound, left); steps.length > 0; steps = wander(sound, left)) {
    all.push(
      tourOf(
        exploration,
        steps.map(({move}) => move),
      ),
    );
  }
  return all.length > 0 ? all : [tourOf(exploration, [])];
}

/** The tour of these moves. */
export function tourOf({open}: Pick<Exploration, 'open'>, moves: readonly Move[]): Tour {
  const [first, again] = [stopsOf(open(), moves), stopsOf(open(), moves)];
  const [start, ...stops] = first.map((stop, index) => steady(stop, again[index] ?? stop));
  if (!start) throw new Error('a tour has a start');
  return {start, steps: stops.map((stop, index) => stepOf(stop, moves[index]))};
}

function stepOf(stop: Noted, move: Move | undefined): TourStep {
  if (!move) throw new Error('a step has a move');
  return {...stop, move};
}

/** Without failures of the machine, and with events that guards refuse as steps that lead nowhere. */
function soundGraph({graph, failed, refusals}: Exploration): Graph<Move> {
  const steps = [...graph.steps].map(([from, list]) => {
    const refused = (refusals.get(from) ?? []).map(({move, names}) => ({
      move,
      to: from,
      taken: names,
    }));
    return [from, [...list.filter(({to}) => !failed.has(to)), ...refused]] as const;
  });
  return {...graph, steps: new Map(steps)};
}

/** Removes the transitions that it takes from the remaining ones. */
function wander(graph: Graph<Move>, left: Set<string>): readonly Step<Move>[] {
  const walked: Step<Move>[] = [];
  const isNew = ({taken}: Step<Move>) => taken.some((name) => left.has(name));
  const newStep = (key: string) => graph.steps.get(key)?.find(isNew);
  while (walked.length < maxSteps) {
    const at = walked.at(-1)?.to ?? graph.start;
    const path = stepsTo(graph, at, (key) => newStep(key) !== undefined);
    const step = path && newStep(path.at(-1)?.to ?? at);
    if (!path || !step) break;
    walked.push(...path, step);
    for (const name of walked.flatMap(({taken}) => taken)) left.delete(name);
  }
  return walked;
}

function stopsOf(world: MachineWorld, moves: readonly Move[]): Noted[] {
  const stops = [stopOf(world.stage)];
  for (const move of moves) {
    const [before, count] = [contextOf(world.stage), world.stage?.performed().length];
    world.apply(move);
    stops.push(stopOf(world.stage, before, count));
  }
  return stops;
}

const notStarted: Noted = {
  state: undefined,
  changed: {},
  performed: [],
  pending: [],
  accepts: [],
  inputs: {},
  delays: {},
  isDone: false,
  output: undefined,
  takes: [],
  isIgnored: false,
};

function stopOf(stage: Stage | undefined, before: object = {}, performedBefore = 0): Noted {
  if (!stage) return notStarted;
  const {value, output} = stage.snapshot();
  const known = new Map(Object.entries(before));
  const changed = Object.entries(contextOf(stage)).filter(
    ([name, member]) => isPlain(member) && !(known.has(name) && isSame(known.get(name), member)),
  );
  return {
    state: value,
    changed: Object.fromEntries(changed),
    performed: stage
      .performed()
      .slice(performedBefore)
      .map(({type}) => type),
    pending: stage.pending(),
    accepts: stage.accepts(),
    inputs: plainMembers(stage.inputs()),
    delays: stage.delays(),
    isDone: stage.status() === 'done',
    output: isPlain(output) ? output : undefined,
    takes: stage.taken(),
    isIgnored: stage.isIgnored(),
  };
}

function plainMembers(values: Readonly<Record<string, unknown>>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && isPlain(value));
  return Object.fromEntries(given);
}

function contextOf(stage: Stage | undefined): object {
  const context: unknown = stage?.snapshot().context;
  return typeof context === 'object' && context !== null ? context : {};
}

/** Without what differs in a second run of the same moves, such as a time or a random number. */
function steady(stop: Noted, again: Noted): Noted {
  return {
    ...stop,
    changed: steadyMembers(stop.changed, again.changed),
    inputs: steadyMembers(stop.inputs, again.inputs),
    delays: steadyMembers(stop.delays, again.delays),
    output: isSame(stop.output, again.output) ? stop.output : undefined,
  };
}

function steadyMembers<Value>(one: Readonly<Record<string, Value>>, other: object) {
  const same = Object.entries(one).filter(([name, value]) =>
    isSame(value, Reflect.get(other, name)),
  );
  return Object.fromEntries(same);
}

const maxStates = 5;
const maxTitle = 100;

/** `cart → payment.entering → … → paid`. */
export function titleOf({start, steps}: Tour): string {
  const states = [start, ...steps].flatMap(({state}) =>
    state === undefined ? [] : placeText(state),
  );
  const moves = states.filter((state, index) => state !== states[index - 1]);
  const shown =
    moves.length <= maxStates ? moves : [...moves.slice(0, maxStates - 2), '…', ...moves.slice(-1)];
  const title = shown.join(' → ');
  return title.length > maxTitle ? `${title.slice(0, maxTitle)}…` : title;
}
