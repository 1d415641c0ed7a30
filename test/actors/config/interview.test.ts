/** The models that lead an interview and judge its answers. */

import {describe, expect, test} from 'vitest';

import {toPrices, toProviders} from '../../../actors/config/providers.ts';
import {resolveConfig, type ResolvedConfig} from '../../../actors/config/resolve.ts';
import {configSchema, type ConfigInput} from '../../../actors/config/schema.ts';
import {createFunctionModel} from '../../../actors/model/function-model.ts';
import {createRouter} from '../../../actors/model/router.ts';

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
