/** What an execution promises: tasks run as soon as what they depend on has succeeded, side by side, and none is lost. */

import {expect, test} from 'vitest';

import {executionMachine} from '../../../../machines/forms/agent/execution.ts';
import {byHand} from '../../../support/by-hand.ts';
import {planOf, rulesOf} from '../../events/execution.ts';
import {broke, failing, ran} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';
import {listIn, valueIn} from '../../laws-record.ts';

function reading(id: string, ...after: readonly string[]) {
  return {id, description: `read ${id}`, tool: 'read_file', args: {path: id}, depends_on: after};
}

function execute(tasks: readonly object[], more: object = {}) {
  return byHand(executionMachine, {
    plan: planOf('get it done', tasks),
    request: 'do it',
    background: '',
    rules: rulesOf(smallSettings('interactive', [policySeat])),
    maxParallelTasks: 4,
    workspace: '/w',
    evidence: [],
    earlier: [],
    iterationsLeft: 50,
    ...more,
  });
}

function statuses(output: unknown): string[] {
  return listIn(output, 'results').map(
    (each) => `${String(valueIn(each, 'id'))} ${String(valueIn(each, 'status'))}`,
  );
}

test('tasks that depend on nothing run side by side, as many as may', () => {
  const hand = execute(['a', 'b', 'c', 'd', 'e'].map((id) => reading(id)));
  expect(hand.open()).toEqual(['a', 'b', 'c', 'd'].map((id) => `task:${id}/call/run`));
  hand.settle('task:c', ran);
  expect(hand.open()).toContain('task:e/call/run');
});

test('a task starts when all that it depends on have succeeded, and knows what they came to', () => {
  const hand = execute([
    reading('a'),
    reading('b'),
    {id: 'c', description: 'do', depends_on: ['a', 'b']},
  ]);
  hand.settle('task:b', {...ran, text: 'of b'});
  expect(hand.open()).toEqual(['task:a/call/run']);
  hand.settle('task:a', {...ran, text: 'of a'});
  const [request] = hand.requests('callModel');
  expect(request?.transcript.messages[0]?.text).toContain('of a');
  expect(request?.transcript.messages[0]?.text).toContain('Task b (succeeded)');
});

test('what depends on a task that failed is skipped, and told; the others run on', () => {
  const hand = execute([reading('a'), reading('b'), reading('c', 'a'), reading('d', 'c')]);
  hand.settle('task:a', broke);
  hand.settle('task:b', ran);
  expect(statuses(hand.output())).toEqual(['a failed', 'c skipped', 'd skipped', 'b succeeded']);
  expect(hand.reports('task.settled')).toHaveLength(4);
});

test('a task is told to have started before anything that it does is told', () => {
  const hand = execute([reading('a')]);
  expect(hand.reports('task.started')).toEqual([
    {type: 'task.started', task: 'a', description: 'read a'},
  ]);
  expect(hand.facts().map(({type}) => type)).toEqual(['task.begun']);
});

test('after the last iteration nothing starts, and it says so', () => {
  const hand = execute([reading('a'), reading('b')], {iterationsLeft: 1});
  hand.settle('task:a', ran);
  expect(hand.output()).toMatchObject({started: 1, isOutOfIterations: true});
});

test('when the provider is lost nothing more starts', () => {
  const hand = execute([{id: 'a', description: 'do'}, reading('b', 'a')]);
  hand.settle('model', failing('auth'));
  expect(hand.output()).toMatchObject({failure: {code: 'auth'}, isOutOfIterations: false});
  expect(hand.requests('runTool')).toEqual([]);
});
