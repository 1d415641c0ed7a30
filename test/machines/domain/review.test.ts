import {expect, test} from 'vitest';

import {isVetoed, reasonsOf, type ReviewRound, vetoText} from '../../../machines/domain/review.ts';
import {toAbstention, toVote} from '../../../machines/panel/votes.ts';
import {modelSeat} from '../events/settings.ts';

const decided: ReviewRound = {
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
  votes: [],
  summary: '[○●!]',
  early: false,
  withdrawn: [],
  degraded: true,
  timestamp: 0,
};

test('an author receives each reason against the proposal, the suggested changes, and each seat that did not vote with the cause', () => {
  const reject = {verdict: 'reject', reasons: ['too risky', 'too long'], confidence: 1} as const;
  const votes = [
    toVote(modelSeat('a'), {...reject, suggestedChange: 'ask first'}),
    toVote(modelSeat('b'), {verdict: 'approve', reasons: ['fine'], confidence: 1}),
    toAbstention(modelSeat('c'), 'deadline passed'),
  ];
  expect(reasonsOf({...decided, votes})).toEqual([
    'a: too risky',
    'a: too long (suggests: ask first)',
    'c did not vote: deadline passed',
  ]);
});

test('a suggested change that the reason already contains is not repeated', () => {
  const reasons = ['rule/x: "rm -rf ."; safer: delete single files'];
  const vote = toVote(modelSeat('a'), {
    verdict: 'reject',
    reasons,
    confidence: 1,
    suggestedChange: 'delete single files',
  });
  expect(reasonsOf({...decided, votes: [vote]})).toEqual([`a: ${reasons[0]}`]);
});

const refusal = {
  policy: 'policy/scope',
  verdict: 'reject',
  rules: ['bounds', 'working-dir'],
  reasons: ['scope/bounds: "b.md"', 'scope/working-dir: "/"'],
} as const;
const permit = {policy: 'policy/safety', verdict: 'approve', rules: [], reasons: ['fine']} as const;

test('an author receives the refusal of a policy without a vote, and that of a policy with a seat only once', () => {
  const screened = [permit, refusal];
  expect(reasonsOf({...decided, screened})).toEqual([
    'policy/scope: scope/bounds: "b.md"',
    'policy/scope: scope/working-dir: "/"',
  ]);
  const seat = {...modelSeat('policy/scope'), veto: true};
  const votes = [toVote(seat, {...refusal, confidence: 1})];
  const sitting = {...decided, screened, votes, seats: ['policy/scope'], vetoes: ['policy/scope']};
  expect(reasonsOf(sitting)).toHaveLength(2);
  expect(vetoText(sitting)).toBe('vetoed by policy/scope (bounds, working-dir)');
});

const against = {verdict: 'reject', reasons: ['no'], confidence: 1} as const;

test.each([
  ['nobody', {screened: [permit]}, undefined],
  ['a policy that screens', {screened: [permit, refusal]}, 'policy/scope (bounds, working-dir)'],
  ['a seat', {votes: [toVote(modelSeat('a'), against)], vetoes: ['a']}, 'a'],
  [
    'both',
    {screened: [refusal], votes: [toVote(modelSeat('a'), against)], vetoes: ['a']},
    'policy/scope (bounds, working-dir), a',
  ],
  [
    'a seat without the right to one',
    {votes: [toVote(modelSeat('a'), against)], vetoes: ['b']},
    undefined,
  ],
  ['silence', {votes: [toAbstention(modelSeat('a'), 'timeout')], vetoes: ['a']}, undefined],
])('a veto by %s is named with its rules', (_, more, who) => {
  const round: ReviewRound = {...decided, ...more};
  expect(vetoText(round)).toBe(who === undefined ? undefined : `vetoed by ${who}`);
  expect(isVetoed(round)).toBe(who !== undefined);
});
