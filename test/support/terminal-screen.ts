/** The screen of a terminal, from writes to it: implements the sequences that line editors use. */

import {widthOfText} from '../../cli/render/text.ts';

// oxlint-disable-next-line no-control-regex
const sequence = /^\u001b(?:\[(?<args>[?\d;]*)(?<name>[A-Za-z])|\][^\u0007]*\u0007|[()][A-Z0-9]|.)/;

export class TerminalScreen {
  /** Cells of all rows ever written; a wide character is followed by an empty cell. */
  readonly #rows: string[][] = [[]];
  readonly #columns: number;
  readonly #height: number;
  #row = 0;
  #column = 0;
  #pending = '';

  constructor(columns: number, height: number) {
    this.#columns = columns;
    this.#height = height;
  }

  rows(): readonly string[] {
    return this.#rows.map((cells) =>
      Array.from(cells, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
  }

  write(text: string): void {
    let rest = this.#pending + text;
    this.#pending = '';
    while (rest !== '') {
      const found = rest.startsWith('\u001b') ? sequence.exec(rest) : undefined;
      if (found === null) {
        this.#pending = rest;
        return;
      }
      if (found) {
        this.#obey(found.groups?.['name'] ?? '', found.groups?.['args'] ?? '');
        rest = rest.slice(found[0].length);
      } else {
        const [character = ''] = rest;
        this.#put(character);
        rest = rest.slice(character.length);
      }
    }
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') this.#down(1);
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (character >= ' ') this.#print(character);
  }

  #print(character: string): void {
    const width = widthOfText(character);
    if (this.#column + width > this.#columns) {
      this.#column = 0;
      this.#down(1);
    }
    const cells = this.#cells();
    while (cells.length < this.#column) cells.push(' ');
    cells[this.#column] = character;
    if (width === 2) cells[this.#column + 1] = '';
    this.#column += width;
  }

  #cells(): string[] {
    const cells = this.#rows[this.#row] ?? [];
    this.#rows[this.#row] = cells;
    return cells;
  }

  #down(count: number): void {
    this.#row += count;
    while (this.#rows.length <= this.#row) this.#rows.push([]);
  }

  #obey(name: string, args: string): void {
    const count = Number(args) || 1;
    const top = Math.max(0, this.#rows.length - this.#height);
    if (name === 'A') this.#row = Math.max(top, this.#row - count);
    else if (name === 'B') this.#down(count);
    else if (name === 'C') this.#column = Math.min(this.#columns - 1, this.#column + count);
    else if (name === 'D') this.#column = Math.max(0, this.#column - count);
    else if (name === 'G') this.#column = count - 1;
    else if (name === 'K') this.#cells().length = Math.min(this.#cells().length, this.#column);
    else if (name === 'J') {
      this.#cells().length = Math.min(this.#cells().length, this.#column);
      this.#rows.length = this.#row + 1;
    }
  }
}
