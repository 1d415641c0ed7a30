/**
 * Sends a request by Node's own HTTP client, which takes a third of what `fetch` does. Only the headers that it is given
 * leave, no redirect is followed with the prompt, and a reply is an event stream of limited size.
 */

import {type ClientRequest, type IncomingMessage, request as requestPlain} from 'node:http';
import {request as requestSecure} from 'node:https';
import {pipeline, type Readable} from 'node:stream';

import {GuardError, Refusal} from './faults.ts';
import type {Guarded, GuardLimits} from './guard.ts';

export interface Letter {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Limits = Pick<GuardLimits, 'connectMs' | 'maxBytes'>;

/** How long a server may take to end a reply that is whole: the next call then goes by the same connection. */
const lingerMs = 500;

/**
 * Resolves with a successful reply, whose body is for {@link readBody}. Rejects with Refusal for an unsuccessful one, a
 * redirect among them, with GuardError for what is no event stream, and with the system's error where there is none.
 */
export async function post(
  guarded: Guarded,
  letter: Letter,
  limits: Limits,
): Promise<IncomingMessage> {
  const reply = await send(guarded, letter, limits);
  guarded.onHeaders();
  const {statusCode: status = 0, headers} = reply;
  if (status < 200 || status >= 300) throw await refusalOf(reply, guarded, limits);
  const type = headers['content-type'] ?? 'nothing';
  if (/^text\/event-stream\b/i.test(type)) return reply;
  reply.on('error', () => {}).destroy();
  throw unsuited(letter, `${status} with ${type.slice(0, 80)}`);
}

function unsuited({url}: Letter, answer: string): GuardError {
  const hint = new URL(url).pathname === '/chat/completions' ? ': /v1 may be missing' : '';
  const message = `the server answered ${answer}, not an event stream; check base_url${hint}`;
  return new GuardError('unsupported', message);
}

async function send(guarded: Guarded, letter: Letter, limits: Limits): Promise<IncomingMessage> {
  const {url, headers, body} = letter;
  const {signal, onSent, onUnsent} = guarded;
  const answered = Promise.withResolvers<IncomingMessage>();
  const isSecure = url.startsWith('https:');
  onSent();
  const request = (isSecure ? requestSecure : requestPlain)(url, {method: 'POST', headers});
  const giveUp = (why: unknown): void => {
    answered.reject(why);
    request.destroy();
  };
  const stop = (): void => giveUp(signal.reason);
  const connected = isSecure ? 'secureConnect' : 'connect';
  const connection = watchConnection(request, {connected, connectMs: limits.connectMs, giveUp});
  signal.addEventListener('abort', stop, {once: true});
  request.once('response', answered.resolve).on('error', answered.reject).end(body);
  try {
    return await answered.promise;
  } catch (error) {
    if (!connection.isMade) onUnsent();
    if (signal.aborted || !request.reusedSocket || !isReset(error)) throw error;
    // The server has closed an idle connection just as it was to be used again.
    return await send(guarded, letter, limits);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function isReset(error: unknown): boolean {
  const {code} = error instanceof Error && 'code' in error ? error : {};
  return code === 'ECONNRESET' || code === 'EPIPE';
}

interface Connecting {
  /** The event of a new socket over which the request can leave. */
  readonly connected: string;
  readonly connectMs: number;
  readonly giveUp: (why: Error) => void;
}

/** Gives up a request that finds nobody. By way of a proxy it has no socket before all is made: it may never get one. */
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

/** What such a reply holds is read as far as its size is bearable. */
async function refusalOf(
  reply: IncomingMessage,
  {signal}: Guarded,
  {maxBytes}: Limits,
): Promise<Refusal> {
  const chunks: Uint8Array[] = [];
  const take = (chunk: Uint8Array): boolean => {
    chunks.push(chunk);
    return false;
  };
  await readBody(reply, {signal, maxBytes, take}).catch(() => {});
  const {statusCode: status = 0, headers} = reply;
  return new Refusal(status, headers, Buffer.concat(chunks).toString('utf8'));
}

export interface Reading {
  readonly signal: AbortSignal;
  /** After it is unpacked. Rejects with GuardError at one more. */
  readonly maxBytes: number;
  /** Says whether that was all that is wanted. What it throws rejects. */
  readonly take: (chunk: Uint8Array) => boolean;
}

/** Resolves when the body has ended, or nothing more of it is wanted. Rejects when it breaks off; an abort breaks it off. */
export async function readBody(
  reply: IncomingMessage,
  {signal, maxBytes, take}: Reading,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const body = await unpacked(reply);
  let bytes = 0;
  const onData = (chunk: Uint8Array): void => {
    try {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      if (take(chunk)) ended.resolve();
    } catch (error) {
      ended.reject(error);
    }
  };
  const stop = (): void => ended.reject(signal.reason);
  signal.addEventListener('abort', stop, {once: true});
  body.on('data', onData).on('end', ended.resolve).on('error', ended.reject);
  if (signal.aborted) stop();
  try {
    await ended.promise;
    body.off('data', onData);
    leave(reply);
  } catch (error) {
    reply.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function tooLarge(maxBytes: number): GuardError {
  return new GuardError('protocol', `the reply is larger than ${maxBytes} bytes`);
}

/** Nobody asks for a packed reply; some servers pack it all the same. */
async function unpacked(reply: IncomingMessage): Promise<Readable> {
  const encoding = reply.headers['content-encoding'];
  if (encoding === undefined) return reply;
  const {unpackersFor} = await import('../../../tools/web/unpackers.ts');
  const unpackers = unpackersFor(encoding);
  if (!unpackers)
    throw new GuardError('unsupported', `the reply is packed by ${encoding.slice(0, 80)}`);
  return unpackers.reduce<Readable>((packed, next) => pipeline(packed, next, () => {}), reply);
}

/** Lets the connection serve the next call, if its server ends the reply in time. */
function leave(reply: IncomingMessage): void {
  reply.resume();
  if (reply.complete) return;
  const limit = setTimeout(() => reply.destroy(), lingerMs).unref();
  reply.once('close', () => clearTimeout(limit));
}
