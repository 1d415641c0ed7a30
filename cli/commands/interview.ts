/** `quorate interview FORM`: fills a form by conversation. */

import {defaultType, fieldTypes} from '../../machines/questionnaire/field-types.ts';
import {answersOption} from '../interview/answers-option.ts';
import type {Command} from '../line/command.ts';
import type {Option} from '../line/option.ts';

const options: readonly Option[] = [
  answersOption,
  {
    name: 'lang',
    takes: 'LANGUAGE',
    text: {
      en: 'the language of the conversation, such as ja; otherwise it is asked',
      ja: '会話と画面の言語。例 ja。なければ尋ねる',
    },
  },
  {
    name: 'country',
    takes: 'COUNTRY',
    text: {en: 'where the person lives, such as JP or Japan', ja: '本人の住む国。例 JP、Japan'},
  },
  {
    name: 'timezone',
    takes: 'ZONE',
    text: {en: 'their time zone, such as Asia/Tokyo', ja: '本人のタイムゾーン。例 Asia/Tokyo'},
  },
  {
    name: 'check',
    text: {
      en: 'ask nothing: report the problems of the form with their places',
      ja: '何も尋ねず、フォームの誤りと場所を示す',
    },
  },
];

/** All types of fields, in a sentence. */
const typesText = fieldTypes
  .map((type) => (type === defaultType ? `${type} (the default)` : type))
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

export const interview: Command = {
  operands: {
    usage: 'FORM',
    what: {en: 'the file of a form', ja: 'フォームのファイル'},
    least: 1,
    most: 1,
  },
  summary: {
    en: 'fill a form by conversation; --answers FILE: where the answers go, --check: the form',
    ja: '会話でフォームを埋める。--answers FILE: 回答の保存先、--check: フォームの検査',
  },
  detail: {
    en: `Asks for the fields of a form, one after the other, on the terminal. Every answer is reviewed before the next question.
One answer may fill several fields, and earlier answers can be corrected at any time. At the end all answers are shown, and
submitted when the person confirms them. Rules speak English and Japanese, a model any language.

A form is a TOML or JSON file:

  id = "shirt"
  title = "Your T-shirt"

  [[fields]]
  id = "size"
  label = "Size"
  intent = "To order the right one"
  type = "choice"           ${typesText}
  choices = ["S", "M", "L"]
  required = true           otherwise it may be left out
  sensitivity = "personal"  masked in records and logs; a model sees it only if rules don't suffice; "secret": rules only
  relevant_if = "…"         asked only if: other = 'x', <, in ('a', 'b'), is blank, and, or, not
                            also: pattern (RE2), min and max (of a text its length; today), order, why

  [[facts]]                 a fact that an answer must contain beside the value
  field = "size"
  key = "reason"
  fact = "Why this size"
  done_criteria = "…"       by rule: a number, a date, one of …, matches …, not blank; otherwise a model judges
  questioning_hints = "…"

Without a model (-m interview=MODEL, interview.model) rules ask, read and review. /help in the conversation lists
the commands; Ctrl-C suspends the interview, quorate resume continues it. From a pipe each line is one message; at its end
a form that is not submitted waits. Exit 0 submitted, 1 cancelled, 2 the form can't be read, 4 waiting, 130 interrupted.`,
    ja: `端末でフォームの項目を順に尋ね、次に進む前にすべての回答を確かめます。1 つの回答が複数の項目を埋めることもあり、
言ったことはいつでも直せます。最後にすべての回答を示し、本人が言えば送信します。規則は英語と日本語を話し、モデルは
どの言語でも話します。

フォームは TOML か JSON のファイルです:

  id = "shirt"
  title = "Your T-shirt"

  [[fields]]
  id = "size"
  label = "Size"
  intent = "To order the right one"
  type = "choice"           ${typesText}
  choices = ["S", "M", "L"]
  required = true           なければ省略できる
  sensitivity = "personal"  記録とログで伏せる。規則で足りないときだけモデルに渡る。"secret" なら規則だけ
  relevant_if = "…"         次の場合だけ尋ねる: other = 'x', <, in ('a', 'b'), is blank, and, or, not
                            ほかに: pattern (RE2)、min と max（テキストは長さ。today）、order、why

  [[facts]]                 値のほかに項目への回答が述べるべきこと
  field = "size"
  key = "reason"
  fact = "Why this size"
  done_criteria = "…"       規則: 数、日付、選択肢、matches …、空でない。それ以外はモデルが判定
  questioning_hints = "…"

モデルがなければ（-m interview=MODEL、interview.model）規則が尋ね、読み、確かめます。会話中の /help は、回答以外に書ける
ことの一覧です。Ctrl-C で中断し、quorate resume で続きます。パイプからは 1 行が 1 メッセージで、終わりまでに送信されない
フォームは待ちます。終了コード 0 送信、1 取り消し、2 フォームを読めない、4 待機、130 中断。`,
  },
  options,
  obeys: ['output', 'log', 'models', 'limits'],
  roles: ['interview', 'interview-reviewer'],
  examples: [
    'quorate interview form.toml --answers answers.json',
    'quorate interview form.toml --check',
    'printf "en\\nJapan\\nL\\n" | quorate interview form.toml --output json',
  ],
  endsWithResult: 'interview',
  run: async (parsed, terminal) => {
    const {startInterview} = await import('../interview/start.ts');
    return await startInterview(parsed, terminal);
  },
};
