/** What a tool call promises: a risky one runs once it is allowed and holds the lock, and every end is told. */

import {expect, test} from 'vitest';

import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {byHand} from '../../support/by-hand.ts';
import {inDoubt, ran, refused, ruling, stumbled} from '../events/outcomes.ts';
import {policySeat, readFile, runCommand, smallSettings, writeFile} from '../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);

function call(tool: ToolInfo, more: object = {}) {
  return byHand(toolCallMachine, {
    call: {id: 'call-1', name: tool.name, args: {path: 'x'}},
    tool,
    offered: ['read_file', 'write_file', 'run_command'],
    panel: panelRules(settings),
    retries: {maxRetries: 1, isForAnyFailure: false},
    brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
    background: '',
    ...more,
  });
}

/** Up to the tool, with arguments that the preview has put right. */
function allowed(tool: ToolInfo) {
  const hand = call(tool);
  hand.settle('preview', {kind: 'ready', args: {path: 'y'}, preview: '+'});
  hand.settle('seat:', ruling('approve'));
  return hand;
}

test('a harmless call runs at once, without a vote', () => {
  const hand = call(readFile);
  expect(hand.open()).toEqual(['run']);
  hand.settle('run', ran);
  expect(hand.output()).toMatchObject({callId: 'call-1', result: {status: 'succeeded'}, ms: 1});
  expect(hand.requests('consultPolicy')).toEqual([]);
});

test('a risky call runs with the arguments that were voted on, and only with the lock', () => {
  const hand = call(writeFile);
  hand.settle('preview', {kind: 'ready', args: {path: 'y'}, preview: '+'});
  expect(hand.requests('lockWorkspace')).toEqual([]);
  hand.settle('seat:', ruling('approve'));
  expect(hand.requests('lockWorkspace')).toEqual([{workspace: '/w'}]);
  const [request] = hand.requests('runTool');
  expect(request).toMatchObject({tool: 'write_file', args: {path: 'y'}});
  expect(request?.approval).toMatch(/^[\da-f]{64}$/);
  expect(hand.requests('unlockWorkspace')).toEqual([]);
  hand.settle('/run', ran);
  expect(hand.requests('unlockWorkspace')).toHaveLength(1);
});

test('a call that was voted down is recorded as denied, and does not run', () => {
  const hand = call(writeFile);
  hand.settle('preview', {kind: 'ready', args: {path: 'y'}, preview: '+'});
  hand.settle('seat:', ruling('reject'));
  expect(hand.output()).toMatchObject({result: {status: 'rejected', failure: {code: 'rejected'}}});
  expect(hand.facts().map(({type}) => type)).toEqual(['round.recorded', 'action.denied']);
  expect(hand.requests('runTool')).toEqual([]);
});

test('a passing fault is tried once more, after a pause', () => {
  const hand = call(readFile);
  hand.settle('run', stumbled);
  expect(hand.reports('tool.retried')).toHaveLength(1);
  hand.pass('retryPause');
  hand.settle('run', stumbled);
  expect(hand.output()).toMatchObject({result: {status: 'failed', failure: {code: 'busy'}}, ms: 2});
});

test('a command is never repeated, whatever it says of itself', () => {
  const hand = allowed(runCommand);
  hand.settle('/run', stumbled);
  expect(hand.output()).toMatchObject({result: {status: 'failed'}});
});

test('only a person says what became of a call in doubt', () => {
  const done = allowed(runCommand);
  done.settle('/run', inDoubt);
  expect(done.requests('askHuman')).toMatchObject([{kind: 'in-doubt'}]);
  done.settle('person', {decision: 'done'});
  expect(done.output()).toMatchObject({result: {status: 'succeeded'}});
  const again = allowed(runCommand);
  again.settle('/run', inDoubt);
  again.settle('person', {decision: 'retry'});
  expect(again.requests('runTool')).toHaveLength(2);
});

test('a call of a tool that is not offered is refused, and so is one without readable arguments', () => {
  expect(call(readFile, {tool: undefined}).output()).toMatchObject({
    result: {status: 'refused', failure: {code: 'unknown_tool'}},
  });
  const problem = {id: 'call-1', name: 'read_file', args: {}, problem: 'no JSON'};
  expect(call(readFile, {call: problem}).output()).toMatchObject({
    result: {status: 'refused', failure: {code: 'bad_args', message: 'no JSON'}},
  });
});

test('what the tool refuses is told as refused', () => {
  const hand = call(readFile);
  hand.settle('run', refused);
  expect(hand.output()).toMatchObject({result: {status: 'refused'}});
});

test('when the time left is over the tool is stopped; without a limit there is no timer', () => {
  const hand = call(readFile, {timeLeftMs: 100});
  hand.pass('timeLeft');
  expect(hand.open()).toEqual([]);
  expect(hand.output()).toMatchObject({result: {failure: {code: 'time_limit'}}, ms: 100});
  expect(call(readFile).open()).toEqual(['run']);
});
