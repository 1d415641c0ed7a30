/** Replies by rule in a discussion: quotations with their places, without an opinion. */

import {describe, expect, test} from 'vitest';

import {
  concludedByRule,
  quotedFor,
  rankedByRule,
} from '../../../../../actors/model/offline/questions/discussing.ts';
import {backgroundOf} from '../../../../../machines/forms/discuss/background.ts';
import {
  chairMessage,
  participantMessage,
  readerMessage,
} from '../../../../../machines/forms/discuss/prompt.ts';

const ground = {
  question: 'Should we move the queue to Postgres? It was down for 2 hours in May.',
  attachments: [
    {name: 'notes.txt', text: 'Ann: the migration costs two weeks.\nBob likes tea a lot.'},
  ],
  background: backgroundOf(
    {
      text: 'README.md\n\n## README.md\n# Shop\nThe queue is fast.\nThe lamp is fast as well.',
      read: ['README.md'],
    },
    '[1] docs/queue.md:7-8\nheading: Queue\n> A crash loses jobs.\n> It runs at night.\n\n1 passage',
  ),
};

const say = (view: string, more: object = {}) =>
  quotedFor(participantMessage({...ground, ...more}, view));

describe('a seat', () => {
  test.each([
    ['benefits', ['- “The queue is fast.” (README.md:2)']],
    ['risks', ['- “A crash loses jobs.” (docs/queue.md:7)']],
    ['cost', ['- “Ann: the migration costs two weeks.” (notes.txt:1)']],
    ['evidence', []],
  ])('quotes the passages about %s, each with its place', (view, quotes) => {
    const lines = say(view).split('\n');
    expect(lines.filter((line) => line.startsWith('- '))).toEqual(expect.arrayContaining(quotes));
    expect(say(view)).not.toContain('lamp');
    expect(say(view)).not.toContain('Should we move');
  });

  test('says in the same words for every topic when there is nothing to quote', () => {
    const bare = {attachments: [], background: [], question: 'Tabs or spaces?'};
    const nothing = 'By rule: no given or found text has anything to quote on this question.';
    expect(['benefits', 'risks', 'cost'].map((view) => say(view, bare))).toEqual([
      nothing,
      nothing,
      nothing,
    ]);
  });

  test('understands documents in Japanese', () => {
    const question = 'キューを Postgres に移すべきですか？';
    const passages = '[1] docs/a.md:3-3\n> 移行の費用は月に四十ドルです。';
    const background = backgroundOf({text: '', read: []}, passages);
    expect(say('cost', {question, background})).toContain(
      '移行の費用は月に四十ドルです。” (docs/a.md:3)',
    );
  });
});

const answers = [
  {label: 'Response A', by: 'x', text: 'By rule: no given or found text has anything to quote.'},
  {
    label: 'Response B',
    by: 'y',
    text: 'Of risks, by rule:\n- “It fails.” (a.md:1)\nThese are quotations.',
  },
];

test('a reader counts quotations', () => {
  expect(rankedByRule(readerMessage(ground, answers))).toMatchObject({
    ranking: ['Response B', 'Response A'],
    reviews: [
      {label: 'Response B', score: 3},
      {label: 'Response A', score: 1},
    ],
  });
});

test('without a quotation the chair says so, and nothing else', () => {
  const [nothing = {label: '', by: '', text: ''}] = answers;
  expect(concludedByRule(chairMessage(ground, [nothing], [], []))).toEqual({
    conclusion: 'No conclusion: the rules found nothing to quote on this question.',
    key_points: [],
    agreements: [],
    disagreements: [],
  });
});

test('the chair lists the quotations and concludes nothing', () => {
  expect(concludedByRule(chairMessage(ground, answers, [], []))).toEqual({
    conclusion: expect.stringMatching(/^No conclusion: .* statements on risks \(1\)/),
    key_points: ['risks: “It fails.” (a.md:1)'],
    agreements: [],
    disagreements: [],
  });
});
