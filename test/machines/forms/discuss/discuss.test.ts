/** A discussion: each participant answers alone and reviews the others without names, and then a chair concludes. */

import {expect, test} from 'vitest';

import {discussMachine} from '../../../../machines/forms/discuss/discuss.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {calling, failing, saying} from '../../events/outcomes.ts';
import {smallSettings} from '../../events/settings.ts';
import {valueIn} from '../../laws-record.ts';

function start(participants: readonly string[]): ByHand {
  const settings = {
    ...smallSettings('interactive', []),
    discuss: {
      participants: participants.map((id) => ({id, model: `mock/${id}`})),
      moderator: {id: 'moderator', model: 'mock/chair'},
      deadlineMs: 1_000,
    },
  };
  const discussion = byHand(discussMachine, {
    request: 'Move the queue?',
    workspace: '/w',
    settings,
  });
  discussion.settle('survey', {text: '## README.md\nA queue.', read: ['README.md']});
  discussion.settle('search', {
    kind: 'succeeded',
    text: '[1] docs/a.md:1-1\n> Redis is fast.',
    sources: [{place: 'docs/a.md:1-1'}],
  });
  return discussion;
}

const conclusion = {
  conclusion: 'Move it.',
  key_points: ['Response A says so'],
  agreements: [],
  disagreements: [],
};

function textOf(discussion: ByHand, at: number): string {
  return discussion.requests('callModel').at(at)?.transcript.messages[0]?.text ?? '';
}

/** Ranks the labels that a reader was shown, in the order of the text. */
function ranking(text: string) {
  const labels = [...new Set(text.match(/^Response [A-Z]/gm))];
  return calling('rank_answers', {
    ranking: labels,
    reviews: labels.map((label, index) => ({
      label,
      assessment: `it is ${label}`,
      score: 9 - index,
    })),
  });
}

/** Settles the review of a reader with a ranking of the answers that it was shown. */
function review(discussion: ByHand, reader: string): void {
  const asked = discussion.requests('callModel').findLast(({model}) => model === `mock/${reader}`);
  discussion.settle(`reviews/seat:${reader}`, ranking(asked?.transcript.messages[0]?.text ?? ''));
}

function discussionIn(output: unknown, ...names: readonly string[]): unknown {
  return valueIn(output, 'discussion', ...names);
}

test('participants answer in parallel, without tools, and read the survey and the passages that were found', () => {
  const discussion = start(['ann', 'bob']);
  expect(discussion.requests('callModel')).toMatchObject([
    {model: 'mock/ann', purpose: 'discuss', tools: [], toolChoice: 'none'},
    {model: 'mock/bob', purpose: 'discuss', tools: [], toolChoice: 'none'},
  ]);
  expect(textOf(discussion, 0)).toContain('# Question\nMove the queue?');
  expect(textOf(discussion, 0)).toContain('> > Redis is fast.');
  expect(textOf(discussion, 0)).toContain('> A queue.');
});

test('each participant reviews the answers of the others; the conclusion names participants, not labels', () => {
  const discussion = start(['ann', 'bob', 'cid']);
  for (const id of ['ann', 'bob', 'cid']) {
    discussion.settle(`seat:${id}`, saying(`${id} here: reason ${id.toUpperCase()}x`));
  }
  const asked = discussion.requests('callModel').slice(3);
  expect(asked.map(({tools}) => tools)).toEqual([
    ['rank_answers'],
    ['rank_answers'],
    ['rank_answers'],
  ]);
  const [toAnn = ''] = asked.map(({transcript}) => transcript.messages[0]?.text);
  expect(toAnn).toContain('[a participant] here: reason BOBx');
  expect(toAnn).toContain('reason CIDx');
  expect(toAnn).not.toContain('reason ANNx');
  for (const id of ['ann', 'bob', 'cid']) review(discussion, id);
  expect(textOf(discussion, -1)).toContain('score 9: it is Response');
  discussion.settle('chair', calling('conclude', conclusion));
  const output = discussion.output();
  expect(output).toMatchObject({
    status: 'completed',
    summary: 'Move it.',
    discussion: {degraded: false, notes: [], chair: 'mock/chair', ranking: [{rank: 1}, {}, {}]},
  });
  expect(discussionIn(output, 'key_points')).toEqual([
    expect.stringMatching(/^(?:ann|bob|cid) says so$/),
  ]);
  expect(discussion.reports('discuss.answered')).toHaveLength(3);
  expect(discussion.reports('discuss.reviewed')).toHaveLength(3);
});

test('a single answer is enough: nobody reviews it, and the result says so', () => {
  const discussion = start(['ann', 'bob']);
  discussion.settle('seat:ann', failing('refused'));
  discussion.settle('seat:bob', saying('Yes.'));
  discussion.settle('chair', calling('conclude', conclusion));
  expect(discussion.output()).toMatchObject({
    status: 'completed',
    discussion: {
      degraded: true,
      ranking: [],
      notes: ['ann gave no answer: refused: it failed', 'only one answer: nobody reviewed it'],
      answers: [{participant: 'bob', text: 'Yes.'}],
    },
  });
});

test('an unavailable participant is not waited for when another one has answered', () => {
  const discussion = start(['ann', 'bob']);
  discussion.settle('seat:ann', failing('auth'));
  discussion.settle('seat:bob', saying('Yes.'));
  expect(discussion.open().filter((path) => path.startsWith('chair'))).not.toEqual([]);
});

test('two equal answers count as one: nothing is left to review, and the result is not degraded', () => {
  const discussion = start(['ann', 'bob']);
  discussion.settle('seat:ann', saying('Yes, move it.'));
  discussion.settle('seat:bob', saying('yes: move it'));
  discussion.settle('chair', calling('conclude', conclusion));
  expect(discussion.output()).toMatchObject({
    status: 'completed',
    discussion: {degraded: false, notes: ['ann and bob gave the same answer: it counts once']},
  });
});

test('a discussion without an answer fails', () => {
  const discussion = start(['ann', 'bob']);
  discussion.settle('seat:ann', failing('refused'));
  discussion.settle('seat:bob', saying(' '));
  expect(discussion.output()).toEqual({
    status: 'failed',
    summary: 'Nobody answered. ann: refused: it failed; bob: it said nothing',
  });
});

test('participants that have not answered by the deadline are left out', () => {
  const discussion = start(['ann', 'bob']);
  discussion.settle('seat:ann', saying('Yes.'));
  discussion.pass('deadline');
  discussion.settle('chair', calling('conclude', conclusion));
  expect(discussionIn(discussion.output(), 'notes')).toContain(
    'bob gave no answer: deadline passed',
  );
});

function untilChair(participants: readonly string[]): ByHand {
  const discussion = start(participants);
  for (const id of participants) discussion.settle(`seat:${id}`, saying(`It is ${id.repeat(2)}.`));
  for (const id of participants) review(discussion, id);
  return discussion;
}

test('when the moderator fails, the best-ranked participant takes the chair', () => {
  const discussion = untilChair(['ann', 'bob']);
  discussion.settle('chair', failing('refused'));
  expect(discussion.requests('callModel').at(-1)).toMatchObject({
    model: 'mock/ann',
    tools: ['conclude'],
  });
  expect(discussion.reports('warning')).toMatchObject([
    {message: 'moderator drew no conclusion (refused: it failed); ann takes the chair'},
  ]);
  discussion.settle('chair', calling('conclude', conclusion));
  expect(discussion.output()).toMatchObject({
    discussion: {chair: 'ann', degraded: true, conclusion: 'Move it.'},
  });
});

test('when nobody can conclude, the best answer becomes the conclusion', () => {
  const discussion = untilChair(['ann', 'bob']);
  for (let chair = 0; chair < 3; chair += 1) discussion.settle('chair', failing('refused'));
  expect(discussion.output()).toMatchObject({
    status: 'completed',
    discussion: {conclusion: 'It is annann.', degraded: true},
  });
  expect(discussionIn(discussion.output(), 'chair')).toBeUndefined();
});

test('when no chair can be called, the run waits, and asks the moderator first after it is resumed', () => {
  const discussion = untilChair(['ann', 'bob']);
  for (let chair = 0; chair < 3; chair += 1) discussion.settle('chair', failing('auth'));
  expect(discussion.requests('awaitResume')).toMatchObject([{model: 'mock/chair', code: 'auth'}]);
  discussion.settle('resume', {resumed: true});
  expect(discussion.requests('callModel').at(-1)?.model).toBe('mock/chair');
});

test('a person can cancel while participants are at work', () => {
  const discussion = start(['ann', 'bob']);
  discussion.settle('seat:ann', saying('Yes.'));
  discussion.send({type: 'user.cancel'});
  expect(discussion.output()).toMatchObject({
    status: 'cancelled',
    discussion: {conclusion: '', answers: [{participant: 'ann'}]},
  });
});
