/** Lines of a diff, each in its colour. */

import {type Paint, plainStyle, type Style} from './style.ts';
import {wrap} from './text.ts';

/** The rows of one line of a diff, all in the line's colour. */
export function diffRows(line: string, style: Style, width: number, maxRows?: number): string[] {
  return wrap(line, width, maxRows).map(paintOf(line, style));
}

function paintOf(line: string, style: Style): Paint {
  if (line.startsWith('@@')) return style.cyan;
  if (line.startsWith('+')) return style.green;
  return line.startsWith('-') ? style.red : plainStyle.red;
}
