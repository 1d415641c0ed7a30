/** Results at the default settings, with models over the wire: no claim that contradicts the record is shown as done. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createRuntime, type RuntimeOptions} from '../../actors/index.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {ballot, call, isBallot} from '../support/agent-models.ts';
import {
  type ReceivedRequest,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';

let workspace: string;
let server: MockOpenAi;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'quorate-honest-'));
  writeFileSync(join(workspace, 'a.txt'), 'port 8080\n');
});

afterEach(async () => {
  await server.close();
  rmSync(workspace, {recursive: true});
});

const models = {
  exploration_model: 'mock/worker',
  decision_model: 'mock/worker',
  review_models: ['mock/a', 'mock/b', 'mock/c'],
};

async function run(
  form: 'agent' | 'ask',
  answer: (received: ReceivedRequest) => Said,
  config: RuntimeOptions['config'] = {},
): Promise<RunResult> {
  server = await startMockOpenAi(answer);
  const runtime = createRuntime({
    config: {
      ...config,
      agent: {...models, ...config?.agent},
      ask: {model: 'mock/worker'},
      providers: {mock: {kind: 'openai-compatible', base_url: server.baseUrl}},
    },
    env: {},
  });
  const {result} = runtime.start({form, request: 'Fix the port in a.txt', workspace});
  const ended = await result;
  await runtime.close();
  return ended;
}

/** A later plan has tasks of its own. */
function planOf(number: number): object {
  return {
    objective: 'Fix the port',
    reasoning: 'one file',
    tasks: [{id: `fix-${number}`, description: `Fix the port, attempt ${number}`}],
  };
}

interface Words {
  readonly report: string;
  readonly closing?: string;
  readonly onResult?: Said;
}

/** A judge that accepts everything. */
function agentSaying({report, closing = '', onResult = ballot('approve')}: Words) {
  let plans = 0;
  return (received: ReceivedRequest): Said => {
    if (isBallot(received))
      return received.text.includes('# Proposal (result') ? onResult : ballot('approve');
    if (received.tools.includes('create_plan')) {
      plans += 1;
      return call('create_plan', planOf(plans));
    }
    if (received.tools.includes('evaluate_result'))
      return call('evaluate_result', {successful: true, problems: []});
    if (received.text.startsWith('You answer a request')) return {text: closing};
    return {text: received.tools.includes('write_file') ? report : 'A small folder.'};
  };
}

describe('a worker that called nothing', () => {
  test.each([
    ['I wrote the file hello.txt and all tests pass.', 'hello.txt'],
    ['Fixed. The previously failing spec succeeds now; verified locally.', 'verified locally'],
    ['hello.txt を作成し、すべてのテストが通りました。', 'hello.txt'],
  ])('and reports %j fails after its replans, with the claim named', async (report, claim) => {
    const result = await run('agent', agentSaying({report}));
    expect(result).toMatchObject({status: 'failed', exitCode: 1});
    expect(result.evaluations).toHaveLength(3);
    expect(result.summary).toContain(claim);
    expect(result.answer).toContain('Nothing was done');
    const plannings = server.received.filter(({tools}) => tools.includes('create_plan'));
    expect(plannings.at(-1)?.text).toContain('the record contradicts a claim');
  });

  test('and says so completes', async () => {
    const result = await run('agent', agentSaying({report: 'Nothing has to be changed.'}));
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(result.answer).toBe('Nothing has to be changed.\nNothing was done: no tool was called.');
  });
});

test('the closing answer of the decision model is the answer of the result', async () => {
  const closing = 'The port was already right; nothing was changed.';
  const result = await run('agent', agentSaying({report: 'It is right.', closing}));
  expect(result).toMatchObject({status: 'completed', answer: closing});
  const asked = server.received.find(({text}) => text.startsWith('You answer a request'));
  expect(asked).toMatchObject({tools: []});
  expect(asked?.text).toContain('Done: no call was made.');
});

test('a closing answer that contradicts the record is replaced by the answer of the rules', async () => {
  const closing = 'I updated a.txt and all tests pass.';
  const result = await run('agent', agentSaying({report: 'It is right.', closing}));
  expect(result).toMatchObject({status: 'completed'});
  expect(result.answer).toBe('It is right.\nNothing was done: no tool was called.');
});

test('a result that the panel rejects keeps its answer and the reasons, after its replans', async () => {
  const words = {report: 'It is right.', closing: 'Done.', onResult: ballot('reject', 'NOT-DONE')};
  const result = await run('agent', agentSaying(words), {
    agent: {require_final_review: true, max_replans: 1},
  });
  expect(result).toMatchObject({status: 'failed', answer: 'Done.'});
  expect(result.summary).toContain('NOT-DONE');
  expect(result.evaluations).toHaveLength(2);
  const plannings = server.received.filter(({tools}) => tools.includes('create_plan'));
  expect(plannings.at(-1)?.text).toContain('NOT-DONE');
});

describe('an answer to a question', () => {
  const lie = 'The port is 8080. I updated a.txt.';

  test('that claims a change is corrected by its model', async () => {
    const result = await run('ask', ({text}) =>
      text.startsWith('You correct an answer') ? {text: 'The port is 8080.'} : {text: lie},
    );
    expect(result).toMatchObject({status: 'completed', answer: 'The port is 8080.'});
    expect(result.degraded).toBeUndefined();
  });

  test('that repeats the claim loses it and is degraded', async () => {
    const result = await run('ask', () => ({text: lie}));
    expect(result).toMatchObject({
      status: 'completed',
      answer: 'The port is 8080.',
      degraded: true,
    });
  });
});
