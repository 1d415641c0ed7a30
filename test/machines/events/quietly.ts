/** Scenarios of which a test needs but the surroundings. */

import type {Bug} from '../../support/buggy.ts';
import type {Scenario} from '../../support/played.ts';

/** A chart whose child has a bug, and how it must take it. */
export interface Crash {
  readonly name: string;
  /** Types of events at each of which the child may throw; `xstate.init` is its start. */
  readonly at: readonly string[];
  /** The transition of the parent. */
  readonly transition: string;
  readonly scenario: (bug: Bug) => Scenario;
  readonly output: object;
}

/** The surroundings of a scenario that is found by a part of its name, without messages and without timers. */
export function quietly(
  scenarios: readonly {readonly name: string; readonly scenario: Scenario}[],
  name = '',
): Omit<Scenario, 'machine'> {
  const found = scenarios.find((each) => each.name.includes(name));
  if (!found) throw new Error(`there is no scenario ${name}`);
  return {...found.scenario, messages: [], mayFire: () => false};
}
