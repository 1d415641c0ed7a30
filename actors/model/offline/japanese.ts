/** The offline model's sentences in English, and in Japanese for requests in Japanese. */

import {escapePattern} from '../../../machines/domain/escape-pattern.ts';
import {isJapanese} from '../../../machines/domain/language.ts';

/** First lines of reports, which skills write in English. `$1` is the first value. */
const reports = `
Created the folder $1. = フォルダ $1 を作成しました。
Created $1. = $1 を作成しました。
Changed $1. = $1 を変更しました。
Wrote $1. It covers $2 files. = $1 を書きました。ファイル $2 個が対象です。
$1 is up to date already. It covers $2 files. = $1 はすでに最新です。ファイル $2 個が対象です。
$1 needs no change. = $1 は変更の必要がありません。
Replaced the content of $1. = $1 の内容を置き換えました。
Deleted $1. = $1 を削除しました。
Copied $1 to $2. = $1 を $2 にコピーしました。
Moved $1 to $2. Files that name it were not changed. = $1 を $2 に移動しました。これを参照しているファイルは変更していません。
Replaced $1 with $2 in $3: $4 file{|s} changed. No occurrence is left. = $3 の $1 を $2 に置き換えました。変更したファイルは $4 個で、残りはありません。
Replaced $1 with $2 in $3: $4 file{|s} changed. No occurrence is left in the files that were searched. = $3 の $1 を $2 に置き換えました。変更したファイルは $4 個で、検索したファイルに残りはありません。
Replaced $1 with $2 in $3: $4 file{|s} changed. = $3 の $1 を $2 に置き換えました。変更したファイルは $4 個です。
$1 TODO comment{|s} in $2. = $2 の TODO コメントは $1 件です。
$1 FIXME comment{|s} in $2. = $2 の FIXME コメントは $1 件です。
$1 TODO and FIXME comment{|s} in $2. = $2 の TODO と FIXME のコメントは $1 件です。
$1 (from $2) succeeded: = $1（$2 より）は成功しました:
Not done: there is no file $1. = 実行していません。ファイル $1 がありません。
Not done: $1 has no line $2: it has $3. = 実行していません。$1 は $3 行で、$2 行目がありません。
Not done: $1 has no line $2. = 実行していません。$1 に行 $2 がありません。
Not done: $1 can't be searched. $2 does not exist = 実行していません。$2 がないため、$1 を検索できません。
Not done: $1 has no key $2. = 実行していません。$1 にキー $2 がありません。
Not done: $1 is not a JSON object. = 実行していません。$1 は JSON のオブジェクトではありません。
Not done: $1 exists already, and was not replaced. = 実行していません。$1 はすでにあります。
A task failed, and $1. = 実行できなかった部分があり、オフラインモデルは計画を立て直しません。
Not done: $1 does not occur in the files that were searched ($2). = 実行していません。$1 は検索したファイル（$2）に見つかりません。
Not done: $1 does not occur in $2. = 実行していません。$1 は $2 に見つかりません。`;

/** Labels and sentences of answers and documents, which are written directly in either language. */
const labels = `
Overview = 概要
About = 説明
Languages = 言語
Entry points = エントリーポイント
Scripts = スクリプト
Largest files = 大きいファイル
Tests = テスト
TODO and FIXME = TODO と FIXME
Left out = 含まれていないもの
Language = 言語
Files = ファイル数
Size = サイズ
other = その他
Run the tests with = テストの実行
Needs = 必要なもの
Depends on = 依存
$1 file{|s}, $2. = ファイル $1 個、$2。
The first $1 files, $2; there are more: see the end. = 最初の $1 個のファイル、$2。ほかにもあります（末尾を参照）。
$1 test file{|s} in $2 folder{|s}: = テストファイル $1 個、フォルダー $2 個:
and $1 more = ほか $1 個
$1 {comment says|comments say} TODO or FIXME. = TODO または FIXME のコメントは $1 個です。
$1 ($2) = $1（$2）
$1 line{|s} = $1 行
$1 row{|s} = データ $1 行
$1 column{|s} ($2) = $1 列（$2）
Exports = エクスポート
Defines = 定義
Headings = 見出し
$1 file{|s} changed = $1 個のファイルが変更されています
Only the beginning of this file was read. = このファイルは最初の部分だけを読みました。
$1 is defined in: = $1 の定義:
$1 is called on $2 line{|s}: = $1 は $2 行で呼ばれています:
$1 is used on $2 line{|s}: = $1 は $2 行で使われています:
No line was found that defines $1. It appears on: = $1 を定義する行は見つかりませんでした。次の行にあります:
It appears on $1 other line{|s}. = ほかに $1 行にあります。
… and $1 more line{|s} = … ほか $1 行
No searched file contains $1. = $1 を含むファイルは見つかりませんでした。
No searched file contains the words of your question. = 質問の語を含む箇所は、コードにも文書にも見つかりませんでした。
No line of $1 contains the words of your question. = $1 に質問の語を含む行は見つかりませんでした。
No file $1 was found. Files that .gitignore names are not searched. = ファイル $1 は見つかりませんでした。.gitignore にあるファイルは検索していません。
Left out: $1. = 検索していないもの: $1
$1 file{|s} in $2, $3. = $2: $1 個、$3。
More than $1 files in $2. = $2: $1 個を超えます。
Folders such as .git and node_modules, and files that .gitignore names, are not counted. = .git や node_modules などのフォルダーと、.gitignore にあるものは数えていません。
Nothing is attached. Pipe it in, or name a file as @FILE. = 添付がありません。パイプで渡すか、@FILE でファイルを指定してください。
The offline model quotes what it found; it does not interpret it. = オフラインモデルは見つかった箇所を引用するだけで、解釈はしません。`;

function rowsOf(table: string): (readonly [string, string])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(' = '))
    .map(([english = '', japanese = '']) => [english, japanese]);
}

const inBoth = new Map(rowsOf(labels));

/** Returns a label in a language: `label('$1 line{|s}', 3)`. Throws for a label without a translation. */
export type Label = (english: string, ...values: readonly (string | number)[]) => string;

export function labelsFor(request: string): Label {
  return labelsIn(isJapanese(request) ? 'ja' : 'en');
}

export function labelsIn(language: 'en' | 'ja'): Label {
  return (english, ...values) => {
    const japanese = inBoth.get(english);
    if (japanese === undefined) throw new Error(`no translation: ${english}`);
    return language === 'ja' ? filledJapanese(japanese, values) : filled(english, values);
  };
}

/** `$1` is the first value; `{one|many}` depends on the value before it. */
function filled(text: string, values: readonly (string | number)[]): string {
  return text
    .replaceAll(
      /\$(\d)([^${]*)\{([^|]*)\|([^}]*)\}/g,
      (_, at: string, between: string, one: string, many: string) =>
        `$${at}${between}${values[Number(at) - 1] === 1 ? one : many}`,
    )
    .replaceAll(/\$(\d)/g, (_, at: string) => String(values[Number(at) - 1]));
}

function filledJapanese(text: string, values: readonly (string | number)[]): string {
  return filled(
    text,
    values.map((value) => String(value).replace(/^all files/, 'すべてのファイル')),
  );
}

const patterns = rowsOf(reports).map(([english, japanese]) => {
  const source = escapePattern(english)
    .replaceAll(/\\\$(\d)/g, '(?<v$1>.*)')
    .replaceAll(/\\\{(\w*)\\\|(\w*)\\\}/g, '(?:$1|$2)');
  return {english: new RegExp(`^${source}$`), japanese};
});

/** Translates the first line of a report if the request is in Japanese. A line without a translation is unchanged. */
export function inLanguageOf(request: string, report: string): string {
  const [first = '', ...rest] = isJapanese(request) ? report.split('\n') : [];
  for (const {english, japanese} of patterns) {
    const {groups} = english.exec(first) ?? {};
    if (!groups) continue;
    const values = [1, 2, 3, 4].map((at) => groups[`v${at}`] ?? '');
    return [filledJapanese(japanese, values), ...rest].join('\n');
  }
  return report;
}
