/** A debate: each objection is answered and ruled on, open grave objections prevent a settlement, and rounds are limited. */

import {expect, test} from 'vitest';

import {debateMachine} from '../../../../machines/forms/debate/debate.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {calling, failing} from '../../events/outcomes.ts';
import {listIn} from '../../laws-record.ts';

const ground = {question: 'Move the queue?', attachments: [], background: []};

function start(more: object = {}): ByHand {
  return byHand(debateMachine, {
    ground,
    rules: {
      proponent: {id: 'ann', model: 'mock/ann'},
      opponent: {id: 'bob', model: 'mock/bob'},
      maxRounds: 2,
      intensity: 'strong',
    },
    moderator: {id: 'chair', model: 'mock/chair'},
    deadlineMs: 1_000,
    maxOutputTokens: 100,
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

function asked(debate: ByHand): string {
  return debate.requests('callModel').at(-1)?.transcript.messages[0]?.text ?? '';
}

test('a debate settles in the first round when no grave objection stays open', () => {
  const debate = start();
  debate.settle('opening', position);
  expect(asked(debate)).toContain('> Move it.\n> - backups');
  expect(asked(debate)).toContain('Raise your objections in round 1 of 2.');
  debate.settle('attack', objecting('critical', 'minor'));
  expect(asked(debate)).toContain('> O1 (critical, open): a critical fault');
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
  const debate = start();
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
  const debate = start();
  debate.settle('opening', position);
  untilRuled(debate, ['O1'], objecting('major'));
  untilRuled(debate, ['O1', 'O2'], objecting('critical'));
  expect(debate.output()).toMatchObject({outcome: 'escalated', rounds: 2});
  expect(debate.requests('callModel')).toHaveLength(7);
});

test('a round that changes nothing is the last', () => {
  const debate = start({
    rules: {
      proponent: {id: 'ann', model: 'mock/ann'},
      opponent: {id: 'bob', model: 'mock/bob'},
      maxRounds: 9,
      intensity: 'mild',
    },
  });
  debate.settle('opening', position);
  untilRuled(debate, ['O1'], objecting('major'));
  untilRuled(debate, ['O1'], objecting());
  expect(debate.output()).toMatchObject({outcome: 'escalated', rounds: 2});
});

test('an objection may be withdrawn, and a closed objection is not answered again', () => {
  const debate = start();
  debate.settle('opening', position);
  untilRuled(debate, ['O1'], objecting('major'));
  debate.settle('attack', calling('raise_objections', {objections: [], withdrawn: ['O1']}));
  expect(debate.output()).toMatchObject({outcome: 'settled', objections: [{ruling: 'withdrawn'}]});
});

test('answers that omit an objection are requested once more', () => {
  const debate = start();
  debate.settle('opening', position);
  debate.settle('attack', objecting('major', 'major'));
  debate.settle('defence', answering(['O1']));
  const repair = debate.requests('callModel').at(-1)?.transcript.messages.at(-1)?.text;
  expect(repair).toContain('O2 is missing');
});

test('a silent party is noted, and its silence resolves nothing', () => {
  const debate = start();
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
  const debate = start();
  debate.settle('opening', failing('refused'));
  expect(debate.output()).toMatchObject({outcome: 'failed', failure: {code: 'no_position'}});
});

test('a debate waits for an unavailable model', () => {
  const debate = start();
  debate.settle('opening', failing('auth'));
  expect(debate.open()).toEqual(['opening/resume']);
});

test('a given proposal cannot be revised, and its open objections are in the result', () => {
  const debate = start({given: '1. Move the queue.'});
  expect(asked(debate)).toContain('> 1. Move the queue.');
  debate.settle('attack', objecting('major'));
  expect(asked(debate)).toContain('can’t be revised');
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
  const debate = start();
  debate.settle('opening', position);
  expect(debate.requests('callModel').at(-1)?.system).toContain('as hard as you honestly can');
});

test('the next speaker reads the texts of the others without names', () => {
  const debate = start();
  debate.settle('opening', position);
  const objections = [{severity: 'major', objection: 'it fails', evidence: 'so says mock/bob'}];
  debate.settle('attack', calling('raise_objections', {objections}));
  expect(asked(debate)).toContain('evidence: so says [a participant]');
  const answers = [{id: 'O1', answer: 'mock/ann has tried it'}];
  debate.settle('defence', calling('answer_objections', {answers}));
  expect(asked(debate)).toContain('answer: [a participant] has tried it');
});
