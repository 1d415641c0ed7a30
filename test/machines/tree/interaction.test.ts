/** What an interaction promises: it runs its form, and what the form comes to is its end; a form that crashes is an error. */

import {expect, test} from 'vitest';

import {askMachine} from '../../../machines/forms/ask/ask.ts';
import {interactionMachine} from '../../../machines/tree/interaction.ts';
import {withBug} from '../../support/buggy.ts';
import {byHand} from '../../support/by-hand.ts';
import {saying} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const allow = {action: 'allow', reason: '', details: {}};

function interact(form: 'agent' | 'ask', machine = interactionMachine) {
  return byHand(machine, {
    id: 'one',
    form,
    contextMode: 'full',
    depth: 0,
    request: 'do it',
    workspace: '/w',
    settings: smallSettings('interactive', [policySeat]),
  });
}

test('the form says what kind of dialogue it is', () => {
  expect(interact('agent').open()).toEqual(['form/gathering/survey']);
  expect(interact('ask').open()).toEqual(['form/input']);
});

test('what the form comes to is what the interaction comes to', () => {
  const hand = interact('ask');
  hand.settle('form/input', allow);
  hand.settle('form/turns', saying('so it is'));
  hand.settle('form/output', allow);
  expect(hand.output()).toMatchObject({status: 'completed', answer: 'so it is'});
});

test('a cancel and a limit reach the form', () => {
  const cancelled = interact('agent');
  cancelled.send({type: 'user.cancel'});
  expect(cancelled.output()).toMatchObject({status: 'cancelled'});
  const limited = interact('ask');
  limited.send({type: 'limit.reached', limit: 'max_cost_usd'});
  expect(limited.output()).toMatchObject({status: 'limited'});
});

test('a form that crashes is an error', () => {
  const ask = withBug(askMachine, {at: 'xstate.done.actor.input'});
  const hand = interact('ask', interactionMachine.provide({actors: {ask}}));
  hand.settle('form/input', allow);
  expect(hand.output()).toMatchObject({status: 'error', error: {code: 'internal'}});
});
