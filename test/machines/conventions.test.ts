import {readdirSync, readFileSync} from 'node:fs';
import {basename, join} from 'node:path';

import {describe, expect, test} from 'vitest';
import type {AnyStateMachine} from 'xstate';

import {humanGateMachine, machines} from '../../machines/index.ts';
import {askHuman, askPerson} from '../../machines/ports.ts';
import {
  actionsOf,
  type ChartNode,
  guardsIn,
  nameOf,
  nodesOf,
  transitionsOf,
} from '../../machines/testing/chart.ts';
import {lintChart} from '../../machines/testing/lint.ts';

const root = join(import.meta.dirname, '../..');
/** The source of every machine, by the stem of its file, which is its id. */
const sources = new Map(
  readdirSync(join(root, 'machines'), {recursive: true, encoding: 'utf8'})
    .filter((path) => path.endsWith('.ts'))
    .map(
      (path) =>
        [basename(path, '.ts'), readFileSync(join(root, 'machines', path), 'utf8')] as const,
    )
    .filter(([, text]) => text.includes('.createMachine({')),
);

function sourceOf(machine: AnyStateMachine): string {
  return sources.get(machine.id) ?? '';
}

/** The index at which the implementations end and the chart begins. */
function chartStart(source: string): number {
  return source.indexOf('\n})', source.indexOf('setup({'));
}

/**
 * True when a transition leaves the state: its own, or one of a parent below the root. The lint also accepts transitions of
 * the root, which here are only cancellations.
 */
function hasWayOut(node: ChartNode): boolean {
  if (node.type === 'final' || node.type === 'history') return true;
  const own = [...nodesOf(node), ...parentsOf(node)];
  return own.some((owner) =>
    transitionsOf(owner).some(({target}) => target?.some((to) => to !== node)),
  );
}

function parentsOf(node: ChartNode): ChartNode[] {
  return node.parent?.parent ? [node.parent, ...parentsOf(node.parent)] : [];
}

/** True when the invoked actor is the gate, the question that a gate asks, or a message to a person. */
function isAsking({implementations}: AnyStateMachine, src: unknown): boolean {
  const actor = typeof src === 'string' ? implementations.actors[src] : src;
  return actor === humanGateMachine || actor === askHuman || actor === askPerson;
}

function paths(nodes: readonly ChartNode[]): string[] {
  return nodes.map(({path}) => path.join('.'));
}

test('the registry has every machine file exactly once', () => {
  expect(machines.map(({id}) => id).toSorted()).toEqual([...sources.keys()].toSorted());
});

describe.each(machines.map((machine) => ({id: machine.id, machine})))(
  'the machine $id',
  ({machine}) => {
    const nodes = nodesOf(machine.root);
    const invokes = nodes.flatMap(({invoke}) => invoke);
    const {actors, actions, guards, delays} = machine.implementations;

    test('tags exactly the states that ask a person as waiting for one', () => {
      const asking = nodes.filter(({invoke}) => invoke.some(({src}) => isAsking(machine, src)));
      const tagged = nodes.filter(({tags}) => tags.includes('waitsForPerson'));
      expect(paths(tagged)).toEqual(paths(asking));
    });

    test('tags exactly the states that it leaves at once as choices, and names them with a past participle', () => {
      const choices = nodes.filter(isChoice);
      expect(paths(nodes.filter(({tags}) => tags.includes('choice')))).toEqual(paths(choices));
      const named = choices.map(({path}) => path.at(-1) ?? '');
      expect(named.filter((name) => !/ed$|^(?:chosen|read|ruled)$/.test(name))).toEqual(
        named.filter((name) => specNames.has(name)),
      );
    });

    test('passes the chart lint', () => {
      expect(lintChart(machine)).toEqual([]);
    });

    test('handles the crash of an actor that it spawned', () => {
      const handled = nodes.flatMap(({transitions}) => [...transitions.keys()]);
      const crashes = handled.filter((event) => event.startsWith('xstate.error.actor.'));
      const isSpawner = sourceOf(machine).includes('spawnChild(');
      expect(isSpawner && crashes.length === 0).toBe(false);
    });

    test('invokes and spawns only actors that it defines, and gives each an id', () => {
      const spawned = [...sourceOf(machine).matchAll(/spawnChild\(\s*([^,]*),\s*\{([\s\S]*?)\}/g)];
      const names = [
        ...invokes.map(({src}) => (typeof src === 'string' ? src : 'an inline actor')),
        ...spawned.map(([, name = '']) => name.replaceAll("'", '')),
      ];
      expect(names.filter((name) => !Object.hasOwn(actors, name))).toEqual([]);
      expect(
        invokes.map(({id}) => id).filter((id) => /^xstate\.|^\d|\.\d+$|:\d+$/.test(id)),
      ).toEqual([]);
      expect(spawned.filter(([, , options = '']) => !/\bid\b/.test(options))).toEqual([]);
    });

    test('writes no guard and no action inline', () => {
      const used = nodes.flatMap(transitionsOf).flatMap(({guard}) => guardsIn(guard));
      expect(used).not.toContain(undefined);
      expect(nodes.flatMap(actionsOf).map(nameOf)).not.toContain(undefined);
    });

    test('uses every guard, action, delay and actor that it defines', () => {
      const source = sourceOf(machine);
      const defined = [actors, actions, guards, delays].flatMap((group) => Object.keys(group));
      const chart = source.slice(chartStart(source));
      const used = (name: string) =>
        new RegExp(`'${name}'|\\b${name}:`).test(chart) ||
        source.includes(`('${name}'`) ||
        (name === 'reportPhase' && source.includes('...phase('));
      expect(defined.filter((name) => !used(name))).toEqual([]);
    });

    test('handles events named noun.verb, and no bare wildcard', () => {
      const events = nodes
        .flatMap((node) => [...node.transitions.keys()])
        .filter((event) => !event.startsWith('xstate.'));
      expect(events.filter((event) => !/^[a-z]+(\.[a-z]+)*\.([a-z]+|\*)$/.test(event))).toEqual([]);
    });

    test('can leave each state that is not final by more than a cancellation', () => {
      expect(paths(nodes.filter((node) => node.parent && !hasWayOut(node)))).toEqual([]);
    });
  },
);

/** Names of choices that come from the specification or the design. */
const specNames: ReadonlySet<string> = new Set(['pending', 'scheduling', 'validating']);

/** True for an atomic state without events and actors whose last eventless transition has no guard. */
function isChoice(node: ChartNode): boolean {
  const {type, always = [], invoke, transitions} = node;
  const isIdle = invoke.length === 0 && [...transitions.values()].flat().length === 0;
  return type === 'atomic' && isIdle && always.length > 0 && always.at(-1)?.guard === undefined;
}
