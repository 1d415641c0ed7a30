/** An exchange: one message, one reply, and the route of the reply, which is not read if the reply states it. */

import {expect, test} from 'vitest';

import {exchangeMachine} from '../../../../machines/forms/interview/exchange.ts';
import {byHand} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';

const input = {
  asked: {agent: 'interviewer', state: 'interviewing', field: 'name', message: 'Who are you?'},
  ground: {about: {field: 'name'}, fields: [], done: [], language: 'en'},
};

test('a reply is read by rule, with its field and language', () => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', {text: 'Ann'});
  expect(exchange.requests('readReply')).toMatchObject([
    {text: 'Ann', about: {field: 'name'}, language: 'en'},
  ]);
  exchange.settle('reading', {route: {kind: 'answer'}, found: []});
  expect(exchange.output()).toMatchObject({kind: 'replied', text: 'Ann', route: {kind: 'answer'}});
});

test.each([
  [
    {text: 'Bob', field: 'name'},
    {kind: 'correct', field: 'name', text: 'Bob'},
  ],
  [{text: 'submit', confirms: true}, {kind: 'confirm'}],
])('the reply %j states its route itself', (reply, route) => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', reply);
  expect(exchange.requests('readReply')).toEqual([]);
  expect(exchange.output()).toMatchObject({kind: 'replied', route});
});

test('a reply to a sensitive field is reported masked', () => {
  const exchange = byHand(exchangeMachine, {...input, isMasked: true});
  exchange.settle('person', {text: '4111'});
  exchange.settle('reading', {route: {kind: 'answer'}, found: []});
  expect(exchange.reports('interview.replied')).toMatchObject([{text: '•••', field: 'name'}]);
});

test('a crash of the reader is reported', () => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', {text: 'Ann'});
  exchange.settle('reading', crash);
  expect(exchange.output()).toMatchObject({kind: 'lost', failure: {code: 'internal'}});
});
