/** The fixed words in the text of a result, in the language of the request. */

import type {Language} from '../../../machines/domain/language.ts';
import type {ReviewRound} from '../../../machines/domain/review.ts';
import {countText} from '../numbers.ts';
import {othersTitle} from './decisions.ts';

const english = {
  answer: 'Answer',
  changes: 'Changes',
  tasks: 'Tasks',
  interactions: 'Interactions',
  denied: 'Denied',
  votes: 'Votes',
  sources: 'Sources',
  conclusion: 'Conclusion',
  keyPoints: 'Key points',
  agreements: 'Agreements',
  disagreements: 'Disagreements',
  ranking: 'Ranking',
  degraded: 'Degraded',
  notes: 'Notes',
  others: othersTitle,
  inDoubt: 'Nobody knows whether this happened',
  unread: 'Messages after its last turn, which were not read',
  removed: 'Claims that the record contradicts were removed from the answer.',
  inFull: 'Every answer in full',
  wholeDiff: 'The whole diff',
  approved: 'APPROVED',
  rejected: 'REJECTED',
  noQuorum: 'NO QUORUM',
  early: 'early',
  degradedVote: 'degraded',
  notNeeded: 'not needed',
  confinement: (names: string) => `commands: ${names}`,
  seeAbove: (lines: number) => `[${countText(lines, 'line')}: see above]`,
  redoneBy: (task: string) => `redone by task ${task}`,
  dropped: (reason: string) => `given up: ${reason}`,
  vote: (kind: ReviewRound['kind'], title: string, round: number) =>
    `${kind} "${title}", round ${round}`,
  ranked: ({participants, reviews, place, score}: Rank) =>
    reviews === 0
      ? `${participants.join(' and ')}: not reviewed`
      : `${participants.join(' and ')}: mean place ${place}, mean score ${score} of 10, ${countText(reviews, 'review')}`,
  /** By the status of a run or a task; a missing one is shown itself. */
  statuses: {pending: 'not reached'} as Readonly<Record<string, string>>,
};

export type Titles = Readonly<typeof english>;

interface Rank {
  readonly participants: readonly string[];
  readonly reviews: number;
  readonly place: string;
  readonly score: string;
}

const japaneseKinds: Readonly<Record<ReviewRound['kind'], string>> = {
  plan: '計画',
  action: '操作',
  result: '結果',
  diff: '差分',
};

const japanese: Titles = {
  answer: '回答',
  changes: '変更',
  tasks: 'タスク',
  interactions: '下位の対話',
  denied: '却下された呼び出し',
  votes: '投票',
  sources: '出典',
  conclusion: '結論',
  keyPoints: '要点',
  agreements: '一致点',
  disagreements: '相違点',
  ranking: '順位',
  degraded: '制約のある結論',
  notes: '注記',
  others: 'パネル以外による決定',
  inDoubt: '実行されたかどうか不明',
  unread: '最後のターンの後に届き、読まれていない発言',
  removed: '記録と矛盾する主張を回答から削除しました。',
  inFull: 'すべての回答の全文',
  wholeDiff: '差分全体',
  approved: '承認',
  rejected: '却下',
  noQuorum: '定足数不足',
  early: '早期決定',
  degradedVote: '一部の審査なし',
  notNeeded: '審査不要',
  confinement: (names) => `コマンド: ${names}`,
  seeAbove: (lines) => `[${lines} 行: 上記参照]`,
  redoneBy: (task) => `タスク ${task} でやり直し`,
  dropped: (reason) => `断念: ${reason}`,
  vote: (kind, title, round) => `${japaneseKinds[kind]}「${title}」第 ${round} 回`,
  ranked: ({participants, reviews, place, score}) =>
    reviews === 0
      ? `${participants.join('、')}: 評価なし`
      : `${participants.join('、')}: 平均順位 ${place}、平均点 ${score}/10、評価 ${reviews} 件`,
  statuses: {
    completed: '完了',
    failed: '失敗',
    rejected: '却下',
    cancelled: '取り消し',
    limited: '上限に到達',
    waiting: '待機中',
    suspended: '中断',
    error: 'エラー',
    pending: '未着手',
    running: '実行中',
    skipped: '省略',
    stopped: '停止',
  },
};

export function titlesIn(language: Language = 'en'): Titles {
  return language === 'ja' ? japanese : english;
}
