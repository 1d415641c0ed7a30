/** An HTTP server on 127.0.0.1 that answers as configured, also invalidly, for tests of adapters. */

import {once} from 'node:events';
import {createServer} from 'node:http';
import type {IncomingHttpHeaders, IncomingMessage, Server, ServerResponse} from 'node:http';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Play = (response: ServerResponse, request: Received) => void | Promise<void>;

export interface FaultServer {
  readonly url: string;
  readonly received: readonly Received[];
  /** The number of connections. */
  readonly connections: () => number;
  /** Resolves when the connection of the first request has closed. */
  readonly closed: Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startFaultServer(play: Play): Promise<FaultServer> {
  const received: Received[] = [];
  const closed = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    void answer(request, response, received, play);
  });
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => closed.resolve());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    received,
    connections: () => connections,
    closed: closed.promise,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  received: Received[],
  play: Play,
): Promise<void> {
  response.on('error', () => response.destroy());
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += String(chunk);
  const {method = '', url: path = '', headers} = request;
  const entry = {method, path, headers, body};
  received.push(entry);
  await play(response, entry);
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

const sse = {'content-type': 'text/event-stream'};

/** A stream of this text, then a proper end. */
export function streams(text: string): Play {
  return (response) => void response.writeHead(200, sse).end(text);
}

/** A stream that stalls after this text. */
export function stalls(text: string): Play {
  return (response) => void response.writeHead(200, sse).write(text);
}

/** A stream that breaks the connection after this text. */
export function breaks(text: string): Play {
  return (response) => {
    response.writeHead(200, sse).write(text, () => response.destroy());
  };
}

/** A stream that repeats this text until the other side closes the connection or `maxBytes` are sent. */
export function repeats(text: string, everyMs = 0, maxBytes = Infinity): Play {
  return async (response) => {
    response.writeHead(200, sse);
    const closed = once(response, 'close');
    let sent = 0;
    while (!response.destroyed && sent < maxBytes) {
      sent += text.length;
      if (!response.write(text)) await Promise.race([once(response, 'drain'), closed]);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    response.end();
  };
}

/** A stream sent one byte a write. */
export function trickles(text: string): Play {
  return async (response) => {
    response.writeHead(200, sse).flushHeaders();
    response.socket?.setNoDelay(true);
    for (const byte of Buffer.from(text)) {
      response.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
}

export function replies(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Play {
  return (response) => {
    response.writeHead(status, {'content-type': 'application/json', ...headers});
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}
