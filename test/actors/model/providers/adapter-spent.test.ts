/** The usage of a call whose provider did not report it. */

import {describe, expect, test} from 'vitest';

import {breaks, type Play, replies, stalls, streams} from '../../../support/fault-server.ts';
import {
  type CallOptions,
  callOver,
  plainRequest,
  serve,
  testKey,
} from '../../../support/model-call.ts';
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

/** Chat Completions with this usage. */
function reporting(usage: object): Play {
  const choices = [{index: 0, delta: {content: 'Hello.'}, finish_reason: 'stop'}];
  const events = [{choices}, {choices: [], usage}];
  return streams(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

async function usageOver(usage: object, options: CallOptions = {}) {
  const chat = wires.find(({name}) => name === 'chat completions');
  if (!chat) throw new Error('no wire');
  const {outcome} = await callOver(chat, reporting(usage), options);
  return outcome.usage;
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
