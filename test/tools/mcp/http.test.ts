/** Servers that are reached by HTTP. */

import {createServer, type RequestListener} from 'node:http';

import {serve} from '@hono/node-server';
import {createMcpHandler} from '@modelcontextprotocol/server';
import {expect, it, onTestFinished} from 'vitest';

import {createModernServer} from '../../fixtures/mcp/modern-server.ts';
import {createMcpPlace, namesOf, serverOf} from './place.ts';

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  const {promise, resolve} = Promise.withResolvers<void>();
  server.once('listening', resolve);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await promise;
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}/mcp`;
}

const http = (url: string, headers = {}) => ({kind: 'http', url, headers}) as const;

it('a server of 2026-07-28 is called, with the headers of its entry', async () => {
  const place = createMcpPlace();
  const seen = new Set<string | null>();
  const handler = createMcpHandler(createModernServer);
  const {promise, resolve} = Promise.withResolvers<number>();
  const server = serve(
    {
      fetch: async (request) => {
        seen.add(request.headers.get('authorization'));
        return await handler.fetch(request);
      },
      port: 0,
      hostname: '127.0.0.1',
    },
    ({port}) => resolve(port),
  );
  onTestFinished(async () => {
    await handler.close();
    server.close();
  });
  const url = `http://127.0.0.1:${await promise}/mcp`;
  const servers = place.open(serverOf('web', http(url, {Authorization: 'Bearer t0'}), true));
  await servers.ready();
  expect(servers.statuses()).toMatchObject([{state: 'offered', detail: ''}]);
  expect(await place.call(servers, 'web__look_up', {word: 'yes'})).toMatchObject({
    kind: 'succeeded',
    text: expect.stringMatching(/\n\nyes is a word$/),
  });
  expect([...seen]).toEqual(['Bearer t0']);
  expect(place.groups).toEqual([]);
});

it('an outage at the first question is an outage: nothing is pinned, and the protocol stays open', async () => {
  const place = createMcpPlace();
  const methods: (string | undefined)[] = [];
  const url = await listening((request, response) => {
    methods.push(request.method);
    request.resume();
    response.writeHead(503).end('down');
  });
  const servers = place.open(serverOf('web', http(url)));
  await servers.ready();
  expect(servers.statuses()).toMatchObject([{state: 'unreachable'}]);
  expect(servers.warnings()).toEqual([
    expect.stringMatching(/^no tools of the MCP server web: .*503/),
  ]);
  expect(methods).toEqual(['POST']);
  expect(place.open(serverOf('web', http(url))).statuses()).toMatchObject([{state: 'new'}]);
});

it('a server that requires signing in is refused, with what to do', async () => {
  const place = createMcpPlace();
  const url = await listening((request, response) => {
    request.resume();
    response.writeHead(401, {'www-authenticate': 'Bearer resource_metadata="http://x/"'}).end();
  });
  const servers = place.open(
    serverOf('web', http(url)),
    serverOf('web2', http(url, {Authorization: 'Bearer old'})),
  );
  await servers.ready();
  expect(namesOf(servers)).toEqual([]);
  expect(servers.warnings()).toEqual([
    'the MCP server web requires authorization; signing in by OAuth is not supported: put a token into an environment variable, and name that in headers_env of the server ("headers" in .mcp.json)',
    'the MCP server web2 refused the authorization in its headers; check the token',
  ]);
});

it('a server that is not there is unreachable', async () => {
  const place = createMcpPlace();
  const servers = place.open(serverOf('web', http('http://127.0.0.1:9/mcp')));
  await servers.ready();
  expect(servers.warnings()).toEqual([expect.stringMatching(/^no tools of the MCP server web: /)]);
});
