/** A command's output as it streams: its beginning and its end, in bounded memory. */

import {escapeForTerminal} from '../escape.ts';

const headBytes = 32 * 1024;
const tailBytes = 32 * 1024;
const binarySampleBytes = 512;

export interface Capture {
  readonly take: (chunk: Buffer) => void;
  /** Printable text: what was cut is said, binary output is named and sampled. */
  readonly text: () => string;
}

export function createCapture(): Capture {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headSize = 0;
  let tailSize = 0;
  let total = 0;
  return {
    take: (chunk) => {
      total += chunk.length;
      const early = chunk.subarray(0, headBytes - headSize);
      if (early.length > 0) head.push(early);
      headSize += early.length;
      const late = chunk.subarray(early.length);
      if (late.length > 0) tail.push(late);
      tailSize += late.length;
      while (tailSize - (tail[0]?.length ?? 0) >= tailBytes) tailSize -= tail.shift()?.length ?? 0;
    },
    text: () => {
      const start = Buffer.concat(head);
      const end = Buffer.concat(tail);
      if (start.includes(0) || end.includes(0)) return describeBinary(start, total);
      const shownEnd = end.subarray(Math.max(0, end.length - tailBytes));
      const cut = total - start.length - shownEnd.length;
      if (cut <= 0) return printable(Buffer.concat([start, shownEnd]).toString('utf8'));
      return [
        printable(wholeCharacters(start)),
        `[cut: ${cut} bytes of ${total}]`,
        printable(shownEnd.toString('utf8').replace(/^\ufffd+/, '')),
      ].join('\n');
    },
  };
}

function describeBinary(start: Buffer, total: number): string {
  const sample = printable(start.subarray(0, binarySampleBytes).toString('latin1'));
  return `[binary output, ${total} bytes; it begins with:]\n${sample}`;
}

/** The bytes as text, without the character that the cut went through. */
function wholeCharacters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, {stream: true});
}

function printable(text: string): string {
  return escapeForTerminal(text.replaceAll('\r\n', '\n'));
}
