/** What was printed in a tab, as rows: wrapped once for a width, and kept. */

import {stripTerminalSequences, visibleWidth, wrapTextWithAnsi} from '@earendil-works/pi-tui';

import {t} from '../../machines/message.ts';
import {escapeForTerminal} from '../../tools/escape.ts';
import {say} from '../language.ts';
import type {Style} from '../render/style.ts';

/** The rows of Markdown, which is escaped. */
export type Prose = (text: string, width: number) => readonly string[];

interface Block {
  readonly lines: readonly string[];
  readonly isProse?: true;
  /** Undefined: it is not foldable. */
  isFolded: boolean | undefined;
}

/** Older blocks are dropped when there are more. */
const maxBlocks = 100_000;
/** Of a folded block. */
const foldedLines = 20;
/** A block with a few more lines than that is not worth a fold. */
const leastHidden = 10;

export class Transcript {
  readonly #style: Style;
  #blocks: Block[] = [];
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
    if (text !== '') this.#add([{lines: [text], isProse: true, isFolded: undefined}]);
  }

  /** `isLong`: a block of many lines is folded. */
  print(lines: readonly string[], isLong = false): void {
    if (this.#open !== '') this.write('\n');
    this.endSaid();
    const isFolded = isLong && lines.length > foldedLines + leastHidden ? true : undefined;
    this.#add(
      isFolded === undefined
        ? lines.map((line) => ({lines: [line], isFolded}))
        : [{lines, isFolded}],
    );
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
    if (this.#blocks.length > maxBlocks) {
      this.#blocks = this.#blocks.slice(-maxBlocks * 0.9);
      this.#lay(this.#width);
    } else if (this.#width > 0) for (const block of blocks) this.#layBlock(block);
  }

  #lay(width: number): void {
    this.#width = width;
    this.#rows = [];
    this.#folds = new Map();
    for (const block of this.#blocks) this.#layBlock(block);
  }

  #layBlock(block: Block): void {
    const {lines, isFolded, isProse} = block;
    if (isProse) return void this.#rows.push(...this.#prose(lines.join('\n'), this.#width));
    const shown = isFolded === true ? lines.slice(0, foldedLines) : lines;
    for (const line of shown) this.#rows.push(...wrapped(line, this.#width));
    if (isFolded === undefined) return;
    const hidden = lines.length - shown.length;
    const text =
      hidden > 0 ? t`… ${hidden} more lines (Esc, then Enter on this line)` : t`… fold (Enter)`;
    this.#folds.set(this.#rows.length, block);
    this.#rows.push(this.#style.dim(say(text, this.#style)));
  }
}

function wrapped(line: string, width: number): readonly string[] {
  if (width <= 0 || line.length <= width / 2 || visibleWidth(line) <= width) return [line];
  return wrapTextWithAnsi(line, width);
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
