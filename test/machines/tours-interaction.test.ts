/** Interactions explored to their last state. */

import {describe, expect, test} from 'vitest';

import {interactionMachine, treeMachine} from '../../machines/index.ts';
import {crashWays} from './events/crashes.ts';
import {interactions} from './events/interaction.ts';
import {surveyOf, uncovered} from './survey.ts';

describe('an interaction', () => {
  test.each(interactions)('$name obeys its laws in every state', (expedition) => {
    expect(surveyOf(expedition).states).toBeGreaterThan(5);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(interactionMachine, interactions, crashWays)).toEqual([]);
    expect(uncovered(treeMachine, interactions, crashWays)).toEqual([]);
  });
});
