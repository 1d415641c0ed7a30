/** Servers run by the user: slow to begin, partly configured, or with models that lack a required feature. */

import {describe, expect, test} from 'vitest';

import {createRuntime} from '../../../../actors/index.ts';
import type {Rates} from '../../../../actors/journal/journal.ts';
import {resolveProviders} from '../../../../actors/model/providers.ts';
import {createRouter, type ProviderConfig} from '../../../../actors/model/router.ts';
import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {type Play, replies, streams} from '../../../support/fault-server.ts';
import {context, failing, outcomeOver, plainRequest, serve} from '../../../support/model-call.ts';
import {anthropic, chat} from '../../../support/wires.ts';

const hello = chat.reply({text: 'Hello.'});

/** Calls `own/m` on a server that runs `play`, configured as a user would. */
async function callConfigured(
  play: Play,
  config: Partial<ProviderConfig> = {},
  path = '/v1',
): Promise<{outcome: ModelOutcome; bodies: readonly string[]; url: string}> {
  const {url, received, stop} = await serve(play);
  if (play === absent) await stop();
  const own = {kind: 'openai-compatible', apiKeyEnv: '', baseUrl: url + path, ...config} as const;
  const model = createRouter({env: {}, providers: {own}}).get('own/m');
  const outcome = await model.call(plainRequest, context);
  return {outcome, bodies: received.map(({body}) => body), url};
}

/** No server runs. */
const absent: Play = () => {};

/** Sends the headers at once or with the first piece, which follows after `ms`. */
function late(ms: number, when: 'headers first' | 'all at once'): Play {
  return (response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    if (when === 'headers first') response.flushHeaders();
    setTimeout(() => response.end(hello), ms);
  };
}

describe('time', () => {
  test('a reply on this machine may begin after ten minutes and take an hour, a remote one may not', () => {
    const providers = resolveProviders({
      mine: {kind: 'openai-compatible', apiKeyEnv: '', baseUrl: 'http://localhost:1/v1'},
    });
    for (const name of ['mine', 'ollama', 'llamacpp']) {
      expect(providers.get(name)?.limits).toMatchObject({
        firstByteMs: 600_000,
        idleMs: 600_000,
        totalMs: 3_600_000,
      });
    }
    expect(providers.get('groq')?.limits).toMatchObject({
      firstByteMs: 30_000,
      idleMs: 60_000,
      totalMs: 600_000,
    });
  });

  test('a longer limit for the first byte extends the total limit', () => {
    const groq = {kind: 'openai-compatible', apiKeyEnv: '', firstByteMs: 900_000} as const;
    const limits = resolveProviders({groq}).get('groq')?.limits;
    expect(limits).toMatchObject({firstByteMs: 900_000, idleMs: 900_000, totalMs: 1_800_000});
  });

  test.each(['headers first', 'all at once'] as const)(
    'a late first byte is awaited, %s',
    async (when) => {
      const limits = {firstByteMs: 5_000, idleMs: 20};
      expect(await outcomeOver(chat, late(80, when), {limits})).toMatchObject({
        kind: 'ok',
        text: 'Hello.',
      });
    },
  );

  test('an exceeded limit names its setting', async () => {
    const first = await callConfigured(() => {}, {firstByteMs: 40});
    expect(first.outcome).toMatchObject({
      kind: 'network',
      message: 'own/m: no answer within 40 ms (providers.own.first_byte_ms)',
    });
    const whole = await callConfigured(() => {}, {timeoutMs: 40});
    expect(whole.outcome).toMatchObject({
      kind: 'network',
      message: 'own/m: no full reply within 40 ms (providers.own.timeout_ms)',
    });
  });
});

test('the reply limit in the request is the one of the provider', async () => {
  const {bodies} = await callConfigured(streams(hello), {maxOutputTokens: 123});
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({max_tokens: 123});
  const usual = await callConfigured(streams(hello), {maxOutputTokens: 9_000});
  expect(JSON.parse(usual.bodies[0] ?? '')).toMatchObject({max_tokens: 500});
});

describe('the limit of a reply', () => {
  test('is 32,000 tokens, on this machine 8,000', () => {
    const providers = resolveProviders({});
    expect(providers.get('groq')?.maxOutputTokens).toBe(32_000);
    expect(providers.get('ollama')?.maxOutputTokens).toBe(8_000);
  });

  test('may be twice as high after a reply that was cut off, and the message names the setting', async () => {
    const cut = streams(chat.reply({text: 'Hel', stop: 'truncated'}));
    const {outcome} = await callConfigured(cut, {maxOutputTokens: 300});
    expect(outcome).toMatchObject({
      kind: 'truncated',
      message:
        'own/m: the reply was cut off at its limit of 300 tokens, which include its thinking; providers.own.max_output_tokens sets it',
      nextOutputTokens: 600,
    });
  });

  test('is not higher than the model allows', async () => {
    const {url} = await serve(streams(anthropic.reply({text: 'Hel', stop: 'truncated'})));
    const own = {kind: 'anthropic', apiKeyEnv: '', baseUrl: `${url}/v1`} as const;
    const model = createRouter({
      env: {},
      providers: {anthropic: {...own, maxOutputTokens: 50_000}},
    }).get('claude-haiku-4.5');
    const request = {...plainRequest, maxOutputTokens: 50_000};
    expect(await model.call(request, context)).toMatchObject({nextOutputTokens: 64_000});
    const raised = {...request, outputTokens: 64_000};
    expect(await model.call(raised, context)).not.toHaveProperty('nextOutputTokens');
  });

  test.each([
    'max_tokens is too large: 32000. This model supports at most 16384 completion tokens.',
    "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens (8000 in the messages, 32000 in the completion).",
  ])('is lowered when the server rejects it: %s', async (message) => {
    let count = 0;
    const {url, received} = await serve((response, request) => {
      count += 1;
      const play = count === 1 ? replies(400, {error: {message}}) : streams(hello);
      return play(response, request);
    });
    const own = {kind: 'openai-compatible', apiKeyEnv: '', baseUrl: `${url}/v1`} as const;
    const model = createRouter({env: {}, providers: {own: {...own, maxOutputTokens: 32_000}}}).get(
      'own/m',
    );
    const request = {...plainRequest, maxOutputTokens: 32_000};
    expect(await model.call(request, context)).toMatchObject({nextOutputTokens: 8_192});
    expect(await model.call(request, context)).toMatchObject({kind: 'ok'});
    const limits = received.map(({body}) => JSON.parse(body).max_tokens);
    expect(limits).toEqual([32_000, 8_192]);
  });
});

async function paced(rates?: Rates) {
  const {url, received} = await serve(streams(hello));
  const own = {kind: 'openai-compatible', apiKeyEnv: '', baseUrl: `${url}/v1`} as const;
  const providers = {own: {...own, callsPerMinute: 300}};
  return {model: createRouter({env: {}, providers, rates}).get('own/m'), received};
}

describe('calls a minute', () => {
  test('keep the calls of all models of a provider apart', async () => {
    const {model} = await paced();
    const began = performance.now();
    const ended = await Promise.all(
      [1, 2, 3].map(async () => {
        const {kind} = await model.call(plainRequest, context);
        return {kind, ms: performance.now() - began};
      }),
    );
    expect(ended.map(({kind}) => kind)).toEqual(['ok', 'ok', 'ok']);
    expect(Math.max(...ended.map(({ms}) => ms))).toBeGreaterThan(395);
  });

  test('are those of the shared journal, if it can be reached', async () => {
    const asked: unknown[] = [];
    const {model} = await paced({
      reserve: async (...reservation) => {
        asked.push(reservation);
        throw new Error('the database is away');
      },
    });
    expect(await model.call(plainRequest, context)).toMatchObject({kind: 'ok'});
    expect(asked).toEqual([['own', 200]]);
  });

  test('a call that is cancelled while it waits is not made', async () => {
    const {model, received} = await paced({reserve: () => 3_600_000});
    const cancel = new AbortController();
    const call = model.call(plainRequest, {...context, signal: cancel.signal});
    cancel.abort();
    expect(await call).toMatchObject({kind: 'cancelled'});
    expect(received).toEqual([]);
  });
});

describe('patience', () => {
  test('lasts five minutes, or as long as configured', async () => {
    const usual = await callConfigured(replies(503, {}));
    expect(usual.outcome).toMatchObject({kind: 'overloaded', retryMs: 300_000});
    const {outcome} = await callConfigured(replies(503, {}), {retryMs: 7_000});
    expect(outcome).toMatchObject({retryMs: 7_000});
  });

  test('is short for a server of this machine that does not run', async () => {
    const {outcome} = await callConfigured(absent);
    expect(outcome).toMatchObject({kind: 'network', jitter: expect.any(Number)});
    expect(outcome).not.toHaveProperty('retryMs');
  });

  test('is named as the provider asks for it', async () => {
    const {outcome} = await callConfigured(replies(429, {}, {'retry-after': '3600'}));
    expect(outcome).toMatchObject({
      retryAfterMs: 3_600_000,
      message: expect.stringMatching(/; it asks to wait 3600 s$/),
    });
  });
});

describe('a failure that a retry cannot repair', () => {
  test('names the missing /v1 of an address', async () => {
    const {outcome, url} = await callConfigured(replies(404, {}), {}, '');
    expect(outcome).toMatchObject(
      failing('unsupported', `/v1 may be missing; set providers.own.base_url to ${url}/v1`),
    );
  });

  test('names the missing /v1 when a web page is returned', async () => {
    const {outcome} = await callConfigured(replies(200, {error: 'Unexpected endpoint'}), {}, '');
    expect(outcome).toMatchObject({message: expect.stringContaining('/v1 may be missing')});
  });

  test('names the unknown model', async () => {
    const body = {error: {message: 'model "m" not found, try pulling it first'}};
    const {outcome} = await callConfigured(replies(404, body));
    expect(outcome).toMatchObject({
      kind: 'unsupported',
      message:
        'own/m: the provider has no model m (404: model "m" not found, try pulling it first); quorate models own lists its models',
    });
  });

  test.each([
    [400, 'The model `m` has been decommissioned and is no longer supported. Use n instead.'],
    [403, 'The model m has been shut down; use n.'],
    [404, 'The model `m` has been deprecated, learn more at /docs/deprecations'],
  ])(
    'names the model that is gone, and the words of the provider: %i "%s"',
    async (code, message) => {
      const {outcome} = await callConfigured(replies(code, {error: {message}}));
      expect(outcome).toMatchObject({
        kind: 'unsupported',
        message: `own/m: the provider has no model m (${code}: ${message}); quorate models own lists its models`,
      });
    },
  );

  test.each([
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    [500, 'tools param requires --jinja flag'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, 'No endpoints found that support tool use.'],
  ])('reports missing tool support for %i "%s"', async (status, message) => {
    const {outcome} = await callConfigured(replies(status, {error: {message}}));
    expect(outcome).toMatchObject(
      failing('unsupported', /^own\/m: the model or its server does not support tools/),
    );
  });

  test.each([
    [400, 'm does not support tools', 'the model or its server does not support tools'],
    [200, '<html>Log in</html>', 'not an event stream; check base_url'],
  ])('occurs once in a run, which reports the cause: %i "%s"', async (status, message, matter) => {
    const type = status === 200 ? 'text/html' : 'application/json';
    const {url, received} = await serve(
      replies(status, {error: {message}}, {'content-type': type}),
    );
    const runtime = createRuntime({
      env: {},
      config: {
        providers: {own: {base_url: `${url}/v1`}},
        agent: {decision_model: 'own/m', review_models: ['policy/safety']},
        ask: {model: 'own/m'},
      },
    });
    const {exitCode, summary} = await runtime.ask('Is anybody there?').result;
    expect({exitCode, calls: received.length}).toEqual({exitCode: 2, calls: 1});
    expect(summary).toContain(matter);
    await runtime.close();
  });
});
