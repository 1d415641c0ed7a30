/** The server of an inspector: its page and its HTTP interface, for the owner of a token on this machine. */

import {createServer} from 'node:http';

import {getRequestListener} from '@hono/node-server';

import {createToken} from '../../actors/journal/node-crypto.ts';
import type {Logger} from '../../actors/logger.ts';
import {createApp, hangUp, listen, urlOf} from '../serve/app.ts';
import {usualTiming} from '../serve/event-stream.ts';
import {createIdentify} from '../serve/guard.ts';
import {pageResponse} from './page/page.ts';
import {inspectorRoutes, type Traces} from './routes.ts';

export interface InspectorOptions {
  readonly traces: Traces;
  /** 0: any free port. */
  readonly port: number;
  readonly logger: Logger;
  /** The process may end while it listens. */
  readonly isBackground?: boolean;
}

export interface Inspector {
  readonly url: string;
  /** Its holder can read everything that the inspector shows. */
  readonly token: string;
  readonly close: () => Promise<void>;
}

const host = '127.0.0.1';
const rate = {perSecond: 200, burst: 2_000};

/** Listens on the loopback interface only. Rejects with AppError `io` when the port is not available. */
export async function startInspector({
  traces,
  port,
  logger,
  isBackground = false,
}: InspectorOptions): Promise<Inspector> {
  const token = createToken();
  const ending = new AbortController();
  const streaming = {logger, timing: usualTiming, ending: ending.signal};
  const app = createApp({
    ...streaming,
    routes: inspectorRoutes(traces, streaming),
    host,
    rate,
    elsewhere: async ({url, headers}) =>
      await pageResponse(new URL(url).pathname, headers.get('if-none-match') ?? undefined),
    identify: createIdentify(token, {findByToken: async () => await Promise.resolve(undefined)}),
  });
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  if (isBackground) {
    server.unref();
    server.on('connection', (socket) => socket.unref());
  }
  await listen(server, host, port);
  return {
    url: urlOf(server, host),
    token,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      ending.abort();
      await hangUp(server, closed);
    },
  };
}

/** The address that opens the page with its token. The part after `#` is not sent to any server. */
export function addressOf({url, token}: Inspector, id?: string): string {
  const run = id === undefined ? '' : `&run=${encodeURIComponent(id)}`;
  return `${url}/#token=${token}${run}`;
}
