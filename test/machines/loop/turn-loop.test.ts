/** What a turn loop promises: a model thinks, tools act, within limits, and every step is kept. */

import {expect, test} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {turnLoopMachine} from '../../../machines/loop/turn-loop.ts';
import {byHand} from '../../support/by-hand.ts';
import {broke, calling, callingAll, failing, ran, saying} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);

function loop(more: object = {}) {
  return byHand(turnLoopMachine, {
    purpose: 'act',
    model: 'test/decider',
    system: '',
    message: 'do it',
    offered: ['read_file', 'write_file'],
    tools: settings.tools,
    panel: panelRules(settings),
    maxOutputTokens: 1_000,
    maxTurns: 10,
    maxRefusedTurns: 2,
    retries: {maxRetries: 0, isForAnyFailure: false},
    isWithheld: false,
    isDegradable: false,
    brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
    background: '',
    ...more,
  });
}

const read = (path: string) => ['read_file', {path}] as const;
const write = (path: string): readonly [string, JsonObject] => ['write_file', {path}];

test('a reply without a call is the answer', () => {
  const hand = loop();
  hand.settle('model', saying('so it is'));
  expect(hand.output()).toMatchObject({kind: 'answered', answer: 'so it is', steps: []});
});

test('harmless calls of one reply run side by side, and the model reads their results in its order', () => {
  const hand = loop();
  hand.settle('model', callingAll(read('a'), read('b')));
  expect(hand.open()).toEqual(['call:1.0/run', 'call:1.1/run']);
  hand.settle('call:1.1/run', {...ran, text: 'of b'});
  hand.settle('call:1.0/run', {...ran, text: 'of a'});
  const messages = hand.requests('callModel').at(-1)?.transcript.messages ?? [];
  expect(messages.slice(-2).map(({text}) => text)).toEqual(['of a', 'of b']);
  hand.settle('model', saying('done'));
  expect(hand.output()).toMatchObject({kind: 'answered', steps: [{text: 'of a'}, {text: 'of b'}]});
});

test('a risky call waits for those before it, and those behind it wait for it', () => {
  const hand = loop();
  hand.settle('model', callingAll(read('a'), write('b'), read('c')));
  expect(hand.open()).toEqual(['call:1.0/run']);
  hand.settle('call:1.0/run', ran);
  expect(hand.open()).toEqual(['call:1.1/review/preview']);
  hand.settle('preview', {kind: 'refused', code: 'outside', message: 'no'});
  expect(hand.open()).toEqual(['call:1.2/run']);
});

test('the third identical call in a row ends it, and does not run', () => {
  const hand = loop();
  for (let turn = 1; turn <= 2; turn += 1) {
    hand.settle('model', calling('read_file', {path: 'x'}));
    hand.settle(`call:${turn}.0/run`, ran);
  }
  hand.settle('model', calling('read_file', {path: 'x'}));
  expect(hand.output()).toMatchObject({kind: 'exhausted', stopped: 'repeated_call'});
  expect(hand.requests('runTool')).toHaveLength(2);
});

test('turns are counted: after the last the loop is exhausted, with its steps', () => {
  const hand = loop({maxTurns: 1});
  hand.settle('model', calling('read_file', {path: 'x'}));
  hand.settle('run', ran);
  expect(hand.output()).toMatchObject({kind: 'exhausted', stopped: 'max_turns', steps: [{}]});
});

test('one turn more than may be refused in a row ends it', () => {
  const hand = loop({maxRefusedTurns: 1});
  hand.settle('model', calling('no_such_tool', {try: 1}));
  hand.settle('model', calling('no_such_tool', {try: 2}));
  expect(hand.output()).toMatchObject({kind: 'exhausted', stopped: 'invalid_calls'});
});

test('a reply of no use is asked for again, saying what was wrong with it', () => {
  const hand = loop();
  hand.settle('model', failing('truncated'));
  const messages = hand.requests('callModel').at(-1)?.transcript.messages ?? [];
  expect(messages.at(-1)?.text).toContain('Your last reply could not be used (truncated');
  hand.settle('model', saying('done'));
  expect(hand.output()).toMatchObject({kind: 'answered'});
});

test('a conversation that is too long for the model is shortened', () => {
  const hand = loop({message: 'do it'});
  hand.settle('model', failing('contextOverflow'));
  hand.settle('model', saying('done'));
  expect(hand.requests('callModel')).toHaveLength(2);
  expect(hand.output()).toMatchObject({kind: 'answered'});
});

test('a rate limit is waited out', () => {
  const hand = loop();
  hand.settle('model', failing('rateLimited'));
  hand.pass('retryDelay');
  hand.settle('model', saying('done'));
  expect(hand.output()).toMatchObject({kind: 'answered'});
});

test('a provider that is down ends it as failed', () => {
  const hand = loop();
  hand.settle('model', failing('auth'));
  expect(hand.output()).toMatchObject({kind: 'failed', failure: {code: 'auth'}});
});

test('a failed call is an observation, or where that is wanted the end', () => {
  const going = loop();
  going.settle('model', calling('read_file', {path: 'x'}));
  going.settle('run', broke);
  expect(going.open()).toEqual(['call/model']);
  const ending = loop({isDegradable: true});
  ending.settle('model', calling('read_file', {path: 'x'}));
  ending.settle('run', broke);
  expect(ending.output()).toMatchObject({kind: 'degraded', stopped: 'tool_failure', steps: [{}]});
});

test('when its time is over, a model that still thinks is stopped', () => {
  const hand = loop({timeLimitMs: 100});
  hand.pass('timeLeft');
  expect(hand.open()).toEqual([]);
  expect(hand.output()).toMatchObject({kind: 'exhausted', stopped: 'time_limit'});
});
