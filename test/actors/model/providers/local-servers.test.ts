/** Servers run by the user: slow to begin, partly configured, or with models that lack a required feature. */

import {describe, expect, test} from 'vitest';

import {createRuntime} from '../../../../actors/index.ts';
import {resolveProviders} from '../../../../actors/model/providers.ts';
import type {ProviderConfig} from '../../../../actors/model/router-api.ts';
import {createRouter} from '../../../../actors/model/router.ts';
import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {type Play, replies, streams} from '../../../support/fault-server.ts';
import {callOver, plainRequest, serve} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

const chat = wires.find(({path}) => path.endsWith('/chat/completions')) ?? wires[0]!;
const hello = chat.reply({text: 'Hello.'});

/** Calls `own/m` on a server that runs `play`, configured as a user would. */
async function callConfigured(
  play: Play,
  config: Partial<ProviderConfig> = {},
  path = '/v1',
): Promise<{outcome: ModelOutcome; bodies: readonly string[]; url: string}> {
  const {url, received} = await serve(play);
  const own = {kind: 'openai-compatible', apiKeyEnv: '', baseUrl: url + path, ...config} as const;
  const model = createRouter({env: {}, providers: {own}}).get('own/m');
  const context = {tools: [], signal: new AbortController().signal, onDelta: () => {}};
  const outcome = await model.call(plainRequest, context);
  return {outcome, bodies: received.map(({body}) => body), url};
}

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
      const {outcome} = await callOver(chat, late(80, when), {limits});
      expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.'});
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

describe('a failure that a retry cannot repair', () => {
  test('names the missing /v1 of an address', async () => {
    const {outcome, url} = await callConfigured(replies(404, {}), {}, '');
    expect(outcome).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining(
        `/v1 may be missing; set providers.own.base_url to ${url}/v1`,
      ),
    });
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
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    [500, 'tools param requires --jinja flag'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, 'No endpoints found that support tool use.'],
  ])('reports missing tool support for %i "%s"', async (status, message) => {
    const {outcome} = await callConfigured(replies(status, {error: {message}}));
    expect(outcome).toMatchObject({
      kind: 'unsupported',
      message: expect.stringMatching(/^own\/m: the model or its server does not support tools/),
    });
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
