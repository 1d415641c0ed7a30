/** A stream of events whose reader stops reading, and the position of a follower, from the id of its last event. */

import {once} from 'node:events';
import {type Server, createServer} from 'node:http';
import {type Socket, connect} from 'node:net';

import {type HttpBindings, getRequestListener} from '@hono/node-server';
import * as fc from 'fast-check';
import {Hono} from 'hono';
import {afterEach, expect, test} from 'vitest';

import {silentLogger} from '../../../actors/logger.ts';
import {type Frame, eventStream} from '../../../cli/serve/event-stream.ts';
import {eventId, readEventId} from '../../../cli/serve/followers.ts';

let server: Server | undefined;
let socket: Socket | undefined;
afterEach(() => {
  socket?.destroy();
  server?.close();
});

const megabyte = 'x'.repeat(1_000_000);

interface Streamed {
  /** The number of frames that the stream has requested. */
  readonly taken: () => number;
  /** Resolves when the stream has closed its source. */
  readonly left: Promise<void>;
  readonly warnings: string[];
}

/** Serves the stream. Resolves with the port. */
async function serve(
  frames: Parameters<typeof eventStream>[1],
  options: Parameters<typeof eventStream>[2],
): Promise<number> {
  const app = new Hono<{Bindings: HttpBindings}>();
  app.get('/', ({env}) => eventStream(env, frames, options));
  const answer = getRequestListener(app.fetch);
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** A socket that has requested an endless stream, and reads nothing. */
async function stream(stallMs: number): Promise<Streamed> {
  const left = Promise.withResolvers<void>();
  const warnings: string[] = [];
  let taken = 0;
  const frames = async function* (): AsyncGenerator<Frame> {
    try {
      for (;;) {
        taken += 1;
        yield {event: 'message', data: megabyte};
      }
    } finally {
      left.resolve();
    }
  };
  const logger = {...silentLogger, warn: (message: string) => void warnings.push(message)};
  const timing = {heartbeatMs: 1_000, stallMs};
  const port = await serve(frames, {logger, timing, ending: new AbortController().signal});
  socket = connect({host: '127.0.0.1', port});
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  return {taken: () => taken, left: left.promise, warnings};
}

test('a reader that reads nothing is disconnected, and costs only the data in transit', async () => {
  const {taken, left, warnings} = await stream(200);
  await left;

  expect(warnings).toEqual(['a reader that takes nothing is cut off']);
  expect(taken()).toBeLessThan(20);
  const frames = taken();
  socket?.resume();
  if (socket) await once(socket, 'close');
  expect(taken()).toBe(frames);
});

test('a reader that disconnects ends the stream at once', async () => {
  const {left, warnings} = await stream(60_000);
  socket?.destroy();
  await left;
  expect(warnings).toEqual([]);
});

test('a stream whose source fails during the shutdown ends without an error', async () => {
  const ending = new AbortController();
  const frames = async function* (): AsyncGenerator<Frame> {
    yield {event: 'message', data: 'first'};
    ending.abort();
    throw new Error('the journal is closed');
  };
  const timing = {heartbeatMs: 60_000, stallMs: 60_000};
  const port = await serve(frames, {logger: silentLogger, timing, ending: ending.signal});
  const response = await fetch(`http://127.0.0.1:${port}/`);

  expect(await response.text()).toBe('event: message\ndata: "first"\n\n');
});

test('an id names the place of its event', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (entry, nth, at) => {
      expect(readEventId(eventId({entry, nth, at}))).toEqual({entry, nth, at});
    }),
  );
});

test.each(['', '3', '3.1', '3.1.x', '3.1.9x', 'abcdef-3', '-1.1.1', undefined])(
  'an id that no event has names no place: %j',
  (id) => {
    expect(readEventId(id)).toBeUndefined();
  },
);
