/**
 * The `fetch` that SDKs are given: only our own headers leave (SDKs take more from the environment), no redirect is
 * followed with the prompt, and a reply is an event stream of limited size.
 */

import {AsyncLocalStorage} from 'node:async_hooks';

import {GuardError, isUnconnected} from './faults.ts';
import type {Guarded} from './guard.ts';

export interface FetchOptions {
  /** All that is sent besides content type and accept. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The call for which something is sent: an SDK's client serves many, and its `fetch` is told of none. */
const atWork = new AsyncLocalStorage<Guarded>();

/** Has an SDK's client send for this call. */
export async function sendFor(guarded: Guarded, send: () => Promise<Response>): Promise<Response> {
  return await atWork.run(guarded, send);
}

/**
 * Sends for the call of {@link sendFor}. Rejects with GuardError for a successful reply that is no event stream. What an
 * unsuccessful one holds is bounded here, for SDKs read it whole.
 */
export function createGuardedFetch(options: FetchOptions): Fetch {
  const headers = {
    ...options.headers,
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'quorate',
  };
  return async (input, init) => {
    const guarded = atWork.getStore();
    if (!guarded) throw new Error('nobody is known for whom this is sent');
    guarded.onSent();
    const {signal} = guarded;
    const sent = {...init, headers, signal, redirect: 'error', ...patience()} as const;
    const response = await fetch(input, sent).catch((error: unknown) => {
      if (isUnconnected(error)) guarded.onUnsent();
      throw error;
    });
    guarded.onHeaders();
    if (!response.ok) return limitBody(response, options);
    await demandEventStream(response);
    return response;
  };
}

/** The body, up to this many bytes after decompression; rejects with GuardError at one more. */
export async function* limited(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): GuardError {
  return new GuardError('protocol', `the reply is larger than ${maxBytes} bytes`);
}

/**
 * Node's HTTP client gives up after five minutes without headers, or between two pieces of a body. The guard has its own
 * limits, so the client's are switched off: by another dispatcher of the class that `fetch` uses.
 */
function patience(): Pick<RequestInit, 'dispatcher'> {
  patient ??= createDispatcher(0);
  return patient ? {dispatcher: patient} : {};
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>;

let patient: Dispatcher | undefined;

/** `timeoutMs` bounds the wait for headers and for each piece; 0: nothing does. Undefined where there is no such class. */
export function createDispatcher(timeoutMs: number): Dispatcher | undefined {
  // The symbol by which every copy of undici, also the one within Node, finds the dispatcher in use.
  const inUse: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (typeof inUse !== 'object' || inUse === null) return undefined;
  const limits = {headersTimeout: timeoutMs, bodyTimeout: timeoutMs};
  return Reflect.construct(inUse.constructor, [limits]);
}

async function demandEventStream(response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? 'nothing';
  if (/^text\/event-stream\b/i.test(type) && response.body) return;
  await response.body?.cancel();
  const hint = new URL(response.url).pathname === '/chat/completions' ? ': /v1 may be missing' : '';
  throw new GuardError(
    'unsupported',
    `the server answered ${response.status} with ${type.slice(0, 80)}, not an event stream; check base_url${hint}`,
  );
}

function limitBody(response: Response, {maxBytes}: FetchOptions): Response {
  if (!response.body) return response;
  const {status, statusText, headers} = response;
  const body = ReadableStream.from(limited(response.body, maxBytes));
  return new Response(body, {status, statusText, headers});
}
