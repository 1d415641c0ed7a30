/** The words about runs that are removed from the journal. */

import type {KeptRun} from '../../../actors/sessions/prune.ts';
import {inLanguages} from '../../language.ts';
import {countText} from '../numbers.ts';

const whyKept: Readonly<Record<KeptRun['why'], string>> = {
  running: 'a process is running it',
  open: 'it has not ended',
  inDoubt: 'it has not ended, and a command of it may have run or not',
  changed: 'it was not shown, or it has changed since',
  failed: 'it could not be removed',
};

const en = {
  isOpen: 'open',
  eraseOne: (id: string, request: string) => `Remove ${id} (${request}) from the journal for good?`,
  eraseMany: (runs: number, open: number) =>
    open === 0
      ? `Remove ${countText(runs, 'run')} for good?`
      : `Remove ${countText(runs, 'run')} for good, ${open} of which can still be continued?`,
  erased: (id: string) => `erased ${id}`,
  nothingErased: 'nothing was removed',
  removed: 'removed',
  wouldRemove: 'would be removed',
  kept: 'kept',
  more: (count: number) => `… and ${countText(count, 'more run')}`,
  why: whyKept,
  sum: (removed: string, bytes: string, kept: number, others: number) =>
    `${removed} (${bytes}); ${kept} kept, ${countText(others, 'other')}`,
  removedRuns: (count: number) => `${countText(count, 'run')} removed`,
  wouldRemoveRuns: (count: number) => `${countText(count, 'run')} would be removed`,
  files: (before: string, after: string) => `journal: ${before} before, ${after} now`,
  notSmaller: (why: string) => `the journal's files are as large as before: ${why}`,
};

type RetentionTexts = Readonly<typeof en>;

const ja: RetentionTexts = {
  isOpen: '未完了',
  eraseOne: (id, request) => `${id}（${request}）をジャーナルから完全に消しますか？`,
  eraseMany: (runs, open) =>
    open === 0
      ? `${runs} 件の実行を完全に消しますか？`
      : `${runs} 件の実行を完全に消しますか？うち ${open} 件はまだ続けられます。`,
  erased: (id) => `消しました: ${id}`,
  nothingErased: '何も消していません',
  removed: '消した',
  wouldRemove: '消す',
  kept: '残す',
  more: (count) => `… ほか ${count} 件`,
  why: {
    running: 'プロセスが動かしている',
    open: '終わっていない',
    inDoubt: '終わっておらず、コマンドが実行されたかどうか分からない',
    changed: '示していないか、示した後に変わった',
    failed: '消せなかった',
  },
  sum: (removed, bytes, kept, others) =>
    `${removed}（${bytes}）、残したもの ${kept} 件、対象外 ${others} 件`,
  removedRuns: (count) => `${count} 件を消しました`,
  wouldRemoveRuns: (count) => `${count} 件を消します`,
  files: (before, after) => `ジャーナル: ${before} から ${after} になりました`,
  notSmaller: (why) => `ジャーナルのファイルの大きさは変わっていません: ${why}`,
};

export const retentionTexts = inLanguages({en, ja});
