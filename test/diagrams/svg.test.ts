import {Parser} from 'htmlparser2';
import {describe, expect, test} from 'vitest';
import {and, createMachine, not, stateIn} from 'xstate';

import {escaped, layersOf, type SvgElement, toSvg} from '../../diagrams/drawing/svg.ts';
import {dark, light, type Palette, styleSheet} from '../../diagrams/drawing/theme.ts';
import {placeChart} from '../../diagrams/layout/place.ts';
import {hostile, japanese, order} from './user-machines.ts';

interface Parsed {
  readonly names: readonly string[];
  readonly attributes: readonly Readonly<Record<string, string>>[];
  readonly texts: readonly string[];
}

/** Throws for elements that are not closed in order. */
function parsed(svg: string): Parsed {
  const open: string[] = [];
  const found: {names: string[]; attributes: Record<string, string>[]; texts: string[]} = {
    names: [],
    attributes: [],
    texts: [],
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        open.push(name);
        found.names.push(name);
        found.attributes.push(attributes);
      },
      ontext: (text) => found.texts.push(text),
      onclosetag: (name, isImplied) => {
        if (isImplied && open.at(-1) !== name) throw new Error(`${name} is not closed`);
        open.pop();
      },
    },
    {xmlMode: true},
  );
  parser.end(svg);
  return found;
}

function partText(part: SvgElement | string): string {
  return typeof part === 'string' ? part : part.children.map(partText).join('');
}

test('a drawing has the words of its chart, a title and a description', async () => {
  const svg = toSvg(await placeChart(japanese));
  const {texts, attributes} = parsed(svg);
  for (const text of ['買い物中', '商品を追加する', '[在庫がある]', '決済サービス', 'failed']) {
    expect(texts).toContain(text);
  }
  expect(svg).toContain('<title>注文の処理</title>');
  expect(attributes[0]).toMatchObject({role: 'img', 'aria-label': '注文の処理'});
  expect(texts).toContain('waits for a person');
});

test('any name is text', async () => {
  const svg = toSvg(await placeChart(hostile));
  const {names, attributes} = parsed(svg);
  const known = new Set([
    'svg',
    'title',
    'desc',
    'style',
    'rect',
    'g',
    'text',
    'tspan',
    'path',
    'circle',
  ]);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  expect(names.filter((name) => name === 'style')).toHaveLength(1);
  expect(attributes.flatMap(Object.keys).filter((name) => /^on|href|src/.test(name))).toEqual([]);
  expect(svg).not.toMatch(/[^\P{C}\n]/u);
  expect(Math.max(...svg.split('\n').map(({length}) => length))).toBeLessThan(10_000);
});

test('characters invalid in XML are replaced, and special ones are escaped', () => {
  expect(escaped('\u0000a\ud800\uffff\t')).toBe('\ufffda\ufffd\ufffd\t');
  expect(escaped('<a b="c" d=\'&amp;\'>')).toBe('&#60;a b=&#34;c&#34; d=&#39;&#38;amp;&#39;&#62;');
});

test('an event and its guard are parts of one text, and tags are below names: no font makes them overlap', async () => {
  const machine = createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: {
        tags: ['busy', 'slow'],
        on: {
          GO: [
            {guard: {type: 'isBelow', params: {limit: 2}}, target: 'b'},
            {guard: and(['isBig', not(stateIn('a'))]), target: 'b'},
          ],
        },
      },
      b: {},
    },
  });
  const chart = await placeChart(machine);
  const lines = layersOf(chart)
    .labels.flat()
    .filter(({name}) => name === 'text');
  expect(lines.map(({children}) => children.map(partText))).toEqual([
    ['GO', ' ', '[isBelow {limit: 2}]'],
    ['GO', ' ', '[isBig and not in a]'],
  ]);
  const texts = chart.nodes.find(({state}) => state === 'm.a')?.texts ?? [];
  const rows = texts.map(({y}) => y);
  expect(texts.map(({text}) => text)).toEqual(['a', 'busy', 'slow']);
  expect(new Set(rows).size).toBe(rows.length);
});

test('active states are marked', async () => {
  const chart = await placeChart(order);
  const state = chart.nodes.find(({shape}) => shape === 'state')?.state ?? '';
  const {nodes} = layersOf(chart, new Set([state]));
  const marked = nodes.flatMap(({attributes}, index) =>
    attributes['class'] === 'is-active' ? chart.nodes[index]?.state : [],
  );
  expect(marked).toEqual([state]);
  expect(toSvg(chart, new Set([state]))).toContain('<g class="is-active">');
  expect(toSvg(chart)).not.toContain('<g class="is-active">');
});

test('a drawing is self-contained and the same each time', async () => {
  const svg = toSvg(await placeChart(order));
  expect(svg).not.toMatch(/url\(|@import|@font-face|<image|<use|<script/);
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toContain('http');
  expect(toSvg(await placeChart(order))).toBe(svg);
  expect(svg).toContain('@media (prefers-color-scheme:dark)');
});

test('the elements of a drawing are in the order of the states and transitions of its chart', async () => {
  const chart = await placeChart(order);
  const {nodes, edges, labels} = layersOf(chart);
  expect(nodes.map(titleOf)).toEqual(chart.nodes.map(({state}) => [state]));
  expect(edges.flatMap(titleOf)).toEqual(
    chart.edges.flatMap(({transitions}) =>
      transitions.length > 0 ? [transitions.join('\n')] : [],
    ),
  );
  expect(edges).toHaveLength(chart.edges.length);
  expect(labels).toHaveLength(chart.edges.length);
});

function titleOf({children}: SvgElement): readonly (SvgElement | string)[] {
  return children.flatMap((child) =>
    typeof child === 'object' && child.name === 'title' ? child.children : [],
  );
}

test('the style rules of a drawing apply to itself only, because it may be part of a page', () => {
  const rules = styleSheet
    .split('\n')
    .filter((line) => line.includes('{') && !line.startsWith('@'));
  const selectors = rules.flatMap((rule) => (rule.split('{')[0] ?? '').split(','));
  expect(selectors.filter((selector) => !selector.startsWith('.quorate-chart '))).toEqual([]);
});

describe.each(Object.entries({light, dark}))('in the %s theme', (_, palette: Palette) => {
  const {page, strong, text, faint, line, failureLine, tag, frame, states} = palette;
  const insides = Object.values(states).map(([inside]) => inside);

  test('text has a contrast of 4.5 : 1 to its background', () => {
    const pairs = [
      ...[page, frame, ...insides].map((behind) => [text, behind] as const),
      ...[page, ...insides].map((behind) => [strong, behind] as const),
      ...[page, tag].map((behind) => [faint, behind] as const),
    ];
    expect(pairs.filter(([one, other]) => contrast(one, other) < 4.5)).toEqual([]);
  });

  test('lines and borders have a contrast of 3 : 1 to the page', () => {
    const borders = Object.values(states).map(([, border]) => border);
    const lines = [line, failureLine, ...borders];
    expect(lines.filter((each) => contrast(each, page) < 3)).toEqual([]);
  });
});

/** As WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
