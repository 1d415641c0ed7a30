/** `quorate inspect [ID]`: shows runs in a browser, at any moment, with the prompts that models received. */

import {oneOrNewest, type Command} from '../line/command.ts';

export const inspect: Command = {
  operands: {...oneOrNewest, usage: '[ID]'},
  summary: {
    en: 'show runs in a browser: states, votes, prompts, at every moment',
    ja: 'ブラウザーで実行を見る: 状態、投票、プロンプト、どの時点でも',
  },
  detail: {
    en: `Serves a page on this machine that shows runs while they work and afterwards: the actors with their states, the chart of
each, the journal, and every vote with its reasons and the prompt that led to it. A slider moves through the run in both
directions; any two moments can be compared. With an ID it opens that run. Anyone with the printed address can read the
runs; decide with quorate resume ID. Ctrl-C ends the page.

--html writes one run to a file that needs no server, for a bug report. --stately prints the run as the events of @statelyai/inspect, one a line. Both take the newest
run of this folder if no ID is given.`,
    ja: `この機械でページを提供し、動いている実行と終わった実行を見せます。アクターとその状態、それぞれのチャート、ジャーナル、
すべての投票とその理由、それを導いたプロンプト。スライダーで実行の中を前後に動け、どの 2 つの時点も比べられます。ID を
指定すると、その実行を開きます。表示されるアドレスを持つ人は、実行を読めます。判断は quorate resume ID で行います。
Ctrl-C でページを終えます。

--html は、1 つの実行をサーバーの要らないファイルに書きます。不具合の報告のためです。--stately は @statelyai/inspect のイベントを 1 行に 1 つ書きます。どちらも ID なしでは
このフォルダの最新の実行です。`,
  },
  options: [
    {
      name: 'html',
      takes: 'FILE',
      text: {
        en: 'write the run to one file that opens without a server; -: stdout',
        ja: 'サーバーなしで開ける 1 つのファイルに書く。- は標準出力',
      },
    },
    {
      name: 'stately',
      text: {
        en: 'print the events of @statelyai/inspect instead',
        ja: '代わりに @statelyai/inspect のイベントを書く',
      },
    },
    {
      name: 'port',
      takes: 'PORT',
      text: {
        en: 'the port to listen at (8788); 0: any free port',
        ja: '待ち受けるポート。既定は 8788、0: 空いているもの',
      },
    },
    {name: 'open', text: {en: 'open the page in the browser', ja: 'ページをブラウザーで開く'}},
  ],
  examples: ['quorate inspect', 'quorate inspect ID --html run.html'],
  obeys: ['log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  run: async (parsed, terminal) => {
    const {inspectRuns} = await import('../inspect/inspect.ts');
    return await inspectRuns(parsed, terminal);
  },
};
