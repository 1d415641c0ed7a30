import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';
import {type AnyStateMachine, createMachine} from 'xstate';

import {placeChart} from '../../diagrams/layout/place.ts';
import type {
  ChartPositions,
  PlacedEdge,
  PlacedNode,
  Rect,
} from '../../diagrams/layout/positions.ts';
import {fonts, textWidth} from '../../diagrams/layout/text.ts';
import {machines} from '../../machines/index.ts';
import {nodesOf, transitionName, transitionsOf} from '../../machines/testing/chart.ts';
import {japanese, large, order, userMachines} from './user-machines.ts';

const all = [...machines, ...userMachines];
const placed = new Map<AnyStateMachine, ChartPositions>();
for (const machine of userMachines) placed.set(machine, await placeChart(machine));
// These positions are current: files.test.ts checks them.
for (const machine of machines) {
  const file = join(import.meta.dirname, '../../diagrams/positions', `${machine.id}.json`);
  placed.set(machine, JSON.parse(readFileSync(file, 'utf8')));
}

function positionsOf(machine: AnyStateMachine): ChartPositions {
  const positions = placed.get(machine);
  if (!positions) throw new Error(`${machine.id} has no place`);
  return positions;
}

function overlaps(one: Rect, other: Rect): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** The segments of a line, shortened at its ends. */
function partsOf({points}: PlacedEdge): Rect[] {
  return points.slice(1).map(([x, y], index) => {
    const [beforeX, beforeY] = points[index] ?? [x, y];
    const inset = 1;
    return {
      x: Math.min(x, beforeX) + (y === beforeY ? inset : 0),
      y: Math.min(y, beforeY) + (x === beforeX ? inset : 0),
      width: Math.max(0, Math.abs(x - beforeX) - 2 * inset),
      height: Math.max(0, Math.abs(y - beforeY) - 2 * inset),
    };
  });
}

/** True when the words are beside the shape. */
function isSmall({shape}: PlacedNode): boolean {
  return shape === 'choice' || shape === 'history' || shape === 'deepHistory';
}

function isParent({shape}: PlacedNode): boolean {
  return shape === 'compound' || shape === 'parallel';
}

describe.each(all.map((machine) => ({id: machine.id.slice(0, 20), machine})))(
  'the chart of $id',
  ({machine}) => {
    const {nodes, edges, texts, ...size} = positionsOf(machine);
    const page = {x: 0, y: 0, ...size};
    const states = nodes.filter(({shape}) => shape !== 'initial' && shape !== 'any');
    const rects = new Map(states.map((node) => [node.state, node]));

    test('has each state once, inside its parent state', () => {
      const hasStates = Object.keys(machine.root.states).length > 0;
      const wanted = nodesOf(machine.root).slice(hasStates ? 1 : 0);
      expect(states.map(({state}) => state)).toEqual(wanted.map(({id}) => id));
      const outside = wanted.filter(({id, parent}) => {
        const outer = parent?.parent ? rects.get(parent.id) : page;
        const inner = rects.get(id);
        return !outer || !inner || !contains(outer, inner);
      });
      expect(outside.map(({id}) => id)).toEqual([]);
    });

    test('has each transition with a target, and no other', () => {
      const wanted = nodesOf(machine.root)
        .flatMap(transitionsOf)
        .filter(({target}) => target !== undefined)
        .map(transitionName);
      const drawn = edges.flatMap(({transitions}) => transitions);
      expect([...new Set(drawn)].toSorted()).toEqual([...new Set(wanted)].toSorted());
    });

    test('has no overlapping states or words', () => {
      const leaves = nodes.filter((node) => !isParent(node));
      const words = edges.map(({texts: own}) => own);
      const headers = nodes.filter(isParent).flatMap((node) => node.texts);
      const beside = leaves
        .filter(({shape}) => /choice|istory/.test(shape))
        .flatMap((each) => each.texts);
      const boxes: Rect[] = [...leaves, ...words.flat(), ...headers, ...beside, ...texts];
      const faults = boxes.flatMap((one, index) =>
        boxes.slice(index + 1).flatMap((other) => (overlaps(one, other) ? [[one, other]] : [])),
      );
      expect(faults).toEqual([]);
    });

    test('has lines of horizontal and vertical segments, from state to state', () => {
      for (const {points, from, to} of edges) {
        expect(points.length).toBeGreaterThan(1);
        const slanted = points.slice(1).filter(([x, y], index) => {
          const [beforeX, beforeY] = points[index] ?? [x, y];
          return x !== beforeX && y !== beforeY;
        });
        expect(slanted, `${from} to ${to}`).toEqual([]);
      }
    });

    test('has lines that cross neither states nor the words of other lines', () => {
      const leaves = nodes.filter((node) => !isParent(node));
      for (const edge of edges) {
        const others = edges.filter((other) => other !== edge).flatMap((other) => other.texts);
        const beside = leaves.filter(isSmall).flatMap((each) => each.texts);
        const boxes: Rect[] = [...leaves, ...others, ...beside];
        const crossed = partsOf(edge).flatMap((part) => boxes.filter((box) => overlaps(part, box)));
        expect(crossed, `${edge.from} to ${edge.to}`).toEqual([]);
      }
    });

    test('has words that fit into their states, and everything on the page', () => {
      const own = nodes
        .filter((node) => !isSmall(node))
        .flatMap((node) => node.texts.map((text) => [node, text] as const));
      expect(own.filter(([node, text]) => !contains(node, text))).toEqual([]);
      const words = [...texts, ...[...nodes, ...edges].flatMap((each) => each.texts)];
      expect(words.filter((word) => !contains(page, word))).toEqual([]);
      expect(words.filter(({text, kind, width}) => width < textWidth(text, kind))).toEqual([]);
    });
  },
);

describe('a machine of a user', () => {
  const {nodes, edges, texts} = positionsOf(order);
  const shapes = new Map(nodes.map(({state, shape}) => [state, shape]));
  const wordsOf = (state: string): string[] =>
    nodes.flatMap((node) =>
      node.state === state && node.shape !== 'any' ? node.texts.map(({text}) => text) : [],
    );

  test('shows regions, histories, ends and the actions of states', () => {
    expect(shapes.get('order.shopping')).toBe('parallel');
    expect(shapes.get('order.shopping.cart.before')).toBe('deepHistory');
    expect(shapes.get('order.back')).toBe('history');
    expect(shapes.get('paid')).toBe('final');
    expect(wordsOf('order.shopping.cart.filled')).toEqual(['filled', 'on item.removed']);
    expect(wordsOf('order.paying.charging')).toEqual([
      'charging',
      'slow',
      'money',
      'charge',
      'audit',
    ]);
    expect(texts.map(({text}) => text)).toEqual(['order']);
  });

  test('begins at a mark in each state that has an initial state', () => {
    const marks = nodes.filter(({shape}) => shape === 'initial').map(({state}) => state);
    expect(marks).toEqual([
      'order',
      'order.shopping.cart',
      'order.shopping.address',
      'order.paying',
    ]);
    const starts = edges.filter(({tone}) => tone === 'start').map(({from, to}) => `${from} ${to}`);
    expect(starts.toSorted()).toEqual([
      'order order.shopping',
      'order.paying order.paying.charging',
      'order.shopping.address order.shopping.address.unknown',
      'order.shopping.cart order.shopping.cart.empty',
      'order.shopping.cart.before order.shopping.cart.filled',
    ]);
  });

  test('has the labels of Mermaid, and failures in a tone of their own', () => {
    const labels = edges.flatMap((edge) =>
      edge.from === 'order.paying.charging' ? [[edge.to, edge.texts.map(({text}) => text)]] : [],
    );
    expect(labels).toEqual([
      ['paid', ['done: charge', '[isPaid]']],
      ['order.paying.waiting', ['done: charge', '[else]', 'after 5000ms', 'failed: charge']],
      ['order.failed', ['after grace', '[…]']],
    ]);
    const tones = positionsOf(japanese).edges.map(({tone}) => tone);
    expect(tones).toEqual(['start', 'plain', 'plain', 'plain', 'failure']);
  });
});

test('an end is a failure by its tag, never by its name', async () => {
  const machine = createMachine({
    initial: 'waiting',
    states: {
      waiting: {on: {late: 'timeline', wrong: 'gone'}},
      timeline: {type: 'final'},
      gone: {type: 'final', tags: ['failure']},
    },
  });
  const {nodes} = await placeChart(machine);
  const tones = nodes.map(({state, tone}) => [state.split('.').at(-1), tone]);
  expect(tones).toContainEqual(['timeline', 'plain']);
  expect(tones).toContainEqual(['gone', 'failure']);
});

test('a state that is left at once in every case is a choice, with or without the tag', async () => {
  const machine = createMachine({
    initial: 'weighed',
    states: {
      weighed: {always: [{guard: 'isHeavy', target: 'sunk'}, {target: 'waiting'}]},
      waiting: {always: {guard: 'isHeavy', target: 'sunk'}},
      sunk: {tags: ['choice'], on: {'anchor.weighed': 'waiting'}},
    },
  });
  const {nodes} = await placeChart(machine);
  expect(nodes.map(({shape}) => shape)).toEqual(['initial', 'choice', 'state', 'choice']);
});

test('a large chart is laid out', async () => {
  const {nodes} = await placeChart(large(100));
  expect(nodes.length).toBe(101);
});

test('wide letters take more room, and invisible ones take none', () => {
  expect(textWidth('支払い中', 'note')).toBe(Math.ceil(4 * 1.05 * fonts.note.size));
  expect(textWidth('a\u0301\u202e', 'note')).toBe(textWidth('a', 'note'));
  expect(textWidth('WWW', 'note')).toBeGreaterThan(textWidth('iii', 'note'));
});
