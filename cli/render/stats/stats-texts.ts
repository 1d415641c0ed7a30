/** The words of statistics and ratings. */

import {inLanguages} from '../../language.ts';
import {countText} from '../numbers.ts';

const en = {
  of: (count: string, all: string) => `${count} of ${all}`,
  runs: (count: number) => countText(count, 'run'),
  ended: (runs: string, from: string) => `${runs} that ended since ${from}`,
  none: (since: string | undefined) =>
    since === undefined ? 'no run has ended yet' : `no run has ended since ${since}`,
  left: 'not counted',
  open: (count: number) => `${count} open`,
  older: (count: string) => `${count} older (--limit N)`,
  partial: (runs: string) =>
    `${runs} of an earlier version, or ended without a replay: their plans and calls are not known`,
  labels: {
    runs: 'runs',
    plans: 'plans',
    tools: 'tools',
    models: 'models',
    tokens: 'tokens',
    cost: 'cost',
    ratings: 'ratings',
    undo: 'undo',
  },
  plans: (plans: number, runs: string) => `made ${plans.toLocaleString('en-US')} in ${runs} runs`,
  revised: (count: number) => countText(count, 'revision'),
  replanned: (count: number) => countText(count, 'replan'),
  failed: (part: string) => `failed ${part}`,
  timedOut: (part: string) => `timed out ${part}`,
  tokens: (input: number, cached: number, output: number) =>
    `in ${input.toLocaleString('en-US')} (cached ${cached.toLocaleString('en-US')}), out ${output.toLocaleString('en-US')}`,
  cost: (cost: string, calls: string) => `${cost} for ${calls} calls`,
  unpriced: (count: number) => `${countText(count, 'call')} without a known price`,
  estimated: (count: number) => `${countText(count, 'call')} estimated`,
  ratings: (rated: string, up: string, down: string) =>
    `rated ${rated} runs: up ${up}, down ${down}`,
  unrated: 'none; quorate show ID --rate up|down',
  undone: (runs: string) => `changes undone in ${runs} runs`,
  models: ['CALLS', 'FAILED', 'TIMED OUT', 'IN', 'OUT', 'COST', 'MODEL'] as readonly string[],
  seats: ['VOTES', 'AGREES', 'DECISIVE', 'COST', 'SEAT'] as readonly string[],
  atLeast: (cost: string) => `≥ ${cost}`,
  rated: (id: string, rating: 'up' | 'down') => `${id} is rated ${rating}`,
  rating: (rating: string, when: string) => `rated ${rating} on ${when}`,
};

type StatsTexts = Readonly<typeof en>;

const ja: StatsTexts = {
  of: (count, all) => `${all} 中 ${count}`,
  runs: (count) => `実行 ${count.toLocaleString('en-US')} 件`,
  ended: (runs, from) => `${from} から終わった${runs}`,
  none: (since) =>
    since === undefined ? '終わった実行はまだありません' : `${since} から終わった実行はありません`,
  left: '数えないもの',
  open: (count) => `未完了 ${count}`,
  older: (count) => `それより前 ${count}（--limit N）`,
  partial: (runs) => `以前の版か、再生せずに終えた${runs}: 計画と呼び出しは不明`,
  labels: {
    runs: '実行',
    plans: '計画',
    tools: 'ツール',
    models: 'モデル',
    tokens: 'トークン',
    cost: '費用',
    ratings: '評価',
    undo: '取り消し',
  },
  plans: (plans, runs) => `${plans.toLocaleString('en-US')} 件（実行 ${runs}）`,
  revised: (count) => `修正 ${count}`,
  replanned: (count) => `再計画 ${count}`,
  failed: (part) => `失敗 ${part}`,
  timedOut: (part) => `時間切れ ${part}`,
  tokens: (input, cached, output) =>
    `入力 ${input.toLocaleString('en-US')}（キャッシュ ${cached.toLocaleString('en-US')}）、出力 ${output.toLocaleString('en-US')}`,
  cost: (cost, calls) => `${cost}（呼び出し ${calls}）`,
  unpriced: (count) => `単価不明の呼び出し ${count}`,
  estimated: (count) => `見積もりの呼び出し ${count}`,
  ratings: (rated, up, down) => `評価された実行 ${rated}: up ${up}、down ${down}`,
  unrated: 'なし。quorate show ID --rate up|down',
  undone: (runs) => `変更を元に戻した実行 ${runs}`,
  models: ['呼出', '失敗', '時間切れ', '入力', '出力', '費用', 'モデル'],
  seats: ['投票', '一致', '決定的', '費用', '席'],
  atLeast: (cost) => `≥ ${cost}`,
  rated: (id, rating) => `${id} を ${rating} と評価しました`,
  rating: (rating, when) => `評価 ${rating}（${when}）`,
};

export const statsTexts = inLanguages({en, ja});
