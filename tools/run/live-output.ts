/** Streams a command's output to viewers while it runs: whole lines, as many as people can follow. */

import {StringDecoder} from 'node:string_decoder';

import {escapeForTerminal} from '../escape.ts';

/** In UTF-16 units, of all lines together. */
const maxTotal = 256 * 1024;
const maxLine = 16 * 1024;

export interface LiveOutput {
  readonly take: (chunk: Buffer) => void;
  /** Sends the last line if it has no line end. */
  readonly end: () => void;
}

/** `report` receives one or more whole lines, the last one without its line end; nothing more after the limit. */
export function createLiveOutput(report: (text: string) => void): LiveOutput {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  /** The dropped characters of an unfinished line that is too long. */
  let dropped = 0;
  let sentLength = 0;

  const put = (lines: readonly string[]): void => {
    if (sentLength > maxTotal || lines.length === 0) return;
    const text = escapeForTerminal(lines.map((line) => line.replace(/\r$/, '')).join('\n'));
    sentLength += text.length;
    report(sentLength > maxTotal ? '[further output is shown when it has ended]' : text);
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
