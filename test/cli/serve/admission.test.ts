/** Access control and validation of requests, over the wire, before anything is done, and the description of the interface. */

import {request as requestAt} from 'node:http';

import {Validator} from '@seriousme/openapi-schema-validator';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';

import {createRates} from '../../../cli/serve/guard.ts';
import {ownerToken, serveHere} from '../../support/serving.ts';
import {listenTo, until} from '../../support/sse.ts';
import {setServer} from './stage.ts';

const token = ownerToken;
const {server, folder} = setServer(() => ({
  runtime: {config: {agent: {confirm_execution: true}}},
}));

const question = {form: 'ask', request: 'What is 2 + 3?'};

describe('the interface of the owner', () => {
  test('is closed without a token, and with an unknown one', async () => {
    for (const given of [undefined, '', 'wrong', `${ownerToken}x`]) {
      const sent = given === undefined ? {} : {token: given};
      const {status, headers, json} = await server.ask('/v1/interactions', {
        ...sent,
        body: question,
      });
      expect({status, code: Object(json['error'])['code']}).toEqual({
        status: 401,
        code: 'unauthorized',
      });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(await server.runtime.interactions()).toEqual([]);
  });

  test.each([
    ['JSON that is broken', '{"form":"ask",', 'the body is not JSON'],
    ['a request that is blank', {form: 'ask', request: ' '}, /^request: /],
    ['a member that nobody knows', {...question, model: 'x'}, /model/],
    ['no object', '[]', /object/],
  ])('refuses %s, and names the mistake', async (_, body, message) => {
    const {status, json} = await server.ask('/v1/interactions', {token, body});
    expect({status, json}).toEqual({
      status: 400,
      json: {error: {code: 'malformed', message: expect.stringMatching(message)}},
    });
  });

  test('refuses a body that is not JSON by its type', async () => {
    const {status} = await server.ask('/v1/interactions', {
      token,
      headers: {'content-type': 'text/plain'},
      body: question,
    });
    expect(status).toBe(400);
  });

  test('refuses a body that is too large, with or without a declared length', async () => {
    const body = JSON.stringify({form: 'ask', request: 'x'.repeat(2_000_000)});
    expect((await server.ask('/v1/interactions', {token, body})).status).toBe(413);
    expect(await sendInPieces(`${server.url}/v1/interactions`, body)).toBe(413);
    expect((await server.ask('/healthz')).status).toBe(200);
  });
});

/** Sends without Content-Length. */
async function sendInPieces(url: string, body: string): Promise<number | undefined> {
  const {promise, resolve, reject} = Promise.withResolvers<number | undefined>();
  const headers = {authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json'};
  const sending = requestAt(url, {method: 'POST', headers}, ({statusCode}) => resolve(statusCode));
  sending.on('error', reject);
  for (let at = 0; at < body.length; at += 100_000) sending.write(body.slice(at, at + 100_000));
  sending.end();
  return await promise;
}

test('an unknown path is not found, and errors have the same form everywhere', async () => {
  const {status, json} = await server.ask('/v1/nothing');
  expect({status, json}).toEqual({
    status: 404,
    json: {error: {code: 'not_found', message: 'there is no GET /v1/nothing'}},
  });
});

test('every reply forbids browser features that it does not need', async () => {
  for (const path of ['/', '/healthz', '/nowhere', '/v1/interactions']) {
    const {headers} = await server.ask(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('a server for this machine answers under no other name, so that no page can reach it', async () => {
  const hosts = ['localhost:1234', '[::1]', 'evil.example', '127.0.0.1.evil.example:80'];
  const statuses = await Promise.all(hosts.map(async (host) => await statusUnder(host)));
  expect(statuses).toEqual([200, 200, 403, 403]);
});

/** Fetch sends no Host other than that of its address. */
async function statusUnder(host: string): Promise<number | undefined> {
  const {promise, resolve, reject} = Promise.withResolvers<number | undefined>();
  const sending = requestAt(`${server.url}/healthz`, {headers: {host}}, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  sending.on('error', reject);
  sending.end();
  return await promise;
}

test('pages of other sites cannot make a browser change anything', async () => {
  const {status} = await server.ask('/v1/interactions', {
    token,
    headers: {'sec-fetch-site': 'cross-site'},
    body: question,
  });
  expect(status).toBe(403);
});

test.each([
  ['http://evil.test', {}, 403],
  ['null', {}, 403],
  ['http://evil.test', {'sec-fetch-site': 'same-origin'}, 403],
  ['http://localhost.evil.test', {'sec-fetch-site': 'none'}, 403],
  ['https://forms.test', {'x-forwarded-host': 'forms.test'}, 200],
  ['own', {'sec-fetch-site': 'same-origin'}, 200],
  ['own', {}, 200],
] as const)(
  'a change with the Origin %s and %j is answered with %i',
  async (given, more, wanted) => {
    const origin = given === 'own' ? server.url : given;
    const {status} = await server.ask('/v1/interactions', {
      token,
      headers: {origin, ...more},
      body: question,
    });
    expect(status === 403 ? 403 : 200).toBe(wanted);
  },
);

test('an address with too many requests receives the time to wait', async () => {
  const strict = await serveHere(`${folder()}/strict`, {rate: {perSecond: 0.5, burst: 3}});
  try {
    const all = [];
    for (let turn = 0; turn < 5; turn += 1) all.push(await strict.ask('/healthz'));
    expect(all.map(({status}) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(all.at(-1)?.headers.get('retry-after')).toBe('2');
  } finally {
    await strict.close();
  }
});

test('requests are allowed again with time, and counted per name', () => {
  let now = 0;
  const rates = createRates({perSecond: 2, burst: 2}, () => now);
  expect([rates('a'), rates('a'), rates('a'), rates('b')]).toEqual([
    undefined,
    undefined,
    1,
    undefined,
  ]);
  now = 499;
  expect(rates('a')).toBe(1);
  now = 500;
  expect([rates('a'), rates('a')]).toEqual([undefined, 1]);
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
  const {status, json} = await server.ask(path, {body, token});
  expect([status, json]).toMatchObject([400, {error: {message: expect.stringMatching(message)}}]);
});

describe('the results of runs, without undocumented members,', () => {
  test.each([
    ['agent', 'Create a.txt with the text: hello', 2],
    ['agent', 'Fix the whole program', 1],
    ['agent', 'a.txt を「hello」という内容で作成してください', 2],
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
