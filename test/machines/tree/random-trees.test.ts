/** Properties of every tree, after any steps in any order. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import type {InteractionEnd} from '../../../machines/domain/result.ts';
import {childrenOf, maxDepth} from '../../../machines/tree/interaction-tree.ts';
import {interactionIn} from '../../../machines/tree/path.ts';
import {isDeep} from '../../support/depth.ts';
import {
  goodMoves,
  type Living,
  plantTree,
  type RandomTree,
  rootId,
} from '../../support/random-tree.ts';
import {failOnWarnings} from '../../support/warnings.ts';

/** A message to an actor that has crashed is not the fault of a chart. */
failOnWarnings((text) => text.includes('was sent to stopped actor'));

/** `at` selects one of the existing moves or interactions. */
type Step =
  | {readonly do: 'spawn'; readonly at: number; readonly form: string; readonly by: string}
  | {readonly do: 'settle' | 'say' | 'cancel' | 'crash' | 'crashForm'; readonly at: number}
  | {readonly do: 'cancelAll'};

const place = fc.nat({max: 1_000});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('spawn' as const),
      at: place,
      form: fc.constantFrom('agent', 'ask', 'discuss', 'ask', 'agent', 'discuss', 'review'),
      by: fc.constantFrom('person', 'model', 'rule'),
    }),
  },
  {weight: 12, arbitrary: fc.record({do: fc.constant('settle' as const), at: place})},
  {
    weight: 4,
    arbitrary: fc.record({do: fc.constantFrom('say', 'cancel', 'crash', 'crashForm'), at: place}),
  },
  {weight: 1, arbitrary: fc.constant({do: 'cancelAll' as const})},
);
const story = fc.record({
  form: fc.constantFrom('agent' as const, 'ask' as const, 'discuss' as const),
  steps: fc.array(step, {minLength: 10, maxLength: 60}),
});

/** The ids of all interactions so far, and of one that never existed. */
function addressesIn(tree: RandomTree): readonly string[] {
  return [...tree.recorded().map(({id}) => id), `${rootId}.99`];
}

function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(1, items.length)];
}

function isUnder(id: string, above: string): boolean {
  return id === above || id.startsWith(`${above}.`);
}

/** The state of a tree before a step strikes one of its interactions. */
interface Before {
  readonly living: readonly Living[];
  readonly open: ReadonlyMap<string, readonly string[]>;
}

function look(tree: RandomTree): Before {
  const living = tree.living();
  return {living, open: new Map(living.map(({id}) => [id, tree.openIn(id)]))};
}

/** Checks that unrelated interactions are unchanged, and that ancestors of `struck` still run unless they only waited. */
function checkBeside(tree: RandomTree, before: Before, struck: string): void {
  const ids = tree.living().map(({id}) => id);
  for (const {id, isWaiting} of before.living) {
    if (isUnder(id, struck)) continue;
    const isAbove = isUnder(struck, id);
    if (!isAbove || !isWaiting) expect(ids).toContain(id);
    if (!isAbove) expect(tree.openIn(id)).toEqual(before.open.get(id));
  }
}

function checkGone(tree: RandomTree, struck: string): void {
  expect(tree.living().filter(({id}) => isUnder(id, struck))).toEqual([]);
  expect(tree.openUnder(struck)).toEqual([]);
}

function cancel(tree: RandomTree, id: string): void {
  const before = look(tree);
  tree.played.apply({type: 'send', event: {type: 'interaction.cancel', interaction: id}});
  if (id === rootId) return expect(tree.played.status()).toBe('done');
  checkGone(tree, id);
  if (tree.played.status() === 'working') checkBeside(tree, before, id);
  return undefined;
}

function crash(tree: RandomTree, id: string): void {
  const before = look(tree);
  const isLiving = before.living.some((each) => each.id === id);
  tree.crash(id);
  if (!isLiving) return;
  checkGone(tree, id);
  if (id === rootId) {
    expect(tree.played.output()).toMatchObject({status: 'error', summary: 'a bug in a chart'});
    expect(tree.played.open()).toEqual([]);
    return;
  }
  const crashed = {
    type: 'interaction.settled',
    child: id,
    status: 'error',
    summary: 'a bug in a chart',
  };
  expect(tree.played.reports).toContainEqual(expect.objectContaining(crashed));
  if (tree.played.status() === 'working') checkBeside(tree, before, id);
}

function crashForm(tree: RandomTree, id: string): void {
  const before = look(tree);
  const struck = before.living.find((each) => each.id === id);
  tree.crashForm(id);
  if (!struck || struck.isWaiting) return;
  expect(tree.openIn(id)).toEqual([]);
  const below = before.living.filter((each) => each.parent === id);
  const ids = tree.living().map((each) => each.id);
  for (const child of below) expect(ids).toContain(child.id);
  if (below.length > 0) expect(ids).toContain(id);
}

function say(tree: RandomTree, id: string): void {
  const before = tree.dialogue().length;
  const isReceived = tree.living().some((each) => each.id === id && !each.isWaiting);
  tree.played.apply({type: 'send', event: {type: 'user.said', interaction: id, text: 'hello'}});
  const said = tree.dialogue().slice(before);
  const received = said.map(({type, path}) => ({type, interaction: interactionIn(path, rootId)}));
  expect(received).toEqual(isReceived ? [{type: 'user.said', interaction: id}] : []);
}

function spawn(tree: RandomTree, parent: string, form: string, by: string): void {
  const [before, nodes] = [tree.dialogue().length, tree.recorded()];
  const above = tree.living().find(({id}) => id === parent);
  const request = 'do it, too';
  tree.played.apply({type: 'send', event: {type: 'interaction.spawn', parent, form, request, by}});
  const number = childrenOf(nodes, parent).length + 1;
  const isSpawned = above && !above.isWaiting && above.depth < maxDepth && form !== 'review';
  expect(tree.dialogue().slice(before)).toMatchObject(
    isSpawned
      ? [
          {
            type: 'interaction.spawned',
            child: `${parent}.${number}`,
            depth: above.depth + 1,
            form,
            by,
          },
        ]
      : [{type: 'interaction.refused', parent, form}],
  );
}

function take(tree: RandomTree, next: Step): void {
  if (next.do === 'cancelAll') tree.played.apply({type: 'send', event: {type: 'user.cancel'}});
  else if (next.do === 'settle') {
    const move = pick(tree.played.moves(), next.at);
    if (move) tree.played.apply(move);
  } else {
    const id = pick(addressesIn(tree), next.at) ?? rootId;
    if (next.do === 'spawn') spawn(tree, id, next.form, next.by);
    else ({say, cancel, crash, crashForm})[next.do](tree, id);
  }
}

/** Checks that the record describes the tree of actors, and that it is one tree. */
function expectOneTree(tree: RandomTree): void {
  const nodes = tree.recorded();
  const ids = nodes.map(({id}) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const {id, parent, depth} of nodes) {
    expect(depth).toBeLessThanOrEqual(maxDepth);
    expect(id.split('.')).toHaveLength(depth + 1);
    expect(parent).toBe(depth === 0 ? undefined : id.slice(0, id.lastIndexOf('.')));
  }
  if (tree.played.status() !== 'working') return;
  const atWork = nodes.filter(({result}) => !result);
  const living = tree.living().map(({id, form, parent, depth}) => ({id, form, parent, depth}));
  expect(living.toSorted(byId)).toEqual(
    atWork.map(({id, form, parent, depth}) => ({id, form, parent, depth})).toSorted(byId),
  );
}

function byId(one: {readonly id: string}, other: {readonly id: string}): number {
  return one.id.localeCompare(other.id, 'en', {numeric: true});
}

/** Continues with good outcomes only. A tree that needs more moves than the limit counts as endless. */
function expectEnd(tree: RandomTree): void {
  let moves = 0;
  for (let [move] = goodMoves(tree); move && moves < 2_000; [move] = goodMoves(tree)) {
    tree.played.apply(move);
    moves += 1;
  }
  expect(tree.played.status()).toBe('done');
  const {interactions = []}: {interactions?: readonly InteractionEnd[]} = Object(
    tree.played.output(),
  );
  expect(interactions.map(({status}) => status)).not.toContain('active');
  expect(interactions.map(({id}) => id)).toEqual(tree.spawned());
}

describe('after any steps of a tree', () => {
  test('its record describes its actors, cancels and crashes reach all descendants and no siblings, and it ends', () => {
    fc.assert(
      fc.property(story, ({form, steps}) => {
        const tree = plantTree(form);
        for (const next of steps) {
          if (tree.played.status() !== 'working') break;
          take(tree, next);
          expectOneTree(tree);
        }
        expectEnd(tree);
        expect(tree.played.open()).toEqual([]);
      }),
      {numRuns: isDeep ? 200 : 40},
    );
  });
});
