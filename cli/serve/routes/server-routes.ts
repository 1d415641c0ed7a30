/** Routes of the server itself: forms, health, interface. */

import type {Forms} from '../forms.ts';
import {homePage} from '../home-page.ts';
import {openApiOf} from '../openapi.ts';
import {type Route, route} from './route.ts';

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
