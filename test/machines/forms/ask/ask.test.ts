/** An ask: an answer that the guardrails have checked, or the reason why there is none. */

import {describe, expect, test} from 'vitest';

import {askMachine} from '../../../../machines/forms/ask/ask.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';
import {question} from '../../events/ask.ts';
import {allow, broke, calling, failing, ran, saying} from '../../events/outcomes.ts';

const warn = {action: 'warn', reason: 'it is long', details: {}};
const block = {action: 'block', reason: 'it is forbidden', details: {}};

const start = () => byHand(askMachine, question);

/** An ask whose question passed the input guardrail. */
function allowed(): ByHand {
  const ask = start();
  ask.settle('input', allow);
  return ask;
}

function use(ask: ByHand, path: string, outcome: object): void {
  ask.settle('turns/model', calling('read_file', {path}));
  ask.settle('run', outcome);
}

/** An ask whose tool failed again after its retry. */
function withoutTool(): ByHand {
  const ask = allowed();
  use(ask, 'x', broke);
  ask.pass('retryPause');
  ask.settle('run', broke);
  return ask;
}

test('the reply of the model is the answer, with the steps that led to it', () => {
  const ask = allowed();
  use(ask, 'x', {...ran, text: 'it is 7'});
  ask.settle('model', saying('7'));
  ask.settle('output', allow);
  expect(ask.output()).toMatchObject({
    status: 'completed',
    answer: '7',
    stoppedReason: 'completed',
    toolCalls: 1,
    steps: [{action: 'read_file', input: {path: 'x'}, observation: 'it is 7'}],
  });
});

test('high-risk tools are not offered and do not run', () => {
  const ask = allowed();
  expect(ask.requests('callModel')).toMatchObject([{purpose: 'ask', tools: ['read_file']}]);
  ask.settle('model', calling('write_file', {path: 'x'}));
  expect(ask.requests('previewTool')).toEqual([]);
  expect(ask.requests('runTool')).toEqual([]);
});

describe('guardrails', () => {
  test('block a question before any model reads it', () => {
    const ask = start();
    ask.settle('input', block);
    expect(ask.output()).toMatchObject({
      status: 'rejected',
      stoppedReason: 'blocked',
      summary: 'Blocked by a guardrail: it is forbidden',
    });
    expect(ask.requests('callModel')).toEqual([]);
  });

  test('block an answer, which the output then does not contain', () => {
    const ask = allowed();
    ask.settle('model', saying('the secret'));
    ask.settle('output', block);
    expect(ask.output()).toMatchObject({status: 'rejected', stoppedReason: 'blocked'});
    expect(JSON.stringify(ask.output())).not.toContain('the secret');
  });

  test('that only warn are reported, and nothing is withheld', () => {
    const ask = start();
    ask.settle('input', warn);
    ask.settle('model', saying('so it is'));
    ask.settle('output', warn);
    expect(ask.output()).toMatchObject({status: 'completed', answer: 'so it is'});
    expect(ask.reports('warning')).toHaveLength(2);
  });

  test('that crash let no answer pass', () => {
    const ask = allowed();
    ask.settle('model', saying('so it is'));
    ask.settle('output', crash);
    expect(ask.output()).toMatchObject({status: 'error', error: {code: 'internal'}});
    expect(ask.output()).not.toHaveProperty('answer');
  });
});

test('when a tool fails for good, the model answers without it, and the answer says so', () => {
  const ask = withoutTool();
  expect(ask.requests('callModel').at(-1)).toMatchObject({toolChoice: 'none', tools: []});
  ask.settle('direct', saying('perhaps 7'));
  ask.settle('output', allow);
  expect(ask.output()).toMatchObject({
    status: 'completed',
    stoppedReason: 'tool_failure_degraded',
    answer: expect.stringMatching(/^\(read_file failed[^]*perhaps 7$/),
  });
});

test('an answer without the tool is checked like any other', () => {
  const ask = withoutTool();
  ask.settle('direct', saying('the secret'));
  ask.settle('output', block);
  expect(JSON.stringify(ask.output())).not.toContain('the secret');
});

test('when the steps are used up, the model answers from its findings, and the status is limited', () => {
  const ask = allowed();
  use(ask, 'x', ran);
  use(ask, 'y', ran);
  ask.settle('direct', saying('perhaps 7'));
  ask.settle('output', allow);
  expect(ask.output()).toMatchObject({
    status: 'limited',
    stoppedReason: 'max_steps_reached',
    answer: 'perhaps 7',
  });
});

test('when the steps are used up without an answer, the status is limited and the output has no answer', () => {
  const ask = allowed();
  use(ask, 'x', ran);
  use(ask, 'y', ran);
  ask.settle('direct', failing('refused'));
  expect(ask.output()).toMatchObject({status: 'limited', stoppedReason: 'max_steps_reached'});
  expect(ask.output()).not.toHaveProperty('answer');
});

test('an ask waits for an unavailable provider', () => {
  const ask = allowed();
  ask.settle('model', failing('auth'));
  expect(ask.open()).toEqual(['turns/resume']);
  const direct = withoutTool();
  direct.settle('model', failing('auth'));
  expect(direct.open()).toEqual(['resume']);
  direct.settle('resume', {resumed: true});
  expect(direct.open()).toEqual(['direct/model']);
});

describe.each([
  ['the question is checked', start],
  ['the model thinks', allowed],
  ['it answers without its tool', withoutTool],
] as const)('while %s', (_, reach) => {
  test('a cancel ends it and leaves nothing at work', () => {
    const ask = reach();
    ask.send({type: 'user.cancel'});
    expect(ask.output()).toMatchObject({status: 'cancelled'});
    expect(ask.open()).toEqual([]);
  });
});

test('a cancel does not release an answer that the guardrails have not checked', () => {
  const ask = allowed();
  ask.settle('model', saying('the secret'));
  ask.send({type: 'user.cancel'});
  expect(ask.output()).toMatchObject({status: 'cancelled'});
  expect(JSON.stringify(ask.output())).not.toContain('the secret');
});

test('the output of a cancelled ask lists the steps before the cancel', () => {
  const ask = allowed();
  use(ask, 'x', ran);
  ask.send({type: 'user.cancel'});
  expect(ask.output()).toMatchObject({status: 'cancelled', steps: [{action: 'read_file'}]});
});
