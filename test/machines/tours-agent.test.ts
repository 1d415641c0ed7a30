/** Agents explored to their last state. */

import {describe, expect, test} from 'vitest';

import {agentMachine} from '../../machines/index.ts';
import {disturbedAgents, executingAgents, plannedAgents} from './events/agent.ts';
import {crashWays} from './events/crashes.ts';
import {surveyOf, uncovered} from './survey.ts';

const expeditions = [...plannedAgents, ...executingAgents, ...disturbedAgents];

describe('an agent', () => {
  test.each(expeditions)('$name obeys its laws in every state', (expedition) => {
    expect(surveyOf(expedition).states).toBeGreaterThan(10);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(agentMachine, expeditions, crashWays)).toEqual([]);
  });
});
