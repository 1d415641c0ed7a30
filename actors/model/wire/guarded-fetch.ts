/** The `fetch` that SDKs are given: only our own headers leave, for SDKs take more from the environment. */

import {AsyncLocalStorage} from 'node:async_hooks';
import type {IncomingMessage} from 'node:http';

import type {Guarded, GuardLimits} from './guard.ts';
import {post} from './post.ts';

export interface FetchOptions {
  /** All that is sent besides content type and accept. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: GuardLimits;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface Sending {
  readonly guarded: Guarded;
  reply?: IncomingMessage;
}

/** The call for which something is sent: an SDK's client serves many, and its `fetch` is told of none. */
const atWork = new AsyncLocalStorage<Sending>();

/** Has an SDK's client send for this call. Resolves with the reply, whose body the SDK does not see. */
export async function sendFor(
  guarded: Guarded,
  send: () => Promise<unknown>,
): Promise<IncomingMessage> {
  const sending: Sending = {guarded};
  await atWork.run(sending, send);
  if (!sending.reply) throw new Error('an SDK has sent nothing');
  return sending.reply;
}

/** Sends for the call of {@link sendFor}, and rejects as {@link post} does. */
export function createGuardedFetch({headers: own, limits}: FetchOptions): Fetch {
  const headers = {
    ...own,
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'quorate',
  };
  return async (input, init) => {
    const sending = atWork.getStore();
    if (!sending) throw new Error('nobody is known for whom this is sent');
    if (typeof input !== 'string' || typeof init?.body !== 'string')
      throw new Error('no request of ours');
    const letter = {url: input, headers, body: init.body};
    sending.reply = await post(sending.guarded, letter, limits);
    return new Response(null);
  };
}
