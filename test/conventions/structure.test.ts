/** The structure of the product's code: cycles of imports, sizes of folders and rooms, and facts that have one owner. */

import {globSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';

import {expect, test} from 'vitest';

import {ruleForms} from '../../machines/panel/rule.ts';
import {roomSizes} from './budget.ts';

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
 * A folder with one file per item of a kind: commands of the launcher. The shared data of the charts has a limit of its own.
 */
const large: Readonly<Record<string, number>> = {
  'cli/commands': Infinity,
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

/** A limit rises only with the reason in the commit; `node test/conventions/budget.ts` prints the sizes. */
test('no room is larger than its budget, and every room has one', () => {
  const limits: Readonly<Record<string, number>> = JSON.parse(
    readFileSync(join(root, 'test/conventions/budget.json'), 'utf8'),
  );
  const sizes = roomSizes();
  expect(Object.keys(limits)).toEqual(Object.keys(sizes));
  const over = Object.entries(sizes).filter(([room, size]) => size > (limits[room] ?? 0));
  expect(over).toEqual([]);
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
    /^machines\/(?!facts\/)/.test(file) && /(?<![\w.])record(?:Fact)?\(/.test(text) ? [file] : [],
  );
  expect(found).toEqual([]);
});

test('one file reads keys and lines of a terminal', () => {
  const readsKeys =
    /from 'node:(?:readline|tty)(?:\/promises)?'|import\('node:(?:readline|tty)|setRawMode\?*\.?\(/;
  const found = [...texts].flatMap(([file, text]) => (readsKeys.test(text) ? [file] : []));
  expect(found).toEqual(['cli/terminal/keyboard.ts']);
});

test('only the screen imports the library that draws it', () => {
  const found = [...texts].flatMap(([file, text]) =>
    text.includes("'@earendil-works/") ? [file] : [],
  );
  expect(found.filter((file) => !file.startsWith('cli/screen/'))).toEqual([]);
});

const rules = ruleForms.map(({spelling}) => spelling.replace(/\W.*/, ''));

/** Prompts are English text, so that these words have their usual meaning. */
test.each(rules.filter((name) => name.length > 1))(
  'the rule %s of the quorum is named in at most one file besides its own',
  (name) => {
    const quoted = new RegExp(String.raw`['"\x60]${name}['"\x60:]`);
    const found = [...texts].flatMap(([file, text]) =>
      !/prompts?\.ts$/.test(file) && quoted.test(text) ? [file] : [],
    );
    expect(found.filter((file) => file !== 'machines/panel/rule.ts').slice(1)).toEqual([]);
  },
);

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
