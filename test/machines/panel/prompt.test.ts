/** Prompts of the models on a panel: the criteria by which they judge a proposal, and the beginning that votes share. */

import {expect, test} from 'vitest';

import type {Proposal, ReviewRound} from '../../../machines/domain/review.ts';
import {reviewMessage} from '../../../machines/panel/prompt.ts';
import {personWords} from '../../../machines/prompts/section-text.ts';

const background = [['Survey', personWords('A small shop.')]] as const;

function messageOn(kind: Proposal['kind'], text = 'Do it.', round = 1) {
  const facts = {
    request: 'Fix the shop.',
    assigned: `Do ${text}`,
    workspace: '/w',
    calls: [],
    evidence: [],
    claims: [],
  };
  const earlier: ReviewRound = {
    round: 1,
    kind,
    title: 'It',
    proposalHash: 'h',
    rule: 'majority',
    seats: ['a'],
    weights: {},
    vetoes: [],
    participation: {cast: 1, required: 1},
    verdict: 'rejected',
    approved: false,
    votes: [],
    summary: '[○]',
    early: false,
    withdrawn: [],
    degraded: false,
    timestamp: 0,
  };
  const proposal = {kind, title: 'It', text, hash: 'h', facts};
  return reviewMessage(proposal, round, background, round > 1 ? [earlier] : []);
}

test('reviewers of a plan judge whether it does what was asked, safely and in the right order', () => {
  expect(messageOn('plan').text).toMatch(/does it do what the request asks.*safe.*order right/);
});

test('reviewers of an action judge whether it is needed and right, and whether a safer way exists', () => {
  expect(messageOn('action').text).toMatch(/is it needed.*arguments right.*safer way/);
});

test('reviewers of a result judge whether it does what was asked, and whether its claims are true', () => {
  expect(messageOn('result').text).toMatch(/does it do what the request asked.*claim supported/);
});

test('all votes of a run begin with the same background; what differs follows, the earlier rounds last', () => {
  const messages = [
    messageOn('plan'),
    messageOn('action', 'Write.'),
    messageOn('action', 'Write.', 2),
  ];
  const beginnings = messages.map(({text, stable}) => text.slice(0, stable));
  expect(beginnings[0]).toBe('# Request\nFix the shop.\n\n# Survey\nA small shop.\n\n');
  expect(new Set(beginnings).size).toBe(1);
  const titles = messages[2]?.text.match(/^# \w+/gm);
  expect(titles).toEqual(['# Request', '# Survey', '# Task', '# Proposal', '# Earlier', '# What']);
  expect(messages[2]?.text).toContain('Do not raise the bar');
  expect(messages[1]?.text).not.toContain('Do not raise the bar');
});
