/** `quorate stats`: figures over the runs that have ended. */

import type {Statistics, StatsOptions} from '../../actors/metrics/metrics-api.ts';
import {toSince} from '../line/amounts.ts';
import type {Command, Parsed} from '../line/command.ts';
import {checkChoice} from '../line/options.ts';
import {openToRead} from '../past/open-journal.ts';
import {statsTexts} from '../render/stats/stats-texts.ts';
import {styleFor} from '../render/style.ts';
import {safeJson} from '../render/text.ts';
import {pageWidthOf, type Terminal, write} from '../terminal.ts';

const formats = ['text', 'json', 'csv'] as const;
const groupings = ['model', 'form', 'folder'] as const;

/** With fewer runs to compute, the wait is too short for a notice. */
const longBacklog = 200;

export const stats: Command = {
  summary: {
    en: 'figures over ended runs: completed, revised, decided, calls, costs, ratings',
    ja: '終わった実行の集計: 完了、修正、判断、呼び出し、費用、評価',
  },
  detail: {
    en: `Counts the runs that have ended: how many completed, how often plans were revised, what panels and people decided, calls,
failures and costs of each model, and how people rated the results (quorate rate). A rate is shown as "12 of 15", a cost only
for calls whose price is known, and — where nothing is known.

  --by model    only the models
  --by form     also a line for each form: agent, ask …
  --by folder   also a line for each folder

With -C FOLDER only the runs of that folder are counted. A run
that was forked counts from its point on. Of runs that another version recorded, and that can't be replayed, only a part is
known; the text says of how many. The figures are kept with each run when it ends, without any of its texts, and erased with it.

--output json has all figures, csv one line for each group, or for each model.`,
    ja: `終わった実行を数えます: 完了した数、計画の修正の回数、合議体と人の判断、モデルごとの呼び出し・失敗・費用、結果への人の評価
（quorate rate）。割合は「15 件中 12」のように、費用は単価の分かる呼び出しだけ、分からないものは — と示します。

  --by model    モデルだけ
  --by form     形式（agent、ask …）ごとの行も
  --by folder   フォルダごとの行も

-C FOLDER を添えると、そのフォルダの実行だけを数えます。分岐した実行は
その時点から後を数えます。別の版が記録して再生できない実行は、一部しか分かりません。その件数を示します。数は実行の終わりに、
文章を含まずに保存され、実行とともに消えます。

--output json はすべての数、csv はグループごとかモデルごとに 1 行です。`,
  },
  options: [
    {
      name: 'since',
      takes: 'AGE|DATE',
      text: {
        en: 'only runs that ended since then: 24h, 7d, 2w or 2026-11-01',
        ja: 'その後に終わった実行だけ: 24h、7d、2w、2026-11-01 など',
      },
    },
    {
      name: 'by',
      takes: 'GROUP',
      values: groupings,
      text: {en: 'model | form | folder', ja: 'model | form | folder'},
    },
    {
      name: 'output',
      takes: 'FORMAT',
      values: formats,
      text: {en: 'text | json | csv, on stdout', ja: '標準出力の形式: text | json | csv'},
    },
  ],
  obeys: [],
  examples: ['quorate stats --since 7d', 'quorate stats --by form --output csv'],
  run: async (parsed, terminal) => {
    const options = optionsIn(parsed);
    const format = checkChoice('--output', parsed.flags['output']?.at(-1) ?? 'text', formats);
    const journal = await openToRead(terminal);
    try {
      const {collectStats} = await import('../../actors/metrics/stats.ts');
      const onBacklog = (runs: number): void => noteBacklog(runs, parsed, terminal);
      const statistics = await collectStats(journal, {...options, onBacklog});
      await write(terminal.stdout, await textOf(statistics, {format, by: options.by}, terminal));
      return 0;
    } finally {
      await journal.close();
    }
  },
};

function optionsIn({flags, cwd}: Parsed): StatsOptions {
  const [since, by] = [flags['since']?.at(-1), flags['by']?.at(-1)];
  return {
    ...(since === undefined ? {} : {since: toSince('--since', since, Date.now())}),
    ...(by === undefined ? {} : {by: checkChoice('--by', by, groupings)}),
    ...(cwd === undefined ? {} : {workspace: cwd}),
  };
}

function noteBacklog(runs: number, {quiet}: Parsed, {stderr, language}: Terminal): void {
  if (!quiet && runs >= longBacklog) stderr.write(`${statsTexts({language}).backlog(runs)}\n`);
}

interface Wanted {
  readonly format: (typeof formats)[number];
  readonly by: StatsOptions['by'];
}

async function textOf(
  statistics: Statistics,
  {format, by}: Wanted,
  {stdout, env, language}: Terminal,
): Promise<string> {
  if (format === 'json') return `${safeJson({...(by ? {by} : {}), ...statistics}, 2)}\n`;
  if (format === 'csv') {
    const {statsCsv} = await import('../render/stats/stats-csv.ts');
    return statsCsv(statistics, by);
  }
  const {statsLines} = await import('../render/stats/stats.ts');
  const view = {style: styleFor(stdout, {env, language}), width: pageWidthOf(stdout)};
  return `${statsLines(statistics, by, view).join('\n')}\n`;
}
