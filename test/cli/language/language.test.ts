/** The language of the screen: its source, errors, screens, and requests in another language. */

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, describe, expect, test} from 'vitest';

import {languageOf} from '../../../cli/language.ts';
import {warningText} from '../../../cli/render/warning.ts';
import {type Ran, runLine} from '../../support/command-line.ts';
import {setFolder} from '../folders.ts';

test.each([
  [[], {}, 'en'],
  [[], {LANG: 'ja_JP.UTF-8'}, 'ja'],
  [[], {LANG: 'ja'}, 'ja'],
  [[], {LANG: 'C.UTF-8'}, 'en'],
  [[], {LANG: 'de_DE.UTF-8'}, 'en'],
  [[], {LANG: 'en_US.UTF-8', LC_MESSAGES: 'ja_JP.UTF-8'}, 'ja'],
  [[], {LANG: 'ja_JP.UTF-8', LC_MESSAGES: 'ja_JP.UTF-8', LC_ALL: 'C'}, 'en'],
  [['--lang', 'en'], {LANG: 'ja_JP.UTF-8'}, 'en'],
  [['--lang=ja'], {LANG: 'en_US.UTF-8'}, 'ja'],
  [['--lang', 'en', 'ask', '--lang', 'ja'], {}, 'ja'],
  [['--lang', 'fr'], {LANG: 'ja_JP.UTF-8'}, 'ja'],
  [['--', '--lang', 'ja'], {}, 'en'],
])('%j with %j: %s', (argv, env, language) => {
  expect(languageOf(argv, env)).toBe(language);
});

test('the first warning without a key', () => {
  const message =
    'No model is configured: using the built-in offline model (rules only). ' +
    'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or use -m.';
  expect(warningText(message, {})).toBe(`warning: ${message}`);
  expect(warningText(message, {language: 'ja'})).toBe(
    '警告: モデルが設定されていません。内蔵のオフラインモデル（規則のみ）を使います。' +
      'ANTHROPIC_API_KEY か OPENAI_API_KEY を設定するか、-m を使ってください。',
  );
});

test('a result as JSON is the same in every language', async () => {
  expect(await failureIn('ja')).toBe(await failureIn('en'));
});

async function failureIn(language: string): Promise<string> {
  const argv = ['ask', '--output', 'json', '-m', 'bogus', 'Why?', '--lang', language];
  const {out} = await runLine(argv, {});
  expect(JSON.parse(out)).toMatchObject({status: 'error', form: 'ask'});
  return out.replace(/"at": \d+/, '');
}

const japaneseScreens = /[ぁ-んァ-ン一-龠]/;

/** They loosen, so they are ignored with a warning. */
const loosening = '[agent]\nmax_replans = 9\n';

const root = setFolder();

async function shown(argv: readonly string[], LANG: string): Promise<Ran> {
  const env = {
    LANG,
    QUORATE_HOME: join(root(), 'home'),
    XDG_CONFIG_HOME: root(),
    PATH: '/usr/bin:/bin',
  };
  return await runLine(['-C', root(), ...argv], env);
}

async function inBoth(argv: readonly string[]): Promise<readonly [en: Ran, ja: Ran]> {
  return [await shown(argv, 'C'), await shown(argv, 'ja_JP.UTF-8')];
}

describe('screens in both languages', () => {
  test('doctor prints headings and findings in Japanese', async () => {
    writeFileSync(join(root(), 'quorate.toml'), loosening);
    const [en, ja] = await inBoth(['doctor']);
    expect(en.out).not.toMatch(japaneseScreens);
    expect(ja.out).toMatch(/^正常 +データのフォルダ +\/.*home$/m);
    expect(ja.out).toMatch(/^正常 +ジャーナル +まだありません$/m);
    expect(ja.out).toMatch(/^警告 +設定 +quorate\.toml:2:1: agent\.max_replans を無視します/m);
    expect(ja.out).toMatch(/^警告 +モデル +モデルが設定されていません。/m);
    expect(ja.out).toMatch(/^- +プロバイダー anthropic +ANTHROPIC_API_KEY は未設定$/m);
    expect(ja.out).toMatch(/^実行を始められます。/m);
    expect(ja.out).not.toMatch(/^(?:ok|warning|FAILED)\b/m);
    expect(ja.code).toBe(en.code);
  });

  test.each(['json', 'jsonl'])(
    'doctor --output %s is the same in both languages',
    async (format) => {
      writeFileSync(join(root(), 'quorate.toml'), loosening);
      const [en, ja] = await inBoth(['doctor', '--output', format]);
      expect(en.out).toContain('data folder');
      expect(ja).toEqual(en);
    },
  );

  test('config explains values in Japanese, and its JSON is the same in both languages', async () => {
    const [en, ja] = await inBoth(['config']);
    expect(en.out).not.toMatch(japaneseScreens);
    const meanings = ja.out.split('\n').filter((line) => line.startsWith('#'));
    expect(meanings.filter((line) => !japaneseScreens.test(line))).toEqual([]);
    expect(ja.out).toMatch(/^agent\.decision_model = ".*" {2}# 既定値。実際に使うもの: offline/m);
    const [english, translated] = await inBoth(['config', '--output', 'json']);
    expect(translated).toEqual(english);
  });

  test('the warnings of a run are in Japanese, and those of its log in English', async () => {
    writeFileSync(join(root(), 'quorate.toml'), loosening);
    const log = join(root(), 'log.jsonl');
    const {err} = await shown(['ask', '--log', log, 'What is 2 + 3?'], 'ja_JP.UTF-8');
    expect(err).toMatch(/^警告: quorate\.toml:2:1: agent\.max_replans を無視します。/m);
    expect(readFileSync(log, 'utf8')).toContain('agent.max_replans is ignored: until you trust');
  });

  test.each([
    [
      'max_plan_revision = 3',
      'キー "agent.max_plan_revision" はありません（"agent.max_plan_revisions" のことですか？）',
    ],
    ['max_plan_revisions = "x"', 'agent.max_plan_revisions: 取る値は数です（"x" は使えません）'],
    ['max_plan_revisions = 1000', 'agent.max_plan_revisions: 1000 は大きすぎます。100 以下'],
    ['review_models = []', 'agent.review_models: 一覧 は小さすぎます。1 件 以上'],
  ])('the mistake %j in a configuration is named in Japanese', async (line, message) => {
    writeFileSync(join(root(), 'quorate.toml'), `[agent]\n${line}\n`);
    const {err, code} = await shown(['config'], 'ja_JP.UTF-8');
    expect(code).toBe(2);
    expect(err).toContain(`quorate.toml:2:1: ${message}\n`);
  });

  test('a machine that fails at its start is reported in Japanese', async () => {
    const [en, ja] = await inBoth(['paths', 'quorum']);
    expect(en.out).toMatch(/^the machine fails at its start: /);
    expect(ja.out).toMatch(/^マシンは開始時に失敗します: .*\n入力が必要なら/);
    expect(ja.code).toBe(en.code);
  });
});

const kana = /[ぁ-ん]/;

const create = {
  en: 'Create a file notes.txt with the content "Hello"',
  ja: 'notes.txt を「Hello」という内容で作成して',
};

/** Times, IDs and hashes differ in any two runs. */
function withoutNames(json: string): string {
  return json
    .replaceAll(/"(?:at|seq|openedAt|durationMs|latencyMs|ms)": ?[\d.]+/g, '')
    .replaceAll(/\b[0-9a-z]{12}(?=["./])/g, 'ID');
}

describe('the language of a request', () => {
  beforeEach(() => writeFileSync(join(root(), 'a.txt'), 'one\n'));

  test('a request in Japanese under LANG=C has a plan and a result in Japanese, and its progress in English', async () => {
    const {out, err, code} = await shown([create.ja], 'C');
    expect(code).toBe(0);
    expect(out).toMatch(/^完了: notes\.txt を/);
    expect(out).toContain('notes.txt を作成しました');
    expect(err).toMatch(/^warning: No model is configured: .*$/m);
    expect(err).toContain('plan: notes.txt を「Hello」という内容で作成して');
    expect(err).toContain('APPROVED');
  });

  describe('a request in English under LANG=ja_JP.UTF-8', () => {
    test('has a plan and a result in English, and its progress in Japanese', async () => {
      const {out, err, code} = await shown([create.en], 'ja_JP.UTF-8');
      expect(code).toBe(0);
      expect(out).toMatch(/^completed: Create a file notes\.txt/);
      expect(out).not.toMatch(kana);
      expect(err).toMatch(/^警告: モデルが設定されていません。.*$/m);
      expect(err).toContain('計画: Create a file notes.txt');
      expect(err).toMatch(/^▸ 計画中$/m);
      expect(err).toContain('承認 [●●●]');
    });

    test('that waits for a person explains the decision in Japanese', async () => {
      const {err, code} = await shown(
        ['--hil', 'interactive', 'Run `sudo ls` and report'],
        'ja_JP.UTF-8',
      );
      expect(code).toBe(4);
      expect(err).toContain('実行の全体を見る');
      expect(err).toContain('決定の対象: sha256');
    });
  });

  test.each(['json', 'jsonl'])('the result as %s is the same in both languages', async (format) => {
    const argv = ['ask', '--output', format, 'What is 2 + 3?'];
    const [en, ja] = await inBoth(argv);
    expect(withoutNames(ja.out)).toBe(withoutNames(en.out));
    expect(ja.code).toBe(en.code);
  });
});
