/** Sends a request by Node's own HTTP client, which takes a third of the CPU of the global `fetch`. */

import {type ClientRequest, type IncomingMessage, request as requestPlain} from 'node:http';
import {request as requestSecure} from 'node:https';

export interface Letter {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly connectMs: number;
  /** Called for a request that had no connection: nothing of it left. */
  readonly onUnsent: () => void;
}

/** How long a server may take to end a reply that is whole: the next call then uses the same connection. */
const lingerMs = 500;

/** Resolves with a reply of any status; follows no redirect. Rejects with the system's error, or the signal's reason. */
export async function send(letter: Letter, options: SendOptions): Promise<IncomingMessage> {
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
    // The server has closed an idle connection just as it was to be used again.
    return await send(letter, options);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Lets the connection serve the next call, if its server ends the reply in time. */
export function release(reply: IncomingMessage): void {
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
  /** The event of a new socket over which the request can leave. */
  readonly connected: string;
  readonly connectMs: number;
  readonly giveUp: (why: Error) => void;
}

/** Gives up a request that gets no connection in time. Behind a proxy it has no socket until the tunnel stands. */
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
