/** Compression of the entries of an ended interaction in memory: outside of the heap, because most are never read again. */

import type Zlib from 'node:zlib';

import type {Draft} from './chain.ts';

/** Bodies that were written together. */
export type Written = Pick<Draft, 'at' | 'bodies'>;

/** UTF-16 units: compressing more would block the event loop for too long. */
const maxUnits = 16_000_000;

/** Undefined when the entries are too large. */
export function compress(all: readonly Written[]): Uint8Array | undefined {
  // A body is JSON, which has no line feed.
  const lines = all.flatMap(({at, bodies}) => bodies.map((body) => `${at} ${body}`));
  if (lines.reduce((sum, {length}) => sum + length, 0) > maxUnits) return undefined;
  // Copied: what zlib returns is a view of a buffer several times as large.
  return new Uint8Array(zlib().zstdCompressSync(lines.join('\n')));
}

/** Returns each body separately. */
export function decompress(compressed: Uint8Array): Written[] {
  const lines = zlib().zstdDecompressSync(compressed).toString('utf8').split('\n');
  return lines.map((line) => {
    const end = line.indexOf(' ');
    return {at: Number(line.slice(0, end)), bodies: [line.slice(end + 1)]};
  });
}

/** Loaded when the first interaction ends, so that a program starts sooner. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
