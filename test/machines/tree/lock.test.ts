/** The lock of a tree: its holder, its queue and its count of rejections. */

import {expect, test} from 'vitest';

import {executionMachine} from '../../../machines/index.ts';
import {byHand, type ByHand} from '../../support/by-hand.ts';
import {planOf, rulesOf} from '../events/execution.ts';
import {previewing, ran, ruling} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const settings = smallSettings('interactive', [policySeat]);

/** Parallel writes, each up to its vote. */
function writes(...ids: readonly string[]): ByHand {
  const plan = planOf(
    'plan',
    ids.map((id) => ({id, description: `write ${id}`, tool: 'write_file', args: {path: id}})),
  );
  const input = {
    plan,
    request: 'do it',
    background: [],
    rules: rulesOf(settings),
    maxParallelTasks: 4,
    workspace: '/w',
    evidence: [],
    runs: [],
    iterationsLeft: 9,
  };
  const tasks = byHand(executionMachine, input);
  for (const id of ids) {
    const request = {tool: 'write_file', args: {path: id}, workspace: '/w'};
    const [preview] = previewing({path: '', port: 'previewTool', request});
    tasks.settle(`task:${id}/call/review/preview`, preview ?? {});
  }
  return tasks;
}

const vote = (id: string) => `task:${id}/call/review/quorum/screen`;
const waiting = (tasks: ByHand, what: string) => tasks.open().filter((path) => path.endsWith(what));

test('approved calls run one after another, in the order of their approval', () => {
  const tasks = writes('a', 'b', 'c');
  for (const id of ['b', 'a', 'c']) tasks.settle(vote(id), ruling('approve'));
  const order = ['b', 'a', 'c'].map((id) => {
    const [run] = waiting(tasks, '/run');
    tasks.settle(`task:${id}/call/run`, ran);
    return run;
  });
  expect(order).toEqual(['task:b/call/run', 'task:a/call/run', 'task:c/call/run']);
});

test('four rejected writes in four parallel tasks open the gate at the third and at the fourth', () => {
  const tasks = writes('a', 'b', 'c', 'd');
  const gates = ['a', 'b', 'c', 'd'].map((id) => {
    tasks.settle(vote(id), ruling('reject'));
    return waiting(tasks, '/gate/person').length;
  });
  expect(gates).toEqual([0, 0, 1, 2]);
});

test('a person who is asked after three rejections reads the votes on all three, the current one last', () => {
  const tasks = writes('a', 'b', 'c');
  for (const id of ['b', 'a', 'c']) tasks.settle(vote(id), ruling('reject'));
  const [question] = tasks.requests('askHuman');
  expect(question?.history).toMatchObject(
    ['b', 'a', 'c'].map((id) => ({title: `write_file ${id}`, verdict: 'rejected'})),
  );
  expect(question?.history.at(-1)?.proposalHash).toBe(question?.proposalHash);
});

test('a call that held the lock resets the count of rejections', () => {
  const tasks = writes('a', 'b', 'c', 'd');
  tasks.settle(vote('a'), ruling('reject'));
  tasks.settle(vote('b'), ruling('reject'));
  tasks.settle(vote('c'), ruling('approve'));
  tasks.settle('task:c/call/run', ran);
  tasks.settle(vote('d'), ruling('reject'));
  expect(waiting(tasks, '/gate/person')).toEqual([]);
});

test('the start of a task is recorded and reported before any call of it', () => {
  const tasks = writes('a', 'b');
  expect(tasks.reports('task.started')).toMatchObject([{task: 'a'}, {task: 'b'}]);
  expect(tasks.facts().slice(0, 2)).toMatchObject([
    {type: 'task.started', task: 'a'},
    {type: 'task.started', task: 'b'},
  ]);
});
