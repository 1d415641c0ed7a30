/** One frame of the full screen as rows: the bar of tabs, the panes, the status, the line. */

import {CURSOR_MARKER, truncateToWidth} from '@earendil-works/pi-tui';

import type {Style} from '../render/style.ts';
import {type BarItem, type Tile} from './layout.ts';
import {selection, type Viewport} from './viewport.ts';

export interface ShownPane extends Tile {
  /** Above its rows; empty for a conversation alone. */
  readonly title: string;
  readonly rows: readonly string[];
  readonly view: Viewport;
  /** Rows below the shown ones. */
  readonly below: number;
  readonly isFocused: boolean;
}

export interface FrameParts {
  readonly width: number;
  readonly bar: readonly BarItem[];
  readonly panes: readonly ShownPane[];
  readonly status: string;
  /** The rows of the line. */
  readonly line: readonly string[];
  /** The keys move a cursor in the focused pane. */
  readonly isMoving: boolean;
  readonly style: Style;
}

/** Rows of a pane without its title and its border. */
export function contentOf(
  tile: Tile,
  {all, screen}: {readonly all: number; readonly screen: number},
) {
  const {x, width, height} = tile;
  const isBeside = x + width < screen;
  return {width: isBeside ? width - 1 : width, height: isTitled(tile, all) ? height - 1 : height};
}

/** `all`: the number of shown panes. */
export function isTitled({pane}: Tile, all: number): boolean {
  return all > 1 || pane.view !== 'talk';
}

export function frameRows(parts: FrameParts): string[] {
  const {width, bar, status, line, style} = parts;
  return [
    truncateToWidth(bar.map((item) => barText(item, style)).join(''), width, ''),
    ...paneRows(parts),
    truncateToWidth(style.dim(status), width, '…'),
    ...line,
  ];
}

function barText({text, isActive, state}: BarItem, style: Style): string {
  if (state === 'waiting') return style.yellow(isActive ? style.bold(text) : text);
  if (isActive) return style.bold(text);
  return state === 'failed' ? style.red(text) : style.dim(text);
}

/** Each row of the area, from the panes that it crosses. */
function paneRows(parts: FrameParts): string[] {
  const {panes, width} = parts;
  const height = Math.max(0, ...panes.map((pane) => pane.y + pane.height));
  const inOrder = panes.toSorted((one, other) => one.x - other.x);
  return Array.from({length: height}, (_, y) => {
    const crossed = inOrder.filter((pane) => y >= pane.y && y < pane.y + pane.height);
    return crossed
      .map((pane) => paneRow(pane, y - pane.y, parts, pane.x + pane.width < width))
      .join('');
  });
}

function paneRow(pane: ShownPane, y: number, parts: FrameParts, isBeside: boolean): string {
  const {style} = parts;
  const room = isBeside ? pane.width - 1 : pane.width;
  const border = isBeside ? style.dim('│') : '';
  const text = pane.title === '' ? contentRow(pane, y, parts) : titledRow(pane, y, parts);
  return truncateToWidth(text, room, '', isBeside) + border;
}

function titledRow(pane: ShownPane, y: number, parts: FrameParts): string {
  if (y > 0) return contentRow(pane, y - 1, parts);
  const {bold, dim} = parts.style;
  return pane.isFocused ? bold(`── ${pane.title} ──`) : dim(`── ${pane.title} ──`);
}

function contentRow({rows, view, isFocused}: ShownPane, y: number, {isMoving}: FrameParts): string {
  const at = view.top + y;
  const row = rows[at];
  if (row === undefined) return '';
  const [first, last] = selection(view);
  const isSelected = view.anchor !== undefined && at >= first && at <= last;
  const cursor = isMoving && isFocused && at === view.cursor ? CURSOR_MARKER : '';
  return cursor + (isSelected ? `\u001b[7m${row === '' ? ' ' : row}\u001b[27m` : row);
}
