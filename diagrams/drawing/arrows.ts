/** Draws transitions. */

import type {PlacedEdge} from '../layout/positions.ts';
import {drawnText} from './words.ts';
import {element, type SvgElement} from './xml.ts';

type Point = readonly [x: number, y: number];

/** Sizes of rounded corners and of arrowheads, in pixels. */
const radius = 5;
const head = {length: 8, width: 3.6};

export function drawnArrow({points, joints, tone, transitions}: PlacedEdge): SvgElement {
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
export function drawnLabel({texts}: PlacedEdge): SvgElement[] {
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
  if (!before) return `M${text(point)}`;
  if (!after) return `L${text(point)}`;
  const reach = Math.min(radius, distance(before, point) / 2, distance(point, after) / 2);
  return `L${text(towards(point, before, reach))}Q${text(point)} ${text(towards(point, after, reach))}`;
}

function headPath(from: Point, tip: Point): string {
  const [x, y] = towards(tip, from, head.length);
  const long = distance(from, tip) || 1;
  const [dx, dy] = [
    ((tip[0] - from[0]) / long) * head.width,
    ((tip[1] - from[1]) / long) * head.width,
  ];
  return `M${text(tip)}L${text([x - dy, y + dx])}L${text([x + dy, y - dx])}Z`;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

/** The point at the distance `by` from the first point on the way to the second. */
function towards(from: Point, to: Point, by: number): Point {
  const part = Math.min(1, by / (distance(from, to) || 1));
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
}

function text([x, y]: Point): string {
  return `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;
}
