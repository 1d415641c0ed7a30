/**
 * Walks every state that the real actors can reach, in every order of outcomes and timers, each reached once by replay
 * of its past and again on tours that take every step. What is asserted is written here, not read from the charts.
 */

import {describe, expect, test, vi} from 'vitest';

import {canGoOnForEver, explore, tours, wayTo} from '../support/explore.ts';
import {type Scenario, startWorld, type World} from '../support/world.ts';
import {gateScenario, hilModes, questionKinds} from './events/human-gate.ts';
import {panelScenarios} from './events/quorum.ts';
import {runCommand, readFile, writeFile} from './events/settings.ts';
import {toolCallScenario} from './events/tool-call.ts';
import {checkGate, checkPanel, checkToolCall} from './laws.ts';

vi.setConfig({testTimeout: 60_000});

const warnings = vi.spyOn(console, 'warn').mockReturnValue();

/** Explores the scenario under the law, then takes every step again on whole runs. */
function survey(scenario: Scenario, law: (world: World) => void): {states: number; steps: number} {
  const lawful = (world: World) => {
    expect({status: world.status(), why: world.output()}).not.toMatchObject({status: 'broken'});
    expect(world.status() === 'done' ? world.open() : []).toEqual([]);
    law(world);
  };
  const graph = explore(scenario, lawful);
  const states = [...graph.steps.keys()];
  expect(graph.ends.size).toBeGreaterThan(0);
  expect(states.filter((key) => !wayTo(graph, key, (end) => graph.ends.has(end)))).toEqual([]);
  expect(canGoOnForEver(graph)).toBe(false);
  const taken = new Set<string>();
  for (const tour of tours(graph)) {
    const world = startWorld(scenario);
    for (const {move, to} of tour) {
      taken.add(`${world.key()} ${JSON.stringify(move)}`);
      world.apply(move);
      expect(world.key()).toBe(to);
    }
    lawful(world);
    expect(world.status()).toBe('done');
  }
  const steps = [...graph.steps.values()].flat().length;
  expect(taken.size).toBe(steps);
  expect(unexpectedWarnings()).toEqual([]);
  return {states: states.length, steps};
}

/** XState's development build warns of charts that are wrong. What a stopped actor is still sent, it need not hear. */
function unexpectedWarnings(): string[] {
  const texts = warnings.mock.calls.map(([text]) => String(text));
  warnings.mockClear();
  return texts.filter((text) => !text.includes('was sent to stopped actor'));
}

describe('a panel', () => {
  test.each(panelScenarios)(
    'of $name decides as if all ballots were in, and never by a silent seat',
    ({scenario, seats, minParticipation}) => {
      const {states} = survey(scenario, (world) => checkPanel(world, seats, minParticipation));
      expect(states).toBeGreaterThan(5);
    },
  );
});

describe('a human gate', () => {
  const gates = hilModes.flatMap((mode) => questionKinds.map((kind) => ({mode, kind})));
  test.each(gates)(
    'in mode $mode decides about $kind only with the right it has',
    ({mode, kind}) => {
      const {states} = survey(gateScenario(mode, kind), (world) => checkGate(world, kind));
      expect(states).toBeLessThan(10);
    },
  );
});

describe('a tool call', () => {
  const modes = hilModes.flatMap((mode) => [0, 2].map((rejections) => ({mode, rejections})));
  const calls = [
    ...modes.map((mode) => Object.assign(mode, {tool: writeFile, name: writeFile.name})),
    {mode: 'interactive', rejections: 0, tool: runCommand, name: runCommand.name},
    {mode: 'auto_approve', rejections: 0, tool: runCommand, name: runCommand.name},
    {mode: 'interactive', rejections: 0, tool: readFile, name: readFile.name},
  ] as const;
  test.each(calls)(
    '$name in mode $mode after $rejections rejections runs only what was approved, and tells how it went',
    ({tool, mode, rejections}) => {
      const scenario = toolCallScenario(tool, mode, rejections);
      const {states} = survey(scenario, (world) => checkToolCall(world, tool, mode));
      expect(states).toBeGreaterThan(2);
    },
  );
});
