/** Each key of the configuration is one row, from which everything else about it is derived. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, expectTypeOf, test} from 'vitest';

import {camelKeys, snakeCase} from '../../../actors/config/casing.ts';
import {isHidden, rowAt} from '../../../actors/config/keys.ts';
import {settingsReference} from '../../../actors/config/reference.ts';
import {resolveConfig} from '../../../actors/config/resolve.ts';
import {defaultConfig} from '../../../actors/config/schema.ts';
import {createRouter} from '../../../actors/model/router.ts';

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
  agent: [
    'max_plan_revisions',
    'min_plan_score',
    'max_replans',
    'max_tool_turns',
    'max_tool_retries',
    'max_parallel_tasks',
  ],
  quorum: ['feedback_grace_ms'],
  conversations: ['max_steps', 'max_retries', 'max_history', 'max_loops', 'max_follow_ups'],
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
