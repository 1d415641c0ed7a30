/** Coloured lines of a diff. */

import {type Paint, plainStyle, type Style} from './style.ts';
import {wrap, wrapWords} from './text.ts';

/** The rows of one line of a diff, all in the line's colour. A line outside of a diff breaks between words. */
export function diffRows(line: string, style: Style, width: number, maxRows?: number): string[] {
  const isOfDiff = /^(?:[-+ ]|@@)/.test(line);
  const rows = isOfDiff ? wrap(line, width, maxRows) : proseRowsOf(line, width, maxRows);
  return rows.map(paintOf(line, style));
}

/** Only as much of the line is processed as can fill the rows. */
function proseRowsOf(line: string, width: number, maxRows = Number.POSITIVE_INFINITY): string[] {
  return wrapWords(line.slice(0, width * maxRows), width).slice(0, maxRows);
}

function paintOf(line: string, style: Style): Paint {
  if (line.startsWith('@@')) return style.cyan;
  if (line.startsWith('+')) return style.green;
  return line.startsWith('-') ? style.red : plainStyle.red;
}
