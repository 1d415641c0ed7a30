/** Routes of the server itself: forms, health, interface, and the MCP server for the owner. */

import type {McpEndpoint} from '../../mcp/endpoint.ts';
import type {Forms} from '../forms.ts';
import {homePage} from '../home-page.ts';
import {openApiOf} from '../openapi.ts';
import {route, type Route} from './route.ts';

/** `others`: further routes for the documentation. */
export function serverRoutes(others: readonly Route[], version: string, forms: Forms): Route[] {
  const access = 'anyone';
  const all: readonly Route[] = [
    ...others,
    route({
      method: 'get',
      path: '/',
      summary: 'A page with a link to each form; redirects to the only one.',
      access,
      replies: {
        200: {text: 'The page.', type: 'text/html'},
        302: {text: 'Redirect to the only form.', type: 'text/html'},
      },
      headers: {'Accept-Language': 'The language of the page: English or Japanese.'},
      answer: async ({request}) =>
        homePage(await forms.list(), request.headers.get('accept-language')),
    }),
    route({
      method: 'get',
      path: '/healthz',
      summary: 'Health check.',
      access,
      replies: {200: {text: 'The server is running.'}},
      answer: async () => Response.json({status: 'ok'}),
    }),
    route({
      method: 'get',
      path: '/openapi.json',
      summary: 'This interface, as OpenAPI 3.1.',
      access,
      replies: {200: {text: 'The document.'}},
      answer: async () => Response.json(openApiOf(all, version)),
    }),
  ];
  return [...all];
}

// The MCP server over HTTP, for the owner.

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
