/** The MCP server over HTTP, as one function. The SDK is loaded by the first request. */

import type {McpServerFactory} from '@modelcontextprotocol/server';

import type {Logger} from '../../actors/logger.ts';
import type {McpDeps} from './server.ts';

export interface McpEndpoint {
  /** The caller has admitted the request: it has checked its token, Host and Origin. */
  readonly answer: (request: Request) => Promise<Response>;
  /** Ends the exchanges in flight; their runs are suspended. */
  readonly close: () => Promise<void>;
}

/** Of a request. */
const maxRequestBodySize = 16_777_216;

export function createMcpEndpoint(deps: McpDeps, logger: Logger): McpEndpoint {
  return createEndpoint(
    async () => (await import('./server.ts')).createServerFactory(deps),
    logger,
  );
}

/** For servers with other tools: a test of the protocol brings its own. */
export function createEndpoint(
  openFactory: () => Promise<McpServerFactory>,
  logger: Logger,
): McpEndpoint {
  const open = async () => {
    const {createMcpHandler} = await import('@modelcontextprotocol/server');
    return createMcpHandler(await openFactory(), {
      maxRequestBodySize,
      onerror: ({message}) => logger.warn('mcp', {error: message}),
    });
  };
  let handler: ReturnType<typeof open> | undefined;
  return {
    answer: async (request) => {
      handler ??= open().catch((error: unknown) => {
        handler = undefined;
        throw error;
      });
      return await (await handler).fetch(request);
    },
    close: async () => {
      const opened = await handler?.catch(() => undefined);
      await opened?.close();
    },
  };
}
