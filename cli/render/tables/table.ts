/**
 * A table of plain text: columns as wide as their widest cell, the last one cut at the terminal's edge. When it does not fit
 * beside the others, it gets its own row below them.
 */

import type {Message} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine, padTo, truncate, widthOfText} from '../text.ts';

const gap = '  ';
const maxCell = 60;
/** With fewer columns, the last cell gets its own row. */
const leastLast = 16;
const indent = '  ';

/** Escapes cells. `width`: of the terminal; without one, nothing is cut. */
export function tableLines(
  titles: readonly (Message | string)[],
  rows: readonly (readonly string[])[],
  style: Style,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const header = titles.map((title) => say(title, style));
  const cells = rows.map((row) => row.map((cell) => oneLine(cell)));
  const last = header.length - 1;
  const widths = header.map((title, column) =>
    Math.min(
      maxCell,
      Math.max(...[title, ...cells.map((row) => row[column] ?? '')].map(widthOfText)),
    ),
  );
  const before = widths.slice(0, last).reduce((sum, columns) => sum + columns + gap.length, 0);
  const isLastBelow = width - before < Math.min(leastLast, widths[last] ?? 0);
  const rowsOf = (row: readonly string[]): string[] => {
    const beside = row
      .slice(0, last)
      .map((cell, column) => padTo(truncate(cell, widths[column] ?? maxCell), widths[column] ?? 0));
    const end = row[last] ?? '';
    if (!isLastBelow) return [[...beside, truncate(end, width - before)].join(gap).trimEnd()];
    const below = end === '' ? [] : [indent + truncate(end, width - indent.length)];
    return [truncate(beside.join(gap).trimEnd(), width), ...below];
  };
  return [...rowsOf(header).map(style.bold), ...cells.flatMap(rowsOf)];
}
