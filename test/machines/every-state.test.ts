/** Charts in which several things may happen at once, explored to their last state. Their laws are not read from the charts. */

import {describe, expect, test} from 'vitest';

import {
  pollMachine,
  questionMachine,
  quorumMachine,
  toolCallMachine,
  executionMachine,
  lockMachine,
  taskMachine,
  turnLoopMachine,
  actionReviewMachine,
  askMachine,
  debateMachine,
  discussMachine,
  ensembleMachine,
} from '../../machines/index.ts';
import {actionReviews} from './events/action-review.ts';
import {
  calls,
  decided,
  leftAlone,
  spawning,
  unoffered,
  untimed,
  turnLoops,
} from './events/calls.ts';
import {crashTransitions} from './events/crashes.ts';
import {executions, locks, tasks} from './events/execution.ts';
import {asks, debates, discussions} from './events/forms.ts';
import {ensembles} from './events/phases.ts';
import {panels, polls} from './events/quorum.ts';
import {explored, uncovered} from './explored.ts';

describe('a panel', () => {
  test.each(panels)(
    'of $name decides as it would with all ballots, and never by a silent seat',
    (lawful) => {
      expect(explored(lawful).steps).toBeGreaterThan(5);
    },
  );

  test.each(polls)('polls in a way $name', (lawful) => {
    expect(explored(lawful).states).toBeGreaterThan(5);
  });

  test.each([quorumMachine, pollMachine, questionMachine])(
    'goes through every state of the chart $id, by every transition',
    (machine) => {
      expect(uncovered(machine, [...panels, ...polls], crashTransitions)).toEqual([]);
    },
  );
});

describe('a tool call', () => {
  test.each([...calls, ...untimed, ...spawning, leftAlone])(
    'of $name runs only approved calls, and reports a true result',
    (lawful) => {
      expect(explored(lawful).states).toBeGreaterThan(2);
    },
  );

  test('enters every state of its chart, by every transition', () => {
    const all = [...calls, ...untimed, ...spawning, ...decided, leftAlone, unoffered];
    expect(uncovered(toolCallMachine, all, crashTransitions)).toEqual([]);
  });
});

const charts = [
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

const phaseCharts = [
  {name: 'asking', machine: askMachine, scenarios: asks},
  {name: 'a debate', machine: debateMachine, scenarios: debates},
  {name: 'a discussion', machine: discussMachine, scenarios: discussions},
  {name: 'an ensemble', machine: ensembleMachine, scenarios: ensembles},
  {name: 'the review of a call', machine: actionReviewMachine, scenarios: actionReviews},
];

describe.each(phaseCharts)('$name', ({machine, scenarios}) => {
  test.each(scenarios)('$name obeys its laws in every state', (lawful) => {
    expect(explored(lawful).steps).toBeGreaterThan(2);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(machine, scenarios, crashTransitions)).toEqual([]);
  });
});
