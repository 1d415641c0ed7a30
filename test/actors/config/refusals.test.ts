/** Options that `createRuntime` refuses, and the messages of the refusals. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {type ConfigInput, createRuntime, type RuntimeOptions} from '../../../actors/index.ts';
import {AppError} from '../../../machines/domain/app-error.ts';

function refusal(options: RuntimeOptions): string {
  try {
    const runtime = createRuntime({env: {}, ...options});
    runtime.start({form: 'agent', request: 'Anything'});
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error('the options were accepted');
}

test.each<[string, unknown, string]>([
  [
    'an unknown key',
    {agent: {max_plan_revision: 3}},
    'config: config: unknown key "agent.max_plan_revision"; did you mean "agent.max_plan_revisions"?',
  ],
  ['an unknown section', {agnet: {}}, 'config: config: unknown key "agnet"; did you mean "agent"?'],
  [
    'a value out of range',
    {agent: {max_replans: -1}},
    'config: config: agent.max_replans: -1 is too small; at least 0',
  ],
  [
    'a value of another type',
    {limits: {max_cost_usd: 'much'}},
    'config: config: limits.max_cost_usd: takes a number, not "much"',
  ],
  [
    'an entry of a list',
    {agent: {review_models: ['gpt-5.2', 3]}},
    'config: config: agent.review_models: entry 1: takes text in quotes, not 3',
  ],
  [
    'a key that nothing reads yet',
    {debate: {max_rounds: 0}},
    'config: config: debate.max_rounds: 0 is too small; at least 1',
  ],
  [
    'solo with debate',
    {agent: {strategy: 'debate'}},
    'config: agent.strategy: solo with debate is a contradiction, because a debate needs the plans of several models; write "quorum", or consensus_level = "ensemble"',
  ],
  [
    'a score that is none',
    {agent: {min_plan_score: 11}},
    'config: config: agent.min_plan_score: 11 is too large; at most 10',
  ],
  [
    'a rule for what nobody counts',
    {spawn: [{when: 'plan.refused', form: 'ask', request: 'Why?'}]},
    'config: config: spawn: entry 0.when: "plan.refused" names no event that a rule can count; did you mean "plan.rejected"?',
  ],
  [
    'a rule without its form',
    {spawn: [{when: 'plan.rejected', request: 'Why?'}]},
    'config: config: spawn: entry 0.form: is missing; it takes "agent" or "ask" or "discuss" or "interview"',
  ],
  [
    'a model without its key, which a rule would call',
    {
      ask: {model: 'gpt-5.2'},
      spawn: [{when: 'plan.rejected', form: 'ask', request: 'Why?'}],
    },
    'credentials: ask.model: model "openai/gpt-5.2" needs a key: set OPENAI_API_KEY to your openai API key',
  ],
  [
    'a model without its key',
    {agent: {decision_model: 'gpt-5.2'}},
    'credentials: agent.decision_model: model "openai/gpt-5.2" needs a key: set OPENAI_API_KEY to your openai API key',
  ],
])('%s is refused in the words of the configuration', (_what, config, message) => {
  // A program in plain JavaScript can pass any value.
  const given: ConfigInput = Object.assign({}, config);
  expect(refusal({config: given})).toBe(message);
});

test('a key in the place of its variable is never repeated', () => {
  for (const key of ['sk-abc-0123456789', 'gsk_0123456789abcdefghij', 'AIzaSyA0123456789abcdef']) {
    const config = {providers: {mine: {base_url: 'http://127.0.0.1:1/v1', api_key_env: key}}};
    const message = refusal({config});
    expect(message).toMatch(/providers\.mine: entry api_key_env: .*put the key in a variable/);
    expect(message).not.toContain(key);
  }
});

test('a password in an address is never repeated', () => {
  const config = {providers: {mine: {base_url: 'http://me:hunter22@127.0.0.1/v1'}}};
  expect(refusal({config})).not.toContain('hunter22');
});

async function firstWarning(options: RuntimeOptions): Promise<string> {
  const runtime = createRuntime({env: {}, ...options});
  const run = runtime.start({form: 'agent', request: 'What is this?'});
  for await (const event of run.events) if (event.type === 'warning') return event.message;
  return '';
}

test('what says that nothing is configured speaks of no command line to a program', async () => {
  expect(await firstWarning({})).toMatch(
    /^No model is configured: .*name a model in agent\.decision_model/,
  );
  expect(await firstWarning({})).not.toMatch(/-m|quorate /);
  expect(await firstWarning({userFile: '/c.toml'})).toBe(
    'No model is configured: using the built-in offline model (rules only). ' +
      'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or use -m.',
  );
});

test('agent.working_dir is where a run of a program works, unless it names a workspace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-here-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const runtime = createRuntime({env: {}, config: {agent: {working_dir: folder}}});
  const run = runtime.agent('Create a file here.txt with the content "x"');
  const {changes, status} = await run.result;
  expect({changes, status}).toMatchObject({status: 'completed'});
  const [opened] = await runtime.entries(run.id);
  expect(JSON.stringify(opened)).toContain(folder);
});
