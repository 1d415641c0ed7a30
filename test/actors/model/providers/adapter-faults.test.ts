/** Faults between an adapter and its server, and their kinds. */

import {gzipSync} from 'node:zlib';

import {describe, expect, test} from 'vitest';

import {mayRetry, type ModelFailureCode} from '../../../../machines/domain/model.ts';
import {isDeep} from '../../../support/depth.ts';
import {
  breaks,
  type Play,
  repeats,
  replies,
  stalls,
  streams,
} from '../../../support/fault-server.ts';
import {
  type CallOptions,
  callOver,
  context,
  outcomeOver,
  plainRequest,
  serve,
  testKey,
} from '../../../support/model-call.ts';
import {type Wire, wires} from '../../../support/wires.ts';

interface Fault {
  readonly title: string;
  readonly play: (wire: Wire) => Play;
  readonly kind: ModelFailureCode;
  readonly message?: RegExp;
  readonly options?: CallOptions;
}

function status(
  code: number,
  kind: ModelFailureCode,
  type = 'some_error',
  message = 'Something is wrong.',
): Fault {
  return {
    title: `${code} ${type}`,
    play: (wire) => replies(code, wire.errorBody(type, message)),
    kind,
  };
}

const statuses: readonly Fault[] = [
  status(400, 'unsupported', 'invalid_request_error'),
  status(401, 'auth', 'authentication_error'),
  status(402, 'billing'),
  status(403, 'auth', 'permission_error'),
  {...status(404, 'unsupported', 'not_found_error'), message: /\/m: the provider has no model m /},
  {...status(405, 'unsupported'), message: /\/m: the provider has no model m /},
  status(409, 'unsupported'),
  {...status(410, 'unsupported'), message: /\/m: the provider has no model m /},
  status(413, 'contextOverflow', 'request_too_large'),
  status(422, 'unsupported'),
  status(429, 'rateLimited', 'rate_limit_error'),
  status(429, 'billing', 'insufficient_quota', 'You exceeded your current quota.'),
  status(429, 'billing', 'enforced_spend_limit_reached'),
  status(400, 'billing', 'invalid_request_error', 'Your credit balance is too low.'),
  status(400, 'contextOverflow', 'context_length_exceeded'),
  status(400, 'contextOverflow', 'invalid_request_error', 'prompt is too long: 9 tokens > 8'),
  status(400, 'refused', 'content_filter'),
  status(500, 'overloaded', 'api_error'),
  status(501, 'unsupported'),
  status(502, 'overloaded'),
  status(503, 'overloaded', 'server_error'),
  status(504, 'overloaded'),
  status(505, 'unsupported'),
  status(529, 'overloaded', 'overloaded_error'),
  {title: '500 with HTML', play: () => replies(500, '<h1>no</h1>'), kind: 'overloaded'},
  {title: '429 without a body', play: () => replies(429, ''), kind: 'rateLimited'},
];

/** The headers have as much time as the next event, because a busy machine may delay them. */
const idle = {limits: {firstByteMs: 400, idleMs: 400}};

/** Each fault takes as long as its limit, so all of them run concurrently. */
const slow: readonly Fault[] = [
  {
    ...faultOf(['no headers ever', () => () => {}, 'network', /no answer within 400 ms/]),
    options: {limits: {firstByteMs: 400}},
  },
  ...(
    [
      ['silence after the first piece', (wire) => stalls(wire.piece('Hel'))],
      ['pings for ever', (wire) => repeats(wire.ping, 20)],
      ['unknown events for ever', () => repeats('event: news\ndata: {"type":"news"}\n\n', 20)],
    ] satisfies readonly (readonly [string, Fault['play']])[]
  ).map(([title, play]) =>
    Object.assign(faultOf([title, play, 'network', /made no progress for 400 ms/]), {
      options: idle,
    }),
  ),
  {
    ...faultOf([
      'pieces for ever',
      (wire) => repeats(wire.piece('x'), 20),
      'network',
      /no full reply within 600 ms/,
    ]),
    options: {limits: {totalMs: 600}},
  },
];

/** More than the limit of 8 MiB. */
const bomb = gzipSync(Buffer.alloc((isDeep ? 32 : 10) * 1024 * 1024, ': keepalive\n\n'));

const zipped = {'content-type': 'text/event-stream', 'content-encoding': 'gzip'};

type Row = readonly [string, Fault['play'], ModelFailureCode, RegExp?];

const streamed: readonly Fault[] = (
  [
    ['an empty stream', () => streams(''), 'protocol', /broke off/],
    ['an end without an end', (wire) => streams(wire.piece('x')), 'protocol'],
    [
      'an end in the middle of an event',
      (wire) => streams(`${wire.piece('x')}data: {"id":"c","choi`),
      'protocol',
    ],
    ['a broken connection', (wire) => breaks(wire.piece('x')), 'network'],
    ['an overload inside the stream', broken('overloaded_error', 'Overloaded'), 'overloaded'],
    ['a rate limit inside the stream', broken('rate_limit_exceeded', 'Slow down'), 'rateLimited'],
    ['an error of no known type inside the stream', broken('odd', 'Odd'), 'protocol'],
    ['an event that is null', () => streams('event: message_start\ndata: null\n\n'), 'protocol'],
    ['an event that is a list', () => streams('event: message_start\ndata: []\n\n'), 'protocol'],
    [
      'an event that is not JSON',
      (wire) => streams(`${wire.piece('x')}event: message_stop\ndata: {{{\n\n`),
      'protocol',
    ],
    [
      'a captive portal',
      () => replies(200, '<html>Log in</html>', {'content-type': 'text/html'}),
      'unsupported',
      /text\/html, not an event stream/,
    ],
    ['JSON null', () => replies(200, 'null'), 'unsupported'],
    ['an empty JSON list', () => replies(200, '[]'), 'unsupported'],
    ['a gzip bomb', () => replies(200, bomb, zipped), 'protocol', /larger than 8388608 bytes/],
    ['invalid gzip', () => replies(200, 'not gzip', zipped), 'protocol'],
  ] satisfies readonly Row[]
).map(faultOf);

function faultOf([title, play, kind, message]: Row): Fault {
  return {title, play, kind, ...(message && {message})};
}

/** An error event after the first piece. */
function broken(type: string, message: string): Fault['play'] {
  return (wire) => streams(wire.piece('x') + wire.error(type, message));
}

/** The outcome of an adapter, and the expected outcome. */
async function called(wire: Wire, {title, play, kind, message, options}: Fault) {
  const {outcome} = await callOver(wire, play(wire), options);
  const isSafe = !JSON.stringify(outcome).includes(testKey);
  return {
    made: {title, isSafe, ...outcome},
    wanted: {title, isSafe: true, kind, message: expect.stringMatching(message ?? /^\w\/m: /)},
  };
}

test('a server that sends nothing, nothing new, or no end causes a network failure at the limit', async () => {
  const calls = wires.flatMap((wire) => slow.map((fault) => called(wire, fault)));
  for (const {made, wanted} of await Promise.all(calls)) expect(made).toMatchObject(wanted);
});

describe.each(wires)('$name', (wire) => {
  test.each([...statuses, ...streamed])('$title is $kind', async (fault) => {
    const {made, wanted} = await called(wire, fault);
    expect(made).toMatchObject(wanted);
  });

  test.each([
    ['seconds', {'retry-after': '90'}, 90_000],
    ['milliseconds', {'retry-after-ms': '1500', 'retry-after': '2'}, 1_500],
    ['a past date', {'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT'}, 0],
    ['nonsense', {'retry-after': 'soon'}, undefined],
    ['a negative number', {'retry-after': '-5'}, undefined],
  ])('a wait given as %s is passed on, with a jitter', async (_title, headers, expected) => {
    const play = replies(429, wire.errorBody('rate_limit_error', 'Slow down'), headers);
    const {outcome, server} = await callOver(wire, play);
    expect(outcome).toMatchObject({kind: 'rateLimited', jitter: 0.5});
    expect('retryAfterMs' in outcome ? outcome.retryAfterMs : undefined).toBe(expected);
    expect(server.received).toHaveLength(1);
  });

  test('a wait given as a future date is passed on', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    expect(await outcomeOver(wire, replies(503, '{}', {'retry-after': date}))).toHaveProperty(
      'retryAfterMs',
      expect.closeTo(59_000, -4),
    );
  });

  test.each([429, 503])('a header that forbids a retry is passed on: %d', async (code) => {
    const headers = {'x-should-retry': 'false', 'retry-after': '1'};
    const {outcome} = await callOver(wire, replies(code, '{}', headers));
    expect(outcome).toMatchObject({retryable: false});
    expect(mayRetry(outcome, {attempts: 1, spentMs: 0})).toBe(false);
  });

  test('unknown events are ignored', async () => {
    const news = 'event: news\ndata: {"type":"news","x":1}\n\n';
    expect(await outcomeOver(wire, streams(news + wire.reply({text: 'Hello.'})))).toMatchObject({
      kind: 'ok',
      text: 'Hello.',
    });
  });

  test('the connection is closed at the size limit, long before 80 MB are read', async () => {
    const piece = wire.piece('x'.repeat(256 * 1024));
    const {outcome, server} = await callOver(wire, repeats(piece, 0, 80 * 1024 * 1024));
    expect(outcome).toMatchObject({kind: 'protocol'});
    expect(outcome).toHaveProperty('message', expect.stringMatching(/larger than 8388608 bytes/));
    await server.closed;
  });

  test('a large error body is not read to its end', async () => {
    const {outcome} = await callOver(wire, replies(500, 'x'.repeat(12 * 1024 * 1024)));
    expect(outcome.kind).toBe('overloaded');
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
  });

  test('an unreachable server is a network failure that names the cause', async () => {
    const server = await serve(() => {});
    await server.stop();
    const model = wire.create({baseUrl: server.url, apiKey: testKey});
    const outcome = await model.call(plainRequest, context);
    expect(outcome).toMatchObject({
      kind: 'network',
      message: expect.stringContaining('ECONNREFUSED'),
      jitter: expect.any(Number),
    });
  });

  test('TLS to a server without TLS is a network failure', async () => {
    const server = await serve(streams(''));
    const model = wire.create({baseUrl: server.url.replace('http:', 'https:'), apiKey: testKey});
    expect(await model.call(plainRequest, context)).toMatchObject({kind: 'network'});
  });

  test('an abort in mid-stream cancels at once, and the server notices', async () => {
    const abort = new AbortController();
    const {outcome, server} = await callOver(wire, stalls(wire.piece('Hel')), {
      signal: abort.signal,
      onDelta: () => abort.abort(),
    });
    expect(outcome.kind).toBe('cancelled');
    await server.closed;
  });

  test('a call that is already aborted is not sent', async () => {
    const {outcome, server} = await callOver(wire, streams(''), {signal: AbortSignal.abort()});
    expect(outcome.kind).toBe('cancelled');
    expect(server.received).toHaveLength(0);
  });

  test('a server that keeps the connection open after the end does not delay the reply', async () => {
    const {outcome, server} = await callOver(wire, stalls(wire.reply({text: 'Hello.'})));
    expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.'});
    await server.closed;
  });
});
