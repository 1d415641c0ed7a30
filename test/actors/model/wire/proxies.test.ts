/** How the adapters reach a server through a proxy, and handle its certificate. */

import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer, setGlobalProxyFromEnv} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import {type AddressInfo, connect, type Server, type Socket} from 'node:net';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';

import {describe, expect, onTestFinished, test, vi} from 'vitest';

import {mayRetry, type ModelFailure, type ModelOutcome} from '../../../../machines/domain/model.ts';
import {plainRequest, testKey} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
const context = {tools: [], signal: new AbortController().signal, onDelta: () => {}};

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
  const proxy = createServer().on('connect', (request, socket: Socket) => {
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
  const server = createServer();
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
      expect(await model.call(plainRequest, context)).toMatchObject({kind: 'ok', text: 'Hello.'});
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
