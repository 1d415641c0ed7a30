import {expect, test} from 'vitest';

import {taskLines} from '../../../cli/render/plan.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import type {Task} from '../../../machines/domain/plan.ts';

const task: Task = {id: 'a', description: 'Write it', context_mode: 'full'};

function shown(more: Partial<Task>): string[] {
  return taskLines({objective: '', reasoning: '', tasks: [{...task, ...more}]}, plainStyle, 80);
}

test('a task shows its call, and no arguments that are not known yet', () => {
  expect(shown({tool: 'write_file', args: {path: 'x'}})).toEqual([
    '1. Write it',
    '   write_file {"path":"x"}',
  ]);
  expect(shown({tool: 'write_file', depends_on: ['b']})).toEqual([
    '1. Write it',
    '   write_file · after b',
  ]);
  expect(shown({})).toEqual(['1. Write it']);
});

test('a plan for the rest names the repeated tasks, and the dropped ones with the reason', () => {
  const drops = [{task_id: 't2', reason: 'the file is there already'}];
  const tasks = [{...task, redoes: ['t1']}];
  expect(taskLines({objective: '', reasoning: '', tasks, drops}, plainStyle, 80)).toEqual([
    '1. Write it',
    '   redoes: t1',
    'gives up task t2: the file is there already',
  ]);
});
