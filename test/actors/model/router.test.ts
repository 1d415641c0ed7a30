/** Models by name (their provider, missing requirements, prices), scripted models, and the windows that servers report. */

import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import {servedWindows} from '../../../actors/model/catalog.ts';
import type {ModelCallContext} from '../../../actors/model/model.ts';
import {contextWindow} from '../../../actors/model/prices.ts';
import {resolveProviders} from '../../../actors/model/providers.ts';
import {toOpenAiRequest} from '../../../actors/model/providers/chat-completions.ts';
import {createRouter, type RouterOptions} from '../../../actors/model/router.ts';
import {
  createFunctionModel,
  createScriptedModels,
  loadScript,
  type ScriptInput,
} from '../../../actors/model/scripted.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import {appendMessages, openTranscript} from '../../../machines/prompts/transcript.ts';
import {streams} from '../../support/fault-server.ts';
import {context, plainRequest, serve} from '../../support/model-call.ts';
import {numbered, pairs} from '../../support/rows.ts';
import {folderWith} from '../../support/stage.ts';
import {anthropic, chat} from '../../support/wires.ts';

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

test.each(
  pairs(`
  claude-sonnet-4.5 ⇒ anthropic/claude-sonnet-4.5 ¦ gpt-5.2-codex ⇒ openai/gpt-5.2-codex
  o3 ⇒ openai/o3 ¦ o4-mini ⇒ openai/o4-mini ¦ offline ⇒ offline/offline
  offline/offline ⇒ offline/offline ¦ local/qwen3:8b ⇒ local/qwen3:8b
  local/org/model ⇒ local/org/model
`),
)('%s is resolved to %s', (name, full) => {
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
  const hello = chat.reply({text: 'Hello.'});

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
    const server = await serve(streams(anthropic.reply({text: 'Hello.'})));
    const provider = {
      kind: 'anthropic',
      baseUrl: `${server.url}/v1`,
      apiKeyEnv: 'ANTHROPIC_API_KEY',
    } as const;
    const model = route({providers: {anthropic: provider}}).get('claude-sonnet-4.5');
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
    ...numbered(`
    claude-sonnet-4.5 ⇒ 15 ¦ anthropic/claude-sonnet-4-5 ⇒ 15 ¦ claude-haiku-4-5-20251001 ⇒ 5
    gpt-5.2-codex ⇒ 14 ¦ gpt-5-mini-2025-08-07 ⇒ 2 ¦ claude-haiku-5.5 ⇒ 2.5 ¦ gpt-6.1-sol ⇒ 15
    deepseek/deepseek-v4-pro ⇒ 3.96 ¦ offline ⇒ 0 ¦ local/qwen3:8b ⇒ 0
  `),
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

const scriptName = 'scripted/planner';

function contextOf(signal = new AbortController().signal, deltas: string[] = []): ModelCallContext {
  return {tools: [], signal, onDelta: (text) => void deltas.push(text)};
}

async function ask(
  scripted: ReturnType<typeof createScriptedModels>,
  request: Partial<ModelRequest>,
): Promise<ModelOutcome> {
  const [model] = scripted.models;
  if (!model) throw new Error('the script has no model');
  return model.call({...plainRequest, ...request}, contextOf());
}

const script: ScriptInput = {
  models: {
    [scriptName]: [
      {
        expect: {purpose: 'plan', lastContains: ['rejected']},
        reply: {calls: [{name: 'create_plan', args: {objective: 'better'}}]},
      },
      {expect: {purpose: 'plan', turn: 0}, reply: {text: 'first'}},
      {
        expect: {purpose: 'act', contains: ['task 1'], notContains: ['task 2']},
        reply: {text: 'one'},
        usage: {inputTokens: 3, outputTokens: 4},
      },
      {
        expect: {purpose: 'act'},
        reply: {fail: {kind: 'rateLimited', retryAfterMs: 5}},
        usage: null,
      },
    ],
  },
};

test('the first reply whose conditions match answers, any number of times', async () => {
  const scripted = createScriptedModels(script);
  const rejected = appendMessages(
    openTranscript('Do it.'),
    {role: 'assistant', text: 'first', calls: []},
    {role: 'user', text: 'The plan was rejected.'},
  );
  const again = {purpose: 'plan', transcript: rejected} as const;
  const better = {
    kind: 'ok',
    calls: [{id: 'call-2-1', name: 'create_plan', args: {objective: 'better'}}],
  };
  expect(await ask(scripted, again)).toMatchObject(better);
  expect(await ask(scripted, {purpose: 'plan'})).toMatchObject({kind: 'ok', text: 'first'});
  expect(await ask(scripted, again)).toMatchObject(better);
});

test('usage comes from the script, is zero by default, and is absent when the script has null', async () => {
  const scripted = createScriptedModels(script);
  const one = await ask(scripted, {system: 'task 1'});
  expect(one.usage).toEqual({inputTokens: 3, outputTokens: 4, cachedTokens: 0, costUsd: 0});
  const plan = await ask(scripted, {purpose: 'plan'});
  expect(plan.usage).toEqual({inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0});
  const failed = await ask(scripted, {system: 'task 1, task 2'});
  expect(failed).toEqual({kind: 'rateLimited', message: 'scripted failure', retryAfterMs: 5});
});

test('an unexpected request is a failure that names the expected ones', async () => {
  const scripted = createScriptedModels(script);
  const transcript = appendMessages(openTranscript('Do it.'), {
    role: 'assistant',
    text: '',
    calls: [],
  });
  const outcome = await ask(scripted, {purpose: 'plan', transcript});
  expect(outcome).toMatchObject({kind: 'protocol'});
  const said = JSON.stringify(outcome);
  expect(said).toContain('purpose \\"plan\\", turn 1');
  expect(said).toContain('reply 1 (plan) expects a last message with \\"rejected\\"');
  expect(said).toContain('reply 2 (plan) expects turn 0');
  expect(await ask(scripted, {purpose: 'evaluate'})).toMatchObject({kind: 'protocol'});
});

test('conditions also match the arguments of calls', async () => {
  const scripted = createScriptedModels({
    models: {[scriptName]: [{expect: {purpose: 'act', contains: ['a.txt']}, reply: {text: 'ok'}}]},
  });
  const transcript = appendMessages(openTranscript('Do it.'), {
    role: 'assistant',
    text: '',
    calls: [{id: 'c', name: 'read_file', args: {path: 'a.txt'}}],
  });
  expect(await ask(scripted, {transcript})).toMatchObject({kind: 'ok', text: 'ok'});
});

test('replies that were never requested are an error that lists them', async () => {
  const scripted = createScriptedModels(script);
  await ask(scripted, {purpose: 'plan'});
  await ask(scripted, {system: 'task 1'});
  expect(scripted.assertUsedUp).toThrow(
    'unused replies: scripted/planner, reply 1 (plan); scripted/planner, reply 4 (act)',
  );
});

test('a script with no unused reply is used up', async () => {
  const scripted = createScriptedModels({
    models: {[scriptName]: [{expect: {purpose: 'act'}, reply: {text: 'ok'}}]},
  });
  await ask(scripted, {});
  expect(scripted.assertUsedUp).not.toThrow();
});

test('a call with a problem has no arguments', async () => {
  const calls = [{name: 'create_plan', args: {x: 1}, problem: 'cut off'}];
  const scripted = createScriptedModels({
    models: {[scriptName]: [{expect: {purpose: 'act'}, reply: {calls}}]},
  });
  expect(await ask(scripted, {})).toMatchObject({calls: [{args: {}, problem: 'cut off'}]});
});

test('a script is read from its file', () => {
  const folder = folderWith();
  const write = (text: string): string => {
    const path = join(folder, 'script.json');
    writeFileSync(path, text);
    return path;
  };
  expect(createScriptedModels(loadScript(write(JSON.stringify(script)))).models).toHaveLength(1);
  expect(() => loadScript(write('{"models": {}, "models": {}}'))).toThrow(/"models" appears twice/);
  expect(() => loadScript(write('{'))).toThrow(/script\.json: not valid JSON/);
  const typo = {models: {[scriptName]: [{expect: {purpose: 'pan'}, reply: {text: 'x'}}]}};
  expect(() => loadScript(write(JSON.stringify(typo)))).toThrow(
    /models\.scripted\/planner\.0\.expect/,
  );
  expect(() => loadScript(write('{"models": {"bare": []}}'))).toThrow(AppError);
  expect(() => loadScript(join(folder, 'none.json'))).toThrow(
    /none\.json: the script can't be read/,
  );
});

test('a function model streams its text', async () => {
  const deltas: string[] = [];
  const model = createFunctionModel('test/echo', ({system}) => ({
    kind: 'ok',
    text: system,
    calls: [],
  }));
  const outcome = await model.call(plainRequest, contextOf(undefined, deltas));
  expect(outcome).toMatchObject({kind: 'ok', text: 'Be brief.'});
  expect(deltas).toEqual(['Be brief.']);
});

test('a function model that never answers is cancelled by an abort', async () => {
  const abort = new AbortController();
  const model = createFunctionModel(
    'test/never',
    () => Promise.withResolvers<ModelOutcome>().promise,
  );
  const call = model.call(plainRequest, contextOf(abort.signal));
  abort.abort();
  expect(await call).toMatchObject({kind: 'cancelled'});
  expect(await model.call(plainRequest, contextOf(abort.signal))).toMatchObject({
    kind: 'cancelled',
  });
});

/** A server that answers these paths; its provider is called ollama. */
async function serving(answers: Readonly<Record<string, unknown>>, limit?: number) {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(JSON.stringify(answer ?? {error: 'not found'}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const {port} = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const own = limit === undefined ? {} : {contextWindow: limit};
  const ollama = {kind: 'openai-compatible', baseUrl, apiKeyEnv: '', ...own} as const;
  const providers = resolveProviders({ollama});
  const windows = {'ollama/qwen3': limit ?? 128_000, 'openai/gpt-5': 400_000};
  return await servedWindows(windows, (name) => providers.get(name.split('/')[0] ?? ''));
}

test('num_ctx of the model is its window', async () => {
  const {windows, warnings} = await serving({
    '/api/show': {parameters: 'temperature 0.7\nnum_ctx                        65536'},
    '/api/ps': {models: []},
  });
  expect(windows).toEqual({'ollama/qwen3': 65_536, 'openai/gpt-5': 400_000});
  expect(warnings).toEqual([]);
});

test('otherwise it is the length with which the model is loaded; a small one is a warning', async () => {
  const {windows, warnings} = await serving({
    '/api/show': {parameters: 'temperature 0.7'},
    '/api/ps': {models: [{name: 'qwen3:latest', context_length: 4_096}]},
  });
  expect(windows).toMatchObject({'ollama/qwen3': 4_096});
  expect(warnings).toEqual([expect.stringMatching(/keeps 4096 tokens.*OLLAMA_CONTEXT_LENGTH/)]);
});

test('a server that does not say is a warning that names the setting, which it is not asked for', async () => {
  const unknown = await serving({'/api/show': {}, '/api/ps': {models: []}});
  expect(unknown.windows).toMatchObject({'ollama/qwen3': 128_000});
  expect(unknown.warnings).toEqual([expect.stringContaining('providers.ollama.context_window')]);
  const set = await serving({'/api/ps': {models: [{name: 'qwen3', context_length: 1}]}}, 50_000);
  expect(set).toEqual({windows: {'ollama/qwen3': 50_000, 'openai/gpt-5': 400_000}, warnings: []});
});
