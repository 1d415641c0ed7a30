/** Decodes the bytes of a page to text. */

import {TextDecoder} from 'node:util';

import type {Content} from './content.ts';

/** The byte order mark decides, then the header, then the declaration in HTML, then UTF-8. Never throws. */
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

/** Undefined for an unknown name. */
function decoderFor(label: string | null | undefined): TextDecoder | undefined {
  try {
    return label ? new TextDecoder(label) : undefined;
  } catch {
    return undefined;
  }
}

/** A declaration that is readable as ASCII rules out UTF-16, even if it states UTF-16. */
function declaredIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 1_024).toString('latin1');
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  return label?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label;
}
