/** The interface as it describes itself. */

import {Validator} from '@seriousme/openapi-schema-validator';
import {afterEach, beforeEach, expect, test} from 'vitest';

import {serveHere, type Serving, temporaryFolder} from '../../support/serving.ts';

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

test('the page of the interface shows every route, runs no script and fetches nothing', async () => {
  const response = await fetch(`${server.url}/docs`);
  const [html, {json}] = [await response.text(), await server.ask('/openapi.json')];

  for (const path of Object.keys(Object(json['paths'])))
    expect(html).toContain(`<code>${path}</code>`);
  expect(html).not.toMatch(/<script|src=|https?:\/\//);
  expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|script-src/);
});
