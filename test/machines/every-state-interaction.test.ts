/** Interactions explored to their last state. */

import {describe, expect, test} from 'vitest';

import {interactionMachine, treeMachine} from '../../machines/index.ts';
import {crashTransitions} from './events/crashes.ts';
import {interactions} from './events/interaction.ts';
import {explored, uncovered} from './explored.ts';

describe('an interaction', () => {
  test.each(interactions)('$name obeys its laws in every state', (lawful) => {
    expect(explored(lawful).states).toBeGreaterThan(5);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(interactionMachine, interactions, crashTransitions)).toEqual([]);
    expect(uncovered(treeMachine, interactions, crashTransitions)).toEqual([]);
  });
});
