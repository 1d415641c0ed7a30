/** What the offline model says of its work, in Japanese: for whoever asked in Japanese. */

import {repertoire} from './repertoire.ts';

const kana = /[\u3040-\u30ff]/;
const quoted = /```[^]*?```|`[^`]*`|"[^"]*"|“[^”]*”|「[^」]*」/g;

/** By the words of the request; what it quotes may be in any language. */
export function isJapanese(request: string): boolean {
  return kana.test(request.replaceAll(quoted, ''));
}

type Sentence = readonly [english: RegExp, japanese: string];

/** The first line of a report; what follows it is what was found. */
const sentences: readonly Sentence[] = [
  [/^Created (.+)\.$/, '$1 を作成しました。'],
  [/^Replaced the content of (.+)\.$/, '$1 の内容を置き換えました。'],
  [/^Appended to (.+)\.$/, '$1 に追記しました。'],
  [/^Deleted (.+)\.$/, '$1 を削除しました。'],
  [
    /^Moved (.+) to (.+)\. Files that name it were not changed\.$/,
    '$1 を $2 に移動しました。これを参照しているファイルは変更していません。',
  ],
  [
    /^Replaced (.+) by (.+) in (.+), files changed: (\d+)\. None is left\.$/,
    '$3 の $1 を $2 に置き換えました。変更したファイルは $4 個で、残りはありません。',
  ],
  [/^(\d+) (TODO|FIXME|TODO and FIXME) comments? in (.+)\.$/, '$3 の $2 コメントは $1 件です。'],
  [/^(.+) is defined in:$/, '$1 の定義:'],
  [/^(.+) \(from (.+)\) succeeded:$/, '$1（$2 より）は成功しました:'],
  [
    /^The offline model quotes what it found; it does not interpret it\.$/,
    'オフラインモデルは見つかった箇所を引用するだけで、解釈はしません。',
  ],
  [
    /^Nothing was found in code and documents that has the words of the question\.$/,
    '質問の語を含む箇所は、コードにも文書にも見つかりませんでした。',
  ],
];

/** The report with its own sentence in Japanese; one that has no translation as it is. */
export function inJapanese(report: string): string {
  const [first = '', ...rest] = report.split('\n');
  const known = sentences.find(([english]) => english.test(first));
  if (!known) return report;
  const head = first.replace(...known).replace(/^all files の/, 'すべてのファイルの');
  return [head, ...rest].join('\n');
}

/** `parts`: of the request, those that are not understood. */
export function notUnderstoodInJapanese(parts: readonly string[]): string {
  const examples = repertoire.flatMap(({phrases}) => phrases.filter(isJapanese).slice(0, 1));
  return [
    `オフラインモデルは規則で動き、${parts.join('と')}を理解できません。すべての語を理解できたときだけ実行するので、何もしていません。理解できるのは、たとえば次のような依頼です:`,
    ...examples.map((example) => `- ${example}`),
    '詳しくは quorate help offline をご覧ください。言語モデルに任せるには、ANTHROPIC_API_KEY か OPENAI_API_KEY を設定するか、設定ファイルの [providers.NAME] にローカルのサーバーを書き、-m でモデルを選びます。',
  ].join('\n');
}
