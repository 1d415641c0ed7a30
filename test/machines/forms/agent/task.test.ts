/** What a task promises: it makes the call that was approved or works in turns, and says truly what came of it. */

import {expect, test} from 'vitest';

import {taskMachine} from '../../../../machines/forms/agent/task.ts';
import {byHand} from '../../../support/by-hand.ts';
import {planOf, rulesOf} from '../../events/execution.ts';
import {broke, calling, ran, ruling, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);

function begin(task: object) {
  const plan = planOf('get it done', [{id: 'a', description: 'do a', ...task}]);
  const input = {
    task: plan.tasks[0],
    request: 'do it',
    plan,
    background: 'what is known',
    earlier: [],
    rules: rulesOf(settings),
    workspace: '/w',
    evidence: [],
  };
  return byHand(taskMachine, input, {begin: {type: 'task.begin'}});
}

test('with a tool and its arguments it makes exactly that call, and asks no model', () => {
  const hand = begin({tool: 'read_file', args: {path: 'x'}});
  expect(hand.requests('runTool')).toMatchObject([{tool: 'read_file', args: {path: 'x'}}]);
  hand.settle('run', ran);
  expect(hand.output()).toMatchObject({id: 'a', status: 'succeeded', output: 'done'});
  expect(hand.requests('callModel')).toEqual([]);
  expect(hand.facts()).toMatchObject([{type: 'task.ended', result: {status: 'succeeded'}}]);
  expect(hand.reports('task.settled')).toMatchObject([{task: 'a', status: 'succeeded'}]);
});

test('a call that fails fails it, and one that is voted down skips it', () => {
  const failed = begin({tool: 'read_file', args: {path: 'x'}});
  failed.settle('run', broke);
  expect(failed.output()).toMatchObject({status: 'failed', failure: {code: 'exit'}});
  const denied = begin({tool: 'write_file', args: {path: 'x'}});
  denied.settle('preview', {kind: 'ready', args: {path: 'x'}, preview: '+'});
  denied.settle('seat:', ruling('reject'));
  expect(denied.output()).toMatchObject({status: 'skipped', failure: {code: 'rejected'}});
});

test('without arguments a model works it out, and its last words are the output', () => {
  const hand = begin({});
  expect(hand.requests('callModel')[0]).toMatchObject({purpose: 'act', model: 'test/decider'});
  hand.settle('model', saying('I did it'));
  expect(hand.output()).toMatchObject({status: 'succeeded', output: 'I did it'});
});

test('a tool that only reads is the cheaper model’s work', () => {
  expect(begin({tool: 'read_file'}).requests('callModel')[0]?.model).toBe('test/explorer');
});

test('whatever is said: who did not use the tool that was named has failed', () => {
  const hand = begin({tool: 'read_file'});
  hand.settle('model', saying('I have read it'));
  expect(hand.output()).toMatchObject({status: 'failed', failure: {code: 'tool_not_used'}});
});

test('whatever is said: if the last change did not succeed, the task has failed', () => {
  const hand = begin({});
  hand.settle('model', calling('write_file', {path: 'x'}));
  hand.settle('preview', {kind: 'ready', args: {path: 'x'}, preview: '+'});
  hand.settle('seat:', ruling('approve'));
  hand.settle('call:1.0/run', broke);
  hand.settle('model', saying('all is well'));
  expect(hand.output()).toMatchObject({status: 'failed', failure: {code: 'exit'}});
});

test('when its time is over it has failed', () => {
  const hand = begin({tool: 'read_file', args: {path: 'x'}, timeout_ms: 100});
  hand.pass('timeLeft');
  expect(hand.output()).toMatchObject({status: 'failed', failure: {code: 'time_limit'}});
});
