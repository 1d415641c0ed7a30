/**
 * The rows at the end of the main screen in which a person types, below lines that stay in the scrollback: they are written
 * once, above, and never again.
 */

import {matchesKey, truncateToWidth, TuiMainScreen, visibleWidth} from '@earendil-works/pi-tui';

import type {Keyboard, KeyboardEvents, KeyboardOptions} from '../terminal/keyboard.ts';
import {PromptLine} from './prompt-line.ts';
import {createScreenTerminal, stopUntilContinued} from './screen-terminal.ts';

export function createScreenKeyboard(options: KeyboardOptions, events: KeyboardEvents): Keyboard {
  const {input, output, env, style} = options;
  const {onLine, onInterrupt, onEnd} = events;
  const rows = new LastRows(createScreenTerminal({input, output, env, onEnd}), true);
  const line = new PromptLine(rows, {
    ...options,
    onLine: (text, begunAt, shown) => {
      // The next prompt is drawn when the line is read.
      rows.write(shown);
      onLine(text, begunAt);
      rows.renderNow();
    },
  });
  let status = '';
  let isOpen = false;
  const show = (nextPrompt: string, nextStatus = ''): void => {
    status = nextStatus;
    line.prompt = nextPrompt;
    if (isOpen) rows.renderNow();
  };
  const open = (): void => {
    isOpen = true;
    rows.start();
    rows.setFocus(line);
    rows.renderNow();
  };
  const shut = (): void => {
    if (!isOpen) return;
    isOpen = false;
    rows.erase();
    rows.stop({preserveScreen: true});
  };
  rows.addChild({
    render: (width) => [...(status === '' ? [] : [style.dim(status)]), ...line.render(width)],
    invalidate: () => line.invalidate(),
  });
  rows.addInputListener((data) => {
    if (matchesKey(data, 'ctrl+c')) {
      const wasTyped = line.getText() !== '';
      rows.write([line.interrupt()]);
      onInterrupt(wasTyped);
      rows.renderNow();
    } else if (matchesKey(data, 'ctrl+d') && line.getText() === '') onEnd();
    else if (matchesKey(data, 'ctrl+z')) stopUntilContinued(shut, open);
    else return undefined;
    return {consume: true};
  });
  open();
  return {
    print: (lines) => {
      if (isOpen) rows.print(lines);
      else output.write(`${lines.join('\n')}\n`);
    },
    show,
    letGo: shut,
    takeBack: open,
    close: shut,
  };
}

const noRows = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};

class LastRows extends TuiMainScreen {
  #size = [0, 0];

  /** Writes whole lines above the rows. */
  print(lines: readonly string[]): void {
    this.write(lines);
    this.renderNow();
  }

  /** Writes whole lines in place of the rows, until these are drawn again. */
  write(lines: readonly string[]): void {
    this.erase();
    this.terminal.write(`${lines.join('\n')}\n`);
  }

  /** Leaves the cursor where the first row was. */
  erase(): void {
    const {previousLines, hardwareCursorRow} = this.captureRenderState();
    if (previousLines.length === 0) return;
    const width = this.terminal.columns;
    // A terminal that has become narrower has broken the rows into more.
    const above = previousLines
      .slice(0, hardwareCursorRow)
      .reduce((rows, row) => rows + Math.max(1, Math.ceil(visibleWidth(row) / width)), 0);
    this.terminal.moveBy(-above);
    this.terminal.write('\r\u001b[J');
    this.restoreRenderState(noRows);
  }

  /** As many of the last rows as the screen has; the library rejects rows that are wider than it. */
  override render(width: number): readonly string[] {
    const rows = super.render(width).slice(1 - this.terminal.rows);
    return rows.map((row) => truncateToWidth(row, width, ''));
  }

  /** Another size draws the rows anew: the library would clear the scrollback. */
  protected override doRender(): void {
    const {columns, rows} = this.terminal;
    const [width, height] = this.#size;
    if (columns !== width || rows !== height) this.erase();
    this.#size = [columns, rows];
    super.doRender();
  }
}
