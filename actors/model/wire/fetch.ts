/**
 * The `fetch` of an SDK for one call. It sends only the headers listed here, because SDKs add others from the environment. It
 * follows no redirects, which would send the prompt elsewhere, and limits the size of the reply.
 */

import {type ClientRequest, type IncomingMessage, request as requestPlain} from 'node:http';
import {request as requestSecure} from 'node:https';
import {pipeline, type Readable} from 'node:stream';

import {GuardError} from './faults.ts';
import type {Guarded, GuardLimits} from './guard.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The progress of one exchange with the server. */
export interface Exchange {
  /** True once the request was sent. */
  isSent: boolean;
  /** True if a successful reply was read to the end of its body. A complete reply ends earlier. */
  isReadOut: boolean;
  /** The error that ended the exchange. SDKs wrap it, and drop it in some cases. */
  fault: unknown;
}

export interface FetchOptions {
  readonly guarded: Guarded;
  readonly exchange: Exchange;
  /** Sent in addition to content type, accept and user agent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Pick<GuardLimits, 'connectMs' | 'maxBytes'>;
}

/**
 * Only `guarded.signal` aborts it: SDKs abort their own signal even after a reply has ended successfully. Resolves with a reply
 * of any status. Rejects with GuardError for a successful reply that is not an event stream, or with the system's error.
 */
export function createFetch({guarded, exchange, headers: own, limits}: FetchOptions): Fetch {
  const headers = {
    ...own,
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'quorate',
  };
  const {signal} = guarded;
  const onUnsent = (): void => {
    exchange.isSent = false;
  };
  const post = async (url: string, body: string): Promise<Response> => {
    exchange.isSent = true;
    guarded.onSent();
    const {connectMs, maxBytes} = limits;
    const reply = await send({url, headers, body}, {signal, connectMs, onUnsent});
    guarded.onHeaders();
    destroyOnAbort(reply, signal);
    return toResponse(url, reply, {exchange, maxBytes});
  };
  return async (input, init) => {
    if (typeof input !== 'string' || typeof init?.body !== 'string')
      throw new Error('the SDK sends a request of an unexpected kind');
    try {
      return await post(input, init.body);
    } catch (error) {
      exchange.fault = error;
      throw error;
    }
  };
}

function destroyOnAbort(reply: IncomingMessage, signal: AbortSignal): void {
  const stop = (): void => void reply.destroy();
  reply.on('error', () => {});
  signal.addEventListener('abort', stop, {once: true});
  if (signal.aborted) stop();
}

interface BodyOptions {
  readonly exchange: Exchange;
  readonly maxBytes: number;
}

/** A `Response` with one of these statuses must not have a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(url: string, reply: IncomingMessage, options: BodyOptions): Response {
  const {statusCode: status = 0} = reply;
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) headers.set(name, String(value));
  const type = reply.headers['content-type'] ?? 'nothing';
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && !/^text\/event-stream\b/i.test(type)) {
    reply.destroy();
    throw unsuited(url, `${status} with ${type.slice(0, 80)}`);
  }
  if (bodiless.has(status)) {
    release(reply);
    return new Response(null, {status, headers});
  }
  const body = bytesOf(reply, {...options, isStream: isSuccess});
  return new Response(ReadableStream.from(body), {status, headers});
}

function unsuited(url: string, answer: string): GuardError {
  const hint = new URL(url).pathname === '/chat/completions' ? ': /v1 may be missing' : '';
  const message = `the server answered ${answer}, not an event stream; check base_url${hint}`;
  return new GuardError('unsupported', message);
}

/** Some servers omit the blank line after their last event; without it, the SDKs drop the event. */
const lastLine = Buffer.from('\n\n');

/** The decompressed body. Throws GuardError if it exceeds the limit, and the system's error if the reply breaks off. */
async function* bytesOf(
  reply: IncomingMessage,
  {exchange, maxBytes, isStream}: BodyOptions & {readonly isStream: boolean},
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    const body = await unpacked(reply);
    const chunks: AsyncIterable<Uint8Array> = body.iterator({destroyOnReturn: false});
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > maxBytes)
        throw new GuardError('protocol', `the reply is larger than ${maxBytes} bytes`);
      yield chunk;
    }
    if (!isStream) return;
    yield lastLine;
    exchange.isReadOut = true;
  } catch (error) {
    exchange.fault = error;
    reply.destroy();
    throw error;
  } finally {
    release(reply);
  }
}

/** Some servers compress a reply although the request does not ask for it. */
async function unpacked(reply: IncomingMessage): Promise<Readable> {
  const encoding = reply.headers['content-encoding'];
  if (encoding === undefined) return reply;
  const {unpackersFor} = await import('../../../tools/web/unpackers.ts');
  const unpackers = unpackersFor(encoding);
  if (!unpackers)
    throw new GuardError(
      'unsupported',
      `the reply has the unsupported compression ${encoding.slice(0, 80)}`,
    );
  return unpackers.reduce<Readable>((packed, next) => pipeline(packed, next, () => {}), reply);
}

// Sends a request with Node's own HTTP client, which uses a third of the CPU time of the global `fetch`.

export interface Letter {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly connectMs: number;
  /** Called if the request failed without a connection, so that none of it was sent. */
  readonly onUnsent: () => void;
}

/** The time for a server to end a complete reply, so that the next call can reuse the connection. */
const lingerMs = 500;

/** Resolves with a reply of any status; follows no redirect. Rejects with the system's error, or the signal's reason. */
async function send(letter: Letter, options: SendOptions): Promise<IncomingMessage> {
  const {url, headers, body} = letter;
  const {signal, connectMs, onUnsent} = options;
  const answered = Promise.withResolvers<IncomingMessage>();
  const isSecure = url.startsWith('https:');
  const request = (isSecure ? requestSecure : requestPlain)(url, {method: 'POST', headers});
  const giveUp = (why: unknown): void => {
    answered.reject(why);
    request.destroy();
  };
  const stop = (): void => giveUp(signal.reason);
  const connected = isSecure ? 'secureConnect' : 'connect';
  const connection = watchConnection(request, {connected, connectMs, giveUp});
  signal.addEventListener('abort', stop, {once: true});
  request.once('response', answered.resolve).on('error', answered.reject).end(body);
  try {
    return await answered.promise;
  } catch (error) {
    if (!connection.isMade) onUnsent();
    if (signal.aborted || !request.reusedSocket || !isReset(error)) throw error;
    // The server closed an idle connection just before it was reused.
    return await send(letter, options);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Releases the connection for the next call if the server ends the reply in time. */
function release(reply: IncomingMessage): void {
  reply.resume();
  if (reply.complete || reply.destroyed) return;
  const limit = setTimeout(() => reply.destroy(), lingerMs).unref();
  reply.once('close', () => clearTimeout(limit));
}

function isReset(error: unknown): boolean {
  const {code} = error instanceof Error && 'code' in error ? error : {};
  return code === 'ECONNRESET' || code === 'EPIPE';
}

interface Connecting {
  /** The event after which a new socket can send the request. */
  readonly connected: string;
  readonly connectMs: number;
  readonly giveUp: (why: Error) => void;
}

/** Fails a request that gets no connection in time. Behind a proxy, it has no socket until the tunnel is established. */
function watchConnection(
  request: ClientRequest,
  {connected, connectMs, giveUp}: Connecting,
): {readonly isMade: boolean} {
  const connection = {isMade: false};
  const limit = setTimeout(() => giveUp(new Unreached(connectMs)), connectMs).unref();
  const made = (): void => {
    connection.isMade = true;
    clearTimeout(limit);
  };
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once(connected, made);
    else made();
  });
  request.once('close', () => clearTimeout(limit));
  return connection;
}

class Unreached extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(connectMs: number) {
    super(`no connection within ${connectMs} ms`);
  }
}
