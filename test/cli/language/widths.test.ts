/** Columns are aligned by the width of their characters on the screen, for all characters. */

import {expect, test} from 'vitest';
import {z} from 'zod';

import {doctorLines} from '../../../cli/doctor/doctor.ts';
import {commandLines} from '../../../cli/gate/screen.ts';
import {helpText} from '../../../cli/help/text.ts';
import {ledgerLines} from '../../../cli/render/live/debate.ts';
import {undoLines} from '../../../cli/render/result/undo.ts';
import {plainStyle, type Style} from '../../../cli/render/style.ts';
import {modelsLines} from '../../../cli/render/tables/models.ts';
import {tourLines} from '../../../cli/render/tables/paths.ts';
import {sessionLines} from '../../../cli/render/tables/sessions.ts';
import {tableLines} from '../../../cli/render/tables/table.ts';
import {widthOfText} from '../../../cli/render/text.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';

const style: Style = {...plainStyle, language: 'ja'};

/** The columns of the screen at which these texts begin, each in its line; -1 for a missing one. */
function columnsOf(lines: readonly string[], texts: readonly string[]): readonly number[] {
  const columns = texts.map((text) => {
    const line = lines.find((each) => each.includes(text));
    return line === undefined ? -1 : widthOfText(line.slice(0, line.indexOf(text)));
  });
  return [...new Set(columns)];
}

test('a table', () => {
  const rows = [
    ['日本語の名前', 'ア'],
    ['a', 'イ'],
  ];
  expect(columnsOf(tableLines(['名', '値'], rows, style), ['値', 'ア', 'イ'])).toEqual([
    expect.any(Number),
  ]);
});

test.each([40, 80])('a table fits into %i columns', (width) => {
  const rows = [['実行', 'とても長い日本語の依頼'.repeat(9)]];
  const lines = tableLines(['状態', '依頼'], rows, style, width);
  expect(lines.filter((line) => widthOfText(line) > width)).toEqual([]);
});

test('runs', () => {
  const row = {
    session: 's1',
    form: 'agent',
    workspace: '/仕事',
    openedAt: 0,
    updatedAt: 0,
    entries: 1,
  };
  const rows = z.custom<Parameters<typeof sessionLines>[0]>().parse([
    {...row, id: 'a1', session: 's1', status: 'completed', state: 'ended', request: 'ほげ'},
    {...row, id: 'b2', session: 's2', state: 'waiting', request: 'ふが'},
  ]);
  const lines = sessionLines(rows, style, {now: 0, withFolder: true});
  expect(columnsOf(lines, ['依頼', 'ほげ', 'ふが'])).toEqual([expect.any(Number)]);
  expect(lines.join('\n')).toContain('終了: 完了');
});

test('models', () => {
  const provider = {models: [], url: ''};
  const providers = z.custom<Parameters<typeof modelsLines>[0]>().parse([
    {...provider, name: 'offline', state: 'builtIn', detail: '規則で動く'},
    {...provider, name: 'mistral', state: 'noAddress', detail: 'アドレスを設定'},
  ]);
  expect(
    columnsOf(modelsLines(providers, {style, maxModels: 3}), ['規則で動く', 'アドレスを設定']),
  ).toEqual([expect.any(Number)]);
});

function step(label: string, state: string) {
  return {move: {kind: 'event', event: {type: label}}, state, isIgnored: false};
}

test('tours', () => {
  const tour = {start: {state: '待機'}, steps: [step('送る', '確認'), step('SAVE', '完了')]};
  const lines = tourLines(z.custom<Parameters<typeof tourLines>[0]>().parse(tour), {
    style,
    width: 80,
  });
  expect(columnsOf(lines.slice(1), ['→ 確認', '→ 完了'])).toEqual([expect.any(Number)]);
});

test('files that are restored', () => {
  const report = z.custom<Parameters<typeof undoLines>[0]>().parse({
    interaction: 'x1',
    workspace: '/仕事',
    files: [
      {path: '甲.md', outcome: 'restored'},
      {path: '乙.md', outcome: 'asBefore'},
      {path: '丙.md', outcome: 'left'},
    ],
    setAside: [],
    commands: 0,
    isOpen: false,
  });
  for (const dryRun of [true, false]) {
    expect(columnsOf(undoLines(report, {style, dryRun}), ['甲.md', '乙.md', '丙.md'])).toEqual([
      expect.any(Number),
    ]);
  }
});

test('commands at a gate', () => {
  const question = z
    .custom<HumanQuestion>()
    .parse({kind: 'action', allowed: ['approve', 'reject']});
  const lines = commandLines(question, style);
  expect(columnsOf(lines, ['- この操作だけ', '- 実行しない', '- このコマンドの一覧'])).toEqual([
    expect.any(Number),
  ]);
});

test('options and commands in the help', async () => {
  const lines = (await helpText('all', {language: 'ja'})).split('\n');
  expect(
    columnsOf(lines, ['このフォルダで作業する', '経過を出さない', '考えと理由も出す']),
  ).toEqual([expect.any(Number)]);
  expect(columnsOf(lines, ['見本のフォルダでの実行', '実行を表示する'])).toEqual([
    expect.any(Number),
  ]);
});

const findings = [
  {what: 'データのフォルダ', status: 'ok', detail: '書き込めます'},
  {what: 'Node', status: 'failed', detail: 'とても長い日本語の指摘'.repeat(9)},
  {what: '設定', status: 'skipped', detail: '調べていません'},
] as const;

test('findings of the doctor', () => {
  const lines = doctorLines({findings, exitCode: 2}, Number.POSITIVE_INFINITY, style);
  expect(columnsOf(lines, ['書き込めます', 'とても長い', '調べていません'])).toEqual([
    expect.any(Number),
  ]);
});

test.each([30, 80])('findings of the doctor fit into %i columns', (width) => {
  const lines = doctorLines({findings, exitCode: 2}, width, style);
  expect(lines.filter((line) => widthOfText(line) > width)).toEqual([]);
});

test('objections', () => {
  const debate = z.custom<Parameters<typeof ledgerLines>[0]>().parse({
    position: '移行する',
    proponent: 'a',
    opponent: 'b',
    rounds: 1,
    objections: [],
    outcome: 'stands',
  });
  const lines = ledgerLines(debate, {style, width: 40});
  expect(lines.filter((line) => widthOfText(line) > 40)).toEqual([]);
});
