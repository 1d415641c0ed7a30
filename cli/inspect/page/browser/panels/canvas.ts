/** Shows a drawing in a part of the page: zoom with buttons, keys or the wheel; move by scrolling or dragging. */

import type {Rect} from '../../../../../diagrams/layout/positions.ts';
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
