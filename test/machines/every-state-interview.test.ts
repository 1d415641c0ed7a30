/** Interviews explored to their last state. */

import {describe, expect, test} from 'vitest';

import {
  agentLoopMachine,
  architectMachine,
  confirmationMachine,
  exchangeMachine,
  fieldMachine,
  fieldReviewerMachine,
  greeterMachine,
  interviewerMachine,
  interviewMachine,
} from '../../machines/index.ts';
import {crashTransitions} from './events/crashes.ts';
import {interviews} from './events/interview.ts';
import {explored, uncovered} from './explored.ts';

const charts = [
  interviewMachine,
  greeterMachine,
  architectMachine,
  interviewerMachine,
  fieldMachine,
  fieldReviewerMachine,
  confirmationMachine,
  exchangeMachine,
  agentLoopMachine,
].map((machine) => ({machine, name: machine.id}));

describe('an interview', () => {
  test.each(interviews)('$name obeys its laws in every state', (lawful) => {
    expect(explored(lawful).steps).toBeGreaterThan(2);
  });

  test.each(charts)('enters every state of its $name, by every transition', ({machine}) => {
    expect(uncovered(machine, interviews, crashTransitions)).toEqual([]);
  });
});
