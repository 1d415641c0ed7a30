/** A model call, and the part of a request that distinguishes it from another one. */

import {describe, expect, test} from 'vitest';

import type {ModelRequest} from '../../machines/domain/model.ts';
import type {ToolRequest} from '../../machines/domain/tool.ts';
import {modelCallMachine} from '../../machines/model-call.ts';
import {neverMs, ports} from '../../machines/port-natures.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import {byHand, goneThrough} from '../support/by-hand.ts';
import {crash} from '../support/hand-performer.ts';
import {crashTransitions} from './events/crashes.ts';
import {failing, saying} from './events/outcomes.ts';
import {uncoveredBy} from './explored.ts';

const request = {
  purpose: 'act',
  model: 'test/model',
  system: '',
  transcript: openTranscript('hello'),
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};

const start = (input: object = request) => byHand(modelCallMachine, input);

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

test('a wait that the provider asks for is reported and waited for', () => {
  const call = start();
  call.settle('model', {...failing('rateLimited'), retryMs: 300_000, retryAfterMs: 300_000});
  expect(call.reports('model.retried')).toMatchObject([{delayMs: 300_000}]);
  call.pass('retryDelay');
  call.settle('model', saying('now'));
  expect(call.output()).toMatchObject({kind: 'ok', pausedMs: 300_000});
});

test('a provider that asks for a wait beyond five minutes is not waited for', () => {
  const call = start();
  call.settle('model', {...failing('rateLimited'), retryMs: 300_000, retryAfterMs: 300_001});
  expect(call.output()).toMatchObject({kind: 'rateLimited'});
});

test('a caller with a deadline does not wait beyond it', () => {
  const call = start({...request, waitMs: 60_000});
  call.settle('model', {...failing('rateLimited'), retryMs: 300_000, retryAfterMs: 90_000});
  expect(call.output()).toMatchObject({kind: 'rateLimited'});
});

describe('a reply that was cut off', () => {
  const cut = {...failing('truncated'), nextOutputTokens: 200};

  test('is asked for once more, with the higher limit', () => {
    const call = start();
    call.settle('model', cut);
    call.settle('model', saying('the whole reply'));
    expect(call.requests('callModel')).toEqual([request, {...request, outputTokens: 200}]);
    expect(call.output()).toMatchObject({kind: 'ok', text: 'the whole reply'});
  });

  test('twice is the outcome', () => {
    const call = start();
    call.settle('model', cut);
    call.settle('model', {...cut, nextOutputTokens: 400});
    expect(call.output()).toMatchObject({kind: 'truncated'});
  });

  test('remains the outcome if the provider rejects the higher limit', () => {
    const call = start();
    call.settle('model', cut);
    call.settle('model', failing('unsupported'));
    expect(call.output()).toMatchObject({kind: 'truncated'});
  });
});

test('a limit of the reply that the provider rejects is replaced once', () => {
  const call = start();
  call.settle('model', {...failing('unsupported'), nextOutputTokens: 50});
  call.settle('model', saying('short'));
  expect(call.requests('callModel')[1]).toEqual({...request, outputTokens: 50});
  expect(call.output()).toMatchObject({kind: 'ok'});
});

test.each(['auth', 'billing', 'refused', 'truncated', 'overBudget'] as const)(
  'a failure of another kind ends the call at once: %s',
  (kind) => {
    const call = start();
    call.settle('model', failing(kind));
    expect(call.output()).toMatchObject({kind});
  },
);

test('an unavailable model is called anew when the run is resumed, if the caller waits', () => {
  const call = start({...request, waits: true});
  call.settle('model', failing('auth'));
  expect(call.requests('awaitResume')).toMatchObject([{model: 'test/model', code: 'auth'}]);
  call.settle('resume', {resumed: true});
  for (let attempt = 1; attempt < 5; attempt += 1) {
    call.settle('model', failing('rateLimited'));
    call.pass('retryDelay');
  }
  call.settle('model', saying('now'));
  expect(call.output()).toMatchObject({kind: 'ok', text: 'now', ms: 5});
  const bug = start({...request, waits: true});
  bug.settle('model', failing('billing'));
  bug.settle('resume', crash);
  expect(bug.output()).toMatchObject({kind: 'internal'});
});

test('a crash of the performer is a failure', () => {
  const call = start();
  call.settle('model', crash);
  expect(call.output()).toMatchObject({kind: 'internal', message: crash.crash});
});

const essenceRequest: ModelRequest = {
  purpose: 'act',
  model: 'test/x',
  system: 'You carry out one task.',
  transcript: openTranscript('Look.'),
  tools: ['look'],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};
const essence = (asked: ModelRequest): string => ports.callModel.essence(asked);

test('wording does not distinguish two requests', () => {
  const other = {
    ...essenceRequest,
    system: 'You carry out a task.',
    transcript: openTranscript('See.'),
  };
  expect(essence(other)).toBe(essence(essenceRequest));
});

test('the timeout of a tool does not distinguish two requests, and limits the call', () => {
  const call: ToolRequest = {tool: 'look', args: {}, workspace: '/w', repeatability: 'repeatable'};
  const bounded = {...call, timeoutMs: 5_000};
  expect(ports.runTool.essence(bounded)).toBe(ports.runTool.essence(call));
  expect(ports.runTool.limitMs(bounded)).toBe(5_000);
  expect(ports.runTool.limitMs(call)).toBeLessThan(neverMs);
});

test('the model, the purpose, the tools and the length of the conversation distinguish two requests', () => {
  const {messages} = essenceRequest.transcript;
  const longer = {...essenceRequest.transcript, messages: [...messages, ...messages]};
  for (const other of [
    {...essenceRequest, model: 'test/y'},
    {...essenceRequest, purpose: 'ask' as const},
    {...essenceRequest, tools: []},
    {...essenceRequest, toolChoice: 'none' as const},
    {...essenceRequest, transcript: longer},
  ]) {
    expect(essence(other)).not.toBe(essence(essenceRequest));
  }
});

test('the tests enter every state of modelCall and take every transition', () => {
  expect(uncoveredBy(modelCallMachine, [goneThrough()], crashTransitions)).toEqual([]);
});
