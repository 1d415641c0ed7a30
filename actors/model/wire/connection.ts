/** Sends a request with Node's own HTTP client, which uses a third of the CPU time of the global `fetch`. */

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
  /** Called if the request failed without a connection, so that none of it was sent. */
  readonly onUnsent: () => void;
}

/** The time for a server to end a complete reply, so that the next call can reuse the connection. */
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
    // The server closed an idle connection just before it was reused.
    return await send(letter, options);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Releases the connection for the next call if the server ends the reply in time. */
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
