/** What an interaction that has ended leaves in memory: packed, outside of the heap, for most is never read again. */

import type Zlib from 'node:zlib';

import type {Draft} from './chain.ts';

/** Bodies that were written at a time. */
export type Written = Pick<Draft, 'at' | 'bodies'>;

/** UTF-16 units: packing more would keep others waiting. */
const maxUnits = 16_000_000;

/** Undefined for what is too large. */
export function pack(all: readonly Written[]): Uint8Array | undefined {
  // A body is JSON: no line feed stands in it.
  const lines = all.flatMap(({at, bodies}) => bodies.map((body) => `${at} ${body}`));
  if (lines.reduce((sum, {length}) => sum + length, 0) > maxUnits) return undefined;
  // Copied: what zlib returns is a view of a buffer several times as large.
  return new Uint8Array(zlib().zstdCompressSync(lines.join('\n')));
}

/** Each body by itself. */
export function unpack(packed: Uint8Array): Written[] {
  const lines = zlib().zstdDecompressSync(packed).toString('utf8').split('\n');
  return lines.map((line) => {
    const end = line.indexOf(' ');
    return {at: Number(line.slice(0, end)), bodies: [line.slice(end + 1)]};
  });
}

/** Loaded when the first one ends: a program begins sooner without it. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
