/** The structure of the product's code: import cycles, sizes of folders, and readers of other actors' snapshots. */

import {globSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';

import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

const files = globSync('{machines,actors,tools,cli,diagrams}/**/*.ts', {cwd: root}).toSorted();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** Imports of values and of types, without imports that are loaded on use. */
const imports = new Map(
  [...texts].map(([file, text]) => [
    file,
    [...text.matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)';/gm)]
      .map(([, path = '']) => normalize(join(dirname(file), path)))
      .filter((path) => texts.has(path)),
  ]),
);

test('no import cycle, types included, has more than three files', () => {
  expect(circles(imports).filter((circle) => circle.length > 3)).toEqual([]);
});

/**
 * Folders with one file per item of a kind: commands, refinements of programs. The shared data of the charts has a limit of
 * its own.
 */
const large: Readonly<Record<string, number>> = {
  'cli/commands': Infinity,
  'tools/commands/refinements': Infinity,
  'machines/domain': 35,
};

test('no folder has more than 20 files besides its subfolders', () => {
  const sizes = [...Map.groupBy(files, (file) => dirname(file))].map(
    ([folder, {length}]) => [folder, length] as const,
  );
  expect(sizes.filter(([folder, size]) => size > (large[folder] ?? 20))).toEqual([]);
});

test.each([
  ['actors', 8],
  ['cli', 14],
  ['machines', 12],
])('%s has few files besides its rooms', (layer, most) => {
  expect(files.filter((file) => dirname(file) === layer).length).toBeLessThanOrEqual(most);
});

test('charts read no snapshot of another actor, except the tree and its record', () => {
  const found = [...texts].flatMap(([file, text]) =>
    /^machines\/(?!tree\/|testing\/|facts\/record\.ts)/.test(file) && text.includes('.getSnapshot(')
      ? [file]
      : [],
  );
  expect(found).toEqual([]);
});

test('a fact leaves a chart through `report` only', () => {
  const found = [...texts].flatMap(([file, text]) =>
    /^machines\/(?!facts\/)/.test(file) && /\brecord(?:Fact)?\(|occasion/i.test(text) ? [file] : [],
  );
  expect(found).toEqual(['machines/domain/plan.ts']);
});

test('one file reads keys and lines of a terminal', () => {
  const readsKeys =
    /from 'node:(?:readline|tty)(?:\/promises)?'|import\('node:(?:readline|tty)|setRawMode\?*\.?\(/;
  const found = [...texts].flatMap(([file, text]) => (readsKeys.test(text) ? [file] : []));
  expect(found).toEqual(['cli/terminal/keyboard.ts']);
});

test('a cycle is found from any of its files', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['d', 'a']],
    ['d', ['e']],
    ['e', ['d']],
    ['f', ['f']],
  ]);
  expect(circles(graph).map((circle) => circle.toSorted((a, b) => (a < b ? -1 : 1)))).toEqual([
    ['d', 'e'],
    ['a', 'b', 'c'],
  ]);
});

/** The strongly connected parts of more than one node, by Tarjan's algorithm (1972). */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    stack.push(node);
    let low = order.size - 1;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === order.get(node)) {
      const circle = stack.splice(stack.lastIndexOf(node));
      if (circle.length > 1) found.push(circle);
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}
