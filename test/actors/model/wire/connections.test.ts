/** How the adapters open, reuse and release connections. */

import {once} from 'node:events';
import {globalAgent} from 'node:http';
import {createServer} from 'node:net';
import {deflateSync, gzipSync} from 'node:zlib';

import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {z} from 'zod';

import type {Play} from '../../../support/fault-server.ts';
import {replies} from '../../../support/fault-server.ts';
import {callOver, plainRequest, serve, testKey} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

const context = {tools: [], signal: new AbortController().signal, onDelta: () => {}};

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
    const {outcome} = await callOver(wire, replies(200, hello, headers));
    expect(outcome).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('unsupported compression lzw'),
    });
  });
});
