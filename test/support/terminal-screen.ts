/** The screen of a terminal, from writes to it: implements the sequences that line editors and full screens use. */

import {widthOfText} from '../../cli/render/text.ts';

const sequence =
  // oxlint-disable-next-line no-control-regex
  /^\u001b(?:\[(?<args>[<=>?\d;]*)(?<name>[A-Za-z])|\][^\u0007]*\u0007|[()][A-Z0-9]|[^[\]])/;

export class TerminalScreen {
  /** Cells of all rows ever written; a wide character is followed by an empty cell. */
  #rows: string[][] = [[]];
  /** Of the main screen, while the full screen is shown. */
  #main: {readonly rows: string[][]; readonly row: number; readonly column: number} | undefined;
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
    const move = this.#moves[name];
    if (args === '?1049') this.#switch(name === 'h');
    else if (name === 'H') this.#place(args);
    else if (move) move(count, top);
    else if (name === 'K' || name === 'J') this.#erase(name, args === '2');
  }

  readonly #moves: Readonly<Record<string, (count: number, top: number) => void>> = {
    A: (count, top) => {
      this.#row = Math.max(top, this.#row - count);
    },
    B: (count) => this.#down(count),
    C: (count) => {
      this.#column = Math.min(this.#columns - 1, this.#column + count);
    },
    D: (count) => {
      this.#column = Math.max(0, this.#column - count);
    },
    G: (count) => {
      this.#column = count - 1;
    },
  };

  #erase(name: 'K' | 'J', isWhole: boolean): void {
    if (isWhole && name === 'J') this.#rows = [[]];
    else this.#cells().length = isWhole ? 0 : Math.min(this.#cells().length, this.#column);
    if (!isWhole && name === 'J') this.#rows.length = this.#row + 1;
  }

  #switch(isFull: boolean): void {
    if (isFull) {
      this.#main = {rows: this.#rows, row: this.#row, column: this.#column};
      [this.#rows, this.#row, this.#column] = [[[]], 0, 0];
    } else if (this.#main) {
      ({rows: this.#rows, row: this.#row, column: this.#column} = this.#main);
      this.#main = undefined;
    }
  }

  #place(args: string): void {
    const [row = '', column = ''] = args.split(';');
    this.#row = Math.max(1, Number(row)) - 1;
    this.#column = Math.max(1, Number(column)) - 1;
    while (this.#rows.length <= this.#row) this.#rows.push([]);
  }
}
