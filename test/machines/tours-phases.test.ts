/** The agent's phases, the review of a call and the ask form explored to their last state. */

import {describe, expect, test} from 'vitest';

import {
  actionReviewMachine,
  askMachine,
  evaluationMachine,
  gatheringMachine,
  planningMachine,
} from '../../machines/index.ts';
import {actionReviews} from './events/action-review.ts';
import {asks} from './events/ask.ts';
import {crashWays} from './events/crashes.ts';
import {evaluations} from './events/evaluation.ts';
import {gatherings} from './events/gathering.ts';
import {plannings} from './events/planning.ts';
import {surveyOf, uncovered} from './survey.ts';

const charts = [
  {name: 'asking', machine: askMachine, expeditions: asks},
  {name: 'a gathering', machine: gatheringMachine, expeditions: gatherings},
  {name: 'planning', machine: planningMachine, expeditions: plannings},
  {name: 'an evaluation', machine: evaluationMachine, expeditions: evaluations},
  {name: 'the review of a call', machine: actionReviewMachine, expeditions: actionReviews},
];

describe.each(charts)('$name', ({machine, expeditions}) => {
  test.each(expeditions)('$name obeys its laws in every state', (expedition) => {
    expect(surveyOf(expedition).states).toBeGreaterThan(2);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(machine, expeditions, crashWays)).toEqual([]);
  });
});
