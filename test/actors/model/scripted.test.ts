/** Scripted models, and the windows that servers report. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import type {ModelCallContext} from '../../../actors/model/model.ts';
import {resolveProviders} from '../../../actors/model/providers.ts';
import type {ScriptInput} from '../../../actors/model/script-schema.ts';
import {
  createFunctionModel,
  createScriptedModels,
  loadScript,
} from '../../../actors/model/scripted.ts';
import {servedWindows} from '../../../actors/model/served-windows.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import {appendMessages, openTranscript} from '../../../machines/prompts/transcript.ts';
import {plainRequest} from '../../support/model-call.ts';

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
    models: {
      [scriptName]: [{expect: {purpose: 'act', contains: ['a.txt']}, reply: {text: 'ok'}}],
    },
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
  const folder = mkdtempSync(join(tmpdir(), 'quorate-script-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
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
  expect(set).toEqual({windows: {'ollama/qwen3': 50_000, 'openai/gpt-5': 400_000}, warnings: []});
});
