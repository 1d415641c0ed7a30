import {describe, expect, test} from 'vitest';

import {readConclusion, readRanking} from '../../../machines/questions/discussion.ts';
import type {Reading} from '../../../machines/questions/reading.ts';

const labels = ['Response A', 'Response B'];

function review(label: string, more: object = {}) {
  return {
    label,
    assessment: 'it is clear',
    strengths: ['short'],
    weaknesses: [],
    score: 7,
    ...more,
  };
}

const valid = {
  ranking: ['Response B', 'Response A'],
  reviews: labels.map((label) => review(label)),
};

function problemsOf(reading: Reading<unknown>): string {
  return reading.ok ? '' : reading.problems.join('; ');
}

describe('a ranking', () => {
  test('holds each label once, the best first, with a review of each', () => {
    expect(readRanking(valid, {labels})).toEqual({ok: true, value: valid});
  });

  test('may leave out strengths and weaknesses', () => {
    const bare = {
      ...valid,
      reviews: labels.map((label) => review(label, {strengths: null, weaknesses: null})),
    };
    expect(readRanking(bare, {labels})).toMatchObject({
      ok: true,
      value: {reviews: [{strengths: [], weaknesses: []}, {}]},
    });
  });

  test.each([
    ['of too few labels', {ranking: ['Response A']}, 'ranking: Response B is missing'],
    [
      'of an unknown label',
      {ranking: [...labels, 'Response C']},
      'ranking: there is no "Response C"',
    ],
    [
      'of the same label twice',
      {ranking: [...labels, 'Response A']},
      'ranking: "Response A" occurs twice',
    ],
    ['without a review', {reviews: [review('Response A')]}, 'reviews: Response B is missing'],
    [
      'with a score out of range',
      {reviews: labels.map((label) => review(label, {score: 11}))},
      '10',
    ],
    [
      'with a blank assessment',
      {reviews: labels.map((label) => review(label, {assessment: ' '}))},
      'assessment',
    ],
    ['with an unknown key', {winner: 'me'}, 'winner'],
  ])('%s is invalid', (_, change, problem) => {
    expect(problemsOf(readRanking({...valid, ...change}, {labels}))).toContain(problem);
  });
});

describe('a conclusion', () => {
  const conclusion = {conclusion: 'Yes.', key_points: ['a'], agreements: [], disagreements: ['b']};

  test('is read with its points', () => {
    expect(readConclusion(conclusion)).toEqual({ok: true, value: conclusion});
  });

  test('does not keep a lone surrogate', () => {
    expect(readConclusion({...conclusion, conclusion: 'Yes \ud800'})).toMatchObject({
      value: {conclusion: 'Yes \ufffd'},
    });
  });

  test.each([
    ['blank', {conclusion: ' '}],
    ['without a list', {agreements: undefined}],
    ['with a blank point', {key_points: ['']}],
  ])('that is %s is invalid', (_, change) => {
    expect(readConclusion({...conclusion, ...change}).ok).toBe(false);
  });
});
