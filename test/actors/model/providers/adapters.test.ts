/** Each adapter: its conformance, its usage when a call is withdrawn, and its secrets. */

import {afterAll, afterEach, beforeAll, describe, expect, test, vi} from 'vitest';

import type {ModelCallContext} from '../../../../actors/model/model.ts';
import {createAnthropicModel} from '../../../../actors/model/providers/anthropic.ts';
import {appendMessages, openTranscript} from '../../../../machines/prompts/transcript.ts';
import {
  breaks,
  type FaultServer,
  type Play,
  replies,
  stalls,
  startFaultServer,
  streams,
} from '../../../support/fault-server.ts';
import {
  type CallOptions,
  callOver,
  context,
  failing,
  outcomeOver,
  plainRequest,
  serve,
  testKey,
} from '../../../support/model-call.ts';
import {anthropic, chat, wires} from '../../../support/wires.ts';

const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: {type: 'object', properties: {path: {type: 'string'}}, required: ['path']},
};

function contextOf(deltas: string[] = []): ModelCallContext {
  const {signal} = new AbortController();
  return {tools: [readFile], signal, onDelta: (text) => void deltas.push(text)};
}

const look = {id: 'call_look', name: 'read_file', args: '{"path":"a.txt"}'};

describe.each(wires)('one server and one model with several calls, $name', (wire) => {
  let server: FaultServer;
  const model = (): ReturnType<typeof wire.create> =>
    wire.create({baseUrl: server.url, apiKey: testKey});

  beforeAll(async () => {
    server = await startFaultServer(async (response, request) => {
      const {body} = request;
      const isAnswered = body.includes('content of a');
      const reply = isAnswered ? {text: 'It says: content of a.'} : {calls: [look]};
      const play = body.includes('busy')
        ? replies(429, wire.errorBody('rate_limit_error', 'Slow down'), {'retry-after': '7'})
        : streams(wire.reply(body.includes('look') ? reply : {text: 'Hello, 世界!'}));
      await play(response, request);
    });
  });
  afterAll(async () => await server.stop());

  test('concurrent calls of one model each have their own text, failure and end', async () => {
    const one = model();
    const received: string[][] = [[], []];
    const ask = (text: string, deltas?: string[]) =>
      one.call({...plainRequest, transcript: openTranscript(text)}, contextOf(deltas));
    const cancelled = one.call(plainRequest, {...contextOf(), signal: AbortSignal.abort()});
    const outcomes = await Promise.all([
      ask('greet', received[0]),
      ask('busy'),
      ask('greet', received[1]),
      cancelled,
    ]);
    expect(outcomes.map(({kind}) => kind)).toEqual(['ok', 'rateLimited', 'ok', 'cancelled']);
    expect(received.map((pieces) => pieces.join(''))).toEqual(['Hello, 世界!', 'Hello, 世界!']);
  });

  test('a tool call is made, and its result leads to the answer', async () => {
    const request = {...plainRequest, transcript: openTranscript('look')};
    const first = await model().call(request, contextOf());
    const calls = [{id: 'call_look', name: 'read_file', args: {path: 'a.txt'}}];
    expect(first).toMatchObject({kind: 'ok', calls});

    const transcript = appendMessages(
      request.transcript,
      {role: 'assistant', text: '', calls},
      {role: 'tool', callId: 'call_look', name: 'read_file', text: 'content of a', isError: false},
    );
    const second = await model().call({...request, transcript}, contextOf());
    expect(second).toMatchObject({kind: 'ok', text: 'It says: content of a.', calls: []});
    expect(server.received.at(-1)?.body).toContain('call_look');
  });
});

const price = {input: 1_000_000, cachedInput: 1_000_000, output: 1_000_000};
const nothing = {inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0};

describe.each(wires)('$name', (wire) => {
  const pieces = ['Hel', 'lo, ', 'you', ' there', '.'].map(wire.piece).join('');

  test('a withdrawn call is booked at an estimate of its request and of the received part of its reply', async () => {
    const abort = new AbortController();
    let received = '';
    const {outcome} = await callOver(wire, stalls(pieces), {
      price,
      signal: abort.signal,
      onDelta: (text) => {
        received += text;
        if (received.endsWith('.')) abort.abort();
      },
    });
    expect(outcome).toMatchObject({kind: 'cancelled', usage: {estimated: true}});
    const {inputTokens = 0, outputTokens = 0, costUsd} = outcome.usage ?? {};
    // At least one token per event of the reply; Anthropic sends more events than pieces of text.
    expect(outputTokens).toBeGreaterThanOrEqual(5);
    expect(outputTokens).toBeLessThanOrEqual(15);
    expect(inputTokens).toBeGreaterThan(3);
    expect(inputTokens).toBeLessThan(20);
    expect(costUsd).toBe(inputTokens + outputTokens);
  });

  test.each([
    ['English', 'word '.repeat(80), 100],
    ['Japanese', '言葉'.repeat(50), 88],
  ])(
    'the tokens of a long withdrawn reply are estimated from its text, in %s',
    async (_language, text, tokens) => {
      const abort = new AbortController();
      const onDelta = (): void => abort.abort();
      const options = {signal: abort.signal, onDelta};
      const {outcome} = await callOver(wire, stalls(wire.piece(text)), options);
      expect(outcome.usage?.outputTokens).toBe(tokens);
    },
  );

  test('an interrupted stream is also estimated', async () => {
    expect(await outcomeOver(wire, breaks(pieces), {price})).toMatchObject({
      kind: 'network',
      usage: {estimated: true},
    });
  });

  test('when a server never answered, the whole request is booked', async () => {
    const {outcome} = await callOver(wire, () => {}, {price, limits: {firstByteMs: 400}});
    expect(outcome).toMatchObject({kind: 'network', usage: {estimated: true, outputTokens: 0}});
    expect(outcome.usage?.inputTokens).toBeGreaterThan(3);
  });

  test.each([
    ['a refused request', replies(400, wire.errorBody('invalid_request_error', 'No.'))],
    ['a rate limit', replies(429, wire.errorBody('rate_limit_error', 'Slow down.'))],
    ['a web page instead of a reply', replies(200, '<html>', {'content-type': 'text/html'})],
  ])('%s costs nothing', async (_title, play) => {
    const {outcome} = await callOver(wire, play, {price});
    expect(outcome.kind).not.toBe('ok');
    expect(outcome.usage).toEqual(nothing);
  });

  test('a call that was not sent costs nothing', async () => {
    const aborted = await callOver(wire, streams(''), {price, signal: AbortSignal.abort()});
    expect(aborted.outcome.usage).toEqual(nothing);
    const server = await serve(() => {});
    await server.stop();
    const model = wire.create({baseUrl: server.url, apiKey: testKey, price});
    const outcome = await model.call(plainRequest, context);
    expect(outcome).toMatchObject({kind: 'network', usage: nothing});
  });

  test.each([
    ['nothing', {input: 0, cached: 0, output: 0}],
    ['no output', {input: 100, cached: 0, output: 0}],
  ])('usage of %s for a reply with text or calls counts as unknown', async (_title, usage) => {
    const calls = [{id: 'c1', name: 'look', args: '{}'}];
    for (const reply of [{text: 'Hello.'}, {calls}]) {
      const {outcome} = await callOver(wire, streams(wire.reply({...reply, usage})), {price});
      expect(outcome).toMatchObject({kind: 'ok'});
      expect(outcome).not.toHaveProperty('usage');
    }
  });

  test('usage that the provider reported is not marked as estimated', async () => {
    expect(
      (await outcomeOver(wire, streams(wire.reply({text: 'Hello.'})), {price})).usage,
    ).not.toHaveProperty('estimated');
  });
});

test('usage that the provider reported before a stream broke off is booked', async () => {
  const usage = {input_tokens: 860, cache_read_input_tokens: 40, output_tokens: 1};
  const start = {type: 'message_start', message: {usage}};
  const cut = `event: message_start\ndata: ${JSON.stringify(start)}\n\n`;
  expect(await outcomeOver(anthropic, streams(cut))).toMatchObject({
    kind: 'protocol',
    usage: {estimated: true, inputTokens: 900, cachedTokens: 40},
  });
});

/** Chat Completions with this usage. */
function reporting(usage: object): Play {
  const choices = [{index: 0, delta: {content: 'Hello.'}, finish_reason: 'stop'}];
  const events = [{choices}, {choices: [], usage}];
  return streams(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

async function usageOver(usage: object, options: CallOptions = {}) {
  return (await outcomeOver(chat, reporting(usage), options)).usage;
}

const counts = {prompt_tokens: 100, completion_tokens: 10};
const booked = {inputTokens: 100, outputTokens: 10};

test.each([
  ['DeepSeek', {prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40}],
  ['Kimi', {cached_tokens: 60}],
  ['OpenAI, and 0 elsewhere', {prompt_tokens_details: {cached_tokens: 60}, cached_tokens: 0}],
])('tokens read from the cache are booked as %s reports them', async (_title, cached) => {
  expect(await usageOver({...counts, ...cached})).toEqual({...booked, cachedTokens: 60});
});

test.each([
  ['wins over the price table', {cost: 0.25}, {price}, {costUsd: 0.25}],
  ['is booked without a price', {cost: 0.25}, {}, {costUsd: 0.25}],
  ['may be zero without a price', {cost: 0}, {}, {costUsd: 0}],
  ['of zero for a model with a price is not believed', {cost: 0}, {price}, {costUsd: 110}],
  ['that is no number is ignored', {cost: {total: 1}}, {price}, {costUsd: 110}],
  ['below zero is ignored', {cost: -1}, {price}, {costUsd: 110}],
  [
    'with a key of the user’s own adds that of the provider behind it',
    {cost: 0.25, is_byok: true, cost_details: {upstream_inference_cost: 5}},
    {price},
    {costUsd: 5.25},
  ],
] as const)('a cost that the provider reports %s', async (_title, cost, options, expected) => {
  expect(await usageOver({...counts, ...cost}, options)).toEqual({
    ...booked,
    cachedTokens: 0,
    ...expected,
  });
});

describe('secrets', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  describe.each(wires)('$name', (wire) => {
    const hello = wire.reply({text: 'Hello.'});

    test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
      const elsewhere = await serve(streams(hello));
      const {outcome} = await callOver(wire, replies(status, '', {location: elsewhere.url}));
      const where = `${status}, to ${elsewhere.url}`;
      const provider = wire.create({baseUrl: elsewhere.url, apiKey: ''}).name.split('/')[0];
      expect(outcome).toMatchObject(
        failing(
          'unsupported',
          `the server redirects elsewhere (${where}), which is not followed; set providers.${provider}.base_url to the address that answers`,
        ),
      );
      expect(elsewhere.received).toHaveLength(0);
    });

    test.each([
      [
        'its host',
        `https://user:${testKey}@b.example:8443/p/${testKey}?token=${testKey}#x`,
        'to https://b.example:8443',
      ],
      [
        'its host as it is written on the wire',
        'https://b\u00fccher.example/x',
        'to https://xn--bcher-kva.example',
      ],
      ['its own host', '/login?session=0123456789', 'to another path of http://127.0.0.1:'],
      ['no web host', `javascript:${testKey}`, 'without saying where to'],
      ['no valid host', 'http://[', 'without saying where to'],
    ])(
      'a message about a redirect names %s and nothing else of its target',
      async (_title, location, where) => {
        const {outcome} = await callOver(
          wire,
          replies(307, testKey, {location: encodeURI(location)}),
        );
        expect(outcome).toMatchObject({message: expect.stringContaining(`(307, ${where}`)});
        expect(JSON.stringify(outcome)).not.toMatch(
          new RegExp(`${testKey}|user|token|session|login|0123|%`),
        );
      },
    );

    test('a message about a redirect without a target says so', async () => {
      expect(await outcomeOver(wire, replies(304, ''))).toMatchObject(
        failing('unsupported', '(304, without saying where to)'),
      );
    });

    test('addresses, keys and headers in the environment are ignored', async () => {
      const thief = await serve(streams(hello));
      for (const vendor of ['OPENAI', 'ANTHROPIC']) {
        vi.stubEnv(`${vendor}_BASE_URL`, thief.url);
        vi.stubEnv(`${vendor}_API_KEY`, 'key-of-the-environment');
        vi.stubEnv(`${vendor}_CUSTOM_HEADERS`, 'X-Custom: 1\nAuthorization: Bearer other');
        vi.stubEnv(`${vendor}_LOG`, 'debug');
      }
      vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-of-the-environment');
      vi.stubEnv('OPENAI_ORG_ID', 'org');
      vi.stubEnv('OPENAI_PROJECT_ID', 'project');
      const written = ['log', 'debug', 'info', 'warn', 'error'] as const;
      const logs = written.map((level) => vi.spyOn(console, level));

      const {outcome, server} = await callOver(wire, streams(hello));

      expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.'});
      expect(thief.received).toHaveLength(0);
      expect(server.received[0]?.path).toBe(wire.path);
      const sent = JSON.stringify(server.received[0]?.headers);
      expect(sent).toContain(testKey);
      expect(sent).not.toMatch(/environment|x-custom|other|"org"|project/i);
      for (const log of logs) expect(log).not.toHaveBeenCalled();
    });

    test('a key that a server echoes appears in no message', async () => {
      const echo = `Incorrect API key provided: ${testKey} or sk-abcd****wxyz, Bearer ${testKey}`;
      const {outcome} = await callOver(wire, replies(401, wire.errorBody('invalid_api_key', echo)));
      expect(outcome).toMatchObject(failing('auth', '[key]'));
      expect(JSON.stringify(outcome)).not.toMatch(/0123456789|wxyz/);
    });

    test('a key with invalid characters is never sent', async () => {
      const server = await serve(streams(hello));
      const model = wire.create({baseUrl: server.url, apiKey: 'kéy\nX-Injected: 1'});
      const outcome = await model.call(plainRequest, context);
      expect(outcome.kind).toBe('auth');
      expect(JSON.stringify(outcome)).not.toContain('kéy');
      expect(server.received).toHaveLength(0);
    });

    test('a server without a key receives a placeholder', async () => {
      const server = await serve(streams(hello));
      const outcome = await wire
        .create({baseUrl: server.url, apiKey: ''})
        .call(plainRequest, context);
      expect(outcome).toMatchObject({kind: 'ok'});
      expect(JSON.stringify(server.received[0]?.headers)).toMatch(/"(?:Bearer )?none"/);
    });

    test('control characters of a server do not reach a message', async () => {
      const body = wire.errorBody('odd', 'a\u001b[31mred\u202e\nline');
      expect(await outcomeOver(wire, replies(400, body))).toHaveProperty(
        'message',
        expect.stringContaining('a [31mred line'),
      );
    });
  });

  test('a call of an old model writes nothing to the console', async () => {
    const warn = vi.spyOn(console, 'warn');
    const hello = anthropic.reply({text: 'Hello.'});
    const server = await serve(streams(hello));
    const model = createAnthropicModel({
      name: 'anthropic/claude-sonnet-4.5',
      model: 'claude-sonnet-4.5',
      baseUrl: server.url,
      apiKey: testKey,
    });
    expect(await model.call(plainRequest, context)).toMatchObject({
      kind: 'ok',
      text: 'Hello.',
    });
    expect(server.received[0]?.body).toContain('"claude-sonnet-4-5"');
    expect(warn).not.toHaveBeenCalled();
  });
});
