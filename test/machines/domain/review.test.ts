import {expect, test} from 'vitest';

import {
  reasonsOf,
  type ReviewRound,
  toAbstention,
  toVote,
} from '../../../machines/domain/review.ts';
import {modelSeat} from '../events/settings.ts';

test('an author hears every reason against, the changes suggested, and who did not vote and why', () => {
  const reject = {verdict: 'reject', reasons: ['too risky', 'too long'], confidence: 1} as const;
  const votes = [
    toVote(modelSeat('a'), {...reject, suggestedChange: 'ask first'}),
    toVote(modelSeat('b'), {verdict: 'approve', reasons: ['fine'], confidence: 1}),
    toAbstention(modelSeat('c'), 'deadline passed'),
  ];
  const round: ReviewRound = {
    round: 1,
    kind: 'plan',
    title: 'a plan',
    proposalHash: 'the hash',
    rule: 'majority',
    seats: ['a', 'b', 'c'],
    weights: {a: 1, b: 1, c: 1},
    vetoes: [],
    participation: {cast: 2, required: 1},
    verdict: 'rejected',
    approved: false,
    votes,
    summary: '[○●!]',
    early: false,
    withdrawn: [],
    degraded: true,
    timestamp: 0,
  };
  expect(reasonsOf(round)).toEqual([
    'a: too risky (suggests: ask first)',
    'a: too long (suggests: ask first)',
    'c did not vote: deadline passed',
  ]);
});
