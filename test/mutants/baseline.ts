/** The coverage of each scenario while no chart is changed. */

import {lawfulScenarios} from '../machines/events/all.ts';
import {explore, type Explored, type LawfulScenario} from '../machines/explored.ts';

export interface Baseline extends Explored {
  readonly lawful: LawfulScenario;
}

/** Explores the scenarios, all unless given. Those with the fewest steps come first. */
export function exploreAll(scenarios: readonly LawfulScenario[] = lawfulScenarios): Baseline[] {
  return scenarios
    .map((lawful): Baseline => {
      const {states, steps, entered, taken} = explore(lawful);
      return {lawful, states, steps, entered, taken};
    })
    .toSorted((one, other) => one.steps - other.steps);
}
