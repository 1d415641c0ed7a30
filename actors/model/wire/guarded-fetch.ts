/**
 * The `fetch` that SDKs are given: only our own headers leave (SDKs take more from the environment), no redirect is
 * followed with the prompt, and a reply is an event stream of limited size.
 */

import {GuardError} from './faults.ts';
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
    const response = await fetch(input, {
      ...init,
      headers: {
        ...options.headers,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'user-agent': 'quorate',
      },
      redirect: 'error',
      signal: guarded.signal,
    });
    guarded.onHeaders();
    if (response.ok) await demandEventStream(response);
    return limitBody(response, options);
  };
}

async function demandEventStream(response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? 'nothing';
  if (/^text\/event-stream\b/i.test(type) && response.body) return;
  await response.body?.cancel();
  throw new GuardError(
    'protocol',
    `the server answered ${response.status} with ${type.slice(0, 80)}, not an event stream; check base_url`,
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
