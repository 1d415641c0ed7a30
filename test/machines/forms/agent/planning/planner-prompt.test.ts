/** The instructions to a planner whose previous plan was not approved. */

import {expect, test} from 'vitest';

import type {ModelVote, ReviewRound} from '../../../../../machines/domain/review.ts';
import {planMessage} from '../../../../../machines/forms/agent/planning/planner-prompt.ts';
import {planOf} from '../../../events/execution.ts';

const plan = planOf('look', [{id: 'a', description: 'look'}]);

function vote(verdict: ModelVote['verdict'], because?: string): ModelVote {
  const said = because === undefined ? [`I ${verdict}`] : [];
  const kept = {model: 'test/a', approved: false, verdict, reasoning: '', reasons: said};
  return {...kept, confidence: 1, ...(because === undefined ? {} : {abstainedBecause: because})};
}

function round(proposalHash: string, ...votes: readonly ModelVote[]): ReviewRound {
  return {
    round: 1,
    kind: 'plan',
    title: 'look',
    proposalHash,
    rule: 'majority',
    seats: ['test/a'],
    weights: {'test/a': 1},
    vetoes: [],
    participation: {cast: 1, required: 1},
    verdict: 'rejected',
    approved: false,
    votes,
    summary: '[○]',
    early: false,
    withdrawn: [],
    degraded: false,
    timestamp: 0,
  };
}

function instructions(...rounds: readonly ReviewRound[]): string {
  const brief = {request: 'look', background: [], runs: [], maxResults: 9_000};
  return planMessage({...brief, previous: plan, rounds}).split('# What to do\n')[1] ?? '';
}

test('a plan with a reason against it is to be revised', () => {
  expect(instructions(round('1', vote('reject')))).toBe(
    'Revise the previous plan so that every reason given against it is met. A plan that was rejected is not voted on again.',
  );
});

test('a plan that was not approved because seats failed may be proposed again', () => {
  const message = instructions(round('1', vote('abstain', 'overloaded')));
  expect(message).toContain('Nobody gave a reason against the previous plan');
});
