/** The charts of a task's work explored to their last state. */

import {describe, expect, test} from 'vitest';

import {
  executionMachine,
  lockMachine,
  modelCallMachine,
  taskMachine,
  turnLoopMachine,
} from '../../machines/index.ts';
import {crashTransitions} from './events/crashes.ts';
import {executions} from './events/execution.ts';
import {locks} from './events/lock.ts';
import {modelCalls} from './events/model-call.ts';
import {tasks} from './events/task.ts';
import {turnLoops} from './events/turn-loop.ts';
import {explored, uncovered} from './explored.ts';

const charts = [
  {name: 'a model call', machine: modelCallMachine, scenarios: modelCalls},
  {name: 'a lock', machine: lockMachine, scenarios: locks},
  {name: 'a turn loop', machine: turnLoopMachine, scenarios: turnLoops},
  {name: 'a task', machine: taskMachine, scenarios: tasks},
  {name: 'an execution', machine: executionMachine, scenarios: executions},
];

describe.each(charts)('$name', ({machine, scenarios}) => {
  test.each(scenarios)('$name obeys its laws in every state', (lawful) => {
    expect(explored(lawful).states).toBeGreaterThan(2);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(machine, [...scenarios, ...executions], crashTransitions)).toEqual([]);
  });
});
