/** A command's output while it runs, for whoever watches: whole lines, as far as people can follow. */

import {StringDecoder} from 'node:string_decoder';

import {escapeForTerminal} from '../escape.ts';

/** In UTF-16 units, of all lines together. */
const maxTotal = 256 * 1024;
const maxLine = 16 * 1024;

export interface LiveOutput {
  readonly take: (chunk: Buffer) => void;
  /** Tells the last line, if it has no end. */
  readonly end: () => void;
}

/** `tell` is called with one or more whole lines, the last one without its end; no more once it would be too much. */
export function createLiveOutput(tell: (text: string) => void): LiveOutput {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  /** Of the line that has begun and is too long to be told. */
  let dropped = 0;
  let told = 0;

  const put = (lines: readonly string[]): void => {
    if (told > maxTotal || lines.length === 0) return;
    const text = escapeForTerminal(lines.map((line) => line.replace(/\r$/, '')).join('\n'));
    told += text.length;
    tell(told > maxTotal ? '[what more it prints is shown when it has ended]' : text);
  };
  const lineOf = (text: string): string => {
    const length = dropped + text.length;
    dropped = 0;
    return length > maxLine ? `[a line of ${length} characters]` : text;
  };
  return {
    take: (chunk) => {
      const parts = (begun + decoder.write(chunk)).split('\n');
      begun = parts.pop() ?? '';
      put(parts.map(lineOf));
      if (begun.length <= maxLine) return;
      dropped += begun.length;
      begun = '';
    },
    end: () => {
      const rest = begun + decoder.end();
      if (dropped > 0 || rest !== '') put([lineOf(rest)]);
    },
  };
}
