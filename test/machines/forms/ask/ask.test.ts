/** What asking promises: an answer that the guardrails have seen, from tools that only read, or the reason why there is none. */

import {expect, test} from 'vitest';

import {askMachine} from '../../../../machines/forms/ask/ask.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {broke, calling, failing, ran, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);
const allow = {action: 'allow', reason: '', details: {}};
const block = {action: 'block', reason: 'it is forbidden', details: {}};
const read = calling('read_file', {path: 'x'});

/** Up to the model's first word. */
function ask(): ByHand {
  const hand = byHand(askMachine, {request: 'what is it?', workspace: '/w', settings});
  hand.settle('input', allow);
  return hand;
}

/** The one tool fails as often as it is tried. */
function failTool(hand: ByHand): void {
  hand.settle('model', read);
  hand.settle('run', broke);
  hand.pass('retryPause');
  hand.settle('run', broke);
}

test('the answer is told with its steps, once the guardrails have seen it', () => {
  const hand = ask();
  hand.settle('model', read);
  hand.settle('run', {...ran, text: 'the port is 80'});
  hand.settle('model', saying('80'));
  expect(hand.output()).toBeUndefined();
  hand.settle('output', allow);
  expect(hand.output()).toMatchObject({
    status: 'completed',
    answer: '80',
    toolCalls: 1,
    steps: [{action: 'read_file', input: {path: 'x'}, observation: 'the port is 80'}],
    stoppedReason: 'completed',
  });
});

test('a question that the guardrails block reaches no model', () => {
  const hand = byHand(askMachine, {request: 'what is it?', workspace: '/w', settings});
  hand.settle('input', block);
  expect(hand.output()).toMatchObject({status: 'rejected', stoppedReason: 'blocked'});
  expect(hand.requests('callModel')).toEqual([]);
});

test('an answer that the guardrails block is withheld', () => {
  const hand = ask();
  hand.settle('model', saying('the secret'));
  hand.settle('output', block);
  expect(hand.output()).toMatchObject({status: 'rejected', guardrail: {action: 'block'}});
  expect(JSON.stringify(hand.output())).not.toContain('the secret');
});

test('no tool that writes exists, even if the model names it', () => {
  const hand = ask();
  expect(hand.requests('callModel')[0]?.tools).toEqual(['read_file']);
  hand.settle('model', calling('write_file', {path: 'x'}));
  expect(hand.requests('runTool')).toEqual([]);
  expect(hand.requests('consultPolicy')).toEqual([]);
});

test('when a tool fails for good, the model answers without it, and the answer says so', () => {
  const hand = ask();
  failTool(hand);
  expect(hand.requests('callModel').at(-1)).toMatchObject({tools: [], toolChoice: 'none'});
  hand.settle('model', saying('perhaps 80'));
  hand.settle('output', allow);
  expect(hand.output()).toMatchObject({
    status: 'completed',
    stoppedReason: 'tool_failure_degraded',
    answer: '(read_file failed, so this answer was given without it.)\n\nperhaps 80',
  });
});

test('after the last step the model answers from what it has, and the run is limited', () => {
  const hand = ask();
  for (let step = 1; step <= settings.ask.maxSteps; step += 1) {
    hand.settle('model', calling('read_file', {path: `x${step}`}));
    hand.settle('run', ran);
  }
  hand.settle('model', saying('as far as I saw'));
  hand.settle('output', allow);
  expect(hand.output()).toMatchObject({
    status: 'limited',
    stoppedReason: 'max_steps_reached',
    answer: 'as far as I saw',
  });
});

test('a provider that is down is an error', () => {
  const hand = ask();
  hand.settle('model', failing('auth'));
  expect(hand.output()).toMatchObject({status: 'error', error: {code: 'auth'}});
});

test('a cancel ends it with the steps that were taken, and stops what is at work', () => {
  const hand = ask();
  hand.settle('model', read);
  hand.settle('run', ran);
  hand.send({type: 'user.cancel'});
  expect(hand.open()).toEqual([]);
  expect(hand.output()).toMatchObject({status: 'cancelled', steps: [{action: 'read_file'}]});
});

test('a limit lets no answer pass that the guardrails have not seen', () => {
  const hand = ask();
  hand.settle('model', saying('80'));
  hand.send({type: 'limit.reached', limit: 'max_cost_usd'});
  expect(hand.output()).toMatchObject({status: 'limited', stoppedReason: 'limit_reached'});
  expect(hand.output()).not.toHaveProperty('answer');
});
