/** The surroundings of scenarios, for tests that provide their own machine. */

import type {Scenario} from '../../support/played.ts';
import {type Answers, answering} from './answers.ts';

/**
 * Returns the first scenario whose name contains `name`, without its machine, messages and timers. `input` replaces members
 * of its input.
 */
export function quietly(
  scenarios: readonly {readonly name: string; readonly scenario: Scenario}[],
  name = '',
  input: object = {},
): Omit<Scenario, 'machine'> {
  const found = scenarios.find((each) => each.name.includes(name));
  if (!found) throw new Error(`there is no scenario ${name}`);
  const {scenario} = found;
  return {
    ...scenario,
    input: Object.assign({}, scenario.input, input),
    messages: [],
    mayFire: () => false,
  };
}

/** One of these scenarios, with some of its answers replaced. */
export function withAnswers(scenario: Omit<Scenario, 'machine'>, answers: Answers) {
  const ours = answering(answers);
  return {
    ...scenario,
    outcomes: (...asked: Parameters<Scenario['outcomes']>) => {
      const own = ours(...asked);
      return own.length > 0 ? own : scenario.outcomes(...asked);
    },
  };
}
