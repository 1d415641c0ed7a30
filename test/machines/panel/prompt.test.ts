/** The criteria by which models on a panel judge a proposal. */

import {expect, test} from 'vitest';

import {reviewSystem} from '../../../machines/panel/prompt.ts';

test('reviewers of a plan judge whether it does what was asked, safely and in the right order', () => {
  expect(reviewSystem('plan', 1)).toMatch(/does it do what the request asks.*safe.*order right/);
});

test('reviewers of an action judge whether it is needed and right, and whether a safer way exists', () => {
  expect(reviewSystem('action', 1)).toMatch(/is it needed.*arguments right.*safer way/);
});

test('reviewers of a result judge whether it does what was asked, and whether its claims are true', () => {
  expect(reviewSystem('result', 1)).toMatch(/does it do what the request asked.*claim supported/);
});
