/** Text from models, tools and files, made safe for a terminal: escaped, and measured in columns. */

import {escapeForTerminal} from '../../tools/escape.ts';
import type {OutputFormat} from '../line/command.ts';

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const zeroWidth = /\p{M}/u;
const tabWidth = 4;

/** Of one text in a report: without a limit a model's reason could fill screens. The journal has the whole text. */
export const maxLine = 500;

/** Longest text for one line; the rest is not processed. */
const maxScanned = 4000;

/** One escaped line: runs of blanks and line ends become one blank; cut to `width` columns with `…`. */
export function oneLine(text: string, width = 400): string {
  const flat = escapeForTerminal(
    text
      .slice(0, maxScanned)
      .replaceAll(/[ \t\n]+/g, ' ')
      .trim(),
  );
  return truncate(flat, width);
}

/** Escaped lines. Tabs become blanks, so that widths add up. */
export function escapedLines(text: string): string[] {
  return escapeForTerminal(
    text.replaceAll('\r\n', '\n').replaceAll('\t', ' '.repeat(tabWidth)),
  ).split('\n');
}

export function widthOfText(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** Cuts plain text (no colours) to `width` columns; cut text ends in `…`. */
export function truncate(text: string, width: number): string {
  if (text.length <= width && widthOfText(text) <= width) return text;
  const [first = ''] = wrap(text, Math.max(1, width - 1), 1);
  return widthOfText(first) < width ? `${first}…` : '…';
}

const separator = ' · ';

/** Segments in one row of at most `width` columns: leaves out the ones that do not fit; only a single one is cut. */
export function fittingSegments(segments: readonly string[], width: number): string {
  const [first = '', ...rest] = segments.filter((segment) => segment !== '');
  return rest.reduce(
    (row, segment) => {
      const longer = row + separator + segment;
      return widthOfText(longer) <= width ? longer : row;
    },
    truncate(first, width),
  );
}

/** All segments, in as many rows of at most `width` columns as they need. */
export function segmentRows(segments: readonly string[], width: number): string[] {
  const rows: string[] = [];
  for (const segment of segments.filter((each) => each !== '')) {
    const longer = rows.length === 0 ? segment : `${rows.at(-1)}${separator}${segment}`;
    if (rows.length > 0 && widthOfText(longer) <= width) rows[rows.length - 1] = longer;
    else rows.push(segment);
  }
  return rows.flatMap((row) => wrap(row, width));
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOfText(text)));
}

/** Breaks one line into rows of at most `width` columns, at most `maxRows` of them. */
export function wrap(line: string, width: number, maxRows = Number.POSITIVE_INFINITY): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of line) {
    const columns = widthOfCharacter(character);
    if (used + columns > width && row !== '') {
      rows.push(row);
      if (rows.length >= maxRows) return rows;
      [row, used] = ['', 0];
    }
    row += character;
    used += columns;
  }
  return [...rows, row];
}

const words = new RegExp(
  `\\n|[ ]+|${wide.source}[、。，．！？）」』】〉》ー]*|(?:(?! |\\n|${wide.source})[^])+[、。，．！？）」』】〉》]*`,
  'gu',
);

/** The pieces between which a row may break: blanks, a word, a wide character with its punctuation, and single line ends. */
export function tokensOf(text: string): string[] {
  return text.match(words) ?? [];
}

/** Breaks one line of prose into rows of at most `width` columns; a word is broken only when it fills more than a row. */
export function wrapWords(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const word of tokensOf(line)) {
    const columns = widthOfText(word);
    if (used + columns > width && row.trim() !== '' && word.trim() !== '') {
      rows.push(row.trimEnd());
      [row, used] = ['', 0];
    }
    row += word;
    used += columns;
  }
  return [...rows, row.trimEnd()].flatMap((one) => wrap(one, width));
}

/** Escaped rows of a whole text, broken between words; each begins with `indent`. */
export function proseRows(text: string, width: number, indent = ''): string[] {
  const room = Math.max(10, width - indent.length);
  return escapedLines(text)
    .flatMap((line) => wrapWords(line, room))
    .map((row) => indent + row);
}

function widthOfCharacter(character: string): number {
  if (character <= '\u02ff') return 1;
  if (zeroWidth.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const unsafeInJson =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** JSON whose every character is safe on a terminal: characters that JSON leaves raw are written as `\uXXXX`. */
export function safeJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replaceAll(
    unsafeInJson,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Data for a program: indented as `json`, on one line as `jsonl`. */
export function jsonText(value: unknown, output: OutputFormat): string {
  return safeJson(value, output === 'json' ? 2 : undefined);
}
