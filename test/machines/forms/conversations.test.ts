/** Discussions, the voices in them, and debates. */

import {expect, test} from 'vitest';

import {debateMachine} from '../../../machines/forms/debate/debate.ts';
import {
  rankVoices,
  relabel,
  shownTo,
  voicesOf,
} from '../../../machines/forms/discuss/discuss-state.ts';
import {discussMachine} from '../../../machines/forms/discuss/discuss.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {calling, failing, saying} from '../events/outcomes.ts';
import {smallSettings} from '../events/settings.ts';
import {valueIn, listIn} from '../laws-record.ts';

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

function reviewVoices(by: string, of: string, place: number, score: number, among = 2) {
  return {by, of, place, among, score, assessment: 'so', strengths: [], weaknesses: []};
}

test('the best mean place ranks first, then the best mean score, then the order of the configuration', () => {
  const all = voices('one', 'two', 'three');
  const reviews = [
    reviewVoices('x', 'y', 1, 8),
    reviewVoices('x', 'z', 2, 9),
    reviewVoices('y', 'z', 1, 7),
    reviewVoices('y', 'x', 2, 7),
    reviewVoices('z', 'y', 2, 6),
    reviewVoices('z', 'x', 1, 6),
  ];
  expect(rankVoices(all, reviews)).toEqual([
    {rank: 1, participants: ['z'], reviews: 2, place: 1.5, score: 8},
    {rank: 2, participants: ['y'], reviews: 2, place: 1.5, score: 7},
    {rank: 3, participants: ['x'], reviews: 2, place: 1.5, score: 6.5},
  ]);
});

test('the score ranks two answers that were each the only one shown to a reader', () => {
  const reviews = [reviewVoices('x', 'y', 1, 4, 1), reviewVoices('y', 'x', 1, 9, 1)];
  expect(rankVoices(voices('one', 'two'), reviews).map(({participants}) => participants)).toEqual([
    ['x'],
    ['y'],
  ]);
});

test('an answer without a review ranks last, and without any review there is no ranking', () => {
  const all = voices('one', 'two', 'three');
  const reviews = [reviewVoices('x', 'y', 2, 1), reviewVoices('x', 'z', 1, 5)];
  expect(rankVoices(all, reviews).map(({participants}) => participants)).toEqual([
    ['z'],
    ['y'],
    ['x'],
  ]);
  expect(rankVoices(all, [])).toEqual([]);
});

const ground = {question: 'Move the queue?', attachments: [], background: []};

function startDebate(more: object = {}, maxRounds = 2): ByHand {
  const settings = smallSettings('interactive', []);
  return byHand(debateMachine, {
    ground,
    settings: {
      ...settings,
      debate: {
        proponent: {id: 'ann', model: 'mock/ann'},
        opponent: {id: 'bob', model: 'mock/bob'},
        maxRounds,
        intensity: 'strong',
      },
      discuss: {...settings.discuss, moderator: {id: 'chair', model: 'mock/chair'}},
    },
    ...more,
  });
}

const position = calling('take_position', {position: 'Move it.', arguments: ['backups']});

function objecting(...severities: readonly string[]) {
  const objections = severities.map((severity) => ({severity, objection: `a ${severity} fault`}));
  return calling('raise_objections', {objections});
}

function answering(ids: readonly string[], more: object = {}) {
  return calling('answer_objections', {answers: ids.map((id) => ({id, answer: 'met'})), ...more});
}

function ruling(rulings: Readonly<Record<string, string>>) {
  return calling('rule_on_objections', {
    rulings: Object.entries(rulings).map(([id, word]) => ({id, ruling: word, reason: 'so'})),
  });
}

function debateRequest(debate: ByHand): string {
  return debate.requests('callModel').at(-1)?.transcript.messages[0]?.text ?? '';
}

test('a debate settles in the first round when no grave objection stays open', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  expect(debateRequest(debate)).toContain('> Move it.\n> - backups');
  expect(debateRequest(debate)).toContain('Raise your objections in round 1 of 2.');
  debate.settle('attack', objecting('critical', 'minor'));
  expect(debateRequest(debate)).toContain('> O1 (critical, open): a critical fault');
  debate.settle('defence', answering(['O1', 'O2'], {revised_position: 'Move it in May.'}));
  debate.settle('ruling', ruling({O1: 'resolved', O2: 'stands'}));
  expect(debate.output()).toMatchObject({
    outcome: 'settled',
    position: 'Move it in May.',
    rounds: 1,
    objections: [
      {id: 'O1', round: 1, severity: 'critical', answer: 'met', ruling: 'resolved', reason: 'so'},
      {id: 'O2', severity: 'minor', ruling: 'stands'},
    ],
    notes: [],
  });
  expect(debate.reports('debate.turn')).toMatchObject([
    {round: 0, role: 'proponent', position: 'Move it.'},
    {round: 1, role: 'opponent'},
    {round: 1, role: 'proponent'},
    {round: 1, role: 'moderator'},
  ]);
});

test('an attack without objections settles the debate', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  debate.settle('attack', objecting());
  expect(debate.output()).toMatchObject({outcome: 'settled', rounds: 1, objections: []});
});

function untilRuled(debate: ByHand, open: readonly string[], fresh: object): void {
  debate.settle('attack', fresh);
  debate.settle('defence', answering(open));
  debate.settle('ruling', ruling(Object.fromEntries(open.map((id) => [id, 'stands']))));
}

test('grave objections that stand until the last round escalate the debate', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  untilRuled(debate, ['O1'], objecting('major'));
  untilRuled(debate, ['O1', 'O2'], objecting('critical'));
  expect(debate.output()).toMatchObject({outcome: 'escalated', rounds: 2});
  expect(debate.requests('callModel')).toHaveLength(7);
});

test('one grave objection that stands keeps the debate going, though the others are met', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  debate.settle('attack', objecting('major', 'minor', 'critical'));
  debate.settle('defence', answering(['O1', 'O2', 'O3']));
  debate.settle('ruling', ruling({O1: 'resolved', O2: 'stands', O3: 'stands'}));
  expect(debate.output()).toBeUndefined();
  debate.settle('attack', objecting());
  const answers = ['O2', 'O3'].map((id) => ({id, answer: `not ${id}`}));
  debate.settle('defence', calling('answer_objections', {answers}));
  debate.settle('ruling', ruling({O2: 'stands', O3: 'resolved'}));
  expect(debate.output()).toMatchObject({
    outcome: 'settled',
    objections: [{answer: 'met'}, {answer: 'not O2'}, {answer: 'not O3'}],
  });
});

test('a round that changes nothing is the last, but not one that revises the position', () => {
  const debate = startDebate({}, 9);
  debate.settle('opening', position);
  untilRuled(debate, ['O1'], objecting('major'));
  debate.settle('attack', objecting());
  debate.settle('defence', answering(['O1'], {revised_position: 'Move it in May.'}));
  debate.settle('ruling', ruling({O1: 'stands'}));
  expect(debate.output()).toBeUndefined();
  untilRuled(debate, ['O1'], objecting());
  expect(debate.output()).toMatchObject({outcome: 'escalated', rounds: 3});
});

test('a concession is read by the others, and ends with an answer that concedes nothing', () => {
  const debate = startDebate();
  const conceding = {answers: [{id: 'O1', answer: 'granted', concedes: true}]};
  debate.settle('opening', position);
  debate.settle('attack', objecting('major'));
  expect(debateRequest(debate)).toContain('You may revise the position.');
  debate.settle('defence', calling('answer_objections', conceding));
  debate.settle('ruling', ruling({O1: 'stands'}));
  expect(debateRequest(debate)).toContain('>   conceded: granted\n>   ruling: so');
  debate.settle('attack', objecting());
  debate.settle('defence', answering(['O1']));
  expect(debateRequest(debate)).toContain('>   answer: met\n');
});

test('an objection may be withdrawn, and a closed objection is not answered again', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  untilRuled(debate, ['O1'], objecting('major'));
  debate.settle('attack', calling('raise_objections', {objections: [], withdrawn: ['O1']}));
  expect(debate.output()).toMatchObject({outcome: 'settled', objections: [{ruling: 'withdrawn'}]});
});

test('answers that omit an objection are requested once more', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  debate.settle('attack', objecting('major', 'major'));
  debate.settle('defence', answering(['O1']));
  const repair = debate.requests('callModel').at(-1)?.transcript.messages.at(-1)?.text;
  expect(repair).toContain('O2 is missing');
});

test('a silent party is noted, and its silence resolves nothing', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  debate.settle('attack', objecting('critical'));
  debate.settle('defence', failing('refused'));
  debate.settle('ruling', failing('refused'));
  debate.settle('attack', failing('refused'));
  debate.settle('defence', failing('refused'));
  debate.settle('ruling', failing('refused'));
  expect(debate.output()).toMatchObject({outcome: 'escalated', objections: [{id: 'O1'}]});
  const notes = listIn(debate.output(), 'notes');
  expect(notes[0]).toBe('the proponent (ann) said nothing in round 1: refused: it failed');
  expect(notes).toHaveLength(5);
});

test('a debate without a position fails', () => {
  const debate = startDebate();
  debate.settle('opening', failing('refused'));
  expect(debate.output()).toMatchObject({outcome: 'failed', failure: {code: 'no_position'}});
});

test('a debate waits for an unavailable model', () => {
  const debate = startDebate();
  debate.settle('opening', failing('auth'));
  expect(debate.open()).toEqual(['opening/resume']);
});

test('a given proposal cannot be revised, and its open objections are in the result', () => {
  const debate = startDebate({given: '1. Move the queue.'});
  expect(debateRequest(debate)).toContain('> 1. Move the queue.');
  debate.settle('attack', objecting('major'));
  expect(debateRequest(debate)).toContain('can’t be revised');
  debate.settle('defence', answering(['O1'], {revised_position: 'Something else.'}));
  debate.settle('ruling', ruling({O1: 'stands'}));
  debate.settle('attack', objecting());
  debate.settle('defence', answering(['O1']));
  debate.settle('ruling', ruling({O1: 'stands'}));
  expect(debate.output()).toMatchObject({
    outcome: 'escalated',
    position: '1. Move the queue.',
    objections: [{answer: 'met', ruling: 'stands'}],
  });
});

test('the prompt of the opponent states the intensity', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  expect(debate.requests('callModel').at(-1)?.system).toContain('as hard as you honestly can');
});

test('the next speaker reads the texts of the others without names', () => {
  const debate = startDebate();
  debate.settle('opening', position);
  const objections = [{severity: 'major', objection: 'it fails', evidence: 'so says mock/bob'}];
  debate.settle('attack', calling('raise_objections', {objections}));
  expect(debateRequest(debate)).toContain('evidence: so says [a participant]');
  const answers = [{id: 'O1', answer: 'mock/ann has tried it'}];
  debate.settle('defence', calling('answer_objections', {answers}));
  expect(debateRequest(debate)).toContain('answer: [a participant] has tried it');
});
