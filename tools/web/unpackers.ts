/** The streams that decompress the body of a response. */

import type {Duplex} from 'node:stream';
import {createBrotliDecompress, createGunzip, createInflate} from 'node:zlib';

/** For the value of its `content-encoding`; undefined for an unknown one. */
export function unpackersFor(encoding: string): Duplex[] | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
    case '':
      return [];
    case 'gzip':
    case 'x-gzip':
      return [createGunzip()];
    case 'deflate':
      return [createInflate()];
    case 'br':
      return [createBrotliDecompress()];
    default:
      return undefined;
  }
}
