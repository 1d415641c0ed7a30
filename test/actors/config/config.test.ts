/** The configuration: its defaults, its reference, its rows, the interview's settings, and refusals. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, expectTypeOf, test} from 'vitest';

import {
  resolveConfig,
  type ResolvedConfig,
  toPrices,
  toProviders,
} from '../../../actors/config/resolve.ts';
import {
  type ConfigInput,
  configSchema,
  defaultConfig,
  isHidden,
  rowAt,
  settingsReference,
} from '../../../actors/config/schema.ts';
import {camelKeys, snakeCase} from '../../../actors/config/sections/row.ts';
import {createRuntime, type RuntimeOptions} from '../../../actors/index.ts';
import {createFunctionModel} from '../../../actors/model/model.ts';
import {createRouter} from '../../../actors/model/router.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {cells} from '../../support/rows.ts';
import {folderWith} from '../../support/stage.ts';

const {agent, quorum, ask, guardrails, search, database, interview} = defaultConfig();

test('by default a small model explores, a large one decides, and two models of different makers review', () => {
  expect(agent).toMatchObject({
    exploration_model: 'claude-haiku-4.5',
    decision_model: 'claude-sonnet-4.5',
    review_models: ['claude-sonnet-4.5', 'gpt-5.2-codex'],
  });
});

test('by default an agent works solo, in full, and asks a person where the panel cannot decide', () => {
  expect(agent).toMatchObject({
    consensus_level: 'solo',
    phase_scope: 'full',
    strategy: 'quorum',
    hil_mode: 'interactive',
  });
});

test('by default plans are reviewed, results are not, and a majority decides after the policies', () => {
  expect(agent).toMatchObject({require_plan_review: true, require_final_review: false});
  expect(quorum).toMatchObject({
    rule: 'majority',
    screen: ['policy/safety', 'policy/scope', 'policy/evidence'],
  });
});

test('by default questions and answers have 4,096 tokens, and a conversation 50 messages', () => {
  expect(guardrails).toEqual({
    max_input_tokens: 4_096,
    max_output_tokens: 4_096,
    blocked_patterns: [],
  });
  expect(ask.max_history).toBe(50);
});

test('by default a search returns five passages, and a query 100 rows', () => {
  expect(search.top_k).toBe(5);
  expect(database.max_rows).toBe(100);
});

test('by default an agent of an interview has ten model calls until it must ask', () => {
  expect(interview.max_loops).toBe(10);
});

const rows = settingsReference();

test('every setting is described', () => {
  expect(rows.filter(({text}) => text === '')).toEqual([]);
});

test.each([
  ['agent.hil_mode', '"interactive" | "auto_reject" | "auto_approve"', '"interactive"'],
  ['agent.consensus_level', '"solo" | "ensemble"', '"solo"'],
  ['agent.require_plan_review', 'true', 'true'],
  ['limits.max_model_calls', '1 … 1000000', '1000'],
  ['search.paths', 'list', '["**/*.md"]'],
  ['providers.NAME.first_byte_ms', '1 … 2147483647', ''],
  ['spawn.form', '"agent" | "ask" | "discuss" | "interview"', ''],
  ['prices.MODEL.output', '0 … 1000000', ''],
])('%s takes %s', (key, takes, value) => {
  expect(rows.find((row) => row.key === key)).toMatchObject({takes, default: value});
});

const root = join(import.meta.dirname, '../../..');

const sources = ['actors', 'tools', 'cli'].flatMap((layer) =>
  readdirSync(join(root, layer), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(layer, name))
    .map((path) => ({path, text: readFileSync(join(root, path), 'utf8')})),
);

function filesWith(name: string): readonly string[] {
  const word = new RegExp(String.raw`\b${name}\b`);
  return sources.filter(({text}) => word.test(text)).map(({path}) => path);
}

/** Keys whose values reach the charts unchanged. */
const plainKeys = {
  forms: cells(`
    max_plan_revisions ¦ min_plan_score ¦ max_replans ¦ max_tool_turns ¦ max_tool_retries
    max_parallel_tasks ¦ feedback_grace_ms
    max_steps ¦ max_retries ¦ max_history ¦ max_loops ¦ max_follow_ups
  `),
  bounds: ['blocked_patterns', 'max_entry_bytes', 'max_total_bytes', 'recent_full_count'],
};

test.each(Object.entries(plainKeys).flatMap(([file, keys]) => keys.map((key) => ({key, file}))))(
  '$key is written in one file of the configuration, the launcher and the tools',
  ({key, file}) => {
    expect(filesWith(key)).toEqual([`actors/config/sections/${file}.ts`]);
  },
);

/** Includes the entries of a table as the table itself. */
const paths = settingsReference().map(({key}) => key.replace('.SEAT', '').split('.'));

/** Keys that the settings hold in resolved form, not as written. */
const derived: ReadonlySet<string> = new Set([
  'agent.review_models',
  'quorum.weights',
  'quorum.veto',
  'debate.models',
]);

test('the settings of an open run hold each changeable key under its name', () => {
  const config = defaultConfig();
  const {settings, limits} = resolveConfig(config, {
    router: createRouter({providers: {}, env: {}}),
    named: new Set(),
  });
  const found = new Set(
    Object.entries({...settings, limits}).flatMap(([section, values]) =>
      Object.keys(values).map((name) => `${section}.${snakeCase(name)}`),
    ),
  );
  const changing = paths
    .filter((path) => rowAt(path)?.isChangeable)
    .map((path) => path.join('.'))
    .filter((key) => !derived.has(key));
  expect(changing.length).toBeGreaterThan(30);
  expect(changing.filter((key) => !found.has(key))).toEqual([]);
});

describe('what is hidden', () => {
  test.each([
    [['secrets', 'patterns', '0'], true],
    [['providers', 'x', 'api_key_env'], true],
    [['providers', 'x', 'base_url'], true],
    [['providers', 'x', 'kind'], false],
    [['guardrails', 'blocked_patterns'], false],
    [['nothing', 'of', 'the', 'kind'], false],
  ])('%j: %j', (path, expected) => {
    expect(isHidden(path)).toBe(expected);
  });
});

test('keys become names of settings, without skipped and unset ones', () => {
  const table: {max_tool_turns: number; top_k?: number | undefined; is_left: boolean} = {
    max_tool_turns: 3,
    top_k: undefined,
    is_left: true,
  };
  const settings = camelKeys(table, ['is_left']);
  expectTypeOf(settings).toEqualTypeOf<{maxToolTurns: number; topK?: number}>();
  expect(settings).toStrictEqual({maxToolTurns: 3});
});

const offline = createFunctionModel('offline/offline', () => ({kind: 'ok', text: '', calls: []}));
const bothKeys = {ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o'};

function resolve(
  input: ConfigInput,
  {env = bothKeys, form = 'interview', userFile}: Partial<typeof usual> = {},
): ResolvedConfig {
  const config = configSchema.parse(input);
  const router = createRouter({
    providers: toProviders(config),
    prices: toPrices(config),
    env,
    extra: [offline],
  });
  const named = new Set(
    Object.entries(input).flatMap(([section, table]) =>
      Object.keys(table ?? {}).map((key) => `${section}.${key}`),
    ),
  );
  return resolveConfig(config, {router, named, userFile}, form);
}

const usual: {
  readonly env: Record<string, string>;
  readonly form: 'interview' | 'agent';
  readonly userFile: string | undefined;
} = {env: bothKeys, form: 'interview', userFile: undefined};

const sonnet = 'anthropic/claude-sonnet-4.5';

describe('an interview', () => {
  test('is led by the decision model, which also judges the answers', () => {
    const {settings, models, warnings, offline: isOffline} = resolve({});
    expect(settings.interview).toEqual({
      model: sonnet,
      reviewer: sonnet,
      maxLoops: 10,
      maxFollowUps: 3,
    });
    expect({models, warnings, isOffline}).toEqual({
      models: [sonnet],
      warnings: [],
      isOffline: false,
    });
  });

  test('is led by the model set for it and judged by the reviewer set for it', () => {
    const led = resolve({interview: {model: 'gpt-5.2'}});
    expect(led.settings.interview).toMatchObject({
      model: 'openai/gpt-5.2',
      reviewer: 'openai/gpt-5.2',
    });
    const judged = resolve({interview: {reviewer: 'gpt-5.2', max_loops: 4, max_follow_ups: 0}});
    expect(judged.settings.interview).toEqual({
      model: sonnet,
      reviewer: 'openai/gpt-5.2',
      maxLoops: 4,
      maxFollowUps: 0,
    });
    expect(judged.models).toEqual([sonnet, 'openai/gpt-5.2']);
  });

  test('runs by rule without a model, and its first line says what the rules do', () => {
    const {settings, models, warnings, offline: isOffline} = resolve({}, {env: {}});
    expect(settings.interview).toMatchObject({
      model: 'offline/offline',
      reviewer: 'offline/offline',
    });
    expect({models, isOffline}).toEqual({models: ['offline/offline'], isOffline: true});
    expect(warnings).toEqual([
      'No model is configured: using the built-in offline model (rules only). ' +
        'It asks for each field in the words of the form and checks answers by their type and criteria. ' +
        'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model in interview.model.',
    ]);
  });

  test.each<[ConfigInput]>([
    [{interview: {model: 'offline'}}],
    [{agent: {decision_model: 'offline'}}],
  ])('runs by rule on request, without a notice: %j', (input) => {
    const {warnings} = resolve(input, {userFile: 'config.toml'});
    expect(warnings).toEqual([
      expect.stringMatching(/^As configured: .* It asks for each field .* criteria\.$/),
    ]);
  });

  test('needs no key for a model that it does not call', () => {
    const gone = {decision_model: 'gpt-5.2', review_models: ['gpt-5.2']};
    const input = {agent: gone, interview: {model: 'claude-haiku-4.5'}};
    const {warnings} = resolve(input, {env: {ANTHROPIC_API_KEY: 'a'}});
    expect(warnings).toEqual([]);
  });

  test('says which model leads it when the default one cannot', () => {
    const {settings, warnings} = resolve({}, {env: {OPENAI_API_KEY: 'o'}});
    expect(settings.interview.model).toBe('openai/gpt-5.2-codex');
    expect(warnings).toEqual([
      expect.stringMatching(/ANTHROPIC_API_KEY.*openai\/gpt-5\.2-codex takes the decision role$/),
    ]);
  });
});

test.each<[ConfigInput, RegExp]>([
  [{interview: {model: 'gpt-5.2'}}, /^interview\.model: .*OPENAI_API_KEY/],
  [{interview: {reviewer: 'gpt-5.2'}}, /^interview\.reviewer: .*OPENAI_API_KEY/],
])('%j is refused without its key, unless no interview is held', (input, message) => {
  const env = {ANTHROPIC_API_KEY: 'a'};
  expect(() => resolve(input, {env})).toThrow(message);
  const {settings} = resolve(input, {env, form: 'agent'});
  expect(settings.interview).toMatchObject({model: sonnet, reviewer: sonnet});
});

test.each<[ConfigInput, RegExp]>([
  [{agent: {decision_model: 'gpt-5.2'}}, /^agent\.decision_model: .*OPENAI_API_KEY/],
  [{interview: {reviewer: 'policy/safety'}}, /policy\/safety, which can only review/],
])('%j is refused', (input, message) => {
  expect(() => resolve(input, {env: {ANTHROPIC_API_KEY: 'a'}})).toThrow(message);
});

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
    'a host of an MCP server without a port',
    {mcp: {a: {command: 'node', cwd: 'workspace', network: ['api.example.com']}}},
    'config: config: mcp.a: entry network.0: its value is not HOST:PORT, such as example.com:443 or *.example.com:443',
  ],
  [
    'a network of an MCP server that is not confined',
    {mcp: {a: {command: 'node', network: ['api.example.com:443']}}},
    'config: config: mcp.a: entry network: its value has an effect only with cwd = "workspace"; other servers are not confined',
  ],
  [
    'a model without its key, which a rule would call',
    {ask: {model: 'gpt-5.2'}, spawn: [{when: 'plan.rejected', form: 'ask', request: 'Why?'}]},
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
  const folder = folderWith();
  const runtime = createRuntime({env: {}, config: {agent: {working_dir: folder}}});
  const run = runtime.agent('Create a file here.txt with the content "x"');
  const {changes, status} = await run.result;
  expect({changes, status}).toMatchObject({status: 'completed'});
  const [opened] = await runtime.entries(run.id);
  expect(JSON.stringify(opened)).toContain(folder);
});
