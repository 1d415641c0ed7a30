/** The coverage of each scenario while no chart is changed. */

import {createHash} from 'node:crypto';

import type {Graph} from '../../machines/testing/search.ts';
import {toursThroughAll} from '../../machines/testing/tours.ts';
import {lawfulScenarios} from '../machines/events/all.ts';
import {explore, type Explored, type LawfulScenario} from '../machines/explored.ts';

export interface Baseline extends Explored {
  readonly lawful: LawfulScenario;
  /** The number of runs that together take every step. */
  readonly tours: number;
  /** Equal for two explorations that reach the same states by the same steps. */
  readonly digest: string;
}

export function digestOf({start, steps}: Pick<Graph<object>, 'start' | 'steps'>): string {
  const text = JSON.stringify([start, [...steps]]);
  return createHash('sha256').update(text).digest('base64');
}

/** Explores the scenarios. Those with the fewest steps come first. */
export function exploreAll(scenarios: readonly LawfulScenario[]): Baseline[] {
  return scenarios
    .map((lawful): Baseline => {
      const {graph, ...explored} = explore(lawful);
      const tours = toursThroughAll(graph).length;
      return {lawful, tours, digest: digestOf(graph), ...explored};
    })
    .toSorted((one, other) => one.steps - other.steps);
}

const known = new Map<string, readonly Baseline[]>();

/** Explores the scenarios of the machine, or all for a machine without any; once. */
export function baselinesFor(machine: string): readonly Baseline[] {
  const own = lawfulScenarios.filter(({scenario}) => scenario.machine.id === machine);
  const key = own.length > 0 ? machine : '';
  const baselines = known.get(key) ?? exploreAll(own.length > 0 ? own : lawfulScenarios);
  known.set(key, baselines);
  return baselines;
}
