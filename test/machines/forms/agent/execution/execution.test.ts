/** An execution: each task starts as soon as it may run, none runs twice, and each one is reported. */

import {describe, expect, test} from 'vitest';

import {
  executionMachine,
  type ExecutionInput,
} from '../../../../../machines/forms/agent/execution/execution.ts';
import {type ByHand, byHand} from '../../../../support/by-hand.ts';
import {crash} from '../../../../support/hand-performer.ts';
import {planOf, rulesOf} from '../../../events/execution.ts';
import {broke, failing, ran, saying} from '../../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../../events/settings.ts';
import {valueIn, listIn} from '../../../laws-record.ts';

/** The limit of an agent without configuration. */
const maxParallelTasks = 4;

/** Starts a plan of reads; `tasks` maps each id to the ids that it depends on. */
function start(
  tasks: Readonly<Record<string, readonly string[]>>,
  more: Partial<ExecutionInput> = {},
) {
  const settings = smallSettings('interactive', [policySeat], {maxParallelTasks});
  const plan = planOf(
    'plan',
    Object.entries(tasks).map(([id, after]) => ({
      id,
      description: `read ${id}`,
      depends_on: after,
      tool: 'read_file',
      args: {path: id},
    })),
  );
  return byHand(executionMachine, {
    plan,
    request: 'do it',
    background: [],
    rules: rulesOf(settings),
    maxParallelTasks,
    workspace: '/w',
    evidence: [],
    runs: [],
    iterationsLeft: 9,
    ...more,
  });
}

const atWork = (execution: ByHand) =>
  execution.open().map((path) => path.replace('task:', '').replace('/call/run', ''));

const statuses = (execution: ByHand) =>
  Object.fromEntries(
    listIn(execution.output(), 'results').map((each) => [
      String(valueIn(each, 'id')),
      valueIn(each, 'status'),
    ]),
  );

test('tasks run in parallel, and a task runs after the tasks that it depends on', () => {
  const execution = start({a: [], b: [], c: ['a', 'b']});
  expect(atWork(execution)).toEqual(['a', 'b']);
  execution.settle('task:b', ran);
  expect(atWork(execution)).toEqual(['a']);
  execution.settle('task:a', ran);
  expect(atWork(execution)).toEqual(['c']);
  execution.settle('task:c', ran);
  expect(statuses(execution)).toEqual({a: 'succeeded', b: 'succeeded', c: 'succeeded'});
});

test('at most four tasks run at once, and the next one starts when a task ends', () => {
  const execution = start({a: [], b: [], c: [], d: [], e: [], f: []});
  expect(atWork(execution)).toEqual(['a', 'b', 'c', 'd']);
  execution.settle('task:c', broke);
  expect(atWork(execution)).toEqual(['a', 'b', 'd', 'e']);
});

test('tasks that depend on a failed task are skipped, and the others run', () => {
  const execution = start({a: [], b: ['a'], c: ['b'], d: []});
  execution.settle('task:a', broke);
  execution.settle('task:d', ran);
  expect(statuses(execution)).toEqual({a: 'failed', b: 'skipped', c: 'skipped', d: 'succeeded'});
  expect(execution.reports('task.settled')).toMatchObject([
    {task: 'a', status: 'failed'},
    {task: 'b', status: 'skipped', message: 'task a did not succeed'},
    {task: 'c', status: 'skipped', message: 'task b did not succeed'},
    {task: 'd', status: 'succeeded'},
  ]);
});

test('a task reads the results of the tasks before it', () => {
  const plan = planOf('plan', [
    {id: 'a', description: 'read', tool: 'read_file', args: {path: 'a'}},
    {id: 'b', description: 'work it out', depends_on: ['a']},
  ]);
  const execution = start({a: []}, {plan});
  execution.settle('task:a', {...ran, text: 'of a'});
  const [request] = execution.requests('callModel');
  expect(request?.transcript.messages[0]?.text).toContain('Task a (succeeded)');
  expect(request?.transcript.messages[0]?.text).toContain('of a');
});

test('the start of a task is reported before any of its work', () => {
  const execution = start({a: []});
  expect(execution.reports('task.started')).toEqual([
    {type: 'task.started', task: 'a', description: 'read a'},
  ]);
  expect(execution.facts()).toMatchObject([{type: 'task.started', task: 'a'}]);
});

test('a crash of a tool fails only its own task', () => {
  const execution = start({a: [], b: []});
  execution.settle('task:a', crash);
  execution.settle('task:b', ran);
  expect(statuses(execution)).toEqual({a: 'failed', b: 'succeeded'});
});

function heldUp(): ByHand {
  const execution = start({a: [], b: [], c: ['a']}, {iterationsLeft: 2});
  execution.settle('task:a', ran);
  execution.settle('task:b', ran);
  return execution;
}

describe('when no more tasks may be started', () => {
  test('the execution waits, and states why, once the running tasks have ended', () => {
    const execution = heldUp();
    expect(execution.open()).toEqual(['resume']);
    expect(execution.requests('awaitResume')).toEqual([
      {
        code: 'overBudget',
        message: 'max_iterations: no more tasks may be started, 1 of this plan is left',
      },
    ]);
    expect(execution.reports('limit.reached')).toMatchObject([{limit: 'max_iterations'}]);
  });

  test('the execution continues with a higher limit, and waits again without one', () => {
    const execution = heldUp();
    execution.settle('resume', {resumed: true});
    expect(execution.open()).toEqual(['resume']);
    execution.send({type: 'limit.changed', iterationsLeft: 3});
    execution.settle('resume', {resumed: true});
    execution.settle('task:c', ran);
    expect(execution.output()).toMatchObject({started: 3});
    expect(statuses(execution)).toEqual({a: 'succeeded', b: 'succeeded', c: 'succeeded'});
  });
});

test('a plan that is done with the last iteration does not reach the limit', () => {
  const execution = start({a: []}, {iterationsLeft: 1});
  execution.settle('task:a', ran);
  expect(execution.output()).toMatchObject({started: 1});
});

test('a task may depend on a task of an earlier plan', () => {
  const done = {description: 'read a', status: 'succeeded', output: ''} as const;
  const results = [{...done, id: 'a', evidence: [], written: []}];
  const runs = [{plan: planOf('before', [{id: 'a', description: 'read a'}]), results}];
  expect(atWork(start({a: [], b: ['a']}, {runs}))).toEqual(['b']);
});

test('a task waits for its provider while the others continue', () => {
  const settings = smallSettings('interactive', [policySeat]);
  const plan = planOf('plan', [
    {id: 'a', description: 'work it out'},
    {id: 'b', description: 'read', tool: 'read_file', args: {path: 'b'}},
    {id: 'c', description: 'read', tool: 'read_file', args: {path: 'c'}},
  ]);
  const execution = start({a: []}, {plan, rules: rulesOf(settings), maxParallelTasks: 2});
  execution.settle('task:a', failing('auth'));
  expect(atWork(execution)).toEqual(['b', 'a/turns/resume']);
  execution.settle('task:b', ran);
  execution.settle('task:c', ran);
  expect(execution.output()).toBeUndefined();
  execution.settle('resume', {resumed: true});
  execution.settle('task:a', saying('done'));
  expect(statuses(execution)).toEqual({a: 'succeeded', b: 'succeeded', c: 'succeeded'});
});
