/** Agents explored to their last state. */

import {describe, expect, test} from 'vitest';

import {agentMachine} from '../../machines/index.ts';
import {disturbedAgents, executingAgents, plannedAgents} from './events/agent.ts';
import {crashTransitions} from './events/crashes.ts';
import {advisedAgents} from './events/interaction.ts';
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
