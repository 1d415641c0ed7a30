/** The coverage of each scenario while no chart is changed. */

import type {Coverage} from '../../machines/testing/coverage.ts';
import {toursThroughAll} from '../../machines/testing/tours.ts';
import {lawfulScenarios} from '../machines/events/all.ts';
import {explore, type LawfulScenario} from '../machines/explored.ts';

export interface Baseline extends Coverage {
  readonly lawful: LawfulScenario;
  readonly states: number;
  readonly steps: number;
  readonly tours: number;
  readonly seconds: number;
}

/** Explores every scenario; the fastest come first. */
export function exploreAll(): Baseline[] {
  return lawfulScenarios
    .map((lawful): Baseline => {
      const start = performance.now();
      const {graph, states, steps, entered, taken} = explore(lawful);
      const seconds = (performance.now() - start) / 1_000;
      return {lawful, states, steps, tours: toursThroughAll(graph).length, seconds, entered, taken};
    })
    .toSorted((one, other) => one.steps - other.steps);
}
