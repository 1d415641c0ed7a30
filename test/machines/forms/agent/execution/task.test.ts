/** A task: it starts with `task.begin`, and its status follows from its calls. */

import {expect, test} from 'vitest';

import type {ToolInfo} from '../../../../../machines/domain/tool.ts';
import {resultsIn} from '../../../../../machines/facts/folds.ts';
import {taskMachine} from '../../../../../machines/forms/agent/execution/task.ts';
import {type ByHand, byHand} from '../../../../support/by-hand.ts';
import {planOf, rulesOf} from '../../../events/execution.ts';
import {broke, calling, ran, ruling, saying} from '../../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);
const begin = {type: 'task.begin'};

function start(more: object, tools: readonly ToolInfo[] = settings.tools): ByHand {
  const plan = planOf('plan', [{id: 'a', description: 'do it', ...more}]);
  return byHand(
    taskMachine,
    {
      task: plan.tasks[0],
      request: 'do it',
      plan,
      background: [],
      runs: [],
      rules: rulesOf({...settings, tools}),
      workspace: '/w',
      evidence: [],
    },
    {begin},
  );
}

const readX = {tool: 'read_file', args: {path: 'x'}};
const writeX = {tool: 'write_file', args: {path: 'x'}};
const preview = {kind: 'ready', args: {path: 'x'}, preview: '+y'};

test('a task with a tool and its arguments makes only this call, without a model', () => {
  const task = start(readX);
  expect(task.requests('runTool')).toMatchObject([{tool: 'read_file', args: {path: 'x'}}]);
  task.settle('run', ran);
  expect(task.output()).toMatchObject({id: 'a', status: 'succeeded', output: 'done'});
  expect(task.requests('callModel')).toEqual([]);
});

test('a failed call fails the task', () => {
  const task = start(readX);
  task.settle('run', broke);
  expect(task.output()).toMatchObject({status: 'failed', failure: {message: 'it failed'}});
});

test('a rejected call skips the task', () => {
  const task = start(writeX);
  task.settle('preview', preview);
  task.settle('quorum', ruling('reject'));
  expect(task.output()).toMatchObject({status: 'skipped', failure: {code: 'rejected'}});
  expect(task.requests('runTool')).toEqual([]);
});

test('a model works on a task without a tool, and is offered every tool', () => {
  const task = start({});
  expect(task.requests('callModel')).toMatchObject([
    {purpose: 'act', model: 'test/decider', tools: ['read_file', 'write_file', 'run_command']},
  ]);
  task.settle('model', saying('all done'));
  expect(task.output()).toMatchObject({status: 'succeeded', output: 'all done'});
});

test('the explorer model works on a task with a low-risk tool', () => {
  expect(start({tool: 'read_file'}).requests('callModel')).toMatchObject([
    {model: 'test/explorer'},
  ]);
});

test('a task fails if its model does not make the required call', () => {
  const task = start({tool: 'write_file'});
  task.settle('model', saying('all done'));
  expect(task.output()).toMatchObject({status: 'failed', failure: {code: 'tool_not_used'}});
});

test('a task succeeds if its model makes the required call, and lists the files written', () => {
  const task = start({tool: 'write_file'});
  task.settle('model', calling('write_file', {path: 'x'}));
  task.settle('preview', preview);
  task.settle('quorum', ruling('approve'));
  task.settle('run', {...ran, written: ['x']});
  task.settle('model', saying('all done'));
  expect(task.output()).toMatchObject({status: 'succeeded', written: ['x']});
});

test('a task whose last change failed fails, even if the model claims success', () => {
  const task = start({});
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
  const task = start({}, [spawning]);
  task.settle('model', calling('spawn', {request: 'x'}));
  task.settle('preview', {...preview, args: {request: 'x'}});
  task.settle('quorum', ruling('reject'));
  task.settle('model', saying('I did without'));
  expect(task.output()).toMatchObject({status});
});

test('a task fails if its report says that it is not done, and if no call of it succeeded', () => {
  const undone = start({});
  undone.settle('model', saying('Not done: x does not exist.'));
  expect(undone.output()).toMatchObject({status: 'failed', failure: {code: 'not_done'}});
  const idle = start({});
  idle.settle('model', calling('read_file', {path: 'x'}));
  idle.settle('run', broke);
  idle.settle('model', saying('all is well'));
  expect(idle.output()).toMatchObject({status: 'failed', failure: {code: 'exit'}});
});

test('a task whose turns are used up is stopped, with the report of its model', () => {
  const task = start({});
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
  const task = start({...readX, timeout_ms: 3});
  task.pass('time.over');
  expect(task.output()).toMatchObject({status: 'failed', failure: {code: 'time_limit'}});
  expect(task.open()).toEqual([]);
});

test('the result of a task is recorded and reported', () => {
  const task = start(readX);
  task.settle('run', ran);
  expect(resultsIn(task.facts())).toMatchObject([{id: 'a', status: 'succeeded'}]);
  expect(task.reports('task.settled')).toMatchObject([{task: 'a', status: 'succeeded'}]);
});
