/** A form in two languages. */

import type {Field} from '../../../../cli/serve/page/browser/wire.ts';

type FakeField = Omit<Field, 'status'> & {readonly asks: Readonly<Record<string, string>>};

const base = {required: true, sensitivity: 'none'} as const;

export const fakeFields: readonly FakeField[] = [
  {
    ...base,
    id: 'name',
    label: 'Full name',
    type: 'text',
    asks: {en: 'What is your full name?', ja: 'お名前を教えてください。'},
  },
  {
    ...base,
    id: 'email',
    label: 'Email address',
    type: 'email',
    why: 'To send you the decision.',
    sensitivity: 'personal',
    asks: {
      en: 'What is your email address?\nWe only use it to send you the decision.',
      ja: 'メールアドレスを教えてください。',
    },
  },
  {
    ...base,
    id: 'role',
    label: 'Role',
    type: 'choice',
    choices: ['Engineer', 'Designer', 'Product manager'],
    asks: {en: 'Which role are you applying for?', ja: 'どの職種に応募しますか？'},
  },
  {
    ...base,
    id: 'languages',
    label: 'Languages',
    type: 'choices',
    choices: ['English', 'Japanese', 'German'],
    required: false,
    asks: {en: 'Which of these languages do you speak?', ja: '話せる言語を選んでください。'},
  },
  {
    ...base,
    id: 'start',
    label: 'Start date',
    type: 'date',
    asks: {en: 'When could you start?', ja: 'いつから働けますか？'},
  },
  {
    ...base,
    id: 'code',
    label: 'Referral code',
    type: 'text',
    required: false,
    sensitivity: 'secret',
    asks: {en: 'Do you have a referral code?', ja: '紹介コードはありますか？'},
  },
];

const words = {
  en: {
    greeting: 'Hello! Which language would you like to use? English or 日本語?',
    confirm: 'These are your answers. Is that right?',
  },
  ja: {
    greeting: 'こんにちは。どの言語を使いますか？',
    confirm: 'ご回答は次のとおりです。よろしいですか？',
  },
};

export function fakeWords(language: string): {readonly greeting: string; readonly confirm: string} {
  return language === 'ja' ? words.ja : words.en;
}
