import {expect, test} from 'vitest';

import {taskLines} from '../../../cli/lines/plan.ts';
import {plainStyle} from '../../../cli/lines/style.ts';
import type {Task} from '../../../machines/domain/plan.ts';

const task: Task = {id: 'a', description: 'Write it', context_mode: 'full'};

function shown(more: Partial<Task>): string[] {
  return taskLines({objective: '', reasoning: '', tasks: [{...task, ...more}]}, plainStyle, 80);
}

test('a task shows the call that it makes, and no arguments that nobody has given yet', () => {
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
