/** The table of figures: this package, the peer, their ratio, the aim, and whether it is met. */

export interface Row {
  readonly label: string;
  readonly ours: number;
  readonly unit: string;
  readonly peer?: number | undefined;
  /** The upper limit of our figure or, with a peer, of its ratio to the peer's figure. */
  readonly aim?: number;
}

const widths = [66, 12, 12, 8, 8];

export function printHead(peer: string): void {
  printCells(['', 'ours', peer, 'ratio', 'aim'], '');
}

export function printRow({label, ours, unit, peer, aim}: Row, isCompared: boolean): void {
  const ratio = peer === undefined ? undefined : ours / peer;
  const judged = isCompared ? ratio : ours;
  const isMet = aim === undefined || judged === undefined ? undefined : judged <= aim;
  printCells(
    [
      `${label}, ${unit}`,
      shown(ours),
      peer === undefined ? '' : shown(peer),
      ratio === undefined ? '' : ratio.toFixed(2),
      aim === undefined ? '' : `≤ ${aim}`,
    ],
    isMet === undefined ? '' : isMet ? 'met' : 'missed',
  );
}

function printCells(cells: readonly string[], last: string): void {
  const padded = cells.map((cell, index) =>
    index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0),
  );
  process.stdout.write(`${`${padded.join('')}  ${last}`.trimEnd()}\n`);
}

function shown(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 1_000 ? 1 : 0);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
