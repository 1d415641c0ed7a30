/** The key of a drawing: its colours and their meanings. */

import type {ChartPositions, PlacedNode} from '../layout/positions.ts';
import {textWidth} from '../layout/text.ts';
import {baseline} from './words.ts';
import {element, type SvgElement} from './xml.ts';

export interface KeyEntry {
  readonly colour: string;
  readonly text: string;
  readonly isIn: (node: PlacedNode) => boolean;
}

export const chartKey: readonly KeyEntry[] = [
  {colour: 'actor', text: 'runs an actor', isIn: ({tone}) => tone === 'actor'},
  {colour: 'person', text: 'waits for a person', isIn: ({tone}) => tone === 'person'},
  {colour: 'choice', text: 'choice', isIn: ({shape}) => shape === 'choice'},
  {colour: 'failure', text: 'ends badly', isIn: ({tone}) => tone === 'failure'},
];

const [left, swatch, gap, lineHeight, bottom] = [20, 10, 6, 18, 12];

/** The elements below the chart and their height. Only entries that the chart uses are shown. */
export function legend(
  {nodes, width, height}: ChartPositions,
  entries: readonly KeyEntry[],
): {readonly content: readonly SvgElement[]; readonly height: number} {
  let [x, line] = [left, 0];
  const items = entries
    .filter(({isIn}) => nodes.some(isIn))
    .flatMap(({colour, text}) => {
      const size = swatch + gap + textWidth(text, 'tag');
      if (x > left && x + size > width - left) [x, line] = [left, line + 1];
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
  const rows = items.length > 0 ? (line + 1) * lineHeight + bottom : 0;
  return {content: items, height: rows};
}
