/** Draws a chart from its positions. */

import type {ChartPositions, PlacedNode, PlacedEdge, NodeShape, Rect} from '../layout/positions.ts';
import {fonts} from '../layout/text.ts';
import {chartKey, type KeyEntry, legend} from './legend.ts';
import {styleSheet} from './theme.ts';
import {drawnText, baseline, personMark} from './words.ts';
import {element, type SvgElement, toXml} from './xml.ts';

// Draws states.

function drawnNode(node: PlacedNode): SvgElement {
  const {shape, tone, x, y, width, texts, state} = node;
  const mark = tone === 'person' && shape === 'state' ? personMark(x + width - 15, y + 16) : [];
  return element(
    'g',
    {},
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
  return [element('rect', {class: 'behind', ...behind}), ...texts.flatMap(drawnText)];
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
 */
export function toSvg(chart: ChartPositions): string {
  const states = chart.nodes.filter(({shape}) => shape !== 'initial' && shape !== 'any');
  return drawing(chart, {
    title: chart.machine,
    description: `Statechart of ${chart.machine}: ${states.map(({state}) => state).join(', ')}.`,
    key: chartKey,
  });
}

/** Texts for readers who do not see the picture, and the key below it. */
export interface Caption {
  readonly title: string;
  readonly description: string;
  readonly key: readonly KeyEntry[];
}

/** Any positions as an SVG document: see `toSvg`. */
export function drawing(
  chart: ChartPositions,
  {title, description, key: entries}: Caption,
): string {
  const {width} = chart;
  const {nodes, edges, headers, labels, texts} = layersOf(chart);
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

export function layersOf({nodes, edges, texts}: ChartPositions): Layers {
  return {
    nodes: nodes.map((node) => drawnNode(isParent(node) ? {...node, texts: []} : node)),
    edges: edges.map(drawnArrow),
    headers: nodes.filter(isParent).map(drawnHeader),
    labels: edges.map(drawnLabel),
    texts: texts.map(drawnText),
  };
}

function isParent({shape}: PlacedNode): boolean {
  return shape === 'compound' || shape === 'parallel';
}
