/** The messages of a conversation. Its errors, and the help of its commands, are beside the code that they are about. */

import {inLanguages} from '../language.ts';
import {countText} from '../render/numbers.ts';

const en = {
  noModel: 'no model',
  offline: 'offline model',
  offlineNoKey: 'offline model (no key)',
  footing: [
    '!COMMAND runs a shell command of your own, without a vote, confined like the commands of tasks.',
    'It is recorded, later tasks receive its output, and /undo reverts it.',
    'Text without a slash is a new task, or is sent to the focused interaction.',
    'A line that ends in \\ continues in the next one.',
    'Tab completes commands. Ctrl-C suspends running interactions; pressed again, it leaves. Ctrl-D leaves.',
  ] as readonly string[],
  waits: (places: string, count: number) => `${places} ${count === 1 ? 'waits' : 'wait'} for you`,
  othersRunning: (count: number) => countText(count, 'other running', 'others running'),
  answerWith: (place: string) =>
    `/answer ${place} TEXT answers it; after /focus ${place}, typed text does`,
  sentTo: (place: string) => `sent to ${place}, which reads it at its next turn`,
  newTask: 'typed text now begins a new task',
  cancelled: (number: number) => `${number} is cancelled`,
  suspendedBy: (number: number, problem: string) =>
    `${number} is suspended: ${problem}; /resume ${number} continues it`,
  applies: (name: string) => `${name}: applies to new interactions`,
  appliesTo: (number: number) => `and to ${number} from its next round on`,
  notTo: (number: number, why: string) => `not to ${number}: ${why}`,
  isSet: (name: string, value: string, choices: string) => `${name} ${value}; it takes ${choices}`,
  isDefault: (name: string, value: string, choices: string) =>
    `${name} ${value} (the default); it takes ${choices}`,
  everyDefault: 'every setting is the default',
  nothingBegun: 'nothing was begun yet: type a task',
  stillRunning: (numbers: string) => `still running from an earlier conversation: ${numbers}`,
  asBefore: (path: string) => `${path} is as it was before the task`,
  noChanges: 'no files were changed',
  nothingToUndo: 'there is nothing to take back',
  undoQuestion: 'take this back? yes or no: ',
  nothingUndone: 'nothing was taken back',
  anew: 'a new conversation begins here, without context from the one before',
  exported: (file: string) => `exported to ${file}`,
  title: (folder: string) => `Conversation in ${folder}`,
  notEnded: 'It has not ended.',
  noConversation: 'no conversation in this folder yet',
  noneWithWords: 'no conversation has these words',
  older: (count: number) => `… and ${countText(count, 'older one')}: /sessions WORDS`,
  resumeOne: '/resume ID continues one',
  interactions: (count: number) => countText(count, 'interaction'),
  openOnes: (count: number) => `${count} open`,
  isOpen: 'open',
  continuing: (number: number, request: string) => `continuing ${number}: ${request}`,
  cannotContinue: (number: number, why: string) => `${number} can't be continued: ${why}`,
  leave: 'press Ctrl-C again to leave',
  suspending:
    'suspending running interactions: nothing is lost, /resume continues; press Ctrl-C again to leave',
  leftOver: (numbers: string, session: string) =>
    `${numbers} suspended; continue with: quorate chat --resume ${session}`,
  notRead: (count: number) => `not read: ${countText(count, 'line')} after it`,
};

type ChatTexts = Readonly<typeof en>;

const ja: ChatTexts = {
  noModel: 'モデルなし',
  offline: 'オフライン',
  offlineNoKey: 'オフライン（キーなし）',
  footing: [
    '!COMMAND は自分のシェルコマンドを、投票なしで、タスクのコマンドと同じ隔離の下で実行します。',
    '記録され、後のタスクに出力が渡り、/undo で元に戻せます。',
    'スラッシュのない文は新しいタスクになるか、フォーカス中の対話に送られます。',
    '\\ で終わる行は次の行に続きます。',
    'Tab はコマンドの補完です。Ctrl-C は実行中の対話を中断し、もう一度押すと終了します。Ctrl-D でも終了します。',
  ],
  waits: (places) => `${places} が返答待ち`,
  othersRunning: (count) => `ほか ${count} 件が実行中`,
  answerWith: (place) =>
    `/answer ${place} TEXT で回答します。/focus ${place} の後は、入力した文が回答になります`,
  sentTo: (place) => `${place} に送りました。次の番で読まれます`,
  newTask: '入力した文は新しいタスクになります',
  cancelled: (number) => `${number} を取り消しました`,
  suspendedBy: (number, problem) =>
    `${number} は中断しています: ${problem}。/resume ${number} で続きます`,
  applies: (name) => `${name}: 新しい対話から使います`,
  appliesTo: (number) => `${number} にも次の回から使います`,
  notTo: (number, why) => `${number} には使いません: ${why}`,
  isSet: (name, value, choices) => `${name} ${value}。書けるもの: ${choices}`,
  isDefault: (name, value, choices) => `${name} ${value}（既定）。書けるもの: ${choices}`,
  everyDefault: 'すべての設定が既定のままです',
  nothingBegun: 'まだ何も始まっていません。タスクを書いてください',
  stillRunning: (numbers) => `以前の会話から実行中: ${numbers}`,
  asBefore: (path) => `${path} はタスクの前と同じです`,
  noChanges: 'ファイルは変更されていません',
  nothingToUndo: '元に戻すものはありません',
  undoQuestion: '元に戻しますか？ はい か いいえ: ',
  nothingUndone: '何も元に戻していません',
  anew: 'ここから、前の文脈のない新しい会話です',
  exported: (file) => `${file} に書き出しました`,
  title: (folder) => `${folder} での会話`,
  notEnded: 'まだ終わっていません。',
  noConversation: 'このフォルダに会話はまだありません',
  noneWithWords: 'これらの語を含む会話はありません',
  older: (count) => `… ほかに古いものが ${count} 件: /sessions WORDS`,
  resumeOne: '/resume ID で続けられます',
  interactions: (count) => `対話 ${count} 件`,
  openOnes: (count) => `未完了 ${count} 件`,
  isOpen: '未完了',
  continuing: (number, request) => `${number} を続けます: ${request}`,
  cannotContinue: (number, why) => `${number} を続けられません: ${why}`,
  leave: '終了するには Ctrl-C をもう一度押してください',
  suspending:
    '実行中の対話を中断します。何も失われず、/resume で続きます。終了するには Ctrl-C をもう一度押してください',
  leftOver: (numbers, session) =>
    `${numbers} を中断しました。再開するには: quorate chat --resume ${session}`,
  notRead: (count) => `その後の ${count} 行は読まれませんでした`,
};

export const chatTexts = inLanguages({en, ja});
