/** The MCP server over HTTP, for the owner. */

import type {McpEndpoint} from '../../mcp/endpoint.ts';
import {type Route, route} from './route.ts';

const path = '/mcp';
const access = 'owner';

export function mcpRoutes({answer}: McpEndpoint): Route[] {
  const none = (method: 'get' | 'delete'): Route =>
    route({
      method,
      path,
      summary: 'Not used: requests are POST, and there are no sessions.',
      access,
      replies: {405: {text: 'Always.'}},
      answer: async ({request}) => await answer(request),
    });
  return [
    route({
      method: 'post',
      path,
      summary: 'Model Context Protocol, revisions 2026-07-28 and 2025-11-25.',
      detail:
        'The tools review_diff, plan, ask, discuss and recount, as in quorate mcp; runs work in the folder of the server.',
      access,
      replies: {
        200: {text: 'A JSON-RPC response, or a stream of messages.', type: 'text/event-stream'},
        202: {text: 'A notification was received.'},
      },
      answer: async ({request}) => await answer(request),
    }),
    none('get'),
    none('delete'),
  ];
}
