/** The description of the interface. */

import {Validator} from '@seriousme/openapi-schema-validator';
import {expect, test, describe} from 'vitest';
import {z} from 'zod';

import {ownerToken} from '../../support/serving.ts';
import {listenTo, until} from '../../support/sse.ts';
import {setServer} from './stage.ts';

const token = ownerToken;
const {server} = setServer(() => ({runtime: {config: {agent: {confirm_execution: true}}}}));

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
  const {status, json} = await server.ask(path, {body, token});
  expect([status, json]).toMatchObject([400, {error: {message: expect.stringMatching(message)}}]);
});

describe('the results of runs, without undocumented members,', () => {
  test.each([
    ['agent', 'Create a.txt with the text: hello', 2],
    ['agent', 'Fix the whole program', 1],
    ['agent', 'a.txt に「hello」と書いてください', 2],
    ['ask', 'What is 2 + 3?', 1],
    ['ask', 'Where is nothing defined?', 1],
    ['discuss', 'Tabs or spaces?', 1],
  ] as const)('of the form %s, %j is answered as documented', async (form, request, count) => {
    const check = await described('Interaction');
    const stops = await readStops(form, request);
    expect(stops).toHaveLength(count);
    expect(stops.at(-1)).toMatchObject({result: {type: 'result'}});
    for (const stop of stops) expect(check.safeParse(stop)).toMatchObject({success: true});
  });

  test('the check refuses an undocumented member', async () => {
    const check = await described('Result');
    const usage = {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0};
    const result = {
      type: 'result',
      interaction: 'a',
      form: 'ask',
      status: 'error',
      exitCode: 2,
      summary: '',
      usage,
      resumable: true,
    };
    expect(check.safeParse(result)).toMatchObject({success: true});
    expect(check.safeParse({...result, unknown: 1})).toMatchObject({success: false});
  });
});

function closed(schema: object): object {
  return {...schema, additionalProperties: false};
}

/** Begins a run, approves its questions, and reads it at each of its stops. */
async function readStops(form: string, request: string): Promise<readonly object[]> {
  const {json} = await server.ask('/v1/interactions', {token, body: {form, request}});
  const path = `/v1/interactions/${String(json['id'])}`;
  const look = async (): Promise<object> => (await server.ask(path, {token})).json;
  const {events, leave} = await listenTo(`${server.url}${path}/events`, token);
  const stops: object[] = [];
  await until(events, ({event}) => event === 'human.requested' || event === 'result');
  stops.push(await look());
  if (!('result' in Object(stops[0]))) {
    await server.ask(`${path}/decisions`, {token, body: {decision: 'approve'}});
    await until(events, ({event}) => event === 'result');
    stops.push(await look());
  }
  leave();
  return stops;
}

/** A check by a schema of the document, which allows no other members. */
async function described(name: string): Promise<z.ZodType> {
  const {json} = await server.ask('/openapi.json');
  const {schemas} = Object(json['components']);
  const definitions = Object.entries(Object(schemas)).map(([id, schema]) => {
    const isOpen = id === 'Interaction' || id === 'Result' || id === 'Gate';
    return [id, isOpen ? closed(Object(schema)) : schema];
  });
  const text = JSON.stringify({$ref: `#/$defs/${name}`, $defs: Object.fromEntries(definitions)});
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
}
