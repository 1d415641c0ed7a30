/** The body of a response: decompressed, up to a size. */

import type {IncomingMessage} from 'node:http';
import {type Duplex, Transform} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';

import {type Attempt, type Denial, errorCode, failed} from '../containment/denial.ts';
import {unpackersFor} from './unpackers.ts';

class TooLarge extends Error {}

/** Denied `too_large` as soon as more than `maxBytes` have arrived, compressed or decompressed. Rejects when the network fails. */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Attempt<Buffer>> {
  const unpackers = unpackersFor(response.headers['content-encoding'] ?? 'identity');
  if (!unpackers)
    return deny(response, failed('encoding', 'the page is compressed in an unknown way'));
  if (Number(response.headers['content-length']) > maxBytes) {
    return deny(response, tooLarge(maxBytes));
  }
  const streams = [capped(maxBytes), ...unpackers.flatMap((each) => [each, capped(maxBytes)])];
  try {
    const last = streams.at(-1) ?? response;
    const [bytes] = await Promise.all([buffer(last), pipeline([response, ...streams])]);
    return {ok: true, value: bytes};
  } catch (error) {
    if (error instanceof TooLarge) return {ok: false, denial: tooLarge(maxBytes)};
    if (!/^(Z_|ERR_BROTLI|ERR__ERROR)/.test(errorCode(error) ?? '')) throw error;
    return {ok: false, denial: failed('encoding', 'the page is not compressed as its header says')};
  }
}

function capped(maxBytes: number): Duplex {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new TooLarge());
      else done(null, chunk);
    },
  });
}

function deny(response: IncomingMessage, denial: Denial): Attempt<never> {
  response.destroy();
  return {ok: false, denial};
}

function tooLarge(maxBytes: number): Denial {
  return failed('too_large', `the page has more than ${maxBytes} bytes and was not read further`);
}
