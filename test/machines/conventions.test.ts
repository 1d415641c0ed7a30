import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';

import {describe, expect, test} from 'vitest';
import type {AnyStateMachine} from 'xstate';

import {toMermaid} from '../../diagrams/mermaid.ts';
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
import {lintChart} from '../../machines/testing/lint/lint-chart.ts';

const root = join(import.meta.dirname, '../..');
/** Of a machine and its state, which is what one reads together. */
const maxLines = 400;

const files = readdirSync(join(root, 'machines'), {recursive: true, withFileTypes: true})
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map(({parentPath, name}) => ({
    name: name.replace('.ts', ''),
    room: relative(join(root, 'machines'), parentPath),
    text: readFileSync(join(parentPath, name), 'utf8'),
  }));

/** Every source of a machine, by the stem that is its name. */
const sources = new Map(
  files
    .filter(({text}) => text.includes('.createMachine({'))
    .map(({name, ...source}) => [name, source]),
);

function sourceOf(machine: AnyStateMachine): string {
  return sources.get(machine.id)?.text ?? '';
}

/** What stands beside a machine as its state; empty where it is all in one file. */
function stateOf({id}: AnyStateMachine): string {
  const isBeside = ({name, room}: {name: string; room: string}) =>
    name === `${id}-state` && room === sources.get(id)?.room;
  return files.find(isBeside)?.text ?? '';
}

const tests = readdirSync(join(root, 'test/machines'), {recursive: true, encoding: 'utf8'});

/** The test that states what the machine promises. */
function testOf({id}: AnyStateMachine): string {
  return join(sources.get(id)?.room ?? '', `${id}.test.ts`);
}

/** Where the implementations end. */
function chartStart(source: string): number {
  return source.indexOf('\n})', source.indexOf('setup({'));
}

/**
 * Whether a transition leaves a state: its own, or one of a parent below the root. The lint also takes those of the root, which
 * here are only cancellations.
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

/** Whether what is invoked is the gate, the question that a gate puts, or a message to a person. */
function isAsking({implementations}: AnyStateMachine, src: unknown): boolean {
  const actor = typeof src === 'string' ? implementations.actors[src] : src;
  return actor === humanGateMachine || actor === askHuman || actor === askPerson;
}

function paths(nodes: readonly ChartNode[]): string[] {
  return nodes.map(({path}) => path.join('.'));
}

test('every machine file is in the registry, and nothing twice', () => {
  expect(machines.map(({id}) => id).toSorted()).toEqual([...sources.keys()].toSorted());
});

test('the diagrams are those of the machines, as they are now', () => {
  const drawn = readdirSync(join(root, 'diagrams')).filter((file) => file.endsWith('.mmd'));
  expect(drawn.toSorted()).toEqual(machines.map(({id}) => `${id}.mmd`).toSorted());
  for (const machine of machines) {
    const drawing = readFileSync(join(root, 'diagrams', `${machine.id}.mmd`), 'utf8');
    expect(drawing, `run "npm run diagrams": ${machine.id}`).toBe(toMermaid(machine));
  }
});

describe.each(machines.map((machine) => ({id: machine.id, machine})))(
  'the machine $id',
  ({machine}) => {
    const nodes = nodesOf(machine.root);
    const invokes = nodes.flatMap(({invoke}) => invoke);
    const {actors, actions, guards, delays} = machine.implementations;

    test('has a file of its name, of a length that can be read with its state, that opens with a drawing of its path', () => {
      const source = sourceOf(machine);
      const header = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
      expect(machine.id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(`${source}${stateOf(machine)}`.split('\n').length).toBeLessThanOrEqual(maxLines);
      expect(header).toContain('→');
    });

    test('has a test of its name, in the room of its name', () => {
      expect(tests).toContain(testOf(machine));
    });

    test('says of each state that asks a person, and of no other, that it waits for one', () => {
      const asking = nodes.filter(({invoke}) => invoke.some(({src}) => isAsking(machine, src)));
      const tagged = nodes.filter(({tags}) => tags.includes('waitsForPerson'));
      expect(paths(tagged)).toEqual(paths(asking));
    });

    test('tags each state that it leaves at once as a choice, and names it after what is over', () => {
      const choices = nodes.filter(isChoice);
      expect(paths(nodes.filter(({tags}) => tags.includes('choice')))).toEqual(paths(choices));
      const named = choices.map(({path}) => path.at(-1) ?? '');
      expect(named.filter((name) => !/ed$|^(?:chosen|heard|read|ruled)$/.test(name))).toEqual(
        named.filter((name) => specNames.has(name)),
      );
    });

    test('reports each phase under the name of its state', () => {
      const phases = nodes.filter(({tags}) => tags.includes('phase'));
      expect(phases.map(({entry}) => entry[0])).toEqual(
        phases.map(({path}) => ({type: 'reportPhase', params: path.at(-1)})),
      );
    });

    test('has nothing that the chart lint finds', () => {
      expect(lintChart(machine)).toEqual([]);
    });

    test('hears that what it spawned has crashed', () => {
      const heard = nodes.flatMap(({transitions}) => [...transitions.keys()]);
      const crashes = heard.filter((event) => event.startsWith('xstate.error.actor.'));
      const isSpawner = sourceOf(machine).includes('spawnChild(');
      expect(isSpawner && crashes.length === 0).toBe(false);
    });

    test('invokes and spawns by a name that it has an actor for, with an id of its own', () => {
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

    test('listens to events called noun.verb, and to no event of any name', () => {
      const events = nodes
        .flatMap((node) => [...node.transitions.keys()])
        .filter((event) => !event.startsWith('xstate.'));
      expect(events.filter((event) => !/^[a-z]+(\.[a-z]+)*\.([a-z]+|\*)$/.test(event))).toEqual([]);
    });

    test('can leave each state that is not an end by more than a cancellation', () => {
      expect(paths(nodes.filter((node) => node.parent && !hasWayOut(node)))).toEqual([]);
    });
  },
);

/** Names of choices that the specification gives, or the design. */
const specNames: ReadonlySet<string> = new Set(['pending', 'scheduling', 'validating']);

/** Without an event, an actor or an end of its own, and with a way out that has no guard. */
function isChoice(node: ChartNode): boolean {
  const {type, always = [], invoke, transitions} = node;
  const isIdle = invoke.length === 0 && [...transitions.values()].flat().length === 0;
  return type === 'atomic' && isIdle && always.length > 0 && always.at(-1)?.guard === undefined;
}
