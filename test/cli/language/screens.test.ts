/** The screens of doctor, config and paths, and the warnings of a run, in both languages. */

import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {linesAfter, type Performed} from './performed.ts';

const japanese = /[ぁ-んァ-ン一-龠]/;
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quorate-screens-'));
});
afterEach(() => rmSync(root, {recursive: true}));

async function shown(argv: readonly string[], LANG: string): Promise<Performed> {
  const env = {
    LANG,
    QUORATE_HOME: join(root, 'home'),
    XDG_CONFIG_HOME: root,
    PATH: '/usr/bin:/bin',
  };
  return await linesAfter(['-C', root, ...argv], env);
}

async function inBoth(argv: readonly string[]): Promise<readonly [en: Performed, ja: Performed]> {
  return [await shown(argv, 'C'), await shown(argv, 'ja_JP.UTF-8')];
}

/** They loosen, so they are ignored with a warning. */
const loosening = '[agent]\nmax_replans = 9\n';

test('doctor prints headings and findings in Japanese', async () => {
  writeFileSync(join(root, 'quorate.toml'), loosening);
  const [en, ja] = await inBoth(['doctor']);
  expect(en.stdout).not.toMatch(japanese);
  expect(ja.stdout).toMatch(/^正常 +データのフォルダ +\/.*home$/m);
  expect(ja.stdout).toMatch(/^正常 +ジャーナル +まだありません$/m);
  expect(ja.stdout).toMatch(/^警告 +設定 +quorate\.toml:2:1: agent\.max_replans を無視します/m);
  expect(ja.stdout).toMatch(/^警告 +モデル +モデルが設定されていません。/m);
  expect(ja.stdout).toMatch(/^- +プロバイダー anthropic +ANTHROPIC_API_KEY は未設定$/m);
  expect(ja.stdout).toMatch(/^実行を始められます。/m);
  expect(ja.stdout).not.toMatch(/^(?:ok|warning|FAILED)\b/m);
  expect(ja.code).toBe(en.code);
});

test.each(['json', 'jsonl'])('doctor --output %s is the same in both languages', async (format) => {
  writeFileSync(join(root, 'quorate.toml'), loosening);
  const [en, ja] = await inBoth(['doctor', '--output', format]);
  expect(en.stdout).toContain('data folder');
  expect(ja).toEqual(en);
});

test('config explains values in Japanese, and its JSON is the same in both languages', async () => {
  const [en, ja] = await inBoth(['config']);
  expect(en.stdout).not.toMatch(japanese);
  const meanings = ja.stdout.split('\n').filter((line) => line.startsWith('#'));
  expect(meanings.filter((line) => !japanese.test(line))).toEqual([]);
  expect(ja.stdout).toMatch(/^agent\.decision_model = ".*" {2}# 既定値。実際に使うもの: offline/m);
  const [english, translated] = await inBoth(['config', '--output', 'json']);
  expect(translated).toEqual(english);
});

test('config --trust and --forget answer in Japanese', async () => {
  const absent = await shown(['config', '--trust'], 'ja_JP.UTF-8');
  expect(absent.stderr).toMatch(/^quorate: .* に信頼するファイルがありません: quorate\.toml も /m);
  writeFileSync(join(root, 'quorate.toml'), loosening);
  const unasked = await shown(['config', '--trust'], 'ja_JP.UTF-8');
  expect(unasked.stderr).toMatch(
    /^quorate: 端末がないので、何も信頼しません。.* --hash [0-9a-f]{64}$/m,
  );
  expect(unasked.stdout).toMatch(/^ {2}quorate\.toml の、緩める設定$/m);
  const forgotten = await shown(['config', '--forget', 'ls'], 'ja_JP.UTF-8');
  expect(forgotten.stderr).toContain('そこで許可されたものはありません');
});

test('the warnings of a run are in Japanese, and those of its log in English', async () => {
  writeFileSync(join(root, 'quorate.toml'), loosening);
  const log = join(root, 'log.jsonl');
  const {stderr} = await shown(['ask', '--log', log, 'What is 2 + 3?'], 'ja_JP.UTF-8');
  expect(stderr).toMatch(/^警告: quorate\.toml:2:1: agent\.max_replans を無視します。/m);
  expect(readFileSync(log, 'utf8')).toContain('agent.max_replans is ignored: until you trust');
});

test('a machine that fails at its start is reported in Japanese', async () => {
  const [en, ja] = await inBoth(['paths', 'quorum']);
  expect(en.stdout).toMatch(/^the machine fails at its start: /);
  expect(ja.stdout).toMatch(/^マシンは開始時に失敗します: .*\n入力が必要なら/);
  expect(ja.code).toBe(en.code);
});
