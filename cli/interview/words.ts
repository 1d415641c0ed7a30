/** The terminal's own texts in an interview, beside those of its agents. For another language, add an entry. */

import type {FieldStatus} from '../../machines/questionnaire/answers.ts';
import {countText} from '../render/numbers.ts';

export interface TerminalWords {
  /** Shown below the title. */
  readonly hint: string;
  /** The text before the typed line. */
  readonly confirming: string;
  readonly paused: string;
  readonly atWork: string;
  /** Lines of standard input that were left when the conversation ended. */
  readonly unread: (count: number) => string;
  /** `near`: the field that was probably meant. */
  readonly noField: (name: string, near: string | undefined) => string;
  readonly notYet: (open: readonly string[]) => string;
  readonly goOn: string;
  readonly formGone: string;
  readonly value: string;
  readonly quote: string;
  /** For a field without an answer. */
  readonly statuses: Readonly<Record<Exclude<FieldStatus, 'done' | 'notApplicable'>, string>>;
}

const en: TerminalWords = {
  hint: '/help lists the commands. Ctrl-C suspends the interview: nothing is lost.',
  confirming: 'submit?',
  paused: 'paused',
  atWork: 'one moment …',
  unread: (count) => `not read: ${countText(count, 'line')} of standard input`,
  noField: (name, near) =>
    `there is no question “${name}”${near === undefined ? '' : `; did you mean “${near}”?`}`,
  notYet: (open) =>
    open.length === 0
      ? 'all questions must be asked first'
      : `it can’t be submitted yet; still needed: ${open.join(', ')}`,
  goOn: 'Continue below, or write /restart to start over.',
  formGone:
    'The form can’t be read any more, so the interview continues with the form that it began with: ',
  value: 'answer',
  quote: 'your words',
  statuses: {
    pending: '–',
    interviewing: 'asked now',
    reviewing: 'being checked',
    skipped: 'skipped',
    declined: 'declined',
    stale: 'to be asked again',
  },
};

const ja: TerminalWords = {
  hint: '/help でほかに書けることの一覧が出ます。Ctrl-C で中断できます（回答は残ります）。',
  confirming: '送信',
  paused: '休憩中',
  atWork: '少しお待ちください…',
  unread: (count) => `標準入力の ${count} 行は読まれませんでした`,
  noField: (name, near) =>
    `「${name}」という質問はありません${near === undefined ? '' : `。「${near}」のことですか？`}`,
  notYet: (open) =>
    open.length === 0
      ? 'まず、すべての質問にお答えください'
      : `まだ送信できません。必要な項目: ${open.join('、')}`,
  goOn: '続きからどうぞ。最初からやり直すには /restart と書いてください。',
  formGone: 'フォームが読めなくなったため、始めたときのフォームで続けます: ',
  value: '回答',
  quote: '元の言葉',
  statuses: {
    pending: '–',
    interviewing: '質問中',
    reviewing: '確認中',
    skipped: 'スキップ',
    declined: '回答しない',
    stale: 'もう一度お聞きします',
  },
};

const languages: ReadonlyMap<string, TerminalWords> = new Map([
  ['en', en],
  ['ja', ja],
]);

/** The texts of a language, BCP 47; English if there are none. */
export function wordsFor(language: string | undefined): TerminalWords {
  const [primary = ''] = (language ?? '').toLowerCase().split('-');
  return languages.get(primary) ?? en;
}
