/** Agents, interactions and interviews explored to their last state. */

import {describe, expect, test} from 'vitest';

import {
  agentMachine,
  interactionMachine,
  treeMachine,
  agentLoopMachine,
  architectMachine,
  confirmationMachine,
  exchangeMachine,
  fieldMachine,
  fieldReviewerMachine,
  greeterMachine,
  interviewMachine,
} from '../../machines/index.ts';
import {disturbedAgents, executingAgents, plannedAgents} from './events/agent.ts';
import {crashTransitions} from './events/crashes.ts';
import {advisedAgents, interactions} from './events/interaction.ts';
import {interviews} from './events/interview.ts';
import {explored, uncovered} from './explored.ts';

const scenarios = [...plannedAgents, ...executingAgents, ...disturbedAgents, ...advisedAgents];

describe('an agent', () => {
  test.each(scenarios)('$name obeys its laws in every state', (lawful) => {
    expect(explored(lawful).states).toBeGreaterThan(10);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(agentMachine, scenarios, crashTransitions)).toEqual([]);
  });
});

describe('an interaction', () => {
  test.each(interactions)('$name obeys its laws in every state', (lawful) => {
    expect(explored(lawful).states).toBeGreaterThan(5);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(interactionMachine, interactions, crashTransitions)).toEqual([]);
    expect(uncovered(treeMachine, interactions, crashTransitions)).toEqual([]);
  });
});

const charts = [
  interviewMachine,
  greeterMachine,
  architectMachine,
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
