/** Tries the scenarios on one changed chart: whether one of them, or the check of coverage, notices the change. */

import type {AnyStateMachine} from 'xstate';

import type {Coverage} from '../../machines/testing/coverage.ts';
import {lawfulScenarios} from '../machines/events/all.ts';
import {crashTransitions} from '../machines/events/crashes.ts';
import {explore, type LawfulScenario, uncoveredBy} from '../machines/explored.ts';
import {type Baseline, digestOf} from './baseline.ts';
import type {Mutant} from './generator/mutant.ts';
import {swapIn} from './swap.ts';

/** A changed chart may lead to states without end; a scenario may reach so many times its usual states. */
const growth = 3;

/** A scenario of a plan, while the chart is unchanged. */
interface PlannedScenario {
  readonly name: string;
  readonly states: number;
  readonly digest: string;
}

/** Plain JSON, so that another process can play it. */
export interface TrialPlan {
  /** The scenarios that enter the changed state. Those that enter the fewest states come first. */
  readonly scenarios: readonly PlannedScenario[];
  /** States and transitions that the scenarios don't go through while the chart is unchanged. */
  readonly uncovered: readonly string[];
}

export function planTrial(
  machine: AnyStateMachine,
  mutant: Mutant,
  baselines: readonly Baseline[],
): TrialPlan {
  const concerned = baselines
    .filter(({entered}) => entered.has(mutant.state))
    .toSorted((one, other) => one.entered.size - other.entered.size || one.steps - other.steps);
  return {
    scenarios: concerned.map(({lawful, states, digest}) => ({
      name: nameOf(lawful),
      states,
      digest,
    })),
    uncovered: uncoveredBy(machine, concerned, crashTransitions),
  };
}

/** The outcome of playing the scenarios. */
export interface Trial {
  /** The scenario that notices the change, or `coverage` when a state or a transition is no longer gone through. */
  readonly noticedBy?: string;
  /** The changed actions ran, and led to the same states by the same steps in every scenario. */
  readonly isUnchanged: boolean;
}

/** Plays the scenarios. Calls `onPlayed` after each of them. */
export function triedOn(
  machine: AnyStateMachine,
  mutant: Mutant,
  {scenarios, uncovered}: TrialPlan,
  onPlayed: () => void = () => undefined,
): Trial {
  const swapOut = swapIn(machine, mutant);
  try {
    const seen: Coverage[] = [];
    let isSame = true;
    for (const {name, states, digest} of scenarios) {
      const explored = attempt(name, growth * states + 100);
      if (!explored) return {noticedBy: name, isUnchanged: false};
      seen.push(explored);
      isSame &&= digestOf(explored.graph) === digest;
      onPlayed();
    }
    const left = uncoveredBy(machine, seen, crashTransitions);
    if (left.some((name) => !uncovered.includes(name))) {
      return {noticedBy: 'coverage', isUnchanged: false};
    }
    return {isUnchanged: isSame && seen.some(({taken}) => hasRun(mutant, taken))};
  } finally {
    swapOut();
  }
}

/** Unique: scenarios of two machines may have the same name. */
function nameOf({scenario, name}: LawfulScenario): string {
  return `${scenario.machine.id} ${name}`;
}

/** Undefined when a law is broken. */
function attempt(name: string, states: number): ReturnType<typeof explore> | undefined {
  const lawful = lawfulScenarios.find((each) => nameOf(each) === name);
  if (!lawful) throw new Error(`unknown scenario "${name}"`);
  try {
    return explore(lawful, {limits: {states, depth: 1_000}});
  } catch {
    return undefined;
  }
}

/** True for actions that are run twice, when their transition was taken. */
function hasRun({kind, name, state}: Mutant, taken: ReadonlySet<string>): boolean {
  const [, transition] = /: run the actions of (.+) twice(?: \(\d+\))?$/v.exec(name) ?? [];
  return (
    kind === 'repeat-actions' && transition !== undefined && taken.has(`${state} ${transition}`)
  );
}
