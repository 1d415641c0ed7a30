/** Access control and validation of requests, over the wire, before anything is done. */

import {request} from 'node:http';

import {describe, expect, test} from 'vitest';

import {createRates} from '../../../cli/serve/rates.ts';
import {ownerToken, serveHere} from '../../support/serving.ts';
import {setServer} from './stage.ts';

const {server, folder} = setServer();

const question = {form: 'ask', request: 'What is 2 + 3?'};

describe('the interface of the owner', () => {
  test('is closed without a token, and with an unknown one', async () => {
    for (const token of [undefined, '', 'wrong', `${ownerToken}x`]) {
      const sent = token === undefined ? {} : {token};
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
    ['a form that there is not', {form: 'dance', request: 'x'}, /^form: /],
    ['a request that is blank', {form: 'ask', request: ' '}, /^request: /],
    ['a member that nobody knows', {...question, model: 'x'}, /model/],
    ['no object', '[]', /object/],
  ])('refuses %s, and names the mistake', async (_, body, message) => {
    const {status, json} = await server.ask('/v1/interactions', {token: ownerToken, body});
    expect({status, json}).toEqual({
      status: 400,
      json: {error: {code: 'malformed', message: expect.stringMatching(message)}},
    });
  });

  test('refuses a body that is not JSON by its type', async () => {
    const {status} = await server.ask('/v1/interactions', {
      token: ownerToken,
      headers: {'content-type': 'text/plain'},
      body: question,
    });
    expect(status).toBe(400);
  });

  test('refuses a body that is too large, with or without a declared length', async () => {
    const body = JSON.stringify({form: 'ask', request: 'x'.repeat(2_000_000)});
    expect((await server.ask('/v1/interactions', {token: ownerToken, body})).status).toBe(413);
    expect(await sendInPieces(`${server.url}/v1/interactions`, body)).toBe(413);
    expect((await server.ask('/healthz')).status).toBe(200);
  });
});

/** Sends without Content-Length. */
async function sendInPieces(url: string, body: string): Promise<number | undefined> {
  const {promise, resolve, reject} = Promise.withResolvers<number | undefined>();
  const headers = {authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json'};
  const sending = request(url, {method: 'POST', headers}, ({statusCode}) => resolve(statusCode));
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
  const sending = request(`${server.url}/healthz`, {headers: {host}}, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  sending.on('error', reject);
  sending.end();
  return await promise;
}

test('pages of other sites cannot make a browser change anything', async () => {
  const {status} = await server.ask('/v1/interactions', {
    token: ownerToken,
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
      token: ownerToken,
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
