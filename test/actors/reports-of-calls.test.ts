/** The events of calls: during the call and at its end. */

import {expect, test} from 'vitest';

import {turnOf} from '../support/asking.ts';
import {putManyFiles} from '../support/many-files.ts';
import {answer, reply} from '../support/scenario.ts';
import {type Files, folderWith, follow, journalIn, journalText, setStage} from '../support/stage.ts';

const secret = 'sk-canary-77aa0b1c2d3e';

/** A run of tasks with exact calls; resolves with its events and the text of its journal. */
async function eventsOf(tasks: readonly object[], files: Files = {}) {
  const folder = folderWith(files);
  const {start} = setStage({
    folder,
    tasks,
    say: (request) =>
      request.purpose === 'explore' && turnOf(request) === 0
        ? reply('read_file', {path: 'a.txt'})
        : undefined,
    config: {agent: {review_models: ['t/a'], max_replans: 0}, sandbox: {mode: 'off'}},
    journal: journalIn(folder),
    env: {HOUSE_TOKEN: secret},
  });
  const {events} = await follow(start('Change a.txt and run the commands'));
  return {events, journal: journalText(folder)};
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
  const args = {path: 'a.txt', old_text: 'two', new_text: '2'};
  const tasks = [{id: 'e', description: 'Edit it', tool: 'edit_file', args}];
  const {events} = await eventsOf(tasks, {'a.txt': 'one\ntwo\n'});
  expect(events.findLast(({type}) => type === 'tool.settled')).toMatchObject({
    status: 'succeeded',
    changes: [{path: 'a.txt', added: 1, removed: 1, diff: expect.stringContaining('-two\n+2')}],
  });
});

test('a limit that several seats reach at once is reported once', async () => {
  const {start, workspace} = setStage({
    tasks: [{id: 'a', description: 'Look at it'}],
    say: ({purpose}) => (purpose === 'plan' ? undefined : answer('nothing to know')),
    config: {
      agent: {review_models: ['t/a', 't/b'], hil_mode: 'interactive'},
      limits: {max_model_calls: 2},
    },
  });
  putManyFiles(workspace);
  const {result, events} = await follow(start('Look at it'));
  expect(result).toMatchObject({status: 'limited'});
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
  const {run} = setStage({
    say: ({maxOutputTokens}) => {
      limits.push(maxOutputTokens);
      return cut;
    },
    config: {limits: {max_cost_usd: 0.1}, prices: {'t/decider': {input: 0.01, output: 5}}},
  });
  const result = await run('What is two and two?', {form: 'ask'});
  expect(result.summary).toContain('the rest of the budget (limits.max_cost_usd, --max-cost)');
  expect(limits).toHaveLength(3);
  for (const limit of limits) expect(limit).toBeGreaterThan(19_000);
  for (const limit of limits) expect(limit).toBeLessThan(20_000);
});
