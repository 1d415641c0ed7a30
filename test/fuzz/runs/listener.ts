/** A listener on this machine that records everything sent to it. */

import {once} from 'node:events';
import {createServer, type Server, type Socket} from 'node:net';

import {type Canary, canariesIn} from './canaries.ts';

export interface Received {
  /** The path of a canary. */
  readonly path: string;
  /** Through the proxy, to an unnamed host; or to a port of this machine. */
  readonly to: 'evil.test' | 'this machine';
}

export interface Listener {
  readonly port: number;
  /** Data received since the last call, in one message or in pieces. */
  readonly news: () => readonly Received[];
  readonly close: () => Promise<void>;
}

const answer =
  'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 3\r\nconnection: close\r\n\r\nok\n';

/** Gives the same short answer as an HTTP server and as a proxy. */
export async function listen(canaries: readonly Canary[]): Promise<Listener> {
  const messages: string[] = [];
  const known = new Set<string>();
  let isNew = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const at = messages.push('') - 1;
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (text) => {
      messages[at] += String(text);
      isNew = true;
      if (isWhole(messages[at] ?? '')) socket.end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    news: () => {
      if (!isNew) return [];
      isNew = false;
      const groups = Map.groupBy(messages, destinationOf);
      const all = [...groups].flatMap(([to, own]) =>
        canariesIn([...own, ...piecesOf(own)].join('\n\n'), canaries).map(({path}): Received => ({
          path,
          to,
        })),
      );
      const news = all.filter(({path}) => !known.has(path));
      for (const {path} of news) known.add(path);
      return news;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

function destinationOf(message: string): Received['to'] {
  return /^\S+ (?:\w+:\/\/|[\w.-]+:\d+ )/.test(message) ? 'evil.test' : 'this machine';
}

function isWhole(message: string): boolean {
  const end = message.indexOf('\r\n\r\n');
  const length = /^content-length: *(\d+)/im.exec(message)?.[1];
  return end >= 0 && message.length >= end + 4 + Number(length ?? 0);
}

/** Many short messages joined: by the last part of the address, by host, by each header. */
function piecesOf(messages: readonly string[]): readonly string[] {
  const lasts = messages.map((message) => /^\S+ \S*?([^/?=\s]*) HTTP/.exec(message)?.[1] ?? '');
  const hosts = messages.map((message) => /^\S+ (?:\w+:\/\/)?([\w-]+)\./.exec(message)?.[1] ?? '');
  const names = new Set(
    messages.flatMap((message) => [...message.matchAll(/^([\w-]+): /gm)].map(([, name]) => name)),
  );
  const headers = [...names].map((name) =>
    messages
      .map((message) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1]?.trim() ?? '')
      .join(''),
  );
  return [lasts.join(''), hosts.join(''), ...headers];
}
