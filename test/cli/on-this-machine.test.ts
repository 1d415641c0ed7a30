/** Models on this machine are offered where none is configured. */

import {createServer} from 'node:http';

import {expect, onTestFinished, test} from 'vitest';

import {setStage} from './stage.ts';

const {configure, launch} = setStage();

/** A server that lists models, as the provider `ollama`. */
async function list(...models: readonly string[]): Promise<void> {
  const data = models.map((id) => ({id}));
  const server = createServer((_, response) => response.end(JSON.stringify({data})));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  configureAt(server.address());
}

function configureAt(address: ReturnType<ReturnType<typeof createServer>['address']>): void {
  const port = typeof address === 'object' && address ? address.port : 1;
  configure(`[providers.ollama]\nbase_url = "http://127.0.0.1:${port}/v1"`);
}

const sum = ['ask', 'What is 1 + 1?'];

test('a running server is offered with the command that uses it', async () => {
  await list('nomic-embed-text', 'qwen3', 'llama3.2');
  const {code, stderr} = await launch(...sum);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'Found on this machine: ollama (qwen3, llama3.2). To use it: quorate -m ollama/qwen3 "TASK"',
  );
});

test('nothing is offered without a server, nor where the offline model was chosen', async () => {
  configureAt(null);
  expect((await launch(...sum)).stderr).not.toContain('Found on this machine');
  await list('qwen3');
  expect((await launch(...sum, '-m', 'offline')).stderr).not.toContain('Found on this machine');
});

test('a server that does not run is named with the command that starts it', async () => {
  configureAt(null);
  const {code, stderr} = await launch(...sum, '-m', 'ollama/qwen3');
  expect(code).toBe(2);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'nothing answers at 127.0.0.1:1 (ECONNREFUSED); is Ollama running? Start it: ollama serve',
  );
});

test('a provider in place of a model is refused with its models', async () => {
  await list('qwen3');
  const {code, stderr} = await launch(...sum, '-m', 'ollama');
  expect(code).toBe(2);
  expect(stderr).toContain('-m ollama names a provider without a model, as in -m ollama/qwen3');
  configureAt(null);
  expect((await launch(...sum, '-m', 'ollama')).stderr).toContain(
    'quorate models ollama lists them',
  );
});
