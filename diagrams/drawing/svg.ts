/** Draws a chart from its positions. */

import type {ChartPositions, PlacedNode} from '../layout/positions.ts';
import {drawnArrow, drawnLabel} from './arrows.ts';
import {chartKey, type KeyEntry, legend} from './legend.ts';
import {drawnHeader, drawnNode} from './shapes.ts';
import {styleSheet} from './theme.ts';
import {drawnText} from './words.ts';
import {element, type SvgElement, toXml} from './xml.ts';

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
