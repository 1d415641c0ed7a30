/** A chart as SVG in the page, whose states and transitions can be marked. */

import {attributeText, layersOf, type SvgElement} from '../../../../../diagrams/drawing/svg.ts';
import {styleSheet} from '../../../../../diagrams/drawing/theme.ts';
import type {ChartPositions, Rect} from '../../../../../diagrams/layout/positions.ts';
import {textWidth} from '../../../../../diagrams/layout/text.ts';
import {escapeLine} from '../../../../../tools/escape.ts';

export interface ChartDrawing {
  readonly svg: SVGSVGElement;
  readonly width: number;
  readonly height: number;
  /** `states`: ids; `transitions`: names. */
  readonly mark: (states: ReadonlySet<string>, transitions: ReadonlySet<string>) => void;
  /** The place of the innermost of these states. */
  readonly placeOf: (states: ReadonlySet<string>) => Rect | undefined;
}

export function drawChart(chart: ChartPositions): ChartDrawing {
  useTheme();
  const {width, height, nodes, edges} = chart;
  const layers = layersOf(chart);
  const states = layers.nodes.map(toDom);
  const arrows = layers.edges.map(toDom);
  const labels = layers.labels.map((label) => toDom({name: 'g', attributes: {}, children: label}));
  const svg = toDom({
    name: 'svg',
    attributes: {class: 'quorate-chart', role: 'img', viewBox: `0 0 ${width} ${height}`},
    children: [],
  });
  if (!(svg instanceof SVGSVGElement)) throw new Error('an element of SVG has another type');
  const texts = [...layers.headers, ...layers.texts].flat().map(toDom);
  svg.append(...states, ...arrows, ...texts.slice(0, layers.headers.flat().length));
  svg.append(...labels, ...texts.slice(layers.headers.flat().length));

  const mark: ChartDrawing['mark'] = (active, last) => {
    for (const [index, {state, shape}] of nodes.entries())
      states[index]?.classList.toggle('is-now', !isMark(shape) && active.has(state));
    for (const [index, {transitions}] of edges.entries()) {
      const isLast = transitions.some((name) => last.has(name));
      arrows[index]?.classList.toggle('is-last', isLast);
      labels[index]?.classList.toggle('is-last', isLast);
    }
  };
  const placeOf: ChartDrawing['placeOf'] = (active) =>
    nodes.findLast(({state, shape}) => !isMark(shape) && active.has(state));
  requestAnimationFrame(() => narrowTexts(svg));
  return {svg, width, height, mark, placeOf};
}

/** The fonts of a browser may be wider than those for which the boxes were laid out. */
function narrowTexts(svg: SVGSVGElement): void {
  for (const text of svg.querySelectorAll('text')) {
    const kind = textKinds.find((each) => text.classList.contains(each));
    const room = kind === undefined ? 0 : textWidth(text.textContent, kind);
    if (room === 0 || text.getComputedTextLength() <= room) continue;
    text.setAttribute('textLength', String(room));
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  }
}

const textKinds = ['title', 'name', 'note', 'tag', 'actor', 'event', 'guard'] as const;

function isMark(shape: string): boolean {
  return shape === 'initial' || shape === 'any';
}

/** Texts become text nodes: nothing is parsed. */
function toDom({name, attributes, children}: SvgElement): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(key, attributeText(value));
  made.append(
    ...children.map((child) => (typeof child === 'string' ? escapeLine(child) : toDom(child))),
  );
  if (!(made instanceof SVGElement)) throw new Error(`${name} is not an element of SVG`);
  return made;
}

let isThemed = false;

/** The rules of the page have priority: they are more specific. */
function useTheme(): void {
  if (isThemed) return;
  isThemed = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styleSheet);
  document.adoptedStyleSheets.push(sheet);
}
