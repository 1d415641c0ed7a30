/** The charts of a task's work explored to their last state. */

import {describe, expect, test} from 'vitest';

import {
  executionMachine,
  lockMachine,
  modelCallMachine,
  taskMachine,
  turnLoopMachine,
} from '../../machines/index.ts';
import {crashWays} from './events/crashes.ts';
import {executions} from './events/execution.ts';
import {locks} from './events/lock.ts';
import {modelCalls} from './events/model-call.ts';
import {tasks} from './events/task.ts';
import {turnLoops} from './events/turn-loop.ts';
import {surveyOf, uncovered} from './survey.ts';

const charts = [
  {name: 'a model call', machine: modelCallMachine, expeditions: modelCalls},
  {name: 'a lock', machine: lockMachine, expeditions: locks},
  {name: 'a turn loop', machine: turnLoopMachine, expeditions: turnLoops},
  {name: 'a task', machine: taskMachine, expeditions: tasks},
  {name: 'an execution', machine: executionMachine, expeditions: executions},
];

describe.each(charts)('$name', ({machine, expeditions}) => {
  test.each(expeditions)('$name obeys its laws in every state', (expedition) => {
    expect(surveyOf(expedition).states).toBeGreaterThan(2);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(machine, [...expeditions, ...executions], crashWays)).toEqual([]);
  });
});
