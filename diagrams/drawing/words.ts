/** Draws text. */

import {framePadding, iconWidth} from '../layout/blocks.ts';
import type {PlacedText} from '../layout/positions.ts';
import {fonts} from '../layout/text.ts';
import {element, type SvgElement} from './xml.ts';

export function drawnText(placed: PlacedText): SvgElement[] {
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
export function baseline(y: number, height: number, size: number): number {
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
export function personMark(x: number, y: number): SvgElement[] {
  const shoulders = `M${x - 4.5} ${y + 6}a4.5 4.5 0 0 1 9 0`;
  return [
    element('circle', {class: 'icon', cx: x, cy: y - 2, r: 2.5, 'stroke-width': 1.3}),
    element('path', {class: 'icon', d: shoulders, 'stroke-width': 1.3}),
  ];
}
