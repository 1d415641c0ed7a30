/** Panels, gates and tool calls explored to their last state. Their laws are not read from the charts. */

import {describe, expect, test} from 'vitest';

import {
  humanGateMachine,
  pollMachine,
  questionMachine,
  quorumMachine,
  toolCallMachine,
} from '../../machines/index.ts';
import {crashTransitions} from './events/crashes.ts';
import {
  calls,
  decided,
  gates,
  leftAlone,
  panels,
  spawning,
  unoffered,
  untimed,
} from './events/lawful.ts';
import {polls} from './events/poll.ts';
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

describe('a human gate', () => {
  test.each(gates)('$name only with the right it has', (lawful) => {
    expect(explored(lawful).states).toBeLessThan(10);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(humanGateMachine, gates, crashTransitions)).toEqual([]);
  });
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
