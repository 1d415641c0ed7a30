/** Drives a program through the tours of its machine. */

import type {AnyStateMachine, EventFromLogic, InputFrom} from 'xstate';

import {didYouMean} from '../domain/nearest.ts';
import {activeNodes, type ChartNode, nodesOf} from './chart.ts';
import {explore, type ExploreOptions} from './explore.ts';
import {type Stop, titleOf, type Tour, tours, type TourStep} from './machine-tours.ts';
import {moveText, type Outcome} from './world/moves.ts';

type Awaitable<Value> = Value | Promise<Value>;

/** Has the program do what an actor of the machine does: a server answers, a socket sends. */
type Outcomes<Sut> = {
  readonly [Kind in Outcome['kind']]?: (sut: Sut, value: unknown) => Awaitable<unknown>;
};

export interface ModelOptions<Machine extends AnyStateMachine, Sut> {
  readonly samples?: ExploreOptions<Machine>;
  /** Starts the program under test: each case has its own. A promise is awaited. */
  readonly sut: (input: InputFrom<Machine> | undefined) => Awaitable<Sut>;
  /** Ends the program, also after a failure. */
  readonly close?: (sut: Sut) => Awaitable<unknown>;
  /**
   * Assertions, by the path of a state (`payment.entering`), its id, a tag, or `*`. They run after each step in which the state is
   * active; then `meta.test(sut, stop)` of the state, if it has one.
   */
  readonly states?: Readonly<Record<string, (sut: Sut, stop: Stop) => Awaitable<unknown>>>;
  /** Has a person or another program send the event. */
  readonly events?: {
    readonly [Type in EventFromLogic<Machine>['type']]?: (
      sut: Sut,
      event: Extract<EventFromLogic<Machine>, {type: Type}>,
    ) => Awaitable<unknown>;
  };
  /** By the name of an actor. */
  readonly outcomes?: Readonly<Record<string, Outcomes<Sut>>>;
  /** Lets so much time pass. */
  readonly timers?: (sut: Sut, ms: number) => Awaitable<unknown>;
}

/** For `test.each(testModel(…))('$title', async ({run}) => await run())`. */
export interface ModelCase {
  readonly title: string;
  /** Rejects with what an assertion throws; the message begins with the step. */
  readonly run: () => Promise<void>;
}

/**
 * A case for each tour of the machine, without the events that it ignores. Throws Error when `events`, `outcomes` or `timers`
 * has no entry for a move of a tour, and for an entry of `states` that names nothing of the machine.
 */
export function testModel<Machine extends AnyStateMachine, Sut>(
  machine: Machine,
  options: ModelOptions<Machine, Sut>,
): ModelCase[] {
  const all = tours(explore(machine, options.samples)).map(({start, steps}) => ({
    start,
    steps: steps.filter(({isIgnored}) => !isIgnored),
  }));
  requireStates(machine, Object.keys(options.states ?? {}));
  const missing = all.flatMap(({steps}) => steps.flatMap((step) => missingFor(step, options)));
  if (missing.length > 0) {
    throw new Error(`testModel needs ${[...new Set(missing)].join(', ')}`);
  }
  return all.map((tour, index) => ({
    title: `${machine.id} ${index + 1}: ${titleOf(tour)}`,
    run: async () => await runTour(tour, machine, options),
  }));
}

function requireStates({root}: AnyStateMachine, names: readonly string[]): void {
  const known = ['*', ...nodesOf(root).flatMap(namesOf)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `states: ${root.id} has no state and no tag "${unknown}"${didYouMean(unknown, known)}`,
  );
}

function namesOf({id, path, tags}: ChartNode): string[] {
  return [id, path.join('.'), ...tags];
}

type Handlers<Sut> = Pick<ModelOptions<AnyStateMachine, Sut>, 'events' | 'outcomes' | 'timers'>;

/** The entry that a step needs, unless it is there. */
function missingFor<Sut>({move}: TourStep, {events, outcomes, timers}: Handlers<Sut>): string[] {
  if (move.type === 'start') return [];
  if (move.type === 'fire') return timers ? [] : ['timers'];
  if (move.type === 'send')
    return events?.[move.event.type] ? [] : [`events['${move.event.type}']`];
  return outcomes?.[move.actor]?.[move.does] ? [] : [`outcomes['${move.actor}'].${move.does}`];
}

async function runTour<Machine extends AnyStateMachine, Sut>(
  {start, steps: all}: Tour,
  machine: Machine,
  options: ModelOptions<Machine, Sut>,
): Promise<void> {
  const [first] = all;
  const isGiven = first?.move.type === 'start';
  const [begin, steps] = isGiven ? [first, all.slice(1)] : [start, all];
  const sut = await options.sut(inputOf(first, options));
  const pauses = pausesIn([begin, ...steps]);
  try {
    await assertStop(begin, sut, machine, options);
    for (const [index, step] of steps.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- a tour is a sequence
      await takeStep(step, pauses[index] ?? 0, sut, machine, options);
    }
  } finally {
    await options.close?.(sut);
  }
}

/** With several inputs, the first step of a tour has one of them. */
function inputOf<Machine extends AnyStateMachine, Sut>(
  first: TourStep | undefined,
  {samples: {input, inputs} = {}}: ModelOptions<Machine, Sut>,
): InputFrom<Machine> | undefined {
  const given = first?.move.type === 'start' ? first.move.input : undefined;
  return inputs?.find((each) => each === given) ?? input;
}

async function takeStep<Machine extends AnyStateMachine, Sut>(
  step: TourStep,
  pause: number,
  sut: Sut,
  machine: Machine,
  options: ModelOptions<Machine, Sut>,
): Promise<void> {
  try {
    if (pause > 0) await options.timers?.(sut, pause);
    await perform(step, sut, options);
    await assertStop(step, sut, machine, options);
  } catch (error) {
    if (error instanceof Error) error.message = `${moveText(step.move)}: ${error.message}`;
    throw error;
  }
}

async function perform<Sut>(
  {move}: TourStep,
  sut: Sut,
  {events, outcomes}: Handlers<Sut>,
): Promise<void> {
  if (move.type === 'send') await events?.[move.event.type]?.(sut, move.event);
  if (move.type === 'settle') await outcomes?.[move.actor]?.[move.does]?.(sut, move.value);
}

async function assertStop<Sut>(
  stop: Stop,
  sut: Sut,
  machine: AnyStateMachine,
  {states = {}}: Pick<ModelOptions<AnyStateMachine, Sut>, 'states'>,
): Promise<void> {
  const nodes = activeNodes(machine, stop.state ?? {});
  const names = new Set(['*', ...nodes.flatMap(namesOf)]);
  const own = Object.entries(states).filter(([name]) => names.has(name));
  const metas = nodes.flatMap(({meta}) => (typeof meta?.test === 'function' ? meta.test : []));
  for (const assertion of [...own.map(([, each]) => each), ...metas]) {
    // oxlint-disable-next-line no-await-in-loop -- one assertion at a time reads the program
    await assertion(sut, stop);
  }
}

/** The time in ms before each stop but the first, so that each timer fires when a step fires it, and no other is due before. */
function pausesIn(stops: readonly (Stop | TourStep)[]): readonly number[] {
  const times = stops.map(() => 0);
  const limits = stops.flatMap((_, index) => limitsAt(index, stops));
  for (let round = 0; round < stops.length; round += 1) {
    for (const {from, to, ms} of limits) {
      times[to] = Math.min(times[to] ?? 0, (times[from] ?? 0) + ms);
    }
  }
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

/** The time of one stop is at most so much later than that of another; a negative time: at least so much earlier. */
interface Limit {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

function limitsAt(to: number, stops: readonly (Stop | TourStep)[]): Limit[] {
  const before = to - 1;
  const [stop, last] = [stops[to], stops[before]];
  if (!stop || !last) return [];
  const fired = 'move' in stop && stop.move.type === 'fire' ? stop.move.timer : undefined;
  const order = {from: to, to: before, ms: 0};
  return last.pending
    .flatMap((name) => {
      const from = stops.slice(0, to).findLastIndex(({delays}) => name in delays);
      const ms = stops[from]?.delays[name];
      if (ms === undefined) return [order];
      if (name !== fired) return [order, {from, to, ms}];
      return [order, {from, to, ms}, {from: to, to: from, ms: -ms}];
    })
    .concat(order);
}
