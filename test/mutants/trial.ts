/** Tries the scenarios on one changed chart: whether one of them, or the check of coverage, notices the change. */

import type {AnyStateMachine} from 'xstate';

import type {Coverage} from '../../machines/testing/coverage.ts';
import type {Mutant} from '../../machines/testing/mutants/mutant.ts';
import {lawfulScenarios} from '../machines/events/all.ts';
import {crashTransitions} from '../machines/events/crashes.ts';
import {explore, uncoveredBy} from '../machines/explored.ts';
import type {Baseline} from './baseline.ts';
import {swapIn} from './swap.ts';

/** A changed chart may lead to states without end; a scenario may reach so many times its usual states. */
const growth = 3;

/** The scenarios with the fewest steps are played, up to so many steps in all: seconds a mutant. */
const maxSteps = 1_500;

/** Plain JSON, so that another process can play it. */
export interface TrialPlan {
  readonly scenarios: readonly {readonly name: string; readonly states: number}[];
  /** States and transitions that the scenarios don't go through while the chart is unchanged. */
  readonly uncovered: readonly string[];
}

/** Selects the scenarios that enter the changed state. */
export function planTrial(
  machine: AnyStateMachine,
  mutant: Mutant,
  baselines: readonly Baseline[],
): TrialPlan {
  const concerned = cheapest(baselines.filter(({entered}) => entered.has(mutant.state)));
  return {
    scenarios: concerned.map(({lawful: {name}, states}) => ({name, states})),
    uncovered: uncoveredBy(machine, concerned, crashTransitions),
  };
}

function cheapest(ascending: readonly Baseline[]): readonly Baseline[] {
  let total = 0;
  return ascending.filter(({steps}, index) => (total += steps) <= maxSteps || index === 0);
}

/**
 * Plays the scenarios. Returns the name of the one that notices the change, or `coverage` when they no longer go through a
 * state or a transition; undefined: nothing notices it. Calls `onPlayed` after each scenario.
 */
export function triedOn(
  machine: AnyStateMachine,
  mutant: Mutant,
  {scenarios, uncovered}: TrialPlan,
  onPlayed: () => void = () => undefined,
): string | undefined {
  const swapOut = swapIn(machine, mutant);
  try {
    const seen: Coverage[] = [];
    for (const {name, states} of scenarios) {
      const lawful = lawfulScenarios.find((each) => each.name === name);
      if (!lawful) throw new Error(`unknown scenario "${name}"`);
      try {
        seen.push(explore(lawful, {limits: {states: growth * states + 100, depth: 1_000}}));
      } catch {
        return name;
      }
      onPlayed();
    }
    const left = uncoveredBy(machine, seen, crashTransitions);
    return left.some((name) => !uncovered.includes(name)) ? 'coverage' : undefined;
  } finally {
    swapOut();
  }
}
