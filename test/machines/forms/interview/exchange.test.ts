/** What an exchange promises: one message, one reply, and what the reply is; a reply that says so itself is not read. */

import {expect, test} from 'vitest';

import {exchangeMachine} from '../../../../machines/forms/interview/exchange.ts';
import {byHand} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';

const input = {
  asked: {agent: 'interviewer', state: 'interviewing', field: 'name', message: 'Who are you?'},
  ground: {about: {field: 'name'}, fields: [], done: [], language: 'en'},
};

test('a reply is read by rule, with all that it may be about', () => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', {text: 'Ann'});
  expect(exchange.requests('readReply')).toMatchObject([
    {text: 'Ann', about: {field: 'name'}, language: 'en'},
  ]);
  exchange.settle('reading', {route: {kind: 'answer'}, found: []});
  expect(exchange.output()).toMatchObject({kind: 'heard', text: 'Ann', route: {kind: 'answer'}});
});

test.each([
  [
    {text: 'Bob', field: 'name'},
    {kind: 'correct', field: 'name', text: 'Bob'},
  ],
  [{text: 'submit', confirms: true}, {kind: 'confirm'}],
])('the reply %j says itself what it is', (reply, route) => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', reply);
  expect(exchange.requests('readReply')).toEqual([]);
  expect(exchange.output()).toMatchObject({kind: 'heard', route});
});

test('what is said on a sensitive field is told masked', () => {
  const exchange = byHand(exchangeMachine, {...input, isMasked: true});
  exchange.settle('person', {text: '4111'});
  exchange.settle('reading', {route: {kind: 'answer'}, found: []});
  expect(exchange.reports('interview.replied')).toMatchObject([{text: '•••', field: 'name'}]);
});

test('a crash of whoever reads is told', () => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', {text: 'Ann'});
  exchange.settle('reading', crash);
  expect(exchange.output()).toMatchObject({kind: 'lost', failure: {code: 'internal'}});
});
