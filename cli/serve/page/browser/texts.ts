/** The texts of the page itself. For another language, add its texts and a name in the table. */

import type {FieldStatus, Problem, Progress} from './sync/wire.ts';

const en = {
  /** BCP 47. */
  language: 'en',
  /** The language in its own words. */
  name: 'English',
  conversation: 'Conversation',
  answers: 'Your answers',
  menu: 'More',
  skipToAnswer: 'Skip to your answer',
  /** For screen readers. */
  speaker: {agent: 'Interviewer:', person: 'You:'},
  yourAnswer: 'Your answer',
  answerTo: (label: string) => `Your answer: ${label}`,
  send: 'Send',
  /** In the empty text box; for a question with suggested answers. */
  placeholder: 'Type your answer',
  placeholderWithChoices: 'Pick an answer, or type it',
  keys: 'Enter to send, Shift + Enter for a new line',
  working: 'The next question is on its way',
  sending: 'Sending…',
  waiting: 'Not sent yet. It will be sent as soon as there is a connection.',
  problems: {
    refused: 'This was not accepted.',
    moved:
      'The conversation has continued in another window. Your text is still here: read the new messages, then send it.',
    tooLong: 'This is longer than one message can be. Please shorten it.',
    unreached: 'The server could not be reached. Please try again.',
  } satisfies Record<Problem, string>,
  offline: 'You are offline. Your messages are kept here and sent when you are online again.',
  lost: 'The connection is lost. Trying again…',
  progress: ({done, total, isOpen}: Progress) =>
    `${done} of ${isOpen ? 'at most ' : ''}${total} answered`,
  optional: 'optional',
  status: {
    pending: 'Not asked yet',
    interviewing: 'Being asked',
    reviewing: 'Being checked',
    done: 'Answered',
    skipped: 'Skipped',
    declined: 'Not answered, by your choice',
    notApplicable: 'Does not apply',
    stale: 'To be asked again',
  } satisfies Record<FieldStatus, string>,
  change: (label: string) => `Change ${label}`,
  changeShort: 'Change',
  save: 'Save',
  cancel: 'Cancel',
  show: (label: string) => `Show ${label}`,
  hide: (label: string) => `Hide ${label}`,
  showShort: 'Show',
  hideShort: 'Hide',
  suggestions: 'Suggested answers',
  pickDay: 'Pick a day',
  /** Texts that the interview understands as commands. */
  say: {
    today: 'Today',
    tomorrow: 'Tomorrow',
    yes: 'Yes',
    no: 'No',
    skip: 'Skip',
    why: 'Why do you ask?',
    goOn: 'Continue',
  },
  review: {
    title: 'Please check your answers',
    assumed: (settings: string) =>
      `Assumed: ${settings}. If one is wrong, write the right one below.`,
    lead: 'Nothing has been submitted yet. You can still change everything.',
    open: 'Before you can submit, these answers are needed:',
    submit: 'Submit',
    submitting: 'Submitting…',
  },
  ending: {
    title: 'Thank you',
    text: 'Your answers have been submitted. You can close this page.',
    download: 'Download your answers',
    print: 'Print',
  },
  /** It ended without being submitted. */
  broken: {
    title: 'This conversation has ended',
    text: 'Your answers have not been submitted. These are your answers up to now.',
  },
  back: {
    title: 'Welcome back',
    goOn: 'Continue',
    startOver: 'Start over',
    startOverAsk: 'Your answers so far will be deleted, and the form starts over.',
  },
  erase: {
    action: 'Delete my data',
    title: 'Delete your data?',
    ask: 'The conversation and all answers will be deleted for good.',
    confirm: 'Delete',
    doneTitle: 'Deleted',
    done: 'Nothing of this conversation is kept.',
  },
  gone: {
    title: 'This link does not work',
    text: 'The link is incomplete, or the submission has been deleted.',
  },
  unknownForm: {title: 'There is no such form', text: 'Please check the address.'},
  failed: {
    title: 'This could not be opened',
    text: 'The server gave an unexpected answer.',
    again: 'Try again',
  },
};

export type Texts = typeof en;

const ja: Texts = {
  language: 'ja',
  name: '日本語',
  conversation: '会話',
  answers: 'ご回答',
  menu: 'その他',
  skipToAnswer: '回答欄へ移動',
  speaker: {agent: '質問者：', person: 'あなた：'},
  yourAnswer: 'ご回答',
  answerTo: (label) => `ご回答：${label}`,
  send: '送信',
  placeholder: '回答を入力してください',
  placeholderWithChoices: '選ぶか、入力してください',
  keys: 'Enterで送信、Shift + Enterで改行',
  working: '次の質問を準備しています',
  sending: '送信中…',
  waiting: 'まだ送信されていません。接続が戻りしだい送信します。',
  problems: {
    refused: '受け付けられませんでした。',
    moved:
      '別のウィンドウで会話が進みました。入力内容は残っていますので、確認してから送信してください。',
    tooLong: '1回に送れる長さを超えています。短くしてください。',
    unreached: 'サーバーに接続できませんでした。もう一度お試しください。',
  },
  offline: 'オフラインです。入力内容はここに保存され、接続が戻ると送信されます。',
  lost: '接続が切れました。再接続しています…',
  progress: ({done, total, isOpen}) => `${isOpen ? '最大' : ''}${total}問中${done}問に回答済み`,
  optional: '任意',
  status: {
    pending: '未回答',
    interviewing: '質問中',
    reviewing: '確認中',
    done: '回答済み',
    skipped: 'スキップ',
    declined: '回答しない',
    notApplicable: '対象外',
    stale: '再確認が必要',
  },
  change: (label) => `${label}を変更`,
  changeShort: '変更',
  save: '保存',
  cancel: 'キャンセル',
  show: (label) => `${label}を表示`,
  hide: (label) => `${label}を隠す`,
  showShort: '表示',
  hideShort: '隠す',
  suggestions: '回答の候補',
  pickDay: '日付を選ぶ',
  say: {
    today: '今日',
    tomorrow: '明日',
    yes: 'はい',
    no: 'いいえ',
    skip: 'スキップ',
    why: 'なぜ必要ですか？',
    goOn: '続ける',
  },
  review: {
    assumed: (settings) =>
      `推定した設定：${settings}。違うものがあれば、下に正しいものをお書きください。`,
    title: '回答内容をご確認ください',
    lead: 'まだ提出されていません。どの回答も変更できます。',
    open: '提出するには、次の項目への回答が必要です。',
    submit: '提出する',
    submitting: '提出しています…',
  },
  ending: {
    title: 'ありがとうございました',
    text: '回答を提出しました。このページは閉じてかまいません。',
    download: '回答をダウンロード',
    print: '印刷',
  },
  broken: {
    title: 'この会話は終了しました',
    text: '回答は提出されていません。これまでの回答は次のとおりです。',
  },
  back: {
    title: 'おかえりなさい',
    goOn: '続きから',
    startOver: '最初から',
    startOverAsk: 'これまでの回答は削除され、最初からやり直しになります。',
  },
  erase: {
    action: 'データを削除',
    title: 'データを削除しますか？',
    ask: '会話とすべての回答が完全に削除されます。',
    confirm: '削除する',
    doneTitle: '削除しました',
    done: 'この会話のデータは残っていません。',
  },
  gone: {
    title: 'このリンクは使えません',
    text: 'リンクが不完全か、内容がすでに削除されています。',
  },
  unknownForm: {title: 'フォームが見つかりません', text: 'アドレスをご確認ください。'},
  failed: {
    title: '開けませんでした',
    text: 'サーバーから正しい応答がありませんでした。',
    again: 'もう一度試す',
  },
};

const languages: Readonly<Record<string, Texts>> = {en, ja};

/** The languages of the texts, in their own words. */
export const languageNames: readonly string[] = Object.values(languages).map(({name}) => name);

/** The texts of the nearest language; English without one. */
export function textsFor(language: string): Texts {
  return languages[primaryOf(language)] ?? en;
}

/** `ja` of `ja-JP`. */
function primaryOf(language: string): string {
  return language.toLowerCase().split('-')[0] ?? '';
}
