/** What the offline model says of its work, in Japanese: for whoever asked in Japanese. */

import {escaped} from './phrase.ts';

/** The first line of a report, where $1 and $2 are any words; what follows it is what was found. */
const sentences: readonly (readonly [english: string, japanese: string])[] = [
  ['Created $1.', '$1 を作成しました。'],
  ['Created the folder $1.', 'フォルダ $1 を作成しました。'],
  ['Changed $1.', '$1 を変更しました。'],
  ['$1 is so already.', '$1 はすでにその状態です。'],
  ['Replaced the content of $1.', '$1 の内容を置き換えました。'],
  ['Deleted $1.', '$1 を削除しました。'],
  ['Copied $1 to $2.', '$1 を $2 にコピーしました。'],
  [
    'Moved $1 to $2. Files that name it were not changed.',
    '$1 を $2 に移動しました。これを参照しているファイルは変更していません。',
  ],
  [
    'Replaced $1 by $2 in $3, files changed: $4. None is left.',
    '$3 の $1 を $2 に置き換えました。変更したファイルは $4 個で、残りはありません。',
  ],
  [
    'Replaced $1 by $2 in $3, files changed: $4.',
    '$3 の $1 を $2 に置き換えました。変更したファイルは $4 個です。',
  ],
  ['$1 TODO comment$4 in $2.', '$2 の TODO コメントは $1 件です。'],
  ['$1 FIXME comment$4 in $2.', '$2 の FIXME コメントは $1 件です。'],
  ['$1 TODO and FIXME comment$4 in $2.', '$2 の TODO と FIXME のコメントは $1 件です。'],
  ['$1 is defined in:', '$1 の定義:'],
  ['$1 (from $2) succeeded:', '$1（$2 より）は成功しました:'],
  ['Not done: there is no file $1.', '実行していません。ファイル $1 がありません。'],
  [
    'Not done: $1 has no line $2: it has $3.',
    '実行していません。$1 は $3 行で、$2 行目がありません。',
  ],
  ['Not done: $1 has no line $2.', '実行していません。$1 に行 $2 がありません。'],
  ['Not done: $1 has no key $2.', '実行していません。$1 にキー $2 がありません。'],
  [
    'Not done: $1 is not a JSON object.',
    '実行していません。$1 は JSON のオブジェクトではありません。',
  ],
  ['Not done: $1 exists already, and was not replaced.', '実行していません。$1 はすでにあります。'],
  [
    'Not all of it was done, and $1.',
    '実行できなかった部分があり、オフラインモデルは計画を立て直しません。',
  ],
  ['Not done: $1 is found nowhere in $2.', '実行していません。$1 は $2 に見つかりません。'],
  [
    'The offline model quotes what it found; it does not interpret it.',
    'オフラインモデルは見つかった箇所を引用するだけで、解釈はしません。',
  ],
  [
    'Nothing was found in code and documents that has the words of the question.',
    '質問の語を含む箇所は、コードにも文書にも見つかりませんでした。',
  ],
];

const patterns = sentences.map(([english, text]) => {
  const names: readonly string[] = english.match(/\$\d/g) ?? [];
  const source = escaped(english).replaceAll(/\\\$\d/g, '(.*)');
  // The groups are numbered by their order in the English sentence.
  const order = text.replaceAll(/\$\d/g, (name) => `$${names.indexOf(name) + 1}`);
  return {english: new RegExp(`^${source}$`), japanese: order};
});

/** The report with its own sentence in Japanese; one that has no translation as it is. */
export function inJapanese(report: string): string {
  const [first = '', ...rest] = report.split('\n');
  const known = patterns.find(({english}) => english.test(first));
  if (!known) return report;
  const head = first
    .replace(known.english, known.japanese)
    .replaceAll(/\ball files(?= [のに])/g, 'すべてのファイル');
  return [head, ...rest].join('\n');
}
