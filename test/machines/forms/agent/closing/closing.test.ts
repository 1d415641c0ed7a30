/** A closing answer is short and true, or there is none; it never fails a run. */

import {expect, test} from 'vitest';

import {closingMachine} from '../../../../../machines/forms/agent/closing/closing.ts';
import {byHand} from '../../../../support/by-hand.ts';
import {closingInput} from '../../../events/closing.ts';
import {failing, ruling, saying} from '../../../events/outcomes.ts';

test('the report of the only worker is the answer, and no model is called', () => {
  const closing = byHand(closingMachine, {...closingInput, report: 'The port is 8080.'});
  closing.settle('claims', ruling('abstain'));
  expect(closing.requests('callModel')).toEqual([]);
  expect(closing.output()).toEqual({answer: 'The port is 8080.'});
});

test('a report with a claim is checked; if the record contradicts it, the model answers', () => {
  const closing = byHand(closingMachine, {...closingInput, report: 'All tests pass.'});
  expect(closing.requests('screenProposal')).toMatchObject([
    {proposal: {facts: {claims: ['All tests pass.']}}},
  ]);
  closing.settle('claims', ruling('approve'));
  expect(closing.output()).toEqual({answer: 'All tests pass.'});
  const contradicted = byHand(closingMachine, {...closingInput, report: 'All tests pass.'});
  contradicted.settle('claims', ruling('reject'));
  contradicted.settle('call', saying('It is done.'));
  expect(contradicted.output()).toEqual({answer: 'It is done.'});
});

test('a report that is too long is not the answer', () => {
  const closing = byHand(closingMachine, {...closingInput, report: 'a'.repeat(1_501)});
  closing.settle('call', saying('It is done.'));
  expect(closing.output()).toEqual({answer: 'It is done.'});
});

test('a short answer without a claim is taken as it is', () => {
  const closing = byHand(closingMachine, closingInput);
  closing.settle('call', saying(' The port is 8080. '));
  expect(closing.output()).toEqual({answer: 'The port is 8080.'});
});

test('an answer with a claim is checked by the rules of evidence', () => {
  const closing = byHand(closingMachine, closingInput);
  closing.settle('call', saying('All tests pass.'));
  expect(closing.requests('screenProposal')).toMatchObject([
    {policies: ['evidence'], proposal: {kind: 'result', facts: {claims: ['All tests pass.']}}},
  ]);
  closing.settle('claims', ruling('approve'));
  expect(closing.output()).toEqual({answer: 'All tests pass.'});
});

test('an answer that the record contradicts is dropped', () => {
  const closing = byHand(closingMachine, closingInput);
  closing.settle('call', saying('All tests pass.'));
  closing.settle('claims', ruling('reject'));
  expect(closing.output()).toEqual({answer: ''});
});

test.each([
  ['is blank', saying('\n ')],
  ['is too long', saying('a'.repeat(1_501))],
  ['is refused', failing('refused')],
  ['is over the budget', failing('overBudget')],
  ['has no key', failing('auth')],
])('an answer that %s is dropped, and no other one is waited for', (_, outcome) => {
  const closing = byHand(closingMachine, closingInput);
  closing.settle('call', outcome);
  expect(closing.output()).toEqual({answer: ''});
  expect(closing.requests('awaitResume')).toEqual([]);
});

test('the model reads the request, the results and the work that was not done, and no tool is offered', () => {
  const closing = byHand(closingMachine, closingInput);
  const [request] = closing.requests('callModel');
  const text = request?.transcript.messages[0]?.text ?? '';
  for (const title of ['# Request\ndo it', '# Not done\n- a']) expect(text).toContain(title);
  expect(request).toMatchObject({purpose: 'close', tools: [], isWithheld: true});
});
