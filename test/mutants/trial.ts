/** Tries the scenarios on one changed chart: whether one of them, or the check of coverage, notices the change. */

import type {AnyStateMachine} from 'xstate';

import type {Coverage} from '../../machines/testing/coverage.ts';
import type {Mutant} from '../../machines/testing/mutants/mutant.ts';
import {crashTransitions} from '../machines/events/crashes.ts';
import {explore, uncoveredBy} from '../machines/explored.ts';
import type {Baseline} from './baseline.ts';
import {swapIn} from './swap.ts';

/** A changed chart may lead to states without end; a scenario may reach so many times its usual states. */
const growth = 3;

/** The scenarios with the fewest steps are played, up to so many steps in all: seconds a mutant. */
const maxSteps = 1_500;

/**
 * Plays the scenarios that enter the changed state. Returns the name of the scenario that notices the change, or `coverage`
 * when they no longer go through a state or a transition; undefined: nothing notices it.
 */
export function triedOn(
  machine: AnyStateMachine,
  mutant: Mutant,
  baselines: readonly Baseline[],
): string | undefined {
  const concerned = cheapest(baselines.filter(({entered}) => entered.has(mutant.state)));
  const before = new Set(uncoveredBy(machine, concerned, crashTransitions));
  const swapOut = swapIn(machine, mutant);
  try {
    const seen: Coverage[] = [];
    for (const {lawful, states} of concerned) {
      try {
        const limits = {states: growth * states + 100, depth: 1_000};
        seen.push(explore(lawful, {limits}));
      } catch {
        return lawful.name;
      }
    }
    const left = uncoveredBy(machine, seen, crashTransitions);
    return left.some((name) => !before.has(name)) ? 'coverage' : undefined;
  } finally {
    swapOut();
  }
}

function cheapest(ascending: readonly Baseline[]): readonly Baseline[] {
  let total = 0;
  return ascending.filter(({steps}, index) => (total += steps) <= maxSteps || index === 0);
}
