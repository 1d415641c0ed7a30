/** Shows a drawing in a part of the page: zoom with buttons, keys or the wheel; move by scrolling or dragging. */

import {attributeText, layersOf, type SvgElement} from '../../../../../diagrams/drawing/svg.ts';
import {styleSheet} from '../../../../../diagrams/drawing/theme.ts';
import type {ChartPositions, Rect} from '../../../../../diagrams/layout/positions.ts';
import {textWidth} from '../../../../../diagrams/layout/text.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {t} from '../language.ts';

export interface Drawing {
  readonly svg: SVGSVGElement;
  readonly width: number;
  readonly height: number;
}

export interface Canvas {
  readonly element: HTMLElement;
  readonly buttons: HTMLElement;
  /** Undefined: nothing. The same drawing again keeps its zoom and place. */
  readonly show: (drawing: Drawing | undefined) => void;
  /** Scrolls to a place in the drawing if it is not in sight. */
  readonly reveal: (place: Rect) => void;
}

const step = 1.25;
const [smallest, largest] = [0.1, 3];
/** Below it a text is not readable: a larger chart does not fit at first. */
const readable = 0.5;

export function createCanvas(label: string): Canvas {
  const area = element('div', {class: 'canvas', tabindex: 0, role: 'group', 'aria-label': label});
  let shown: Drawing | undefined;
  let scale = 1;

  const zoomTo = (wanted: number, {x, y} = middleOf(area)): void => {
    if (!shown) return;
    const before = scale;
    scale = Math.min(largest, Math.max(smallest, wanted));
    shown.svg.style.setProperty('width', `${shown.width * scale}px`);
    shown.svg.style.setProperty('height', `${shown.height * scale}px`);
    area.scrollLeft = ((area.scrollLeft + x) * scale) / before - x;
    area.scrollTop = ((area.scrollTop + y) * scale) / before - y;
  };
  const fit = (least = smallest): void => {
    if (!shown) return;
    const {clientWidth, clientHeight} = area;
    zoomTo(Math.max(least, Math.min(1, clientWidth / shown.width, clientHeight / shown.height)));
  };
  const reveal = ({x, y, width, height}: Rect): void => {
    const box = {left: x * scale, top: y * scale, width: width * scale, height: height * scale};
    const {scrollLeft, scrollTop, clientWidth, clientHeight} = area;
    area.scrollTo({
      left: near(box.left, box.width, scrollLeft, clientWidth),
      top: near(box.top, box.height, scrollTop, clientHeight),
      behavior: 'instant',
    });
  };
  area.addEventListener('keydown', ({key, ctrlKey, metaKey}) => {
    if (ctrlKey || metaKey) return;
    if (key === '+' || key === '=') zoomTo(scale * step);
    if (key === '-') zoomTo(scale / step);
    if (key === '0') fit();
  });
  const turned = (event: WheelEvent): void => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const {left, top} = area.getBoundingClientRect();
    zoomTo(scale * 1.002 ** -event.deltaY, {x: event.clientX - left, y: event.clientY - top});
  };
  area.addEventListener('wheel', turned, {passive: false});
  makeDraggable(area);
  const buttons = element(
    'div',
    {class: 'row zoom'},
    zoomButton('−', t`Zoom out`, () => zoomTo(scale / step)),
    zoomButton('+', t`Zoom in`, () => zoomTo(scale * step)),
    button(t`Fit`, {}, () => fit()),
  );
  const show = (drawing: Drawing | undefined): void => {
    if (drawing === shown) return;
    shown = drawing;
    area.replaceChildren(...(drawing ? [drawing.svg] : []));
    fit(readable);
  };
  return {element: area, buttons, show, reveal};
}

function middleOf({clientWidth, clientHeight}: HTMLElement): {x: number; y: number} {
  return {x: clientWidth / 2, y: clientHeight / 2};
}

const margin = 24;

/** Where to scroll: nowhere if the box is in sight, else to have it in the middle. */
function near(start: number, size: number, scrolled: number, room: number): number {
  const isInSight = start >= scrolled + margin && start + size <= scrolled + room - margin;
  return isInSight ? scrolled : start + size / 2 - room / 2;
}

/** With a mouse. Fingers scroll by themselves. */
function makeDraggable(area: HTMLElement): void {
  area.addEventListener('pointerdown', ({pointerId, pointerType, button: pressed}) => {
    if (pointerType === 'mouse' && pressed === 0) area.setPointerCapture(pointerId);
  });
  area.addEventListener('pointermove', ({pointerId, movementX, movementY}) => {
    if (area.hasPointerCapture(pointerId)) area.scrollBy(-movementX, -movementY);
  });
}

function zoomButton(sign: string, title: string, zoom: () => void): HTMLElement {
  return button(sign, {'aria-label': title, title}, zoom);
}

// A chart as SVG in the page, whose states and transitions can be marked.

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
