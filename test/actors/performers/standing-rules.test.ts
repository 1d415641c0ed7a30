/** Permanent rules of a person: they take effect at once in every run of every process, and so does their withdrawal. */

import {mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import type {ConfigInput} from '../../../actors/config/schema.ts';
import {createFunctionModel, createRuntime, type Runtime} from '../../../actors/index.ts';
import type {RuntimeOptions} from '../../../actors/runtime.ts';
import type {AllowRule} from '../../../machines/domain/allow-rule.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import {answer, reply, vote} from '../../support/scenario.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-rules-')));
});

afterEach(() => rmSync(folder, {recursive: true}));

const command = 'echo deployed >> done.txt';

/** Plans one task without a tool, whose worker calls the command once; the panel rejects each call of it. */
function work({purpose, transcript}: ModelRequest) {
  if (purpose === 'plan') {
    const tasks = [{id: 'a', description: 'Deploy'}];
    return reply('create_plan', {objective: 'Deploy', reasoning: 'asked for', tasks});
  }
  if (purpose === 'review-action') return vote('reject');
  if (purpose.startsWith('review')) return vote('approve');
  if (purpose === 'evaluate') return reply('evaluate_result', {successful: true, problems: []});
  const isTask = purpose === 'act' && !transcript.messages.some(({role}) => role === 'tool');
  return isTask ? reply('run_command', {command}) : answer('It is done.');
}

const config: ConfigInput = {
  agent: {
    exploration_model: 't/w',
    decision_model: 't/w',
    review_models: ['t/w'],
    hil_mode: 'auto_reject',
    max_replans: 0,
  },
  sandbox: {mode: 'off'},
};

function runtimeWith(options: RuntimeOptions): Runtime {
  return createRuntime({
    config,
    models: [createFunctionModel('t/w', work)],
    env: {},
    ...options,
  });
}

const done = (): string => {
  try {
    return readFileSync(join(folder, 'done.txt'), 'utf8');
  } catch {
    return '';
  }
};

const rule = (): AllowRule => ({folder, command, match: 'exact'});

test('a rule that is created elsewhere during a run applies to its next action and is in the journal', async () => {
  const rules: AllowRule[] = [];
  const runtime = runtimeWith({readRules: async () => await Promise.resolve([...rules])});
  const run = runtime.agent('Deploy', {
    workspace: folder,
    onEvent: ({type}) => {
      if (type === 'task.started') rules.push(rule());
    },
  });
  const result = await run.result;
  expect(done()).toBe('deployed\n');
  expect(result.decisions).toContainEqual(
    expect.objectContaining({by: 'rule', decision: 'approve'}),
  );
  const entries = await runtime.entries(run.id);
  const notes = entries.flatMap((entry) => (entry.type === 'noted' ? [entry.note] : []));
  expect(notes).toContainEqual(
    expect.objectContaining({
      type: 'human.decided',
      by: 'rule',
      reason: `allowed for good in this folder: ${command}`,
    }),
  );
  await runtime.close();
});

test('a rule that is withdrawn during a run no longer applies', async () => {
  const rules = [rule()];
  const runtime = runtimeWith({readRules: async () => await Promise.resolve([...rules])});
  const run = runtime.agent('Deploy', {
    workspace: folder,
    onEvent: ({type}) => {
      if (type === 'task.started') rules.pop();
    },
  });
  await run.result;
  expect(done()).toBe('');
  await runtime.close();
});

test('no rule applies while the rules cannot be read, and a warning has the cause', async () => {
  const warnings: string[] = [];
  const runtime = runtimeWith({
    config: {...config, allow: [rule()]},
    readRules: async () => await Promise.reject(new Error('allowed.toml:3:1: not valid')),
  });
  await runtime.agent('Deploy', {
    workspace: folder,
    onEvent: (event) => {
      if (event.type === 'warning') warnings.push(event.message);
    },
  }).result;
  expect(done()).toBe('');
  expect(warnings).toContain('rules that allow commands are ignored: allowed.toml:3:1: not valid');
  await runtime.close();
});

test('without a reader the rules of the configuration apply', async () => {
  const runtime = runtimeWith({
    config: {...config, allow: [rule()]},
  });
  await runtime.agent('Deploy', {workspace: folder}).result;
  expect(done()).toBe('deployed\n');
  await runtime.close();
});
