/** A question: exactly one valid call is an answer, one repair is allowed, and each call is retried. */

import {expect, test} from 'vitest';

import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {questionMachine} from '../../../machines/questions/question.ts';
import {byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {callingAll, failing, saying, voting} from '../events/outcomes.ts';

const input = {
  question: 'cast_ballot',
  purpose: 'review-plan',
  about: {round: 1},
  model: 'test/model',
  system: 'Judge.',
  transcript: openTranscript('the plan'),
  maxOutputTokens: 100,
};

const start = (more: object = {}) => byHand(questionMachine, {...input, ...more});

test('the model is offered the one tool that answers, and must call it', () => {
  expect(start().requests('callModel')).toMatchObject([
    {purpose: 'review-plan', model: 'test/model', tools: ['cast_ballot'], toolChoice: 'required'},
  ]);
});

test('a valid call is the answer', () => {
  const question = start();
  question.settle('call/model', voting('approve'));
  expect(question.output()).toMatchObject({
    kind: 'answered',
    question: 'cast_ballot',
    value: {verdict: 'approve', reasons: ['I approve'], confidence: 0.5},
    asked: 1,
    ms: 1,
  });
});

test.each([
  ['prose', saying('I approve.'), 'called no tool'],
  ['a call of another tool', callingAll(['read_file', {path: 'x'}]), 'called read_file'],
  ['two calls', callingAll(['cast_ballot', {}], ['cast_ballot', {}]), 'held 2 calls'],
  ['an unknown verdict', voting('perhaps'), 'verdict'],
  ['a ballot of another round', voting('approve', {round: 7}), 'round 7'],
  ['a reply that was cut off', failing('truncated'), '- it failed\n'],
])(
  '%s is not an answer: the model receives the problem, and is asked once more',
  (_, reply, problem) => {
    const question = start();
    question.settle('call/model', reply);
    const {transcript} = question.requests('callModel')[1] ?? {};
    expect(transcript?.messages.at(-1)?.text).toContain(problem);
    expect(transcript?.messages.at(-1)?.text).toContain('Call cast_ballot exactly once');
    question.settle('repair/model', voting('reject'));
    expect(question.output()).toMatchObject({
      kind: 'answered',
      value: {verdict: 'reject'},
      asked: 2,
    });
  },
);

test('a second invalid answer is the last', () => {
  const question = start();
  question.settle('call/model', voting('perhaps'));
  question.settle('repair/model', saying('I said perhaps.'));
  expect(question.output()).toMatchObject({
    kind: 'unanswered',
    because: expect.stringMatching(/^invalid ballot: /),
    failure: {code: 'invalid_answer'},
    said: 'I said perhaps.',
    asked: 2,
  });
});

test('a rate limit during a repair is waited out', () => {
  const question = start();
  question.settle('call/model', saying('I approve.'));
  question.settle('repair/model', failing('rateLimited'));
  question.pass('retryDelay');
  question.settle('repair/model', voting('approve'));
  expect(question.output()).toMatchObject({
    kind: 'answered',
    value: {verdict: 'approve'},
    asked: 2,
  });
});

test('the caller may allow more repairs, or none', () => {
  const patient = start({repairs: 2});
  patient.settle('call/model', saying('well'));
  patient.settle('repair/model', saying('well'));
  patient.settle('repair/model', voting('approve'));
  expect(patient.output()).toMatchObject({kind: 'answered', asked: 3});
  const strict = start({repairs: 0});
  strict.settle('call/model', saying('well'));
  expect(strict.output()).toMatchObject({kind: 'unanswered', asked: 1});
});

test('a failed call is not repaired', () => {
  const question = start();
  question.settle('call/model', failing('auth'));
  expect(question.output()).toMatchObject({
    kind: 'unanswered',
    because: 'auth: it failed',
    failure: {code: 'auth', message: 'it failed'},
    said: '',
  });
});

test('a bug in the performer leaves the question unanswered', () => {
  const question = start();
  question.settle('call/model', crash);
  expect(question.output()).toMatchObject({kind: 'unanswered', failure: {code: 'internal'}});
});
