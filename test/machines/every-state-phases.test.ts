/** The agent's phases, the review of a call and the ask form explored to their last state. */

import {describe, expect, test} from 'vitest';

import {
  actionReviewMachine,
  askMachine,
  commandMachine,
  claimCheckMachine,
  closingMachine,
  debateMachine,
  discussMachine,
  ensembleMachine,
  evaluationMachine,
  gatheringMachine,
  planningMachine,
  reviewMachine,
} from '../../machines/index.ts';
import {actionReviews} from './events/action-review.ts';
import {asks} from './events/ask.ts';
import {claimChecks} from './events/claim-check.ts';
import {closings} from './events/closing.ts';
import {commands} from './events/command.ts';
import {crashTransitions} from './events/crashes.ts';
import {debates} from './events/debate.ts';
import {discussions} from './events/discuss.ts';
import {ensembles} from './events/ensemble.ts';
import {evaluations} from './events/evaluation.ts';
import {gatherings} from './events/gathering.ts';
import {plannings} from './events/planning.ts';
import {reviews} from './events/review.ts';
import {explored, uncovered} from './explored.ts';

const charts = [
  {name: 'asking', machine: askMachine, scenarios: asks},
  {name: 'a command of a person', machine: commandMachine, scenarios: commands},
  {name: 'a debate', machine: debateMachine, scenarios: debates},
  {name: 'a discussion', machine: discussMachine, scenarios: discussions},
  {name: 'the review of a diff', machine: reviewMachine, scenarios: reviews},
  {name: 'a gathering', machine: gatheringMachine, scenarios: gatherings},
  {name: 'planning', machine: planningMachine, scenarios: plannings},
  {name: 'an ensemble', machine: ensembleMachine, scenarios: ensembles},
  {name: 'an evaluation', machine: evaluationMachine, scenarios: evaluations},
  {name: 'a check of claims', machine: claimCheckMachine, scenarios: claimChecks},
  {name: 'a closing', machine: closingMachine, scenarios: closings},
  {name: 'the review of a call', machine: actionReviewMachine, scenarios: actionReviews},
];

describe.each(charts)('$name', ({machine, scenarios}) => {
  test.each(scenarios)('$name obeys its laws in every state', (lawful) => {
    expect(explored(lawful).steps).toBeGreaterThan(2);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(machine, scenarios, crashTransitions)).toEqual([]);
  });
});
