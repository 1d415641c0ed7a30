import {describe, expect, test} from 'vitest';

import {
  defaultContextMode,
  parseInteractionForm,
  usesAgentPolicy,
  usesExecutionParams,
  usesSessionMode,
} from '../../../machines/index.ts';

describe('the form of an interaction', () => {
  test.each([
    ['agent', 'agent'],
    ['ask', 'ask'],
    ['discuss', 'discuss'],
    ['council', 'discuss'],
    [' Discuss ', 'discuss'],
    ['interview', 'interview'],
    ['', undefined],
    ['agents', undefined],
    ['toString', undefined],
  ])('is parsed from %j as %s', (text, form) => {
    expect(parseInteractionForm(text)).toBe(form);
  });

  test.each([
    ['agent', true, true, true, 'full'],
    ['ask', true, false, true, 'projected'],
    ['discuss', true, false, false, 'full'],
    ['interview', true, false, false, 'full'],
  ] as const)(
    '%s: session mode %s, agent policy %s, execution parameters %s, default context mode %s',
    (form, mode, policy, params, contextMode) => {
      expect(usesSessionMode(form)).toBe(mode);
      expect(usesAgentPolicy(form)).toBe(policy);
      expect(usesExecutionParams(form)).toBe(params);
      expect(defaultContextMode(form)).toBe(contextMode);
    },
  );
});
