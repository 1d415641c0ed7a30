/** The events of calls: during the call and at its end. */

import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createFunctionModel, createRuntime, createSqliteJournal} from '../../actors/index.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {putManyFiles} from '../support/many-files.ts';
import {answer, reply, vote} from '../support/scenario.ts';

const secret = 'sk-canary-77aa0b1c2d3e';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-calls-'));
});

afterEach(() => rmSync(folder, {recursive: true}));

/** A run of tasks with exact calls; resolves with its events and the text of its journal. */
async function eventsOf(
  tasks: readonly object[],
): Promise<{events: readonly ProgressEvent[]; journal: string}> {
  const file = join(folder, 'journal.db');
  const journal = createSqliteJournal(file);
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 't/w',
        decision_model: 't/w',
        review_models: ['t/w'],
        max_replans: 0,
        hil_mode: 'auto_reject',
      },
      sandbox: {mode: 'off'},
    },
    models: [
      createFunctionModel('t/w', ({purpose, transcript}) => {
        if (purpose === 'plan')
          return reply('create_plan', {objective: 'o', reasoning: 'r', tasks});
        if (purpose === 'evaluate')
          return reply('evaluate_result', {successful: true, problems: []});
        if (purpose !== 'explore') return vote('approve');
        const isFirst = transcript.messages.length === 1;
        return isFirst ? reply('read_file', {path: 'a.txt'}) : answer('nothing to know');
      }),
    ],
    journal,
    env: {HOUSE_TOKEN: secret},
  });
  const run = runtime.agent('Change a.txt and run the commands', {workspace: folder});
  const events: ProgressEvent[] = [];
  for await (const event of run.events) events.push(event);
  await runtime.close();
  await journal.close();
  return {events, journal: readFileSync(file, 'latin1')};
}

function command(text: string): object {
  return {id: 'run it', description: 'Run it', tool: 'run_command', args: {command: text}};
}

test('the lines of a command are reported as it prints them, without secrets, and are not journalled', async () => {
  const script = `echo LIVE; printf 'key sk-canary-77'; sleep 0.1; echo aa0b1c2d3e`;
  const {events, journal} = await eventsOf([command(script)]);
  const live = events.filter((event) => event.type === 'tool.output');
  // On a busy machine both lines may arrive in one piece.
  expect(live.map(({text}) => text).join('\n')).toBe('LIVE\nkey [redacted]');
  expect(new Set(live.map(({tool, task}) => `${tool}, ${task}`))).toEqual(
    new Set(['run_command, run it']),
  );
  expect(JSON.stringify(events)).not.toContain(secret);
  expect(journal).not.toContain('tool.output');
  const types = events.map(({type}) => type);
  expect(types.lastIndexOf('tool.output')).toBeLessThan(types.lastIndexOf('tool.settled'));
});

test('a failed command is reported with its exit code and with the head and tail of its output', async () => {
  const {events} = await eventsOf([command('echo FIRST; seq 20000; echo LAST; exit 3')]);
  const settled = events.findLast(({type}) => type === 'tool.settled');
  expect(settled).toMatchObject({status: 'failed', exitCode: 3});
  const output = settled?.type === 'tool.settled' ? (settled.output ?? '') : '';
  expect(output).toMatch(/^FIRST\n1\n2\n[^]*\n\[… \d+ characters cut …\]\n[^]*20000\nLAST\n$/);
  expect(output.length).toBeLessThanOrEqual(4_000);
});

test('a write is reported with its diff', async () => {
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
  const edit = {path: 'a.txt', old_text: 'two', new_text: '2'};
  const {events} = await eventsOf([
    {id: 'e', description: 'Edit it', tool: 'edit_file', args: edit},
  ]);
  expect(events.findLast(({type}) => type === 'tool.settled')).toMatchObject({
    status: 'succeeded',
    changes: [{path: 'a.txt', added: 1, removed: 1, diff: expect.stringContaining('-two\n+2')}],
  });
});

test('a limit that several seats reach at once is reported once', async () => {
  const names = ['t/w', 't/a', 't/b'];
  const tasks = [{id: 'a', description: 'Look at it'}];
  const speak = ({purpose}: ModelRequest) =>
    purpose === 'plan'
      ? reply('create_plan', {objective: 'o', reasoning: 'r', tasks})
      : answer('nothing to know');
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 't/w',
        decision_model: 't/w',
        review_models: ['t/a', 't/b'],
      },
      limits: {max_model_calls: 2},
    },
    models: names.map((name) => createFunctionModel(name, speak)),
    env: {},
  });
  putManyFiles(folder);
  const run = runtime.agent('Look at it', {workspace: folder});
  expect(await run.result).toMatchObject({status: 'limited'});
  const events: ProgressEvent[] = [];
  for await (const event of run.events) events.push(event);
  await runtime.close();
  const notices = events.filter(({type}) => type === 'limit.reached' || type === 'warning');
  expect(notices).toMatchObject([
    {type: 'limit.reached', limit: 'max_model_calls', message: '2 model calls were made'},
    {type: 'warning', code: 'outage', message: 'the run waits for a higher limit'},
  ]);
});

test('a call that the rest of the budget does not cover gets a shorter reply instead of a refusal', async () => {
  const limits: number[] = [];
  const usage = {inputTokens: 0, outputTokens: 0, cachedTokens: 0};
  const cut = {kind: 'truncated', message: 'cut off', nextOutputTokens: 64_000, usage} as const;
  const model = createFunctionModel('test/a', ({maxOutputTokens}) => {
    limits.push(maxOutputTokens);
    return cut;
  });
  const runtime = createRuntime({
    config: {
      ask: {model: 'test/a'},
      limits: {max_cost_usd: 0.1},
      prices: {'test/a': {input: 0.01, output: 5}},
    },
    models: [model],
    env: {},
  });
  const result = await runtime.ask('What is two and two?').result;
  await runtime.close();
  expect(result.summary).toContain('the rest of the budget (limits.max_cost_usd, --max-cost)');
  expect(limits).toHaveLength(3);
  for (const limit of limits) expect(limit).toBeGreaterThan(19_000);
  for (const limit of limits) expect(limit).toBeLessThan(20_000);
});
