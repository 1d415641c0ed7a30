/** Answers as other participants read them, and the combined ranking of all readers. */

import {expect, test} from 'vitest';

import {rankVoices} from '../../../../machines/forms/discuss/ranking.ts';
import {relabel, shownTo, voicesOf} from '../../../../machines/forms/discuss/voices.ts';

const named = ['x', 'y', 'z'].map((id) => ({id, model: `mock/model-${id}`}));

function voices(...texts: readonly string[]) {
  const answers = texts.map((text, index) => ({by: named[index]?.id ?? '', text}));
  return voicesOf(answers, named, 'why?');
}

test('answers that differ only in case, punctuation and model names count as one', () => {
  expect(voices('**Yes**, move it.', 'no', 'yes - move IT')).toMatchObject([
    {by: 'x', all: ['x', 'z']},
    {by: 'y', all: ['y']},
  ]);
  expect(voices('I am model-x. Yes!', 'I am model-y: yes')).toMatchObject([{all: ['x', 'y']}]);
});

test('answers that differ in one word count as two', () => {
  expect(voices('Move it.', 'Do not move it.')).toHaveLength(2);
  expect(voices('👍', '👎')).toHaveLength(2);
});

test('a reader is shown neither its own answer nor an equal one', () => {
  const all = voices('Yes.', 'No.', 'yes');
  expect(shownTo('z', all, 'why?').map(({by, label}) => [by, label])).toEqual([
    ['y', 'Response A'],
  ]);
});

test('labels are replaced by names; unknown labels stay unchanged', () => {
  const shown = shownTo('y', voices('Yes.', 'No.', 'Perhaps.'), 'why?');
  const [first] = shown;
  expect(relabel('Response A beats Response Z.', shown, (by) => by)).toBe(
    `${first?.by ?? ''} beats Response Z.`,
  );
});

function review(by: string, of: string, place: number, score: number, among = 2) {
  return {by, of, place, among, score, assessment: 'so', strengths: [], weaknesses: []};
}

test('the best mean place ranks first, then the best mean score, then the order of the configuration', () => {
  const all = voices('one', 'two', 'three');
  const reviews = [
    review('x', 'y', 1, 8),
    review('x', 'z', 2, 9),
    review('y', 'z', 1, 7),
    review('y', 'x', 2, 7),
    review('z', 'y', 2, 6),
    review('z', 'x', 1, 6),
  ];
  expect(rankVoices(all, reviews)).toEqual([
    {rank: 1, participants: ['z'], reviews: 2, place: 1.5, score: 8},
    {rank: 2, participants: ['y'], reviews: 2, place: 1.5, score: 7},
    {rank: 3, participants: ['x'], reviews: 2, place: 1.5, score: 6.5},
  ]);
});

test('the score ranks two answers that were each the only one shown to a reader', () => {
  const reviews = [review('x', 'y', 1, 4, 1), review('y', 'x', 1, 9, 1)];
  expect(rankVoices(voices('one', 'two'), reviews).map(({participants}) => participants)).toEqual([
    ['x'],
    ['y'],
  ]);
});

test('an answer without a review ranks last, and without any review there is no ranking', () => {
  const all = voices('one', 'two', 'three');
  const reviews = [review('x', 'y', 2, 1), review('x', 'z', 1, 5)];
  expect(rankVoices(all, reviews).map(({participants}) => participants)).toEqual([
    ['z'],
    ['y'],
    ['x'],
  ]);
  expect(rankVoices(all, [])).toEqual([]);
});
