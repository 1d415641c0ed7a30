/** A command's output as it streams: captured, its beginning and its end, in bounded memory; and sent to viewers in whole lines. */

import {StringDecoder} from 'node:string_decoder';

import {escapeForTerminal} from '../escape.ts';

const headBytes = 32 * 1024;
const tailBytes = 32 * 1024;
const binarySampleBytes = 512;

export interface Capture {
  /** Takes ownership of the chunk: its memory is released at once, so the caller may not use it afterwards. */
  readonly take: (chunk: Buffer<ArrayBuffer>) => void;
  /** Printable text with a note of any cut; binary output is described, with a sample. */
  readonly text: () => string;
}

export function createCapture(): Capture {
  const head = Buffer.alloc(headBytes);
  const tail = Buffer.alloc(tailBytes);
  let headSize = 0;
  /** The size of the output after the head; the tail is a ring buffer with the last part of it. */
  let lateSize = 0;
  return {
    take: (chunk) => {
      const early = chunk.copy(head, headSize);
      headSize += early;
      const late = chunk.subarray(Math.max(early, chunk.length - tailBytes));
      lateSize += chunk.length - early;
      const from = (lateSize - late.length) % tailBytes;
      const untilEnd = late.copy(tail, from);
      late.copy(tail, 0, untilEnd);
      release(chunk);
    },
    text: () => {
      const start = head.subarray(0, headSize);
      const end = unrolled(tail, lateSize);
      const total = headSize + lateSize;
      if (start.includes(0) || end.includes(0)) return describeBinary(start, total);
      const cut = lateSize - end.length;
      if (cut <= 0) return printable(Buffer.concat([start, end]).toString('utf8'));
      return [
        printable(wholeCharacters(start)),
        `[cut: ${cut} bytes of ${total}]`,
        printable(end.toString('utf8').replace(/^\ufffd+/, '')),
      ].join('\n');
    },
  };
}

/** Without this, a pipe that is read at full speed fills some 60 MB with chunks before the garbage collector frees the first. */
function release({buffer, byteLength}: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) buffer.transfer(0);
}

/** The bytes of the ring, oldest first. */
function unrolled(ring: Buffer, written: number): Buffer {
  if (written <= ring.length) return ring.subarray(0, written);
  const oldest = written % ring.length;
  return Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]);
}

function describeBinary(start: Buffer, total: number): string {
  const sample = printable(start.subarray(0, binarySampleBytes).toString('latin1'));
  return `[binary output, ${total} bytes; it begins with:]\n${sample}`;
}

/** The bytes as text, without a character that was cut in two. */
function wholeCharacters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, {stream: true});
}

function printable(text: string): string {
  return escapeForTerminal(text.replaceAll('\r\n', '\n'));
}

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
