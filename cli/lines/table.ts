/** A table of plain text: columns as wide as their widest cell, the last one cut at the terminal's edge. */

import type {Style} from './style.ts';
import {oneLine, padTo, truncate, widthOfText} from './text.ts';

const gap = '  ';
const maxCell = 60;

/** Cells are escaped here. `width` is that of the terminal; without one, nothing is cut. */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell)));
  const last = header.length - 1;
  const widths = header.map((title, column) =>
    Math.min(
      maxCell,
      Math.max(...[title, ...cells.map((row) => row[column] ?? '')].map(widthOfText)),
    ),
  );
  const before = widths.slice(0, last).reduce((sum, columns) => sum + columns + gap.length, 0);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === last
          ? truncate(cell, Math.max(10, width - before))
          : padTo(truncate(cell, widths[column] ?? maxCell), widths[column] ?? 0),
      )
      .join(gap)
      .trimEnd();
  return [style.bold(line(header)), ...cells.map(line)];
}
