/** The settings of a run without a configuration. */

import {expect, test} from 'vitest';

import {defaultConfig} from '../../../actors/config/schema.ts';

const {agent, quorum, ask, guardrails, search, database, interview} = defaultConfig();

test('by default a small model explores, a large one decides, and two models of different makers review', () => {
  expect(agent).toMatchObject({
    exploration_model: 'claude-haiku-4.5',
    decision_model: 'claude-sonnet-4.5',
    review_models: ['claude-sonnet-4.5', 'gpt-5.2-codex'],
  });
});

test('by default an agent works solo, in full, and asks a person where the panel cannot decide', () => {
  expect(agent).toMatchObject({
    consensus_level: 'solo',
    phase_scope: 'full',
    strategy: 'quorum',
    hil_mode: 'interactive',
  });
});

test('by default plans are reviewed, results are not, and a majority decides after the policies', () => {
  expect(agent).toMatchObject({require_plan_review: true, require_final_review: false});
  expect(quorum).toMatchObject({
    rule: 'majority',
    screen: ['policy/safety', 'policy/scope', 'policy/evidence'],
  });
});

test('by default questions and answers have 4,096 tokens, and a conversation 50 messages', () => {
  expect(guardrails).toEqual({
    max_input_tokens: 4_096,
    max_output_tokens: 4_096,
    blocked_patterns: [],
  });
  expect(ask.max_history).toBe(50);
});

test('by default a search returns five passages, and a query 100 rows', () => {
  expect(search.top_k).toBe(5);
  expect(database.max_rows).toBe(100);
});

test('by default an agent of an interview has ten model calls until it must ask', () => {
  expect(interview.max_loops).toBe(10);
});
