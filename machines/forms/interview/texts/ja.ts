/** Japanese. */

import {lines} from '../../../domain/plain-text.ts';
import {typeOf} from '../../../questionnaire/field-types.ts';
import {masked} from '../../../questionnaire/private-answers.ts';
import type {FormField} from '../../../questionnaire/questionnaire.ts';
import type {InterviewTexts} from './interview-texts.ts';
import {
  bare,
  cityOf,
  dateRange,
  type DateRange,
  hintOf,
  isQuestion,
  longDateOf,
  numbered,
  table,
} from './parts.ts';

const maxZones = 15;

const help =
  'いつでも「スキップ」「なぜ？」「戻る」「一時停止」と言えます。回答の変更もいつでもできます。';
const sections = {language: '言語', country: 'お住まいの国', timezone: 'タイムゾーン'} as const;

export const ja: InterviewTexts = {
  name: '日本語',
  greeting: ({title, description}) =>
    lines(`こんにちは。「${title}」について、一つずつお伺いします。`, description, help),
  askLanguage: (languages) =>
    `どの言語で進めましょうか。${languages.join('、')}からお選びください。`,
  askCountry: (choices) =>
    choices.length === 0
      ? 'どちらの国にお住まいですか。'
      : `${choices.join('、')}${choices.length === 1 ? 'のことでしょうか。' : 'のどちらでしょうか。'}`,
  askTimezone: (choices) =>
    choices.length === 0 || choices.length > maxZones
      ? 'どのタイムゾーンにお住まいですか。近くの大きな都市の名前でも構いません。'
      : lines(
          'お住まいの地域と同じ時刻の都市はどれですか。番号でも構いません。',
          numbered(choices.map(cityOf), andMore),
        ),
  notUnderstood: '申し訳ありません、うまく理解できませんでした。',
  help,
  nothingBefore: '最初の質問です。',
  whySetting: {
    language: 'お使いの言語でお伺いするためです。',
    country: '電話番号や日付を、お住まいの国の書き方で読み取るためです。',
    timezone: '「今日」や「明日」がいつかを知るためです。',
  },
  sections,
  forLater: 'ありがとうございます。後ほど確認します。',
  assumed: (section, value) =>
    `${sections[section]}はひとまず${value}として進めます。違う場合はお知らせください。`,
  askField: (field, isFirst) =>
    lines(isFirst ? 'それでは始めましょう。' : '', labelOf(field), field.intent, formatOf(field)),
  askFact: (field, fact) => lines(`${bare(field.label)}：${asQuestion(fact.fact)}`, hintOf(fact)),
  askAgain: (field, problems, missing) =>
    lines(
      ...problems,
      missing.length > 0
        ? `まだ伺っていないこと：${missing.map(({fact}) => bare(fact)).join('、')}`
        : '',
      problems.some(isRequest) ? '' : `もう一度お願いします：${field.label}`,
    ),
  why: ({why, required}) =>
    why ?? `フォームにはほかの理由が書かれていません。${required ? '' : '飛ばしても構いません。'}`,
  cannotSkip: (label) => `恐れ入りますが、「${bare(label)}」は必須の項目です。`,
  needsAnswer: (label) =>
    `「${bare(label)}」は必須の項目です。それがお答えでしたら、もう一度お書きください。`,
  stillOpen: (label, isRequired) =>
    isRequired
      ? `「${bare(label)}」が必要なため、まだ送信できません。`
      : `「${bare(label)}」にまだお答えいただいていません。飛ばす場合は「スキップ」とお書きください。最後に回答を確認して送信できます。`,
  kept: (label) => `「${bare(label)}」は元の回答のままにします。`,
  skipped: (label) => `「${bare(label)}」をスキップしました。`,
  declined: (label) => `承知しました。「${bare(label)}」は未回答のままにします。`,
  declinedRequired: (label) =>
    `承知しました。「${bare(label)}」は送信に必要な項目ですので、最後にもう一度お選びいただけます。`,
  left: (label) => `「${bare(label)}」はひとまず置いておきます。最後にもう一度お答えいただけます。`,
  changed: (label, before, after) =>
    before === masked
      ? `「${bare(label)}」を変更しました。`
      : `変更しました。${bare(label)}：${before} → ${after}`,
  noted: (label, value) =>
    value === masked
      ? `「${bare(label)}」を承りました。`
      : `${bare(label)}：${value} を承りました。`,
  languageChanged: 'ここからは日本語で進めます。',
  otherLanguage: (languages) =>
    `内蔵の質問文は${languages.join('と')}だけです。質問は日本語でお伺いします。`,
  paused:
    '一時停止しました。回答は保存されています。再開するには「続ける」、最初からやり直すには「最初から」とお伝えください。',
  recap: (done, total, next) =>
    lines(
      `お帰りなさい。${total}件のうち${done}件の回答があります。`,
      next === undefined ? '' : `次の質問：${bare(next)}`,
    ),
  formChanged: 'フォームの内容が変わりましたので、新しい項目もお伺いします。',
  askConfirmation: (title, rows, assumed) =>
    lines(
      `「${title}」の回答は次のとおりです。`,
      table(rows, '－'),
      assumed,
      'よろしければ「送信」とお伝えください。変更したい項目があれば、名前か番号でお知らせください。',
    ),
  askMissing: (title, rows, open, assumed) =>
    lines(
      `「${title}」の回答は次のとおりです。`,
      table(rows, '－'),
      assumed,
      `送信には、あと${open.map((label) => `「${bare(label)}」`).join('')}が必要です。回答や変更をしたい項目を、名前か番号でお知らせください。`,
    ),
  assumedSettings: (settings) =>
    `推定した設定：${settings.map(([section, value]) => `${sections[section]} ${value}`).join('、')}。違うものがあれば、正しいものをお書きください。`,
  cannotSubmit: (open) =>
    `まだ送信できません。あと${open.map((label) => `「${bare(label)}」`).join('')}が必要です。`,
  whichField:
    '申し訳ありません、うまく理解できませんでした。変更したい項目の名前か番号をお書きください（例：2）。',
  submitted: '送信しました。ありがとうございました。',
  yes: 'はい',
  no: 'いいえ',
  list: (values) => values.join('、'),
  date: (iso) => longDateOf(iso, 'ja'),
  facts: (known) => `（${known.map(([fact, value]) => `${bare(fact)}：${value}`).join('、')}）`,
  masked,
  problems: {
    blank: '内容のあるお返事をお願いします。',
    notName: 'お名前だけをお書きください。それがお名前でしたら、もう一度お書きください。',
    notNumber: (isWhole) =>
      isWhole ? '整数でお答えください（例：12）。' : '数字でお答えください（例：12）。',
    severalNumbers: '数字がいくつかあるようです。どれでしょうか。',
    notWhole: '小数ではなく、整数でお願いします。',
    otherUnit: (unit) => `${unitNames[unit]}でお答えください。`,
    notDate: '日付（年・月・日）でお答えください。',
    severalDates: '日付がいくつかあるようです。どれでしょうか。',
    noSuchDate: 'その日付はカレンダーにありません。ご確認ください。',
    yearMissing: '何年でしょうか。西暦4桁でお願いします。',
    whichDate: (first, second) => `${first}と${second}のどちらでしょうか。`,
    tooEarly: (earliest) => `${earliest}以降の日付でお願いします。`,
    tooLate: (latest) => `${latest}以前の日付でお願いします。`,
    notEmail: 'メールアドレスでお答えください（例：hanako@example.jp）。',
    severalEmails: 'メールアドレスがいくつかあるようです。どれでしょうか。',
    notUrl: 'ウェブサイトのアドレスでお答えください（例：https://example.jp）。',
    severalUrls: 'アドレスがいくつかあるようです。どれでしょうか。',
    notPhone: '電話番号ではないようです。ご確認ください。',
    phoneWithoutCountry: '国番号から始めてください（例：+81 90 1234 5678）。',
    severalPhones: '電話番号がいくつかあるようです。どれでしょうか。',
    notYesNo: '「はい」か「いいえ」でお答えください。',
    notChoice: (choices, meant) =>
      lines(
        meant === undefined ? '' : `「${meant}」のことでしょうか。`,
        '次の中から一つお選びください。',
        numbered(choices, andMore),
      ),
    notChoices: (choices) =>
      lines('次の中から一つ以上お選びください。', numbered(choices, andMore)),
    tooLittle: (kind, min) => `${min}${counted[kind]}以上${ends[kind]}`,
    tooMuch: (kind, max) => `${max}${counted[kind]}以下${ends[kind]}`,
    tooShort: (unit, min) =>
      `もう少し詳しくお願いします（${min}${unit === 'words' ? '語' : '文字'}以上）。`,
    notMatching: '求められている形式と異なるようです。ご確認ください。',
  },
};

const unitNames = {
  years: '年数',
  months: '月数',
  weeks: '週数',
  days: '日数',
  hours: '時間数',
  minutes: '分数',
} as const;

const counted = {number: '', text: '文字', choices: '個'} as const;

const ends = {
  number: 'の数でお願いします。',
  text: 'でお願いします。',
  choices: 'お選びください。',
} as const;

function labelOf({label, required}: FormField): string {
  return required ? label : `${label}（任意）`;
}

function formatOf(field: FormField): string {
  const {isDay, request} = typeOf(field);
  const format = isDay ? dateFormat(dateRange(field)) : request?.ja;
  return lines(format, field.choices ? numbered(field.choices, andMore) : '');
}

function dateFormat(range: DateRange): string {
  if (range === 'fromToday') return '今日以降の日付でお答えください（例：明日、来週の金曜日）。';
  if (range === 'toToday') return '今日までの日付でお答えください（例：昨日）。';
  return `日付でお答えください（例：${range === 'any' ? '2026年3月4日' : range.day}）。`;
}

function asQuestion(fact: string): string {
  return isQuestion(fact) || /[。か]$/u.test(fact.trim())
    ? fact.trim()
    : `${bare(fact)}を教えてください。`;
}

function andMore(count: number): string {
  return `…ほか${count}件`;
}

/** True when the problem already asks for an action. */
function isRequest(problem: string): boolean {
  return isQuestion(problem) || /(?:か|ください|お願いします)(?:（[^（）]*）)?。/u.test(problem);
}
