/** Draws states. */

import type {NodeShape, PlacedNode, Rect} from '../layout/positions.ts';
import {fonts} from '../layout/text.ts';
import {baseline, drawnText, personMark} from './words.ts';
import {element, type SvgElement} from './xml.ts';

export function drawnNode(node: PlacedNode): SvgElement {
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
export function drawnHeader({texts}: PlacedNode): SvgElement[] {
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
