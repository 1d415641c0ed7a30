/**
 * The `fetch` that SDKs are given: only our own headers leave (SDKs take more from the environment), no redirect is
 * followed with the prompt, and a reply is an event stream of limited size.
 */

import {GuardError, isUnconnected} from './faults.ts';
import type {Guarded} from './guard.ts';

export interface FetchOptions {
  /** All that is sent besides content type and accept. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Rejects with GuardError for a successful reply that is no event stream. */
export function createGuardedFetch(guarded: Guarded, options: FetchOptions): Fetch {
  return async (input, init) => {
    guarded.onSent();
    const headers = {
      ...options.headers,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'user-agent': 'quorate',
    };
    const {signal} = guarded;
    const sent = {...init, headers, signal, redirect: 'error', ...patience()} as const;
    const response = await fetch(input, sent).catch((error: unknown) => {
      if (isUnconnected(error)) guarded.onUnsent();
      throw error;
    });
    guarded.onHeaders();
    if (response.ok) await demandEventStream(response);
    return limitBody(response, options);
  };
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
  let bytes = 0;
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        throw new GuardError('protocol', `the reply is larger than ${maxBytes} bytes`);
      }
      controller.enqueue(chunk);
    },
  });
  const {status, statusText, headers} = response;
  return new Response(response.body.pipeThrough(limiter), {status, statusText, headers});
}
