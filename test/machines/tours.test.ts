/** Panels, gates and tool calls explored to their last state. What is asserted is written here, not read from the charts. */

import {describe, expect, test} from 'vitest';

import {
  humanGateMachine,
  pollMachine,
  questionMachine,
  quorumMachine,
  toolCallMachine,
} from '../../machines/index.ts';
import type {World} from '../support/world.ts';
import {crashWays} from './events/crashes.ts';
import {gateScenario, hilModes, questionKinds} from './events/human-gate.ts';
import {panelScenarios} from './events/quorum.ts';
import {runCommand, readFile, writeFile} from './events/settings.ts';
import {toolCallScenario} from './events/tool-call.ts';
import {panelLaws} from './laws-panel.ts';
import {requestsOf, unless, valueIn} from './laws-record.ts';
import {checkGate, checkToolCall} from './laws.ts';
import {type Expedition, surveyOf, uncovered} from './survey.ts';

const panels = panelScenarios.map(({name, scenario, seats, minParticipation}): Expedition => ({
  name,
  scenario,
  law: panelLaws(seats, minParticipation),
}));

const gates = hilModes.flatMap((mode) =>
  questionKinds.map((kind): Expedition => ({
    name: `in mode ${mode} decides about ${kind}`,
    scenario: gateScenario(mode, kind),
    law: asserting((world) => checkGate(world, kind)),
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
].map(([tool, mode, rejections]): Expedition => ({
  name: `${tool.name} in mode ${mode} after ${rejections} rejections`,
  scenario: toolCallScenario(tool, mode, rejections),
  law: asserting((world) => checkToolCall(world, tool, mode)),
}));

/** For laws that assert by themselves. */
function asserting(check: (world: World) => void): Expedition['law'] {
  return (world) => {
    check(world);
    return [];
  };
}

const untimed = [writeFile, readFile].map((tool): Expedition => ({
  name: `${tool.name} without a time limit`,
  scenario: toolCallScenario(tool, 'interactive', 0, {isTimed: false}),
  law: asserting((world) => checkToolCall(world, tool, 'interactive')),
}));

const unoffered: Expedition = {
  name: 'a tool that is not offered',
  scenario: toolCallScenario(readFile, 'interactive', 0, {isOffered: false}),
  law: (world) => [
    ...unless(requestsOf(world.happenings, 'runTool').length === 0, 'it runs'),
    ...unless(valueIn(world.output(), 'result', 'status') === 'refused', 'it is not refused'),
  ],
};

describe('a panel', () => {
  test.each(panels)(
    'of $name decides as if all ballots were in, and never by a silent seat',
    (expedition) => {
      expect(surveyOf(expedition).states).toBeGreaterThan(5);
    },
  );

  test.each([quorumMachine, pollMachine, questionMachine])(
    'goes through every state of the chart $id, by every transition',
    (machine) => {
      expect(uncovered(machine, panels, crashWays)).toEqual([]);
    },
  );
});

describe('a human gate', () => {
  test.each(gates)('$name only with the right it has', (expedition) => {
    expect(surveyOf(expedition).states).toBeLessThan(10);
  });

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(humanGateMachine, gates, crashWays)).toEqual([]);
  });
});

describe('a tool call', () => {
  test.each([...calls, ...untimed])(
    'of $name runs only what was approved, and tells how it went',
    (expedition) => {
      expect(surveyOf(expedition).states).toBeGreaterThan(2);
    },
  );

  test('enters every state of its chart, by every transition', () => {
    expect(uncovered(toolCallMachine, [...calls, ...untimed, unoffered], crashWays)).toEqual([]);
  });
});
