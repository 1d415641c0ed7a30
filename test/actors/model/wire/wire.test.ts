/** The wire: strict JSON, event streams, connections and proxies. */

import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer as createHttpServer, globalAgent, setGlobalProxyFromEnv} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {deflateSync, gzipSync} from 'node:zlib';

import * as fc from 'fast-check';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {z} from 'zod';

import {readStrictJson} from '../../../../actors/model/wire/strict-json.ts';
import {mayRetry, type ModelFailure, type ModelOutcome} from '../../../../machines/domain/model.ts';
import {type Play, replies, streams, trickles} from '../../../support/fault-server.ts';
import {
  callOver,
  context,
  failing,
  outcomeOver,
  plainRequest,
  serve,
  testKey,
} from '../../../support/model-call.ts';
import {chat, responses, wires} from '../../../support/wires.ts';

test('the output of JSON.stringify is read as JSON.parse reads it', () => {
  const noPrototype = fc.json({maxDepth: 5}).filter((text) => !/__proto__|constructor/.test(text));
  fc.assert(
    fc.property(noPrototype, (text) => {
      const value: unknown = JSON.parse(text);
      expect(readStrictJson(JSON.stringify(value, undefined, 2))).toEqual({ok: true, value});
    }),
  );
});

test('no text makes it throw', () => {
  const bits = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', '1', 'a', '\ud800', ' ');
  fc.assert(
    fc.property(fc.array(bits, {maxLength: 12}), (parts) => {
      expect(readStrictJson(parts.join(''))).toHaveProperty('ok');
    }),
  );
});

test('the same key in sibling objects is not a duplicate', () => {
  expect(readStrictJson('[{"a":1},{"a":2,"b":{"a":"a"}}]').ok).toBe(true);
});

test.each([
  ['{"vote":"reject","vote":"approve"}', /"vote" appears twice/],
  ['{"vote":"reject", "v\\u006fte" : "approve"}', /"vote" appears twice/],
  ['{"\\ud800":1,"\\ud801":2}', /appears twice/],
  ['{"a":{"__proto__":{}}}', /__proto__/],
  ['{"const\\u0072uctor":1}', /constructor/],
  ['['.repeat(65) + ']'.repeat(65), /deeper than 64/],
  ['[-1e999]', /out of range/],
  ['{"vote":"appro', /not valid JSON/],
  ['```json\n{}\n```', /not valid JSON/],
  ['', /not valid JSON/],
])('%s is refused', (text, problem) => {
  expect(readStrictJson(text)).toEqual({ok: false, problem: expect.stringMatching(problem)});
});

test('a depth of 64 is allowed, and a colon or quote inside a string does not make a key', () => {
  expect(readStrictJson('['.repeat(64) + ']'.repeat(64)).ok).toBe(true);
  expect(readStrictJson(String.raw`{"a":"a\":","b":["a",":"]}`).ok).toBe(true);
});

test('100,000 levels do not exhaust the stack', () => {
  const text = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(readStrictJson(text).ok).toBe(false);
});

/** An error body that breaks off. */
function breaksAfter(status: number, text: string): Play {
  return (response) => {
    response.writeHead(status, {'retry-after': '7'}).write(text, () => response.destroy());
  };
}

describe.each(wires)('$name', (wire) => {
  const hello = wire.reply({text: 'Hello.'});

  test.each([
    ['carriage return and line feed', hello.replaceAll('\n', '\r\n')],
    ['carriage return', hello.replaceAll('\n', '\r')],
    ['line feed, with comments between events', `: hi\n\n${hello.replaceAll('\n\n', '\n\n: x\n')}`],
    ['line feed, without the last blank line', hello.slice(0, -1)],
    ['line feed, without the last line end', hello.slice(0, -2)],
  ])('lines that end in %s are read', async (_title, text) => {
    for (const play of [streams(text), trickles(text)]) {
      const {outcome, deltas} = await callOver(wire, play);
      expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.', usage: {outputTokens: 7}});
      expect(deltas.join('')).toBe('Hello.');
    }
  });

  test('events after the end of the reply are ignored', async () => {
    expect(await outcomeOver(wire, streams(hello + wire.reply({text: ' More.'})))).toMatchObject({
      kind: 'ok',
      text: 'Hello.',
    });
  });

  test.each([
    ['an object', wire.errorBody('some_error', 'It is odd.'), 'It is odd.'],
    ['a text', {error: 'It is odd.'}, 'It is odd.'],
    ['of another form', {detail: 'It is odd.'}, 'It is odd.'],
    ['not JSON', 'It is odd.', 'It is odd.'],
    ['empty', '', 'no reason given'],
  ])('the reason in an error body that is %s is reported', async (_title, body, reason) => {
    const {outcome} = await callOver(wire, replies(500, body));
    expect(outcome).toMatchObject({kind: 'overloaded', message: expect.stringContaining(reason)});
    expect(outcome).toHaveProperty('message', expect.stringMatching(/\(500: [^\d]*\)$/));
  });

  test('the status counts even if the body breaks off', async () => {
    expect(await outcomeOver(wire, breaksAfter(429, '{"error":{"mess'))).toMatchObject({
      kind: 'rateLimited',
      retryAfterMs: 7_000,
    });
  });

  test.each([204, 304])('a status without a body is a failure: %i', async (status) => {
    expect((await outcomeOver(wire, replies(status, ''))).kind).toBe('unsupported');
  });
});

test.each([chat, responses])('$name: an error event needs no name', async (wire) => {
  const error = {type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.'};
  const event = `data: ${JSON.stringify(error)}\n\n`;
  expect(await outcomeOver(wire, streams(wire.piece('x') + event))).toMatchObject(
    failing('rateLimited', 'Slow down.'),
  );
});

test.each(wires)('$name: an error event by its name reports its type', async (wire) => {
  const error = wire.errorBody('overloaded_error', 'Overloaded');
  const event = `event: error\ndata: ${JSON.stringify(error)}\n\n`;
  expect(await outcomeOver(wire, streams(wire.piece('x') + event))).toMatchObject(
    failing('overloaded', 'Overloaded'),
  );
});

/** Sends the whole reply at once, and ends the body after `ms`. */
function late(reply: string, ms: number): Play {
  return (response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'}).write(reply);
    setTimeout(() => response.end(), ms);
  };
}

/** Idle connections of Node's HTTP client, by address. */
function freeConnections(): string {
  return Object.keys(globalAgent.freeSockets).join(' ');
}

describe.each(wires)('$name', (wire) => {
  const hello = wire.reply({text: 'Hello.'});

  test.each([
    ['in time', 0],
    ['a little late', 20],
  ])('a server that ends its reply %s is called again over the same connection', async (_, ms) => {
    const server = await serve(late(hello, ms));
    const model = wire.create({baseUrl: server.url, apiKey: testKey});
    while (server.received.length < 3) {
      expect(await model.call(plainRequest, context)).toMatchObject({kind: 'ok'});
      await vi.waitFor(() => expect(freeConnections()).toContain(new URL(server.url).host));
    }
    expect(server.received).toHaveLength(3);
    expect(server.connections()).toBe(1);
  });

  test('concurrent calls have connections of their own', async () => {
    const server = await serve(late(hello, 0));
    const model = wire.create({baseUrl: server.url, apiKey: testKey});
    await Promise.all([1, 2].map(async () => await model.call(plainRequest, context)));
    expect(server.connections()).toBe(2);
  });

  test('a connection that its server closes on reuse is replaced', async () => {
    const server = await serve((response) => {
      const isSecond = server.received.length === 2;
      if (isSecond) response.socket?.resetAndDestroy();
      else response.writeHead(200, {'content-type': 'text/event-stream'}).end(hello);
    });
    const model = wire.create({baseUrl: server.url, apiKey: testKey});
    for (const used of [1, 3]) {
      expect(await model.call(plainRequest, context)).toMatchObject({kind: 'ok'});
      expect(server.received).toHaveLength(used);
    }
    expect(server.connections()).toBe(2);
  });

  test('a new connection that its server closes is a failure: nothing is sent twice', async () => {
    const {outcome, server} = await callOver(wire, (response) => {
      response.socket?.resetAndDestroy();
    });
    expect(outcome).toMatchObject({kind: 'network', usage: {estimated: true}});
    expect(server.received).toHaveLength(1);
  });

  test('a handshake that does not complete is abandoned and costs nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const {port} = z.object({port: z.number()}).parse(silent.address());
    const baseUrl = `https://127.0.0.1:${port}`;
    const model = wire.create({baseUrl, apiKey: testKey, limits: {connectMs: 30}});
    expect(await model.call(plainRequest, context)).toMatchObject({
      kind: 'network',
      message: expect.stringContaining('ETIMEDOUT'),
      usage: {inputTokens: 0, outputTokens: 0},
    });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ] as const)('a reply compressed with %s is read', async (encoding, pack) => {
    const headers = {'content-type': 'text/event-stream', 'content-encoding': encoding};
    const {outcome, server} = await callOver(wire, replies(200, pack(hello), headers));
    expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.'});
    expect(server.received[0]?.headers).not.toHaveProperty('accept-encoding');
  });

  test('an unsupported compression of a reply is reported', async () => {
    const headers = {'content-type': 'text/event-stream', 'content-encoding': 'lzw'};
    expect(await outcomeOver(wire, replies(200, hello, headers))).toMatchObject(
      failing('unsupported', 'unsupported compression lzw'),
    );
  });
});

const pem = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

/** Resolves with the port of the server, on 127.0.0.1, which is closed at the end of the test. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return isBound(address) ? address.port : 0;
}

function isBound(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** Resolves with the requests to the proxy, as text. `tunnel` handles each connection to it. */
async function proxyFor(tunnel: (socket: Socket) => void): Promise<string[]> {
  const requests: string[] = [];
  const proxy = createHttpServer().on('connect', (request, socket: Socket) => {
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
    tunnel(socket);
  });
  const port = await listen(proxy);
  onTestFinished(setGlobalProxyFromEnv({HTTPS_PROXY: `http://me:pass-word@127.0.0.1:${port}`}));
  return requests;
}

function trust(certificate: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}

/** A server that speaks TLS; resolves with a tunnel to it. */
async function secureServer(reply: string): Promise<(socket: Socket) => void> {
  const server = createSecureServer({key: pem('key'), cert: pem('certificate')}, (_, response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'}).end(reply);
  });
  const port = await listen(server);
  return (socket) => {
    const beyond = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(beyond).pipe(socket);
    });
    beyond.on('error', () => socket.destroy());
  };
}

async function unusedPort(): Promise<number> {
  const server = createHttpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function failed(outcome: ModelOutcome): ModelFailure {
  if (outcome.kind === 'ok') throw new Error('it succeeded');
  return outcome;
}

describe.each(wires)('$name', (wire) => {
  const baseUrl = 'https://model.test/v1';
  const model = wire.create({baseUrl, apiKey: testKey});

  test('an HTTPS address is reached through the proxy, with one connection for all calls, and the proxy sees no key', async () => {
    trust(pem('certificate'));
    const requests = await proxyFor(await secureServer(wire.reply({text: 'Hello.'})));
    for (const _ of [1, 2]) {
      expect(await model.call(plainRequest, context)).toMatchObject({
        kind: 'ok',
        text: 'Hello.',
      });
    }
    expect(requests).toEqual([expect.stringMatching(/^CONNECT model\.test:443 /)]);
    expect(requests.join()).not.toContain(testKey);
  });

  test.each([
    ['that never answers', () => {}],
    [
      'whose target never answers',
      (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'),
    ],
  ])('a proxy %s is abandoned at the connection limit, and costs nothing', async (_, tunnel) => {
    await proxyFor(tunnel);
    const hasty = wire.create({baseUrl, apiKey: testKey, limits: {connectMs: 100}});
    expect(await hasty.call(plainRequest, context)).toMatchObject({
      kind: 'network',
      message: expect.stringContaining('ETIMEDOUT'),
      usage: {inputTokens: 0, outputTokens: 0},
    });
  });

  test('a call that is cancelled during the proxy handshake costs nothing', async () => {
    const abort = new AbortController();
    await proxyFor(() => abort.abort());
    const outcome = await model.call(plainRequest, {...context, signal: abort.signal});
    expect(outcome).toMatchObject({kind: 'cancelled', usage: {inputTokens: 0, outputTokens: 0}});
  });

  test.each([
    ['407 Proxy Authentication Required', false],
    ['502 Bad Gateway', true],
  ])(
    'a failure of a proxy names its status %s, and can be retried: %s',
    async (status, isAgain) => {
      await proxyFor((socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`));
      const outcome = await model.call(plainRequest, context);
      const why = `check HTTPS_PROXY \\(.* via http://127\\.0\\.0\\.1:\\d+/: HTTP/1\\.1 ${status}\\)`;
      expect(outcome).toMatchObject({
        kind: 'network',
        message: expect.stringMatching(new RegExp(`the proxy does not reach the provider; ${why}`)),
      });
      expect(JSON.stringify(outcome)).not.toContain('pass-word');
      expect(mayRetry(outcome, {attempts: 1, spentMs: 0})).toBe(isAgain);
    },
  );

  test('a proxy that does not run is named, without its password', async () => {
    const port = await unusedPort();
    onTestFinished(setGlobalProxyFromEnv({https_proxy: `http://me:pass-word@127.0.0.1:${port}`}));
    const {message} = failed(await model.call(plainRequest, context));
    expect(message).toContain(`https_proxy is in use: http://127.0.0.1:${port} must run`);
    expect(message).not.toContain('pass-word');
  });

  test('a proxy that is set but not used is named', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://me:pass-word@127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    const {message} = failed(await model.call(plainRequest, context));
    expect(message).toContain('HTTPS_PROXY is set but not used: set NODE_USE_ENV_PROXY=1');
    expect(message).not.toContain('pass-word');
    const own = `https://127.0.0.1:${await unusedPort()}`;
    const here = wire.create({baseUrl: own, apiKey: '', isLocal: true});
    expect(failed(await here.call(plainRequest, context)).message).not.toContain('PROXY');
  });

  test('an untrusted certificate is reported with the setting to change, and the call is not retried', async () => {
    await proxyFor(await secureServer(wire.reply({text: 'Hello.'})));
    const outcome = await model.call(plainRequest, context);
    expect(outcome).toMatchObject({
      kind: 'network',
      message: expect.stringMatching(/NODE_EXTRA_CA_CERTS \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/),
      usage: {inputTokens: 0, outputTokens: 0},
    });
    expect(mayRetry(outcome, {attempts: 1, spentMs: 0})).toBe(false);
  });
});
