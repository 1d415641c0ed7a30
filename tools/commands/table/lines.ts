/** The lines of a text file, each with the lines indented below it. */

export interface Line {
  readonly file: string;
  readonly number: number;
  readonly words: readonly string[];
  /** The lines below it that are indented further. */
  readonly lines: readonly Line[];
}

/** Blank lines and lines that begin with `#` are skipped; a line that ends with `\` continues on the next one. */
const isLeftOut = /^\s*(?:#|$)/;

/**
 * Throws for an indentation that is not a multiple of two blanks, or more than one level deeper than the line above.
 *
 * @param first The number of the first line in its file.
 */
export function parseLines(file: string, text: string, first = 1): readonly Line[] {
  const top: Line[] = [];
  const open: Line[][] = [top];
  for (const {number, content} of joinContinued(text, first)) {
    const depth = (content.length - content.trimStart().length) / 2;
    const siblings = open[depth];
    if (!siblings) throw faultAt({file, number}, 'is indented by none of the levels above it');
    const line = {file, number, words: content.trim().split(/\s+/), lines: []};
    siblings.push(line);
    open.splice(depth + 1, Infinity, line.lines);
  }
  return top;
}

function joinContinued(text: string, first: number): {number: number; content: string}[] {
  const joined: {number: number; content: string}[] = [];
  let before: string | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const content = raw.endsWith('\\') ? raw.slice(0, -1) : raw;
    const last = joined.at(-1);
    if (before?.endsWith('\\') && last) last.content += ` ${content.trim()}`;
    else if (!isLeftOut.test(raw)) joined.push({number: first + index, content});
    before = isLeftOut.test(raw) ? '' : raw;
  }
  return joined;
}

/** `pip.txt:12: message` */
export function faultAt({file, number}: Pick<Line, 'file' | 'number'>, message: string): Error {
  return new Error(`${file}:${number}: ${message}`);
}
