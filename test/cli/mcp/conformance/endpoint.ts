/** The endpoint of `quorate serve` without a token, as the suite sends none. */

import {createServer} from 'node:http';

import {getRequestListener} from '@hono/node-server';

import {silentLogger} from '../../../../actors/logger.ts';
import {createEndpoint} from '../../../../cli/mcp/endpoint.ts';
import {createApp} from '../../../../cli/serve/app.ts';
import {listen, urlOf} from '../../../../cli/serve/listening.ts';
import {mcpRoutes} from '../../../../cli/serve/routes/mcp-routes.ts';
import {createTestServer} from './served-tools.ts';

const host = '127.0.0.1';

/** Closes on disposal. */
export async function serveTestTools(): Promise<{readonly url: string} & AsyncDisposable> {
  const endpoint = createEndpoint(async () => createTestServer, silentLogger);
  const app = createApp({
    routes: mcpRoutes(endpoint),
    identify: async () => ({kind: 'owner'}),
    host,
    rate: {perSecond: 10_000, burst: 10_000},
    logger: silentLogger,
    ending: new AbortController().signal,
  });
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  await listen(server, host, 0);
  return {
    url: `${urlOf(server, host)}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await endpoint.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
