/** The description of the interface. */

import {Validator} from '@seriousme/openapi-schema-validator';
import {afterEach, beforeEach, expect, test} from 'vitest';

import {ownerToken, serveHere, type Serving, temporaryFolder} from '../../support/serving.ts';

let place: ReturnType<typeof temporaryFolder>;
let server: Serving;
beforeEach(async () => {
  place = temporaryFolder();
  server = await serveHere(place.folder);
});
afterEach(async () => {
  await server.close();
  place.remove();
});

test('the OpenAPI document is valid, and names every route with its tokens and errors', async () => {
  const {json} = await server.ask('/openapi.json');
  const validator = new Validator();
  expect(await validator.validate(structuredClone(json))).toEqual({valid: true});
  expect(validator.version).toBe('3.1');
  expect(json).toMatchObject({
    paths: {
      '/v1/interactions': {
        post: {
          security: [{owner: []}],
          requestBody: {
            content: {'application/json': {schema: {$ref: '#/components/schemas/NewInteraction'}}},
          },
          responses: {201: {}, 400: {}, 401: {}, 403: {}, 413: {}, 429: {}},
        },
      },
      '/healthz': {get: {security: []}},
    },
    components: {schemas: {NewInteraction: {required: ['form', 'request']}}},
  });
});

test('no two operations have the same name', async () => {
  const {json} = await server.ask('/openapi.json');
  const names = Object.values(Object(json['paths'])).flatMap((path) =>
    Object.values(Object(path)).map((operation) => Object(operation)['operationId']),
  );
  expect(names).toHaveLength(new Set(names).size);
});

test('the start page names it, runs no script and fetches nothing', async () => {
  const response = await fetch(`${server.url}/`);
  const html = await response.text();
  expect(html).toContain('href="/openapi.json"');
  expect(html).not.toMatch(/<script|src=|https?:\/\//);
  expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|script-src/);
  expect((await fetch(`${server.url}/docs`)).status).toBe(404);
});

test.each([
  ['/v1/interactions', {form: 'x', request: 'y'}, /^form: expected one of "agent"/],
  ['/v1/interactions', {}, /^form: expected one of .*; request: expected string/],
  ['/v1/interactions/x/decisions', {decision: 'maybe'}, /^decision: expected /],
])('a body that %s does not take is refused in plain words', async (path, body, message) => {
  const {status, json} = await server.ask(path, {body, token: ownerToken});
  expect([status, json]).toMatchObject([400, {error: {message: expect.stringMatching(message)}}]);
});
