/**
 * Walks every state that the real actors can reach, in every order of outcomes and timers, each reached once by replay
 * of its past and again on tours that take every step.
 */

import {expect, vi} from 'vitest';
import type {AnyStateMachine} from 'xstate';

import {type Coverage, noting, statesOf, waysOf} from '../support/coverage.ts';
import {canGoOnForEver, explore, tours, wayTo} from '../support/explore.ts';
import {type Scenario, startWorld, type World} from '../support/world.ts';

/** A sentence for everything that is wrong. */
export type Law = (world: World) => readonly string[];

/** Something to explore, and what it must obey in each of its states: one law, or several by the rule that each states. */
export interface Expedition {
  readonly name: string;
  readonly scenario: Scenario;
  readonly law: Law | Readonly<Record<string, Law>>;
}

export interface Survey extends Coverage {
  readonly states: number;
  readonly steps: number;
}

const warnings = vi.spyOn(console, 'warn').mockReturnValue();

/** Explores the scenario under the law, then takes every step again on whole runs. */
export function survey(scenario: Scenario, law: (world: World) => void): Survey {
  const lawful = (world: World) => {
    expect({status: world.status(), why: world.output()}).not.toMatchObject({status: 'broken'});
    expect(world.status() === 'done' ? world.open() : []).toEqual([]);
    expect(world.status() === 'done' || world.moves().length > 0 ? '' : storyOf(world)).toBe('');
    law(world);
  };
  const graph = explore(scenario, lawful);
  const states = [...graph.steps.keys()];
  expect(graph.ends.size).toBeGreaterThan(0);
  expect(states.filter((key) => !wayTo(graph, key, (end) => graph.ends.has(end)))).toEqual([]);
  expect(canGoOnForEver(graph)).toBe(false);
  const taken = new Set<string>();
  const coverage: Coverage = {entered: new Set(), taken: new Set()};
  const runs = tours(graph);
  for (const tour of runs.length > 0 ? runs : [[]]) {
    const world = startWorld(scenario, noting(coverage));
    let at = graph.start;
    for (const {move, to} of tour) {
      taken.add(`${at} ${JSON.stringify(move)}`);
      world.apply(move);
      at = world.key();
      expect(at).toBe(to);
    }
    lawful(world);
    expect(world.status()).toBe('done');
  }
  const steps = [...graph.steps.values()].flat().length;
  expect(taken.size).toBe(steps);
  expect(unexpectedWarnings()).toEqual([]);
  return {states: states.length, steps, ...coverage};
}

const surveys = new WeakMap<Expedition, Survey>();

/** The survey of an expedition, made at the first call. */
export function surveyOf(expedition: Expedition): Survey {
  const made = surveys.get(expedition);
  if (made) return made;
  const {scenario, law} = expedition;
  const fresh = survey(scenario, (world) => {
    const faults = faultsIn(world, law);
    const story = faults.length === 0 ? '' : storyOf(world);
    expect({faults, story}).toEqual({faults: [], story: ''});
  });
  surveys.set(expedition, fresh);
  return fresh;
}

/** What is wrong, each under the rule that it breaks. */
function faultsIn(world: World, law: Expedition['law']): readonly string[] {
  if (typeof law === 'function') return law(world);
  return Object.entries(law).flatMap(([rule, each]) =>
    each(world).map((fault) => `${rule}: ${fault}`),
  );
}

/** States and transitions of a chart that its expeditions don't go through, but for what only a crash takes. */
export function uncovered(
  machine: AnyStateMachine,
  expeditions: readonly Expedition[],
  crashWays: readonly string[] = [],
): string[] {
  const entered = new Set(expeditions.flatMap((each) => Array.from(surveyOf(each).entered)));
  const taken = new Set(expeditions.flatMap((each) => Array.from(surveyOf(each).taken)));
  return [
    ...statesOf(machine).filter((state) => !entered.has(state)),
    ...waysOf(machine).filter((way) => !taken.has(way) && !crashWays.includes(way)),
  ];
}

/** The moves up to here, a line each: how to get to a state in which something is wrong. */
function storyOf({happenings}: World): string {
  return happenings
    .flatMap((each) => {
      if (each.type === 'settled') return [`${each.path} ← ${JSON.stringify(each.outcome)}`];
      if (each.type === 'fired') return [`fired ${each.timer}`];
      return each.type === 'sent' ? [`sent ${JSON.stringify(each.event)}`] : [];
    })
    .join('\n');
}

/** XState's development build warns of charts that are wrong. */
function unexpectedWarnings(): string[] {
  const texts = warnings.mock.calls.map(([text]) => String(text));
  warnings.mockClear();
  return texts;
}
