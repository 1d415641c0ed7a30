/** The words of points and differences. */

import {inLanguages} from '../../language.ts';

const en = {
  between: (from: number, to: number) => `from entry ${from} to entry ${to}`,
  at: (seq: number, time: string) => `as it was after entry ${seq}, ${time}`,
  forked: (id: string, seq: number) => `forked from run ${id} after entry ${seq}`,
  fork: (id: string, seq: number) =>
    `Continue from here in a new run: quorate fork ${id} --at ${seq}`,
  states: 'States',
  decisions: 'Decisions and messages',
  files: 'Files',
  contexts: 'Contexts',
  unknownFiles: 'unknown: an earlier version recorded the run',
  more: (count: number) => `… ${count} more: --output json has all`,
  nothing: 'Nothing changed.',
  points: 'Points, with the entries before and after each',
  rewound: 'These files are taken back:',
  kept: (id: string) => `Nothing was changed: these files of ${id} can't be taken back.`,
  ask: (point: string) => `Take these changes back, and continue from ${point}?`,
  none: 'Nothing was changed.',
};

type MomentTexts = typeof en;

const ja: MomentTexts = {
  between: (from, to) => `エントリー ${from} から ${to} まで`,
  at: (seq, time) => `エントリー ${seq} の後（${time}）の状態`,
  forked: (id, seq) => `実行 ${id} のエントリー ${seq} の後からの分岐`,
  fork: (id, seq) => `ここから新しい実行として続ける: quorate fork ${id} --at ${seq}`,
  states: '状態',
  decisions: '決定とメッセージ',
  files: 'ファイル',
  contexts: 'コンテキスト',
  unknownFiles: '不明: 以前の版の記録です',
  more: (count) => `… 他 ${count} 件: --output json ですべて表示`,
  nothing: '何も変わっていません。',
  points: '時点と、その前後のエントリー',
  rewound: '次のファイルを元に戻します:',
  kept: (id) => `何も変えていません: ${id} の次のファイルは元に戻せません。`,
  ask: (point) => `これらの変更を元に戻し、${point} から続けますか?`,
  none: '何も変えていません。',
};

export const momentTexts = inLanguages({en, ja});
