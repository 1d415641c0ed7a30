/** The execution of a plan, and of one task. */

import {describe, expect, test} from 'vitest';

import type {ToolInfo} from '../../../../machines/domain/tool.ts';
import {resultsIn} from '../../../../machines/facts/fact.ts';
import {
  executionMachine,
  type ExecutionInput,
} from '../../../../machines/forms/agent/execution/execution.ts';
import {taskMachine} from '../../../../machines/forms/agent/execution/task.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';
import {executionInput, planOf, taskInput} from '../../events/execution.ts';
import {broke, failing, ran, saying, calling, ruling} from '../../events/outcomes.ts';
import {policySeat, smallSettings, usualSettings} from '../../events/settings.ts';
import {valueIn, listIn} from '../../laws-record.ts';

/** Starts a plan of reads; `tasks` maps each id to the ids that it depends on. */
function start(
  tasks: Readonly<Record<string, readonly string[]>>,
  more: Partial<ExecutionInput> = {},
  maxParallelTasks = 4,
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
  return byHand(executionMachine, executionInput(plan, settings, more));
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
  const plan = planOf('plan', [
    {id: 'a', description: 'work it out'},
    {id: 'b', description: 'read', tool: 'read_file', args: {path: 'b'}},
    {id: 'c', description: 'read', tool: 'read_file', args: {path: 'c'}},
  ]);
  const execution = start({a: []}, {plan}, 2);
  execution.settle('task:a', failing('auth'));
  expect(atWork(execution)).toEqual(['b', 'a/turns/resume']);
  execution.settle('task:b', ran);
  execution.settle('task:c', ran);
  expect(execution.output()).toBeUndefined();
  execution.settle('resume', {resumed: true});
  execution.settle('task:a', saying('done'));
  expect(statuses(execution)).toEqual({a: 'succeeded', b: 'succeeded', c: 'succeeded'});
});

function startTask(more: object, tools: readonly ToolInfo[] = usualSettings.tools): ByHand {
  return byHand(taskMachine, taskInput(more, {...usualSettings, tools}), {
    begin: {type: 'task.begin'},
  });
}

const readX = {tool: 'read_file', args: {path: 'x'}};
const writeX = {tool: 'write_file', args: {path: 'x'}};
const preview = {kind: 'ready', args: {path: 'x'}, preview: '+y'};

test('a task with a tool and its arguments makes only this call, without a model', () => {
  const task = startTask(readX);
  expect(task.requests('runTool')).toMatchObject([{tool: 'read_file', args: {path: 'x'}}]);
  task.settle('run', ran);
  expect(task.output()).toMatchObject({id: 'a', status: 'succeeded', output: 'done'});
  expect(task.requests('callModel')).toEqual([]);
});

test('a failed call fails the task', () => {
  const task = startTask(readX);
  task.settle('run', broke);
  expect(task.output()).toMatchObject({status: 'failed', failure: {message: 'it failed'}});
});

test('a rejected call skips the task', () => {
  const task = startTask(writeX);
  task.settle('preview', preview);
  task.settle('quorum', ruling('reject'));
  expect(task.output()).toMatchObject({status: 'skipped', failure: {code: 'rejected'}});
  expect(task.requests('runTool')).toEqual([]);
});

test('a model works on a task without a tool, and is offered every tool', () => {
  const task = startTask({});
  expect(task.requests('callModel')).toMatchObject([
    {purpose: 'act', model: 'test/decider', tools: ['read_file', 'write_file', 'run_command']},
  ]);
  task.settle('model', saying('all done'));
  expect(task.output()).toMatchObject({status: 'succeeded', output: 'all done'});
});

test('the explorer model works on a task with a low-risk tool', () => {
  expect(startTask({tool: 'read_file'}).requests('callModel')).toMatchObject([
    {model: 'test/explorer'},
  ]);
});

test('a task fails if its model does not make the required call', () => {
  const task = startTask({tool: 'write_file'});
  task.settle('model', saying('all done'));
  expect(task.output()).toMatchObject({status: 'failed', failure: {code: 'tool_not_used'}});
});

test('a task succeeds if its model makes the required call, and lists the files written', () => {
  const task = startTask({tool: 'write_file'});
  task.settle('model', calling('write_file', {path: 'x'}));
  task.settle('preview', preview);
  task.settle('quorum', ruling('approve'));
  task.settle('run', {...ran, written: ['x']});
  task.settle('model', saying('all done'));
  expect(task.output()).toMatchObject({status: 'succeeded', written: ['x']});
});

test('a task whose last change failed fails, even if the model claims success', () => {
  const task = startTask({});
  task.settle('model', calling('write_file', {path: 'x'}));
  task.settle('preview', preview);
  task.settle('quorum', ruling('approve'));
  task.settle('run', broke);
  task.settle('model', saying('all is well'));
  expect(task.output()).toMatchObject({status: 'failed', failure: {code: 'exit'}});
});

test.each([
  ['ask', 'succeeded'],
  ['discuss', 'succeeded'],
  ['agent', 'skipped'],
] as const)('a rejected call that would spawn %s leaves the task %s', (spawns, status) => {
  const spawning = {
    name: 'spawn',
    risk: 'high',
    repeatability: 'once',
    timeoutMs: 1,
    spawns,
  } as const;
  const task = startTask({}, [spawning]);
  task.settle('model', calling('spawn', {request: 'x'}));
  task.settle('preview', {...preview, args: {request: 'x'}});
  task.settle('quorum', ruling('reject'));
  task.settle('model', saying('I did without'));
  expect(task.output()).toMatchObject({status});
});

test('a task fails if its report says that it is not done, and if no call of it succeeded', () => {
  const undone = startTask({});
  undone.settle('model', saying('Not done: x does not exist.'));
  expect(undone.output()).toMatchObject({status: 'failed', failure: {code: 'not_done'}});
  const idle = startTask({});
  idle.settle('model', calling('read_file', {path: 'x'}));
  idle.settle('run', broke);
  idle.settle('model', saying('all is well'));
  expect(idle.output()).toMatchObject({status: 'failed', failure: {code: 'exit'}});
});

test('a task whose turns are used up is stopped, with the report of its model', () => {
  const task = startTask({});
  for (const path of ['x', 'y']) {
    task.settle('model', calling('read_file', {path}));
    task.settle('run', ran);
  }
  expect(task.requests('callModel').at(-1)).toMatchObject({toolChoice: 'none'});
  task.settle('model', saying('x is read, the rest is left'));
  expect(task.output()).toMatchObject({
    status: 'stopped',
    output: 'x is read, the rest is left',
    failure: {code: 'max_turns', message: 'its turns were used up'},
  });
  expect(task.reports('task.settled')).toMatchObject([{status: 'stopped'}]);
});

test('a task fails when its time limit passes', () => {
  const task = startTask({...readX, timeout_ms: 3});
  task.pass('time.over');
  expect(task.output()).toMatchObject({status: 'failed', failure: {code: 'time_limit'}});
  expect(task.open()).toEqual([]);
});

test('the result of a task is recorded and reported', () => {
  const task = startTask(readX);
  task.settle('run', ran);
  expect(resultsIn(task.facts())).toMatchObject([{id: 'a', status: 'succeeded'}]);
  expect(task.reports('task.settled')).toMatchObject([{task: 'a', status: 'succeeded'}]);
});
