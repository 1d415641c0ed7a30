/** The roles, the panel and the environment of commands that a configuration resolves to. */

import {beforeEach, describe, expect, it, test} from 'vitest';

import {
  commandEnv,
  resolveConfig,
  type ResolvedConfig,
  toPrices,
  toProviders,
} from '../../../actors/config/resolve.ts';
import type {NamedKeys} from '../../../actors/config/roles.ts';
import {type ConfigInput, configSchema} from '../../../actors/config/schema.ts';
import {createFunctionModel} from '../../../actors/model/model.ts';
import {createRouter} from '../../../actors/model/router.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {builtInTools, createToolbox} from '../../../tools/index.ts';
import {folderWith, follow, ofType, setStage} from '../../support/stage.ts';

const offline = createFunctionModel('offline/offline', () => ({kind: 'ok', text: '', calls: []}));
const bothKeys = {ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o'};

function resolve(
  input: ConfigInput,
  env: Record<string, string> = bothKeys,
  named: NamedKeys = new Set(namesIn(input)),
): ResolvedConfig {
  const config = configSchema.parse(input);
  const router = createRouter({
    providers: toProviders(config),
    prices: toPrices(config),
    env,
    extra: [offline],
  });
  return resolveConfig(config, {router, named});
}

function namesIn(input: ConfigInput): string[] {
  return Object.entries(input).flatMap(([section, table]) =>
    Object.keys(table ?? {}).map((key) => `${section}.${key}`),
  );
}

/** The refusal of a configuration; of one that is accepted: nothing. */
function failure(...args: Parameters<typeof resolve>): string {
  try {
    resolve(...args);
    return '';
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const seatsOf = ({settings}: ResolvedConfig) => settings.panel.map(({id}) => id);

describe('models and keys', () => {
  it('gives the defaults their full names when both keys are there', () => {
    const resolved = resolve({});
    expect(resolved.settings.agent.decisionModel).toBe('anthropic/claude-sonnet-4.5');
    expect(resolved.settings.agent.explorationModel).toBe('anthropic/claude-haiku-4.5');
    expect(resolved.settings.panel).toEqual([
      {
        id: 'claude-sonnet-4.5',
        model: 'anthropic/claude-sonnet-4.5',
        kind: 'model',
        weight: 1,
        veto: false,
      },
      {id: 'gpt-5.2-codex', model: 'openai/gpt-5.2-codex', kind: 'model', weight: 1, veto: false},
    ]);
    expect(resolved).toMatchObject({offline: false, warnings: []});
    expect(resolved.limits).toEqual({maxCostUsd: 5, maxModelCalls: 1_000, timeoutMs: 3_600_000});
  });

  it('goes offline with the three policy reviewers when nothing is configured, and explains how to configure a model', () => {
    const resolved = resolve({}, {});
    expect(resolved.offline).toBe(true);
    expect(resolved.models).toEqual(['offline/offline']);
    expect(seatsOf(resolved)).toEqual(['policy/safety', 'policy/scope', 'policy/evidence']);
    expect(resolved.settings.panel.map(({veto}) => veto)).toEqual([true, true, true]);
    expect(resolved.warnings).toHaveLength(1);
    expect(resolved.warnings[0]).toMatch(
      /^No model is configured: .*ANTHROPIC_API_KEY.*agent\.decision_model/,
    );
  });

  it('goes offline on request even when keys are set', () => {
    const resolved = resolve({
      agent: {decision_model: 'offline', exploration_model: 'offline', review_models: ['offline']},
    });
    expect(resolved.offline).toBe(true);
    expect(seatsOf(resolved)).toEqual(['policy/safety', 'policy/scope', 'policy/evidence']);
    expect(resolved.warnings[0]).toMatch(
      /^As configured: using the built-in offline model \(rules only\)/,
    );
    expect(resolved.warnings[0]).not.toContain('API_KEY');
  });

  it('seats a policy reviewer in place of a default without a key, with a warning that names the variable', () => {
    const resolved = resolve({}, {ANTHROPIC_API_KEY: 'a'});
    expect(seatsOf(resolved)).toEqual(['claude-sonnet-4.5', 'policy/safety']);
    expect(resolved.warnings).toEqual([expect.stringMatching(/OPENAI_API_KEY.*policy\/safety/)]);
  });

  it('uses a usable model for default roles whose model has no key', () => {
    const resolved = resolve({}, {OPENAI_API_KEY: 'o'});
    expect(resolved.settings.agent).toMatchObject({
      decisionModel: 'openai/gpt-5.2-codex',
      explorationModel: 'openai/gpt-5.2-codex',
    });
    expect(resolved.offline).toBe(false);
    expect(seatsOf(resolved)).toEqual(['policy/safety', 'gpt-5.2-codex']);
    expect(resolved.warnings).toHaveLength(1);
  });

  it('works with one local server and without any key', () => {
    const resolved = resolve(
      {
        providers: {local: {base_url: 'http://127.0.0.1:11434/v1'}},
        agent: {decision_model: 'local/qwen3'},
      },
      {},
    );
    expect(resolved.settings.agent.explorationModel).toBe('local/qwen3');
    expect(seatsOf(resolved)).toEqual(['policy/safety', 'policy/scope']);
    expect(resolved.warnings).toEqual([
      '3 default models have no key (ANTHROPIC_API_KEY, OPENAI_API_KEY): local/qwen3 takes the exploration role, ' +
        'policy/safety takes the seat of anthropic/claude-sonnet-4.5, policy/scope takes the seat of openai/gpt-5.2-codex',
    ]);
  });

  it.each([
    [{agent: {decision_model: 'gpt-5.2'}}, /^credentials: agent\.decision_model: .*OPENAI_API_KEY/],
    [
      {agent: {review_models: ['claude-sonnet-4.5', 'policy/safety']}},
      /^credentials: agent\.review_models: .*ANTHROPIC_API_KEY/,
    ],
    [
      {agent: {decision_model: 'antropic/claude-sonnet-4.5'}},
      /^config: agent\.decision_model: .*did you mean "anthropic"/,
    ],
    [
      {agent: {exploration_model: 'clade-haiku-4.5'}},
      /^config: agent\.exploration_model: .*did you mean "claude-haiku-4\.5"/,
    ],
    [{agent: {review_models: ['policy/safty']}}, /^config: .*did you mean "policy\/safety"/],
    [
      {agent: {decision_model: 'policy/safety'}},
      /^config: agent\.decision_model names policy\/safety, which can only review/,
    ],
  ])('refuses %j: %s', (input, message) => {
    expect(failure(input, {})).toMatch(message);
  });

  it.each([
    ['-m gpt-5.2', /^credentials: -m gpt-5\.2: model "openai\/gpt-5\.2" needs a key/],
    ['quorate.toml:3:1', /^credentials: quorate\.toml:3:1: agent\.decision_model: model/],
  ])('names the place where a model was set: %s', (source, message) => {
    const named = new Map([['agent.decision_model', source]]);
    expect(failure({agent: {decision_model: 'gpt-5.2'}}, {}, named)).toMatch(message);
  });

  it('warns of a key that would be sent unencrypted to another machine', () => {
    const server = {base_url: 'http://gpu.example.com/v1', api_key_env: 'GPU_KEY'};
    const {warnings} = resolve({providers: {gpu: server}}, {...bothKeys, GPU_KEY: 'secret'});
    expect(warnings).toEqual([expect.stringMatching(/gpu .*GPU_KEY.*https/)]);
    expect(warnings.join()).not.toContain('secret');
  });
});

describe('seats', () => {
  it('gives each seat an id of its own', () => {
    const resolved = resolve({
      providers: {a: {base_url: 'http://127.0.0.1:1/v1'}, b: {base_url: 'http://127.0.0.1:2/v1'}},
      agent: {review_models: ['a/llama', 'b/llama', 'gpt-5.2', 'gpt-5.2', 'a/policy/safety']},
    });
    expect(seatsOf(resolved)).toEqual([
      'a/llama',
      'b/llama',
      'gpt-5.2',
      'gpt-5.2#2',
      'a/policy/safety',
    ]);
    expect(resolved.settings.panel.map(({veto}) => veto)).not.toContain(true);
  });

  it('assigns weights and vetoes to the named seats, by seat or by model', () => {
    const resolved = resolve({
      agent: {review_models: ['gpt-5.2', 'gpt-5.2', 'claude-sonnet-4.5', 'policy/safety']},
      quorum: {
        weights: {'openai/gpt-5.2': 3, 'gpt-5.2#2': 2},
        veto: ['anthropic/claude-sonnet-4.5'],
      },
    });
    expect(resolved.settings.panel.map(({weight}) => weight)).toEqual([3, 2, 1, 1]);
    expect(resolved.settings.panel.map(({veto}) => veto)).toEqual([false, false, true, false]);
  });

  it('gives every policy reviewer a veto by default', () => {
    const resolved = resolve({agent: {review_models: ['gpt-5.2', 'policy/scope']}});
    expect(resolved.settings.panel.map(({veto}) => veto)).toEqual([false, true]);
  });

  it('lets models outvote a policy reviewer when the user configures it', () => {
    const resolved = resolve({
      agent: {review_models: ['gpt-5.2', 'policy/scope']},
      quorum: {veto: []},
    });
    expect(resolved.settings.panel.map(({veto}) => veto)).toEqual([false, false]);
  });

  it('needs all policy reviewers when they sit alone, with any rule for models', () => {
    const fast = resolve({agent: {phase_scope: 'fast'}, quorum: {rule: 'at_least:1', veto: []}});
    expect(fast.settings.quorum.rule).toBe('unanimous');
    expect(resolve({}, {}).settings.quorum.rule).toBe('unanimous');
    const mixed = resolve({agent: {review_models: ['gpt-5.2', 'policy/scope']}});
    expect(mixed.settings.quorum.rule).toBe('majority');
  });

  it('screens by the three built-in policy reviewers, or by the named ones', () => {
    const {quorum} = resolve({}).settings;
    expect(quorum.screen).toEqual(['policy/safety', 'policy/scope', 'policy/evidence']);
    const fewer = resolve({quorum: {screen: ['policy/safety']}});
    expect(fewer.settings.quorum.screen).toEqual(['policy/safety']);
  });

  it('seats only the policy reviewers in fast', () => {
    const resolved = resolve({agent: {phase_scope: 'fast'}});
    expect(seatsOf(resolved)).toEqual(['policy/safety', 'policy/scope', 'policy/evidence']);
    expect(resolved.warnings).toEqual([]);
  });

  it('reports a veto that is lost because another reviewer has the seat', () => {
    const input = {agent: {phase_scope: 'fast'}, quorum: {veto: ['gpt-5.2-codex']}} as const;
    const {warnings} = resolve({...input, quorum: {veto: [...input.quorum.veto]}});
    expect(warnings).toEqual([expect.stringContaining('the veto of gpt-5.2-codex')]);
  });

  it.each([
    [
      {agent: {review_models: ['gpt-5.2', 'policy/safety', 'policy/safety']}},
      /^config: agent\.review_models names policy\/safety twice/,
    ],
    [
      {quorum: {screen: ['policy/scope', 'policy/scope']}},
      /^config: quorum\.screen names policy\/scope twice/,
    ],
    [
      {quorum: {screen: ['gpt-5.2']}},
      /^config: quorum\.screen names "gpt-5\.2", but only policy reviewers can screen/,
    ],
    [{quorum: {screen: ['policy/scoop']}}, /^config: .*did you mean "policy\/scope"/],
    [{quorum: {rule: 'at_least:5'}}, /at_least:5 needs 5 seats, but the panel has 2/],
    [
      {
        agent: {
          phase_scope: 'fast' as const,
          review_models: ['gpt-5.2', 'gpt-5.2', 'gpt-5.2', 'gpt-5.2'],
        },
        quorum: {rule: 'at_least:4'},
      },
      /at_least:4 needs 4 seats, but the panel has 3/,
    ],
    [{quorum: {min_participation: 3}}, /min_participation is 3, but the panel has 2/],
    [
      {quorum: {weights: {'gpt-5.2-codx': 2}}},
      /quorum\.weights names "gpt-5\.2-codx".*did you mean "gpt-5\.2-codex"/,
    ],
    [{quorum: {veto: ['policy/safty']}}, /quorum\.veto names "policy\/safty", which has no seat/],
  ])('refuses %j: %s', (input, message) => {
    expect(failure(input)).toMatch(message);
  });
});

describe('the budget', () => {
  const local = {providers: {far: {base_url: 'https://models.example.com/v1'}}};
  const model = {agent: {decision_model: 'far/big'}};

  it('refuses a budget of the user when the price of a model is unknown', () => {
    expect(failure({...local, ...model, limits: {max_cost_usd: 1}})).toMatch(
      /price of far\/big is not known; add prices\."far\/big"/,
    );
  });

  it('refuses a budget with a price of zero', () => {
    const prices = {'far/big': {input: 0, output: 0}};
    expect(failure({...local, ...model, prices, limits: {max_cost_usd: 1}})).toMatch(
      /price of far\/big is zero/,
    );
  });

  it('takes the price from the configuration', () => {
    const prices = {'far/big': {input: 1, output: 2}};
    const resolved = resolve({...local, ...model, prices, limits: {max_cost_usd: 1}});
    expect(resolved.limits.maxCostUsd).toBe(1);
  });

  it('names a model without a price once, and states when the budget counts it', () => {
    const {limits, warnings} = resolve({...local, ...model});
    expect(limits.maxCostUsd).toBe(5);
    expect(warnings).toEqual([
      'the price of far/big is not known: limits.max_cost_usd (--max-cost) counts its calls only if the provider reports their cost; ' +
        'add prices."far/big" = {input = …, output = …} (USD per million tokens)',
    ]);
  });

  it('names all models without a price in one warning', () => {
    const agent = {...model.agent, review_models: ['far/big', 'far/small', 'claude-sonnet-4.5']};
    const {warnings} = resolve({...local, agent});
    expect(warnings).toEqual([
      expect.stringMatching(
        /^the prices of far\/big, far\/small are not known: .* counts their calls only if/,
      ),
    ]);
  });
});

function firstWarning(seats: readonly string[]): string {
  return resolve({agent: {review_models: [...seats]}}).warnings[0] ?? '';
}

it('a model with several seats is named in a warning', () => {
  const sonnet = 'claude-sonnet-4.5';
  expect(firstWarning(['gpt-5.2-codex', sonnet, 'gpt-5.2', 'gpt-5.2-codex'])).toBe(
    '2 seats of the panel have one model, openai/gpt-5.2-codex: their votes are not independent',
  );
  expect(firstWarning(['gpt-5.2-codex', sonnet, 'gpt-5.2'])).toBe('');
});

describe('a model that judges itself', () => {
  const own = 'anthropic/claude-sonnet-4.5 is the only reviewer of its own plans and actions';

  it('is reported in the first line when it has the only seat', () => {
    expect(firstWarning(['claude-sonnet-4.5'])).toContain(own);
    expect(firstWarning(['claude-sonnet-4.5', 'claude-sonnet-4.5'])).toContain(own);
  });

  it('is not reported when another reviewer, even a policy, has a seat', () => {
    expect(firstWarning(['claude-sonnet-4.5', 'gpt-5.2-codex'])).toBe('');
    expect(firstWarning(['claude-sonnet-4.5', 'policy/safety'])).toBe('');
  });
});

let workspace = '';

describe('the environment of commands', () => {
  beforeEach(() => {
    workspace = folderWith();
  });

  test('a named variable is passed on with its value; an unset one is left out', () => {
    const env = {JAVA_HOME: '/opt/java', OTHER: 'x', EMPTY: ''};
    expect(commandEnv(['JAVA_HOME', 'EMPTY', 'GONE'], env)).toEqual({
      values: {JAVA_HOME: '/opt/java', EMPTY: ''},
      warnings: [],
    });
  });

  test.each([
    ['by its name', 'AWS_SECRET_ACCESS_KEY', 'abcdefgh'],
    ['by its name, though it is not set', 'GITHUB_PAT', undefined],
    ['by its value', 'REMOTE', 'postgres://user:hunter22@host/db'],
  ])('a secret, recognized %s, is withheld, and a warning names it', (_, name, value) => {
    const {values, warnings} = commandEnv([name], {[name]: value});
    expect(values).toEqual({});
    expect(warnings).toEqual([
      `commands.env names ${name}, which holds a secret: it is not passed to commands`,
    ]);
  });

  test.each(['auto', 'off'] as const)(
    'a command sees the variable, in the sandbox mode %s',
    async (mode) => {
      const box = createToolbox(builtInTools(mode, {env: {JAVA_HOME: '/opt/java'}}));
      const {signal} = new AbortController();
      const args = {command: 'echo "$JAVA_HOME"'};
      const outcome = await box.run(
        {tool: 'run_command', args, workspace, repeatability: 'once'},
        {workspace, signal, recovering: false, onChild: () => undefined},
      );
      expect(outcome).toMatchObject({
        kind: 'succeeded',
        text: expect.stringContaining('/opt/java'),
      });
    },
  );

  test('a run warns about a named secret', async () => {
    const config = {commands: {env: ['MY_API_KEY']}};
    const {start} = setStage({folder: workspace, config, env: {MY_API_KEY: 'abcdefgh'}});
    const {events} = await follow(start('Run `true`'));
    expect(ofType(events, 'warning').map(({message}) => message)).toContain(
      'commands.env names MY_API_KEY, which holds a secret: it is not passed to commands',
    );
  });
});
