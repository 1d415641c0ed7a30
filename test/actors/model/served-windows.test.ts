/** Context windows of Ollama's models: the server is asked over the wire. */

import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

import {expect, onTestFinished, test} from 'vitest';

import {resolveProviders} from '../../../actors/model/providers.ts';
import {servedWindows} from '../../../actors/model/served-windows.ts';

/** A server that answers these paths; its provider is called ollama. */
async function serving(answers: Readonly<Record<string, unknown>>, contextWindow?: number) {
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
  const limit = contextWindow === undefined ? {} : {contextWindow};
  const ollama = {kind: 'openai-compatible', baseUrl, apiKeyEnv: '', ...limit} as const;
  const providers = resolveProviders({ollama});
  const windows = {'ollama/qwen3': contextWindow ?? 128_000, 'openai/gpt-5': 400_000};
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
  expect(set).toEqual({
    windows: {'ollama/qwen3': 50_000, 'openai/gpt-5': 400_000},
    warnings: [],
  });
});
