/** What was printed in a tab, as rows: laid out once for a width, and again for another one. */

import {stripTerminalSequences, visibleWidth, wrapTextWithAnsi} from '@earendil-works/pi-tui';

import {t} from '../../machines/message.ts';
import {escapeForTerminal} from '../../tools/escape.ts';
import {say} from '../language.ts';
import {laidOut, type Lines, type Style} from '../render/style.ts';

/** The rows of Markdown, which is escaped. */
export type Prose = (text: string, width: number) => readonly string[];

interface Block {
  lines: Lines;
  /** Undefined: it is not foldable. */
  isFolded: boolean | undefined;
}

/** Older blocks are dropped when there are more. */
const maxBlocks = 100_000;
/** Older blocks keep their lines as they are, so that memory does not hold the facts behind them. */
const maxSources = 2_000;
/** Rows of a folded block. */
const foldedRows = 20;
/** A block with a few more rows than that is not worth a fold. */
const leastHidden = 10;

export class Transcript {
  readonly #style: Style;
  #blocks: Block[] = [];
  /** How many of the blocks, from the oldest, are as they are for good. */
  #settled = 0;
  #rows: string[] = [];
  /** By the row that ends a foldable block. */
  #folds = new Map<number, Block>();
  #width = 0;
  /** Streamed text without its line end. */
  #open = '';
  /** Streamed Markdown. */
  #said = '';
  readonly #prose: Prose;

  constructor(style: Style, prose: Prose) {
    this.#style = style;
    this.#prose = prose;
  }

  /** Streams Markdown. */
  say(text: string): void {
    if (this.#open !== '') this.write('\n');
    this.#said += escapeForTerminal(text);
  }

  /** Nothing more is added to the streamed Markdown. */
  endSaid(): void {
    const text = this.#said;
    this.#said = '';
    if (text !== '') this.#add([{lines: (width) => this.#prose(text, width), isFolded: undefined}]);
  }

  /** `isLong`: a block of many rows is folded. */
  print(lines: Lines, isLong = false): void {
    if (this.#open !== '') this.write('\n');
    this.endSaid();
    const isWhole = isLong || typeof lines === 'function';
    const isFolded = isLong ? true : undefined;
    this.#add(isWhole ? [{lines, isFolded}] : lines.map((line) => ({lines: [line], isFolded})));
  }

  /** Text that may end within a row. */
  write(text: string): void {
    const lines = (this.#open + text).split('\n');
    this.#open = lines.pop() ?? '';
    this.#add(lines.map((line) => ({lines: [line], isFolded: undefined})));
  }

  /** All rows; the array is changed by what is printed next. */
  rows(width: number): readonly string[] {
    if (width !== this.#width) this.#lay(width);
    const open = this.#open === '' ? [] : wrapped(this.#open, width);
    const said = this.#said === '' ? [] : this.#prose(this.#said, width);
    return open.length + said.length === 0 ? this.#rows : [...this.#rows, ...open, ...said];
  }

  /** Opens or closes the block that ends in this row. Returns false when there is none. */
  fold(row: number): boolean {
    const block = this.#folds.get(row);
    if (block?.isFolded === undefined) return false;
    block.isFolded = !block.isFolded;
    this.#lay(this.#width);
    return true;
  }

  #add(blocks: readonly Block[]): void {
    this.#blocks.push(...blocks);
    const dropped = this.#blocks.length > maxBlocks ? this.#blocks.length - maxBlocks * 0.9 : 0;
    this.#blocks.splice(0, dropped);
    this.#settled = Math.max(0, this.#settled - dropped);
    if (dropped > 0) this.#lay(this.#width);
    else if (this.#width > 0) for (const block of blocks) this.#layBlock(block);
    for (; this.#settled < this.#blocks.length - maxSources; this.#settled += 1) {
      const block = this.#blocks[this.#settled];
      if (block) block.lines = laidOut(block.lines, this.#width);
    }
  }

  #lay(width: number): void {
    this.#width = width;
    this.#rows = [];
    this.#folds = new Map();
    for (const block of this.#blocks) this.#layBlock(block);
  }

  #layBlock(block: Block): void {
    const width = this.#width;
    const rows = laidOut(block.lines, width).flatMap((line) => wrapped(line, width));
    const isLong = block.isFolded !== undefined && rows.length > foldedRows + leastHidden;
    const hidden = isLong && block.isFolded === true ? rows.length - foldedRows : 0;
    for (const row of rows.slice(0, rows.length - hidden)) this.#rows.push(row);
    if (!isLong) return;
    const text =
      hidden > 0 ? t`… ${hidden} more lines (Esc, then Enter on this line)` : t`… fold (Enter)`;
    this.#folds.set(this.#rows.length, block);
    this.#rows.push(this.#style.dim(say(text, this.#style)));
  }
}

/** Most lines are of one column a character. */
const narrow = /^[\u0020-\u007e]*$/;

function wrapped(line: string, width: number): readonly string[] {
  if (width <= 0 || line.length <= width / 2) return [line];
  const isFitting = narrow.test(line) ? line.length <= width : visibleWidth(line) <= width;
  return isFitting ? [line] : wrapTextWithAnsi(line, width);
}

/** The next row that contains the words, from a row in a direction; the search goes on at the other end. */
export function findRow(
  rows: readonly string[],
  words: string,
  from: number,
  by: 1 | -1,
): number | undefined {
  const wanted = words.toLowerCase();
  for (let step = 1; step <= rows.length; step += 1) {
    const at = (((from + step * by) % rows.length) + rows.length) % rows.length;
    if (plainRow(rows[at]).toLowerCase().includes(wanted)) return at;
  }
  return undefined;
}

export function plainRow(row = ''): string {
  return stripTerminalSequences(row).trimEnd();
}
