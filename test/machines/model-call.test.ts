/** The model call: it waits out a passing fault, and ends with any other outcome at once. */

import {expect, test} from 'vitest';

import {modelCallMachine} from '../../machines/model-call.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import {byHand} from '../support/by-hand.ts';
import {crash} from '../support/hand-performer.ts';
import {failing, saying} from './events/outcomes.ts';

const request = {
  purpose: 'act',
  model: 'test/model',
  system: '',
  transcript: openTranscript('hello'),
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};

const start = () => byHand(modelCallMachine, request);

test('a reply becomes the output', () => {
  const call = start();
  call.settle('model', saying('hello'));
  expect(call.output()).toMatchObject({kind: 'ok', text: 'hello'});
});

test('a passing fault is reported and waited out, and the same request is made again', () => {
  const call = start();
  call.settle('model', failing('rateLimited'));
  expect(call.reports('model.retried')).toMatchObject([{model: 'test/model', attempt: 1}]);
  call.pass('retryDelay');
  call.settle('model', saying('now'));
  expect(call.requests('callModel')).toEqual([request, request]);
  expect(call.output()).toMatchObject({kind: 'ok', text: 'now'});
});

test('the fifth failure in a row is the last', () => {
  const call = start();
  for (let attempt = 1; attempt < 5; attempt += 1) {
    call.settle('model', failing('network'));
    call.pass('retryDelay');
  }
  call.settle('model', failing('network'));
  expect(call.output()).toMatchObject({kind: 'network'});
});

test('a provider that asks for a wait beyond a minute is not waited for', () => {
  const call = start();
  call.settle('model', {...failing('rateLimited'), retryAfterMs: 60_001});
  expect(call.output()).toMatchObject({kind: 'rateLimited'});
});

test.each(['auth', 'billing', 'refused', 'truncated', 'overBudget'] as const)(
  'a failure of another kind ends the call at once: %s',
  (kind) => {
    const call = start();
    call.settle('model', failing(kind));
    expect(call.output()).toMatchObject({kind});
  },
);

test('a crash of the performer is a failure', () => {
  const call = start();
  call.settle('model', crash);
  expect(call.output()).toMatchObject({kind: 'internal', message: crash.crash});
});
