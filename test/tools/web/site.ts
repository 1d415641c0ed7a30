/** A web server on the loopback interface, for one test. */

import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

import {expect, onTestFinished} from 'vitest';

export interface Site {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** The requests so far: method and path. */
  readonly requests: string[];
}

export async function createSite(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Site> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const {promise, resolve} = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const {port} = addressOf(server.address());
  return {port, origin: `http://127.0.0.1:${port}`, requests};
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  expect(address).toBeTypeOf('object');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address;
}

/** The same page for every request. */
export function createPage(
  body: string | Uint8Array,
  type = 'text/html',
  headers: Record<string, string> = {},
): Promise<Site> {
  return createSite((_request, response) => {
    response.writeHead(200, {'content-type': type, ...headers}).end(body);
  });
}
