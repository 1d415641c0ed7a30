/** Panels, gates and tool calls explored to their last state. What is asserted is written here, not read from the charts. */

import {describe, expect, test} from 'vitest';

import {
  humanGateMachine,
  pollMachine,
  questionMachine,
  quorumMachine,
  toolCallMachine,
} from '../../machines/index.ts';
import type {Played} from '../support/played.ts';
import {crashTransitions} from './events/crashes.ts';
import {gateScenario, hilModes, questionKinds} from './events/human-gate.ts';
import {polls} from './events/poll.ts';
import {panelScenarios} from './events/quorum.ts';
import {runCommand, readFile, spawnAsk, writeFile} from './events/settings.ts';
import {spawningScenario, toolCallScenario} from './events/tool-call.ts';
import {type LawfulScenario, explored, uncovered} from './explored.ts';
import {panelLaws} from './laws-panel.ts';
import {requestsOf, unless, valueIn} from './laws-record.ts';
import {gateLaws, toolCallLaws} from './laws.ts';

const panels = panelScenarios.map(({name, scenario, ...panel}): LawfulScenario => ({
  name,
  scenario,
  law: panelLaws(panel),
}));

const gates = hilModes.flatMap((mode) =>
  questionKinds.map((kind): LawfulScenario => ({
    name: `in mode ${mode} decides about ${kind}`,
    scenario: gateScenario(mode, kind),
    law: gateLaws(kind),
  })),
);

const modes = hilModes.flatMap((mode) =>
  [0, 2].map((rejections) => [writeFile, mode, rejections] as const),
);
const calls = [
  ...modes,
  [runCommand, 'interactive', 0] as const,
  [runCommand, 'auto_approve', 0] as const,
  [readFile, 'interactive', 0] as const,
].map(([tool, mode, rejections]): LawfulScenario => ({
  name: `${tool.name} in mode ${mode} after ${rejections} rejections`,
  scenario: toolCallScenario(tool, mode, rejections),
  law: toolCallLaws(tool, mode),
}));

const untimed = [writeFile, readFile].map((tool): LawfulScenario => ({
  name: `${tool.name} without a time limit`,
  scenario: toolCallScenario(tool, 'interactive', 0, {isTimed: false}),
  law: toolCallLaws(tool, 'interactive'),
}));

const unoffered: LawfulScenario = {
  name: 'a tool that is not offered',
  scenario: toolCallScenario(readFile, 'interactive', 0, {isOffered: false}),
  law: (played) => [
    ...unless(requestsOf(played.log, 'runTool').length === 0, 'it runs'),
    ...unless(valueIn(played.output(), 'result', 'status') === 'refused', 'it is not refused'),
  ],
};

const onlySpawns = 'a call that only spawns leaves tool and lock alone';

const spawning = hilModes.map((mode): LawfulScenario => ({
  name: `that spawns in mode ${mode}`,
  scenario: spawningScenario(mode, true),
  law: {...toolCallLaws(spawnAsk, mode), [onlySpawns]: touchedIn},
}));

const leftAlone: LawfulScenario = {
  name: 'that spawns and does not wait',
  scenario: spawningScenario('interactive', false),
  law: {[onlySpawns]: touchedIn},
};

function touchedIn({log}: Played): string[] {
  return log.flatMap((each) =>
    each.type === 'requested' && ['runTool', 'lockWorkspace'].includes(each.port)
      ? [`${each.port} is asked for`]
      : [],
  );
}

describe('a panel', () => {
  test.each(panels)(
    'of $name decides as if all ballots were in, and never by a silent seat',
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
    'of $name runs only what was approved, and tells how it went',
    (lawful) => {
      expect(explored(lawful).states).toBeGreaterThan(2);
    },
  );

  test('enters every state of its chart, by every transition', () => {
    const all = [...calls, ...untimed, ...spawning, leftAlone, unoffered];
    expect(uncovered(toolCallMachine, all, crashTransitions)).toEqual([]);
  });
});
