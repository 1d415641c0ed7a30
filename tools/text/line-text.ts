/** Edits of the lines of a text, whose line ends are `\n`. */

import type {Edit, Problem} from './json-text.ts';

/** A line by its number, `first` or `last`, or by its whole text. */
export interface LineName {
  readonly nth?: string | undefined;
  readonly line?: string | undefined;
}

/** `edit` receives the lines and the index of the named one. */
function atLine(
  {nth, line = ''}: LineName,
  edit: (lines: string[], index: number) => string[],
): Edit {
  return (text) => {
    const isEnded = text.endsWith('\n');
    const lines = text === '' ? [] : (isEnded ? text.slice(0, -1) : text).split('\n');
    const index = nth === undefined ? indexOfLine(lines, line) : numbered(lines, nth);
    if (typeof index !== 'number') return index;
    const after = edit(lines, index);
    return after.length === 0 ? '' : after.join('\n') + (isEnded ? '\n' : '');
  };
}

function numbered(lines: readonly string[], nth: string): number | Problem {
  const ends: Readonly<Record<string, number>> = {
    first: 1,
    最初: 1,
    last: lines.length,
    最後: lines.length,
  };
  const number = ends[nth.toLowerCase()] ?? parseInt(nth, 10);
  if (lines.length === 0) return {problem: 'has no line'};
  if (number <= lines.length) return number - 1;
  return {problem: `has no line ${number}: it has ${lines.length}`};
}

function indexOfLine(lines: readonly string[], line: string): number | Problem {
  const found = lines.flatMap((text, index) => (text.trim() === line.trim() ? [index] : []));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const numbers = found.map((index) => index + 1).join(', ');
  return {
    problem:
      only === undefined ? `has no line "${line}"` : `has more than one line "${line}": ${numbers}`,
  };
}

export function deleteLine(name: LineName): Edit {
  return atLine(name, (lines, index) => lines.toSpliced(index, 1));
}

/** A line named by its text keeps its indentation. */
export function changeLine(name: LineName, to: string): Edit {
  return atLine(name, (lines, index) => {
    const indent =
      name.nth === undefined && !/^\s/.test(to) ? /^\s*/.exec(lines[index] ?? '')?.[0] : '';
    return lines.toSpliced(index, 1, `${indent ?? ''}${to.replace(/\n$/, '')}`);
  });
}

export function insertAt(name: LineName, content: string, offset: 0 | 1): Edit {
  return atLine(name, (lines, index) =>
    lines.toSpliced(index + offset, 0, content.replace(/\n$/, '')),
  );
}

export function prepend(content: string): Edit {
  return (text) => `${ended(content)}${text}`;
}

export function append(content: string): Edit {
  return (text) => `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${ended(content)}`;
}

export function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
