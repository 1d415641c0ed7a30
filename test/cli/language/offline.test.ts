/** `LANG` decides the language of the progress and the gate; the language of the request decides that of plan and answer. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {linesAfter, type Performed} from './performed.ts';

const kana = /[ぁ-ん]/;
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quorate-lang-'));
  writeFileSync(join(root, 'a.txt'), 'one\n');
});
afterEach(() => rmSync(root, {recursive: true}));

async function asked(argv: readonly string[], LANG: string): Promise<Performed> {
  const env = {
    LANG,
    QUORATE_HOME: join(root, 'home'),
    XDG_CONFIG_HOME: root,
    PATH: '/usr/bin:/bin',
  };
  return await linesAfter(['-C', root, ...argv], env);
}

const create = {
  en: 'Create a file notes.txt with the content "Hello"',
  ja: 'notes.txt を「Hello」という内容で作成して',
};

describe('a request in Japanese under LANG=C', () => {
  test('has a plan and a result in Japanese, and its progress in English', async () => {
    const {stdout, stderr, code} = await asked([create.ja], 'C');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^完了: notes\.txt を/);
    expect(stdout).toContain('notes.txt を作成しました');
    expect(stderr).toMatch(/^warning: No model is configured: .*$/m);
    expect(stderr).toContain('plan: notes.txt を「Hello」という内容で作成して');
    expect(stderr).toContain('APPROVED');
  });

  test('is refused in Japanese if it is not understood', async () => {
    const {stdout} = await asked(['--scope', 'fast', '月へ連れて行って'], 'C');
    expect(stdout).toContain('オフラインモデルは規則で動き');
  });

  test('has its answer in Japanese', async () => {
    const {stdout} = await asked(['ask', 'ファイルはいくつありますか？'], 'C');
    expect(stdout).toMatch(kana);
  });
});

describe('a request in English under LANG=ja_JP.UTF-8', () => {
  test('has a plan and a result in English, and its progress in Japanese', async () => {
    const {stdout, stderr, code} = await asked([create.en], 'ja_JP.UTF-8');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^completed: Create notes\.txt/);
    expect(stdout).not.toMatch(kana);
    expect(stderr).toMatch(/^警告: モデルが設定されていません。.*$/m);
    expect(stderr).toContain('計画: Create notes.txt');
    expect(stderr).toMatch(/^▸ 計画中$/m);
    expect(stderr).toContain('承認 [●●●]');
  });

  test('that waits for a person explains the decision in Japanese', async () => {
    const {stderr, code} = await asked(
      ['--hil', 'interactive', 'Run `sudo ls` and report'],
      'ja_JP.UTF-8',
    );
    expect(code).toBe(4);
    expect(stderr).toContain('実行の全体を見る');
    expect(stderr).toContain('決定の対象: sha256');
  });
});

test.each(['json', 'jsonl'])('the result as %s is the same in both languages', async (format) => {
  const argv = ['ask', '--output', format, 'What is 2 + 3?'];
  const [en, ja] = [await asked(argv, 'C'), await asked(argv, 'ja_JP.UTF-8')];
  expect(withoutNames(ja.stdout)).toBe(withoutNames(en.stdout));
  expect(ja.code).toBe(en.code);
});

/** Times, IDs and hashes differ in any two runs. */
function withoutNames(json: string): string {
  return json
    .replaceAll(/"(?:at|seq|openedAt|durationMs|latencyMs|ms)": ?[\d.]+/g, '')
    .replaceAll(/\b[0-9a-z]{12}(?=["./])/g, 'ID');
}
