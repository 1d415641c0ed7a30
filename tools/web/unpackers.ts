/** By which streams the body of a response is unpacked. */

import type {Duplex} from 'node:stream';
import {createBrotliDecompress, createGunzip, createInflate} from 'node:zlib';

/** For the value of its `content-encoding`; undefined for one that is not known. */
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
