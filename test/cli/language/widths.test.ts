/**
 * Everything that is printed for a person, on narrow and usual screens and in both languages: no row is wider than the screen,
 * the values are the same, and columns are aligned by the width of their characters.
 */

import {expect, test} from 'vitest';
import {z} from 'zod';

import {pruneLines} from '../../../cli/commands/prune.ts';
import {doctorLines} from '../../../cli/doctor/doctor.ts';
import {modelsLines} from '../../../cli/doctor/models.ts';
import {commandLines, screenLines} from '../../../cli/gate/screen.ts';
import {helpText} from '../../../cli/help/text.ts';
import {ledgerLines} from '../../../cli/render/live/debate.ts';
import {resultLines} from '../../../cli/render/result/result.ts';
import {undoLines} from '../../../cli/render/result/undo.ts';
import {plainStyle, type Style} from '../../../cli/render/style.ts';
import {tourLines} from '../../../cli/render/tables/paths.ts';
import {sessionLines} from '../../../cli/render/tables/sessions.ts';
import {tableLines} from '../../../cli/render/tables/table.ts';
import {widthOfText} from '../../../cli/render/text.ts';
import {commandTable} from '../../../cli/talk/parse.ts';
import {help} from '../../../cli/talk/views.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import {baseResult} from '../fake-run.ts';

interface Look {
  readonly style: Style;
  readonly width: number;
}

const request = 'Create a file とても長い名前のファイル.txt with the content "hi"';
const long = 'とても長い日本語の指摘'.repeat(9);
const wide: Look = {style: {...plainStyle, language: 'ja'}, width: 1000};

const row = {
  session: 's1',
  form: 'agent',
  workspace: '/仕事',
  openedAt: 0,
  updatedAt: 0,
  entries: 1,
};
const runs = z.custom<Parameters<typeof sessionLines>[0]>().parse([
  {...row, id: 'a1', status: 'completed', state: 'ended', request: 'ほげ'},
  {...row, id: 'b2', session: 's2', state: 'waiting', request: 'ふが'},
  {...row, id: 'c5w6vpau861n', session: 's3', state: 'waiting', request},
]);
const step = (label: string, state: string) => ({
  move: {kind: 'event', event: {type: label}},
  state,
  isIgnored: false,
});
const tour = z
  .custom<Parameters<typeof tourLines>[0]>()
  .parse({start: {state: '待機'}, steps: [step('送る', '確認'), step('SAVE', '完了')]});
const findings = [
  {what: 'データのフォルダ', status: 'ok', detail: '書き込めます'},
  {what: 'Node', status: 'failed', detail: long},
  {what: '設定', status: 'skipped', detail: '調べていません'},
] as const;
const debate = z.custom<Parameters<typeof ledgerLines>[0]>().parse({
  position: '移行する',
  proponent: 'a',
  opponent: 'b',
  rounds: 1,
  objections: [],
  outcome: 'stands',
});
const question: HumanQuestion = {
  kind: 'action',
  request,
  reason: long,
  preview: `rm -r dist ${long}`,
  proposalHash: '0123456789abcdef'.repeat(4),
  history: [],
  allowed: ['approve', 'reject'],
};
const pruned = {
  id: 'c5w6vpau861n',
  form: 'agent',
  request,
  status: 'completed',
  updatedAt: 0,
  bytes: 9,
};
const restored = z.custom<Parameters<typeof undoLines>[0]>().parse({
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
const providers = z.custom<Parameters<typeof modelsLines>[0]>().parse([
  {models: [], url: '', name: 'offline', state: 'builtIn', detail: '規則で動く'},
  {models: [], url: '', name: 'mistral', state: 'noAddress', detail: 'アドレスを設定'},
]);

/** The help of a conversation, or of one of its commands. */
function chatHelpOf(name: string, {style, width}: Look): readonly string[] {
  const lines: string[] = [];
  const print = (rows: readonly string[]): void => void lines.push(...rows);
  const ui = {print, size: () => ({width, height: 24}), style};
  help(name, z.custom<Parameters<typeof help>[1]>().parse({ui, runtime: {}}));
  return lines;
}

const helpNames = ['', ...Object.keys(commandTable)];

/** Without the heads of the commands, which are not broken. */
function chatHelp(look: Look): readonly string[] {
  return helpNames.flatMap((name) => chatHelpOf(name, look).slice(name === '' ? 0 : 1));
}

const renderers: Readonly<Record<string, (look: Look) => readonly string[]>> = {
  'a table': ({style, width}) => tableLines(['状態', '依頼'], [['実行', long]], style, width),
  'the list of runs': ({style, width}) =>
    sessionLines(runs, style, {now: 0, withFolder: false, width}),
  'a tour of a chart': (look) => tourLines(tour, look),
  'findings of the doctor': ({style, width}) => doctorLines({findings, exitCode: 2}, width, style),
  'a debate': (look) => ledgerLines(debate, look),
  /** Without the commands, which are not broken. */
  'a gate': ({style, width}) =>
    screenLines(question, '/work', style, {width, height: 24}).filter(
      (line) => !/^ {2}\//.test(line),
    ),
  'pruned runs': ({style: {language = 'en'}, width}) =>
    pruneLines(
      {removed: [pruned], kept: [{...pruned, why: 'inDoubt'}], others: 1},
      {language, width, isDry: false},
    ),
  'a result': ({style, width}) =>
    resultLines(
      {...baseResult, summary: long, ...(style.language === 'ja' ? {language: 'ja'} : {})},
      {style, width},
    ),
  'the help of a conversation': chatHelp,
};

test.each(Object.entries(renderers))('%s fits into its screen in both languages', (_, render) => {
  for (const width of [40, 80]) {
    const [en, ja] = (['en', 'ja'] as const).map((language) =>
      render({style: {...plainStyle, language}, width}),
    );
    for (const lines of [en ?? [], ja ?? []]) {
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.filter((line) => widthOfText(line) > width)).toEqual([]);
      expect(lines.join('\n')).not.toMatch(/undefined|NaN|\[object/);
    }
    expect(valuesIn(ja)).toEqual(valuesIn(en));
  }
});

/** Commands, options, hashes and IDs: the same in every language. */
function valuesIn(lines: readonly string[] = []): readonly string[] {
  const text = lines.join(' ').replaceAll(/\s+/g, ' ');
  const found =
    text.match(/(?<![\w/])\/[a-z]{3,}|--[a-z]+|\b[0-9a-f]{12,}\b|\b(?=[a-z]*\d)[a-z0-9]{12}\b/g) ??
    [];
  return [...new Set(found)].toSorted();
}

const pairs = [
  ['日本語の名前', 'ア'],
  ['a', 'イ'],
];
const help80 = (await helpText('all', {language: 'ja'})).split('\n');

test.each<[name: string, lines: readonly string[], texts: readonly string[]]>([
  ['a table', tableLines(['名', '値'], pairs, wide.style), ['値', 'ア', 'イ']],
  ['runs', sessionLines(runs, wide.style, {now: 0, withFolder: true}), ['依頼', 'ほげ', 'ふが']],
  [
    'models',
    modelsLines(providers, {style: wide.style, maxModels: 3}),
    ['規則で動く', 'アドレスを設定'],
  ],
  ['tours', tourLines(tour, wide).slice(1), ['→ 確認', '→ 完了']],
  ...[true, false].map((dryRun): [string, readonly string[], readonly string[]] => [
    'restored files',
    undoLines(restored, {style: wide.style, dryRun}),
    ['甲.md', '乙.md', '丙.md'],
  ]),
  [
    'commands at a gate',
    commandLines(question, wide.style),
    ['- この操作だけ', '- 実行しない', '- 後で決める'],
  ],
  ['options', help80, ['このフォルダで作業する', '経過を出さない', '考えと理由も出す']],
  ['commands', help80, ['見本のフォルダでの実行', '実行を表示する']],
  [
    'findings',
    doctorLines({findings, exitCode: 2}, Number.POSITIVE_INFINITY, wide.style),
    ['書き込めます', 'とても長い', '調べていません'],
  ],
])('the columns of %s are aligned', (_, lines, texts) => {
  const columns = texts.map((text) => {
    const line = lines.find((each) => each.includes(text));
    return line === undefined ? -1 : widthOfText(line.slice(0, line.indexOf(text)));
  });
  expect(new Set(columns).size).toBe(1);
  expect(columns).not.toContain(-1);
});

/** Commands, options, operands and IDs, which are the same in every language. */
function namesIn(text: string): readonly string[] {
  const found = text.match(/\/[a-z]+|--[a-z]+|quorate [a-z]+|\b(?:N|[A-Z]{2,})\b/g) ?? [];
  return [...new Set(found)].toSorted();
}

test.each(helpNames)(
  'the help of a conversation on %s has the same names in both languages',
  (name) => {
    const [en = '', ja = ''] = (['en', 'ja'] as const).map((language) =>
      chatHelpOf(name, {style: {...plainStyle, language}, width: 1000}).join('\n'),
    );
    expect(ja).toMatch(/[ぁ-んァ-ン一-龠]/);
    expect(en).not.toMatch(/[ぁ-んァ-ン一-龠]/);
    expect(namesIn(ja)).toEqual(namesIn(en));
  },
);
