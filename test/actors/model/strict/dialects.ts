/** Runs against a strict server: a workspace, a SQLite journal and a runtime whose only model is the server's. */

import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {onTestFinished} from 'vitest';

import {createRuntime, createSqliteJournal, type RuntimeOptions} from '../../../../actors/index.ts';
import {createAnthropicModel} from '../../../../actors/model/providers/anthropic.ts';
import {createOpenAiModel} from '../../../../actors/model/providers/openai.ts';
import type {Runtime} from '../../../../actors/runtime-api.ts';
import {chatDialects} from '../../../support/strict/chat.ts';
import {messageDialects} from '../../../support/strict/messages.ts';
import {responsesDialect} from '../../../support/strict/responses.ts';
import {
  type Asked,
  type Dialect,
  type Said,
  startStrict,
  type StrictServer,
} from '../../../support/strict/server.ts';

export const dialects: readonly Dialect[] = [...chatDialects, ...messageDialects, responsesDialect];

export function dialectNamed(wanted: string): Dialect {
  const found = dialects.find(({name}) => name === wanted);
  if (found) return found;
  throw new Error(`no dialect ${wanted}`);
}

export interface StrictWorld {
  readonly server: StrictServer;
  readonly workspace: string;
  /** Another runtime on the same journal, as after a restart. */
  readonly open: (options?: RuntimeOptions) => Promise<Runtime>;
}

/** Everything is closed and removed at the end of the test. `model`: the name by which its provider knows the model. */
export async function strictWorld(
  dialect: Dialect,
  answer: (asked: Asked) => Said,
): Promise<StrictWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-strict-')));
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-strict-')));
  writeFileSync(join(workspace, 'a.txt'), 'The answer is 42.\n');
  writeFileSync(join(workspace, 'b.txt'), 'Nothing.\n');
  const server = await startStrict(dialect, answer);
  const runtimes: Runtime[] = [];
  const journals: {close: () => Promise<void> | void}[] = [];
  onTestFinished(async () => {
    for (const each of [...runtimes, ...journals]) await each.close();
    await server.close();
    for (const each of [folder, workspace]) rmSync(each, {recursive: true});
  });
  return {
    server,
    workspace,
    open: async ({config = {}, ...options} = {}) => {
      for (const each of [...runtimes.splice(0), ...journals.splice(0)]) await each.close();
      const journal = createSqliteJournal(join(folder, 'journal.db'));
      const runtime = createRuntime({
        env: {},
        journal,
        models: ['strict/m', 'strict/n'].map((name) => modelOf(dialect, server, name)),
        config: {
          agent: {
            exploration_model: 'strict/m',
            decision_model: 'strict/m',
            review_models: ['strict/m'],
            ...config.agent,
          },
          ask: {model: 'strict/m', ...config.ask},
          ...(config.limits && {limits: config.limits}),
        },
        ...options,
      });
      runtimes.push(runtime);
      journals.push(journal);
      return runtime;
    },
  };
}

function modelOf({api}: Dialect, {url}: StrictServer, name: string) {
  const options = {name, model: name.slice('strict/'.length), apiKey: 'key'};
  if (api === 'messages') return createAnthropicModel({...options, baseUrl: url});
  return createOpenAiModel({...options, baseUrl: `${url}/v1`, api});
}

export function call(name: string, args: object): Said {
  return {calls: [{name, args}]};
}

/** Reads two files at once and a third time, writes one if it may, and answers. */
export function work({tools, turn}: Asked): Said {
  if (tools.includes('create_plan')) {
    const task = {id: 'note', description: 'Write c.txt', expected_outcome: 'c.txt says 42'};
    return call('create_plan', {objective: 'Write c.txt', reasoning: 'Asked for.', tasks: [task]});
  }
  if (tools.includes('cast_ballot'))
    return call('cast_ballot', {verdict: 'approve', reasons: ['It is right.'], confidence: 0.9});
  if (tools.includes('evaluate_result'))
    return call('evaluate_result', {successful: true, problems: []});
  if (!tools.includes('read_file')) return {text: 'Done: c.txt says 42.'};
  if (turn === 0) {
    const calls = ['a.txt', 'b.txt'].map((path) => ({name: 'read_file', args: {path}}));
    return {text: 'I look at both files.', calls};
  }
  if (turn === 1) return call('read_file', {path: 'a.txt', limit: 1});
  if (turn === 2 && tools.includes('write_file'))
    return call('write_file', {path: 'c.txt', content: '42\n'});
  return {text: 'The answer is 42.'};
}
