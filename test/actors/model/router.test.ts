/** Models by name: their provider, missing requirements, and prices. */

import {describe, expect, test} from 'vitest';

import {contextWindow} from '../../../actors/model/prices.ts';
import {resolveProviders} from '../../../actors/model/providers.ts';
import {toOpenAiRequest} from '../../../actors/model/providers/openai-request.ts';
import type {RouterOptions} from '../../../actors/model/router.ts';
import {createRouter} from '../../../actors/model/router.ts';
import {createFunctionModel} from '../../../actors/model/scripted.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {streams} from '../../support/fault-server.ts';
import {plainRequest, serve} from '../../support/model-call.ts';
import {wires} from '../../support/wires.ts';

const offline = createFunctionModel('offline/offline', () => ({kind: 'ok', text: 'x', calls: []}));
const keys = {ANTHROPIC_API_KEY: 'key-of-anthropic', OPENAI_API_KEY: 'key-of-openai'};
const local = {
  kind: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:11434/v1',
  apiKeyEnv: '',
} as const;

function route(options: Partial<RouterOptions> = {}): ReturnType<typeof createRouter> {
  return createRouter({env: keys, extra: [offline], providers: {local}, ...options});
}

test.each([
  ['claude-sonnet-4.5', 'anthropic/claude-sonnet-4.5'],
  ['gpt-5.2-codex', 'openai/gpt-5.2-codex'],
  ['o3', 'openai/o3'],
  ['o4-mini', 'openai/o4-mini'],
  ['offline', 'offline/offline'],
  ['offline/offline', 'offline/offline'],
  ['local/qwen3:8b', 'local/qwen3:8b'],
  ['local/org/model', 'local/org/model'],
])('%s is resolved to %s', (name, full) => {
  expect(route().canonical(name)).toBe(full);
  expect(route().check(name)).toEqual({ok: true});
  expect(route().get(name).name).toBe(full);
});

test.each([
  ['sonnet', 'unknown_model', /provider\/model/],
  ['gtp-5.2', 'unknown_model', /did you mean "gpt-5\.2"/],
  ['ofline', 'unknown_model', /did you mean "offline"/],
  ['offline/ofline', 'unknown_model', /did you mean "offline\/offline"/],
  ['antropic/claude-sonnet-4.5', 'unknown_provider', /did you mean "anthropic"/],
  ['nowhere/model', 'unknown_provider', /configure \[providers\.nowhere\]/],
  ['openai/', 'unknown_model', /unknown model/],
  ['openai/a b', 'unknown_model', /unknown model/],
  ['', 'unknown_model', /unknown model ""/],
])('%s cannot be used: %s', (name, code, message) => {
  const router = route();
  expect(router.check(name)).toEqual({ok: false, code, message: expect.stringMatching(message)});
  expect(() => router.canonical(name)).toThrow(AppError);
  expect(() => router.get(name)).toThrow(message);
  expect(router.price(name)).toBeUndefined();
});

test('a missing or blank key names the model and the variable', () => {
  const router = route({env: {OPENAI_API_KEY: '  '}});
  for (const [name, variable] of [
    ['claude-sonnet-4.5', 'ANTHROPIC_API_KEY'],
    ['gpt-5.2', 'OPENAI_API_KEY'],
  ] as const) {
    const message = expect.stringMatching(`${name}.* set ${variable}`);
    expect(router.check(name)).toEqual({
      ok: false,
      code: 'missing_key',
      message,
      apiKeyEnv: variable,
    });
    expect(() => router.get(name)).toThrow(expect.objectContaining({code: 'credentials'}));
    expect(router.canonical(name)).toContain(name);
  }
});

test('a suspected typo is mentioned with the missing key, since the provider cannot be asked', () => {
  const router = route({env: {}});
  expect(router.check('claude-sonet-4.5')).toMatchObject({
    code: 'missing_key',
    message: expect.stringMatching(
      /ANTHROPIC_API_KEY.*did you mean "anthropic\/claude-sonnet-4\.5"/,
    ),
  });
  for (const name of ['claude-sonnet-4-5', 'gpt-5-2025-08-07']) {
    expect(router.check(name)).not.toMatchObject({
      message: expect.stringContaining('did you mean'),
    });
  }
});

test('the message about an unknown provider names the configuration file', () => {
  expect(route({userFile: '/home/me/config.toml'}).check('nowhere/m')).toMatchObject({
    message: expect.stringContaining(
      'configure [providers.nowhere] in /home/me/config.toml or use',
    ),
  });
});

describe('providers', () => {
  const hello = wires[1]?.reply({text: 'Hello.'}) ?? '';
  const context = {tools: [], signal: new AbortController().signal, onDelta: () => {}};

  test('a configured server is called with its own key only', async () => {
    const server = await serve(streams(hello));
    const mine = {...local, baseUrl: `${server.url}/v1`, apiKeyEnv: 'MY_KEY'};
    const router = route({providers: {mine}, env: {...keys, MY_KEY: 'my-key'}});
    const outcome = await router.get('mine/m').call(plainRequest, context);
    expect(outcome).toMatchObject({kind: 'ok', text: 'Hello.'});
    expect(server.received[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: {authorization: 'Bearer my-key'},
    });
  });

  test('the key of a built-in provider is sent elsewhere only when its variable is configured', async () => {
    const server = await serve(streams(hello));
    const baseUrl = `${server.url}/v1`;
    const openai = {kind: 'openai', baseUrl, apiKeyEnv: ''} as const;
    await route({providers: {openai}}).get('gpt-5.2').call(plainRequest, context);
    const named = {...openai, apiKeyEnv: 'OPENAI_API_KEY'};
    await route({providers: {openai: named}})
      .get('gpt-5.2')
      .call(plainRequest, context);
    expect(server.received.map(({headers}) => headers.authorization)).toEqual([
      'Bearer none',
      'Bearer key-of-openai',
    ]);
  });

  test('model names are sent in the spelling of Anthropic', async () => {
    const server = await serve(streams(wires[0]?.reply({text: 'Hello.'}) ?? ''));
    const anthropic = {
      kind: 'anthropic',
      baseUrl: `${server.url}/v1`,
      apiKeyEnv: 'ANTHROPIC_API_KEY',
    } as const;
    const model = route({providers: {anthropic}}).get('claude-sonnet-4.5');
    const outcome = await model.call(plainRequest, context);
    expect(outcome).toMatchObject({kind: 'ok', usage: {costUsd: expect.any(Number)}});
    expect(server.received[0]?.path).toBe('/v1/messages');
    expect(server.received[0]?.body).toContain('"model":"claude-sonnet-4-5"');
  });

  test.each([
    ['a missing address', {kind: 'openai-compatible', apiKeyEnv: ''}, /base_url is missing/],
    ['an invalid address', {...local, baseUrl: 'localhost'}, /is not an http or https address/],
    [
      'another scheme',
      {...local, baseUrl: 'file:///etc/passwd'},
      /is not an http or https address/,
    ],
    ['a password', {...local, baseUrl: 'http://u:secret@host/v1'}, /contains a password/],
  ] as const)('a provider with %s is a configuration error', (_title, provider, message) => {
    expect(() => route({providers: {bad: provider}})).toThrow(message);
    expect(() => route({providers: {bad: provider}})).not.toThrow(/secret/);
  });

  test('a model registered twice is a configuration error', () => {
    expect(() => route({extra: [offline, offline]})).toThrow(/registered twice/);
  });
});

describe('presets', () => {
  test.each([
    ['openrouter', 'OPENROUTER_API_KEY'],
    ['gemini', 'GEMINI_API_KEY'],
    ['groq', 'GROQ_API_KEY'],
    ['mistral', 'MISTRAL_API_KEY'],
    ['deepseek', 'DEEPSEEK_API_KEY'],
  ])('%s needs only its name once %s is set', (name, variable) => {
    const missing = expect.stringContaining(`set ${variable}`);
    expect(route().check(`${name}/m`)).toMatchObject({code: 'missing_key', message: missing});
    expect(route({env: {[variable]: 'k'}}).check(`${name}/m`)).toEqual({ok: true});
  });

  test.each(['ollama', 'lmstudio', 'llamacpp', 'vllm'])('%s needs only its name', (name) => {
    expect(route({env: {}}).check(`${name}/qwen3`)).toEqual({ok: true});
    expect(route({env: {}}).price(`${name}/qwen3`)?.output).toBe(0);
  });

  test('a setting of a preset does not affect its other settings', () => {
    const groq = {kind: 'openai-compatible', apiKeyEnv: '', firstByteMs: 1} as const;
    expect(route({providers: {groq}}).check('groq/m')).toMatchObject({
      message: expect.stringContaining('set GROQ_API_KEY'),
    });
  });

  test('azure requires an address, and sends its key to no other server', () => {
    const azure = {kind: 'openai', apiKeyEnv: ''} as const;
    const baseUrl = 'https://mine.openai.azure.com/openai/v1';
    expect(route().check('azure/gpt')).toMatchObject({
      message: expect.stringMatching(/providers\.azure\.base_url.*RESOURCE\.openai\.azure\.com/),
    });
    expect(() => route({providers: {azure}})).toThrow(/RESOURCE\.openai\.azure\.com/);
    expect(route({providers: {azure: {...azure, baseUrl}}}).check('azure/gpt')).toMatchObject({
      message: expect.stringContaining('set AZURE_OPENAI_API_KEY'),
    });
    const elsewhere = {...azure, baseUrl: 'https://azure.com.example/v1'};
    expect(route({providers: {azure: elsewhere}}).check('azure/gpt')).toEqual({ok: true});
  });

  test('Mistral is not asked for its usage, which it always sends', () => {
    const usage = {stream_options: {include_usage: true}};
    expect(toOpenAiRequest('m', plainRequest, [])).toMatchObject(usage);
    expect(toOpenAiRequest('m', plainRequest, [], {asksUsage: false})).not.toHaveProperty(
      'stream_options',
    );
    const providers = resolveProviders({});
    expect(providers.get('mistral')?.asksUsage).toBe(false);
    expect(providers.get('groq')?.asksUsage).toBe(true);
  });
});

describe('prices', () => {
  test.each([
    ['claude-sonnet-4.5', 15],
    ['anthropic/claude-sonnet-4-5', 15],
    ['claude-haiku-4-5-20251001', 5],
    ['gpt-5.2-codex', 14],
    ['gpt-5-mini-2025-08-07', 2],
    ['claude-haiku-5.5', 2.5],
    ['gpt-6.1-sol', 15],
    ['deepseek/deepseek-v4-pro', 3.96],
    ['offline', 0],
    ['local/qwen3:8b', 0],
    ['gpt-99', undefined],
  ])('%s costs %s a million tokens of output', (name, output) => {
    expect(route().price(name)?.output).toBe(output);
  });

  test('the configuration adds and overrides prices, by bare or full name', () => {
    const price = {input: 1, cachedInput: 1, output: 77};
    const prices = {'gpt-99': price, 'anthropic/claude-sonnet-4-5': price, 'local/big': price};
    const router = route({prices});
    for (const name of ['gpt-99', 'claude-sonnet-4.5', 'local/big'])
      expect(router.price(name)?.output).toBe(77);
  });

  test.each([
    ['openai/gpt-6.1-sol', 1_050_000],
    ['anthropic/claude-haiku-4-5-20251001', 200_000],
    ['local/qwen3:8b', 128_000],
  ])('%s has a context window of %i tokens', (name, window) => {
    expect(contextWindow(name)).toBe(window);
  });

  test('a remote server is not assumed to be free', () => {
    const remote = {...local, baseUrl: 'https://models.example/v1'};
    expect(route({providers: {remote}}).price('remote/m')).toBeUndefined();
  });
});
