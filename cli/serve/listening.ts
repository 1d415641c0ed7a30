/** Opens and closes a listening server. */

import type {Server} from 'node:http';

import {AppError} from '../../machines/domain/app-error.ts';

const graceMs = 1_000;

/** Pending replies are sent, if the clients still take them. */
export async function hangUp(server: Server, closed: Promise<void>): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 10);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}

/** Rejects with AppError `io` when the port is not available. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  server.once('error', (error) =>
    reject(new AppError('io', `can't listen at ${host}:${port}: ${error.message}`, {cause: error})),
  );
  server.listen(port, host, resolve);
  await promise;
}

export function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
