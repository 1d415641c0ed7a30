/** A conversation in both languages: the help of its commands, its messages and its errors. */

import {readFileSync} from 'node:fs';

import {describe, expect, test} from 'vitest';
import {z} from 'zod';

import {commandTable} from '../../../cli/chat/parse.ts';
import {help} from '../../../cli/chat/views.ts';
import type {Language} from '../../../cli/language.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import type {Launched} from '../../support/launch.ts';
import {setStage} from '../stage.ts';
import {linesOf} from '../texts.ts';

const japanese = /[ぁ-んァ-ン一-龠]/;
const names = Object.keys(commandTable);

function helpLines(name: string, width: number, language: Language): readonly string[] {
  const lines: string[] = [];
  const ui = {
    print: (rows: readonly string[]) => void lines.push(...rows),
    size: () => ({width, height: 24}),
    style: {...plainStyle, language},
  };
  help(name, z.custom<Parameters<typeof help>[1]>().parse({ui}));
  return lines;
}

/** Commands, options, operands and IDs, which are the same in every language. */
function namesIn(text: string): readonly string[] {
  const found = text.match(/\/[a-z]+|--[a-z]+|quorate [a-z]+|\b(?:N|[A-Z]{2,})\b/g) ?? [];
  return [...new Set(found)].toSorted();
}

describe('help', () => {
  test.each(['', ...names])('%s has the same names in both languages', (name) => {
    const [en, ja] = [helpLines(name, 1000, 'en'), helpLines(name, 1000, 'ja')].map((lines) =>
      lines.join('\n'),
    );
    expect(ja).toMatch(japanese);
    expect(en).not.toMatch(japanese);
    expect(namesIn(ja ?? '')).toEqual(namesIn(en ?? ''));
  });
});

describe('from a pipe with LANG=ja_JP.UTF-8', () => {
  const {at, launcher, workspace} = setStage();

  async function pipe(...lines: readonly string[]): Promise<Launched> {
    const cwd = workspace();
    return await launcher.perform(['chat'], {
      cwd,
      stdin: linesOf(lines),
      env: {LANG: 'ja_JP.UTF-8'},
    });
  }

  test('help, messages and the exported conversation are in Japanese', async () => {
    const {code, stdout, stderr} = await pipe(
      '/help',
      '/help ask',
      '/tree',
      '/scope',
      '/scope fast',
      '/ask 2 + 3 は？',
      '/sessions',
      '/undo',
      '/export notes.md',
      '/new',
    );
    expect(stderr).toMatch(/^ {2}\/quit +終了する。/m);
    expect(stderr).toMatch(/^\/ask \[--fresh\|--projected\|--full\] QUESTION\n読むだけのツールで/m);
    expect(stderr).toContain('まだ何も始まっていません');
    expect(stderr).toContain('/scope full（既定）。書けるもの: full, fast, plan-only\n');
    expect(stderr).toContain('/scope fast: 新しい対話から使います\n');
    expect(stderr).toContain('/resume ID で続けられます\n');
    expect(stderr).toContain('元に戻すものはありません\n');
    expect(stderr).toContain('notes.md に書き出しました\n');
    expect(stderr).toMatch(/新しい会話です\n$/);
    expect(stdout).toContain('5');
    expect(readFileSync(at('work', 'notes.md'), 'utf8')).toMatch(/^# .*\/work での会話\n/);
    expect(code).toBe(0);
  });

  test.each([
    [
      '/scpoe fast',
      '/scpoe というコマンドはありません。/scope のことですか？ コマンドの一覧は /help です',
    ],
    ['/cancel 3', '3 はありません。対話の一覧は /tree です'],
    ['はい', '「はい」か「いいえ」を待つものはありません'],
  ])('%s ends it with an error in Japanese, and with the same exit code', async (line, problem) => {
    const {code, stderr} = await pipe(line, '/tree');
    expect(stderr).toContain(`quorate: ${problem}`);
    expect(stderr).toMatch(/^その後の 1 行は読まれませんでした$/m);
    expect(code).toBe(2);
  });
});
