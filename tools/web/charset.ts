/** Bytes of a page as text. */

import {TextDecoder} from 'node:util';

import type {Content} from './content.ts';

/** The mark at the start decides, then the header, then what HTML says of itself, then UTF-8. Never throws. */
export function decodeText(bytes: Buffer, {charset, isHtml}: Content): string {
  const decoder =
    marked(bytes) ??
    decoderFor(charset) ??
    decoderFor(isHtml ? declaredIn(bytes) : undefined) ??
    new TextDecoder();
  return decoder.decode(bytes);
}

function marked(bytes: Buffer): TextDecoder | undefined {
  const mark = bytes.subarray(0, 3).toString('hex');
  if (mark === 'efbbbf') return new TextDecoder();
  if (mark.startsWith('fffe')) return new TextDecoder('utf-16le');
  return mark.startsWith('feff') ? new TextDecoder('utf-16be') : undefined;
}

/** None for a name that nobody knows. */
function decoderFor(label: string | null | undefined): TextDecoder | undefined {
  try {
    return label ? new TextDecoder(label) : undefined;
  } catch {
    return undefined;
  }
}

/** What could be read as ASCII is not UTF-16, whatever it says. */
function declaredIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 1_024).toString('latin1');
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  return label?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label;
}
