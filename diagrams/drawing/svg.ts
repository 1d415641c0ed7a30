/** Draws a chart from its positions. */

import {framePadding, iconWidth} from '../layout/graph.ts';
import type {
  ChartPositions,
  NodeShape,
  PlacedEdge,
  PlacedNode,
  PlacedText,
  Rect,
} from '../layout/positions.ts';
import {fonts, textWidth} from '../layout/text.ts';
import {styleSheet} from './theme.ts';

// Draws states.

function drawnNode(node: PlacedNode, isActive: boolean): SvgElement {
  const {shape, tone, x, y, width, texts, state} = node;
  const mark = tone === 'person' && shape === 'state' ? personMark(x + width - 15, y + 16) : [];
  return element(
    'g',
    isActive ? {class: 'is-active'} : {},
    element('title', {}, state),
    ...outlines[shape](node, `is-${tone}`),
    ...mark,
    ...texts.flatMap(drawnText),
  );
}

/** A parent's texts are drawn above the arrows that lead to its children. */
function drawnHeader({texts}: PlacedNode): SvgElement[] {
  const behind = texts.map(({x, y, width, height}) =>
    element('rect', {class: 'behind', x, y, width, height}),
  );
  return [...behind, ...texts.flatMap(drawnText)];
}

/** Draws a state according to its shape. */
const outlines: Readonly<Record<NodeShape, (rect: Rect, colour: string) => SvgElement[]>> = {
  state: (rect, colour) => [box(rect, colour, 8)],
  compound: (rect, colour) => [box(rect, `${colour} is-open`, 10)],
  parallel: (rect, colour) => [box(rect, `${colour} is-open is-parallel`, 10)],
  final: (rect, colour) => [box(rect, colour, 10), box(inner(rect, 3), `${colour} is-open`, 7)],
  any: (rect, colour) => [box(rect, colour, rect.height / 2)],
  choice: (rect) => [element('path', {class: 'is-choice', d: diamond(rect)})],
  initial: (rect) => [circle(rect, 'initial')],
  history: (rect, colour) => [circle(rect, colour), letter(rect, 'H')],
  deepHistory: (rect, colour) => [circle(rect, colour), letter(rect, 'H*')],
};

function circle({x, y, width, height}: Rect, colour: string): SvgElement {
  return element('circle', {class: colour, cx: x + width / 2, cy: y + height / 2, r: width / 2});
}

function letter({x, y, width, height}: Rect, text: string): SvgElement {
  const at = {x: x + width / 2, y: baseline(y, height, fonts.tag.size)};
  return element('text', {class: 'mark', ...at}, text);
}

function box({x, y, width, height}: Rect, colour: string, rx: number): SvgElement {
  return element('rect', {class: colour, x, y, width, height, rx});
}

function inner({x, y, width, height}: Rect, by: number): Rect {
  return {x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by};
}

function diamond({x, y, width, height}: Rect): string {
  const [right, bottom] = [x + width, y + height];
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return `M${middleX} ${y}L${right} ${middleY}L${middleX} ${bottom}L${x} ${middleY}Z`;
}

// Draws transitions.

type Point = readonly [x: number, y: number];

/** Sizes of rounded corners and of arrowheads, in pixels. */
const radius = 5;
const head = {length: 8, width: 3.6};

function drawnArrow({points, joints, tone, transitions}: PlacedEdge): SvgElement {
  const [before = [0, 0], tip = before] = points.slice(-2);
  const end = towards(tip, before, head.length - 1);
  const title = transitions.length > 0 ? [element('title', {}, transitions.join('\n'))] : [];
  return element(
    'g',
    {},
    ...title,
    element('path', {class: `edge ${tone}`, d: path([...points.slice(0, -1), end])}),
    element('path', {class: `head ${tone}`, d: headPath(before, tip)}),
    ...joints.map(([cx, cy]) => element('circle', {class: `joint ${tone}`, cx, cy, r: 2.2})),
  );
}

/** The label with a background, in front of the line that passes through it. */
function drawnLabel({texts}: PlacedEdge): SvgElement[] {
  const [first] = texts;
  if (!first) return [];
  const left = Math.min(...texts.map(({x}) => x)) - 2;
  const right = Math.max(...texts.map(({x, width}) => x + width)) + 2;
  const bottom = Math.max(...texts.map(({y, height}) => y + height));
  const behind = {x: left, y: first.y, width: right - left, height: bottom - first.y};
  const lines = [...Map.groupBy(texts, ({y}) => y).values()];
  return [element('rect', {class: 'behind', ...behind}), ...lines.flatMap(drawnLine)];
}

/** An event and its guard are parts of one text, which cannot overlap, however wide the reader's fonts are. */
function drawnLine(words: readonly PlacedText[]): SvgElement[] {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || first === last) return words.flatMap(drawnText);
  const {kind, x, y, height} = first;
  const at = {x: (x + last.x + last.width) / 2, y: baseline(y, height, fonts[kind].size)};
  const parts = words.map((word) => element('tspan', {class: word.kind}, word.text));
  return [element('text', {class: kind, ...at}, ...parts.flatMap((part) => [' ', part]).slice(1))];
}

function path(points: readonly Point[]): string {
  return points.map((point, index) => corner(points[index - 1], point, points[index + 1])).join('');
}

function corner(before: Point | undefined, point: Point, after: Point | undefined): string {
  if (!before) return `M${pointText(point)}`;
  if (!after) return `L${pointText(point)}`;
  const reach = Math.min(radius, distance(before, point) / 2, distance(point, after) / 2);
  return `L${pointText(towards(point, before, reach))}Q${pointText(point)} ${pointText(towards(point, after, reach))}`;
}

function headPath(from: Point, tip: Point): string {
  const [x, y] = towards(tip, from, head.length);
  const long = distance(from, tip) || 1;
  const [dx, dy] = [
    ((tip[0] - from[0]) / long) * head.width,
    ((tip[1] - from[1]) / long) * head.width,
  ];
  return `M${pointText(tip)}L${pointText([x - dy, y + dx])}L${pointText([x + dy, y - dx])}Z`;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

/** The point at the distance `by` from the first point on the way to the second. */
function towards(from: Point, to: Point, by: number): Point {
  const part = Math.min(1, by / (distance(from, to) || 1));
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
}

function pointText([x, y]: Point): string {
  return `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;
}

/**
 * A self-contained document in the colours of the reader's light or dark theme. The same positions give the same text.
 * `active`: ids of states that are drawn as active.
 */
export function toSvg(chart: ChartPositions, active: ReadonlySet<string> = new Set()): string {
  const states = chart.nodes.filter(({shape}) => shape !== 'initial' && shape !== 'any');
  return drawing(chart, {
    title: chart.machine,
    description: `Statechart of ${chart.machine}: ${states.map(({state}) => state).join(', ')}.`,
    key: chartKey,
    active,
  });
}

/** Texts for readers who do not see the picture, and the key below it. */
export interface Caption {
  readonly title: string;
  readonly description: string;
  readonly key: readonly KeyEntry[];
  /** Ids of states. */
  readonly active?: ReadonlySet<string>;
}

/** Any positions as an SVG document: see `toSvg`. */
export function drawing(
  chart: ChartPositions,
  {title, description, key: entries, active}: Caption,
): string {
  const {width} = chart;
  const {nodes, edges, headers, labels, texts} = layersOf(chart, active);
  const key = legend(chart, entries);
  const height = chart.height + key.height;
  const lines: readonly (readonly (SvgElement | string)[])[] = [
    [element('title', {}, title)],
    [element('desc', {}, description)],
    [element('style', {}, styleSheet)],
    [
      element('rect', {
        class: 'page',
        x: 0.5,
        y: 0.5,
        width: width - 1,
        height: height - 1,
        rx: 10,
      }),
    ],
    ...nodes.map((node) => [node]),
    ...edges.map((edge) => [edge]),
    ...headers,
    ...labels,
    ...texts,
    key.content,
  ];
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'quorate-chart',
    role: 'img',
    'aria-label': title,
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
  };
  const content = lines.filter(({length}) => length > 0).flatMap((line) => line.concat('\n'));
  return `${toXml(element('svg', attributes, '\n', ...content))}\n`;
}

/** The elements of a chart, from the back to the front. */
export interface Layers {
  /** In the order of the chart's nodes. */
  readonly nodes: readonly SvgElement[];
  /** In the order of the chart's edges, like `labels`. */
  readonly edges: readonly SvgElement[];
  /** The texts of parents. */
  readonly headers: readonly (readonly SvgElement[])[];
  readonly labels: readonly (readonly SvgElement[])[];
  readonly texts: readonly (readonly SvgElement[])[];
}

export function layersOf(
  {nodes, edges, texts}: ChartPositions,
  active: ReadonlySet<string> = new Set(),
): Layers {
  return {
    nodes: nodes.map((node) => {
      const isActive = !isMark(node) && active.has(node.state);
      return drawnNode(isParent(node) ? {...node, texts: []} : node, isActive);
    }),
    edges: edges.map(drawnArrow),
    headers: nodes.filter(isParent).map(drawnHeader),
    labels: edges.map(drawnLabel),
    texts: texts.map(drawnText),
  };
}

function isMark({shape}: PlacedNode): boolean {
  return shape === 'initial' || shape === 'any';
}

function isParent({shape}: PlacedNode): boolean {
  return shape === 'compound' || shape === 'parallel';
}

// The key of a drawing: its colours and their meanings.

interface KeyEntry {
  readonly colour: string;
  readonly text: string;
  readonly isIn: (node: PlacedNode) => boolean;
}

const chartKey: readonly KeyEntry[] = [
  {colour: 'actor', text: 'runs an actor', isIn: ({tone}) => tone === 'actor'},
  {colour: 'person', text: 'waits for a person', isIn: ({tone}) => tone === 'person'},
  {colour: 'choice', text: 'choice', isIn: ({shape}) => shape === 'choice'},
  {colour: 'failure', text: 'ends badly', isIn: ({tone}) => tone === 'failure'},
];

const [keyLeft, swatch, gap, lineHeight, keyBottom] = [20, 10, 6, 18, 12];

/** The elements below the chart and their height. Only entries that the chart uses are shown. */
function legend(
  {nodes, width, height}: ChartPositions,
  entries: readonly KeyEntry[],
): {readonly content: readonly SvgElement[]; readonly height: number} {
  let [x, line] = [keyLeft, 0];
  const items = entries
    .filter(({isIn}) => nodes.some(isIn))
    .flatMap(({colour, text}) => {
      const size = swatch + gap + textWidth(text, 'tag');
      if (x > keyLeft && x + size > width - keyLeft) [x, line] = [keyLeft, line + 1];
      const y = height + line * lineHeight;
      const item = [
        element('rect', {
          class: `is-${colour}`,
          x,
          y: y + 4,
          width: swatch,
          height: swatch,
          rx: 2,
        }),
        element(
          'text',
          {class: 'legend', x: x + swatch + gap, y: baseline(y, lineHeight, 11)},
          text,
        ),
      ];
      x += size + 2 * gap;
      return item;
    });
  const rows = items.length > 0 ? (line + 1) * lineHeight + keyBottom : 0;
  return {content: items, height: rows};
}

function drawnText(placed: PlacedText): SvgElement[] {
  const {kind, text, x, y, width, height} = placed;
  const isFrame = kind === 'actor' || kind === 'tag';
  const isCentred = kind === 'event' || kind === 'guard';
  const icon = kind === 'actor' ? iconWidth : 0;
  const left = isFrame ? x + framePadding + icon : x;
  const at = {x: isCentred ? x + width / 2 : left, y: baseline(y, height, fonts[kind].size)};
  return [
    ...(isFrame
      ? [element('rect', {class: kind, x, y, width, height, rx: kind === 'tag' ? 9 : 5})]
      : []),
    ...(icon > 0 ? gear(x + framePadding + 4, y + height / 2) : []),
    element('text', {class: kind, ...at}, text),
  ];
}

/** The baseline of text that is vertically centred in a line. */
function baseline(y: number, height: number, size: number): number {
  return y + height / 2 + size * 0.35;
}

/** The mark of an active actor: a gear with eight teeth. */
function gear(cx: number, cy: number): SvgElement[] {
  const tooth = (2 * Math.PI * 4.6) / 16;
  return [
    element('circle', {class: 'icon', cx, cy, r: 3, 'stroke-width': 1.5}),
    element('circle', {
      class: 'icon',
      cx,
      cy,
      r: 4.6,
      'stroke-width': 1.8,
      'stroke-dasharray': `${tooth.toFixed(2)} ${tooth.toFixed(2)}`,
    }),
  ];
}

/** The mark of a state that waits for a person. */
function personMark(x: number, y: number): SvgElement[] {
  const shoulders = `M${x - 4.5} ${y + 6}a4.5 4.5 0 0 1 9 0`;
  return [
    element('circle', {class: 'icon', cx: x, cy: y - 2, r: 2.5, 'stroke-width': 1.3}),
    element('path', {class: 'icon', d: shoulders, 'stroke-width': 1.3}),
  ];
}

// SVG elements as data and as text. Names and texts of a user's machine may contain any characters.

export interface SvgElement {
  readonly name: string;
  readonly attributes: Attributes;
  /** Elements and texts. */
  readonly children: readonly (SvgElement | string)[];
}

type Attributes = Readonly<Record<string, string | number>>;

function element(
  name: string,
  attributes: Attributes,
  ...children: readonly (SvgElement | string)[]
): SvgElement {
  return {name, attributes, children};
}

function toXml({name, attributes, children}: SvgElement): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(attributeText(value))}"`,
  );
  const content = children.map((child) =>
    typeof child === 'string' ? escaped(child) : toXml(child),
  );
  return content.length === 0
    ? `<${name}${written.join('')}/>`
    : `<${name}${written.join('')}>${content.join('')}</${name}>`;
}

/** Numbers have at most two decimals. */
export function attributeText(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
}

/** Escapes a text. Characters that XML forbids even as escapes are replaced: most control characters, lone surrogates. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\P{Cc}\u007f-\u009f]|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"'\u007f-\u009f\p{Cf}]/gu, (char) => `&#${char.codePointAt(0)};`);
}
