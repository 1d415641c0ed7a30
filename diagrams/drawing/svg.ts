/** Draws a chart from its positions. */

import type {ChartPositions, PlacedNode} from '../layout/positions.ts';
import {drawnArrow, drawnLabel} from './arrows.ts';
import {chartKey, type KeyEntry, legend} from './legend.ts';
import {drawnHeader, drawnNode} from './shapes.ts';
import {styleSheet} from './theme.ts';
import {drawnText} from './words.ts';
import {element, escaped} from './xml.ts';

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
  const {width, nodes, edges, texts} = chart;
  const key = legend(chart, entries);
  const height = chart.height + key.height;
  const content = [
    element('title', {}, escaped(title)),
    element('desc', {}, escaped(description)),
    element('style', {}, styleSheet),
    element('rect', {class: 'page', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 10}),
    ...nodes.map((node) => drawnNode(isParent(node) ? {...node, texts: []} : node)),
    ...edges.map(drawnArrow),
    ...nodes.filter(isParent).map(drawnHeader),
    ...edges.map(drawnLabel),
    ...texts.map(drawnText),
    key.content,
  ];
  const size = {viewBox: `0 0 ${width} ${height}`, width, height};
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'quorate-chart',
    role: 'img',
    'aria-label': title,
  };
  return `${element('svg', {...attributes, ...size}, `\n${content.filter(Boolean).join('\n')}\n`)}\n`;
}

function isParent({shape}: PlacedNode): boolean {
  return shape === 'compound' || shape === 'parallel';
}
