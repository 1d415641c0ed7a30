/** The usage of a call whose provider did not report it. */

import {describe, expect, test} from 'vitest';

import {breaks, replies, stalls, streams} from '../../../support/fault-server.ts';
import {callOver, plainRequest, serve, testKey} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

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
    const {outcome} = await callOver(wire, breaks(pieces), {price});
    expect(outcome).toMatchObject({kind: 'network', usage: {estimated: true}});
  });

  test('when a server never answered, the whole request is booked', async () => {
    const {outcome} = await callOver(wire, () => {}, {price, limits: {firstByteMs: 30}});
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
    const context = {tools: [], signal: new AbortController().signal, onDelta: () => {}};
    const outcome = await model.call(plainRequest, context);
    expect(outcome).toMatchObject({kind: 'network', usage: nothing});
  });

  test('usage that the provider reported is not marked as estimated', async () => {
    const {outcome} = await callOver(wire, streams(wire.reply({text: 'Hello.'})), {price});
    expect(outcome.usage).not.toHaveProperty('estimated');
  });
});

test('usage that the provider reported before a stream broke off is booked', async () => {
  const [anthropic] = wires;
  if (!anthropic) throw new Error('no wire');
  const usage = {input_tokens: 860, cache_read_input_tokens: 40, output_tokens: 1};
  const start = {type: 'message_start', message: {usage}};
  const cut = `event: message_start\ndata: ${JSON.stringify(start)}\n\n`;
  const {outcome} = await callOver(anthropic, streams(cut));
  expect(outcome).toMatchObject({
    kind: 'protocol',
    usage: {estimated: true, inputTokens: 900, cachedTokens: 40},
  });
});
