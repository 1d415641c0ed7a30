/** The words of the offline model's answers and documents, in the languages that it writes. */

import {isJapanese} from '../../../machines/domain/language.ts';

export type Language = 'en' | 'ja';

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const en = {
  overview: 'Overview',
  about: 'About',
  languages: 'Languages',
  entries: 'Entry points',
  scripts: 'Scripts',
  largest: 'Largest files',
  tests: 'Tests',
  marks: 'TODO and FIXME',
  leftOut: 'Left out',
  language: 'Language',
  count: 'Files',
  size: 'Size',
  other: 'other',
  runTests: 'Run the tests with',
  needs: 'Needs',
  dependsOn: 'Depends on',
  files: (count: number, size: string) => `${plural(count, 'file')}, ${size}.`,
  atLeast: (count: number, size: string) =>
    `The first ${count} files, ${size}; there are more: see the end.`,
  testFiles: (files: number, folders: number) =>
    `${plural(files, 'test file')} in ${plural(folders, 'folder')}:`,
  more: (count: number) => `and ${count} more`,
  comments: (count: number) =>
    `${count} ${count === 1 ? 'comment says' : 'comments say'} TODO or FIXME.`,
  from: (file: string) => ` (${file})`,
  lines: (count: number) => plural(count, 'line'),
  rows: (count: number) => plural(count, 'row'),
  columns: (count: number, names: string) => `${plural(count, 'column')} (${names})`,
  exports: 'Exports',
  defines: 'Defines',
  headings: 'Headings',
  changedFiles: (count: number) => `${plural(count, 'file')} changed`,
  onlyPart: 'Only the beginning of this file was read.',
  isDefinedIn: (name: string) => `${name} is defined in:`,
  isCalledIn: (name: string, count: number) => `${name} is called on ${plural(count, 'line')}:`,
  isUsedIn: (name: string, count: number) => `${name} is used on ${plural(count, 'line')}:`,
  isNotDefined: (name: string) => `No line was found that defines ${name}. It appears on:`,
  appearsOn: (count: number) => `It appears on ${count} other ${count === 1 ? 'line' : 'lines'}.`,
  moreLines: (count: number) => `… and ${count} more ${count === 1 ? 'line' : 'lines'}`,
  nowhere: (name: string) => `No file contains ${name}.`,
  noWords: 'No file contains the words of your question.',
  noWordsIn: (path: string) => `No line of ${path} contains the words of your question.`,
  noFile: (path: string) => `There is no file ${path}.`,
  notSearched: (notes: string) => `Left out: ${notes}.`,
  filesIn: (count: number, where: string, size: string) =>
    `${plural(count, 'file')} in ${where}, ${size}.`,
  moreFilesIn: (count: number, where: string) => `More than ${count} files in ${where}.`,
  uncounted: 'Folders such as .git and node_modules, and what .gitignore names, are not counted.',
  nothingAttached: 'Nothing is attached. Pipe it in, or name a file as @FILE.',
  quotes: 'The offline model quotes what it found; it does not interpret it.',
};

export type Labels = typeof en;

export const labels: Readonly<Record<Language, Labels>> = {
  en,
  ja: {
    overview: '概要',
    about: '説明',
    languages: '言語',
    entries: 'エントリーポイント',
    scripts: 'スクリプト',
    largest: '大きいファイル',
    tests: 'テスト',
    marks: 'TODO と FIXME',
    leftOut: '含まれていないもの',
    language: '言語',
    count: 'ファイル数',
    size: 'サイズ',
    other: 'その他',
    runTests: 'テストの実行',
    needs: '必要なもの',
    dependsOn: '依存',
    files: (count, size) => `ファイル ${count} 個、${size}。`,
    atLeast: (count, size) =>
      `最初の ${count} 個のファイル、${size}。ほかにもあります（末尾を参照）。`,
    testFiles: (files, folders) => `テストファイル ${files} 個、フォルダー ${folders} 個:`,
    more: (count) => `ほか ${count} 個`,
    comments: (count) => `TODO または FIXME のコメントは ${count} 個です。`,
    from: (file) => `（${file}）`,
    lines: (count) => `${count} 行`,
    rows: (count) => `データ ${count} 行`,
    columns: (count, names) => `${count} 列（${names}）`,
    exports: 'エクスポート',
    defines: '定義',
    headings: '見出し',
    changedFiles: (count) => `${count} 個のファイルが変更されています`,
    onlyPart: 'このファイルは最初の部分だけを読みました。',
    isDefinedIn: (name) => `${name} の定義:`,
    isCalledIn: (name, count) => `${name} は ${count} 行で呼ばれています:`,
    isUsedIn: (name, count) => `${name} は ${count} 行で使われています:`,
    isNotDefined: (name) => `${name} を定義する行は見つかりませんでした。次の行にあります:`,
    appearsOn: (count) => `ほかに ${count} 行にあります。`,
    moreLines: (count) => `… ほか ${count} 行`,
    nowhere: (name) => `${name} を含むファイルは見つかりませんでした。`,
    noWords: '質問の語を含む箇所は、コードにも文書にも見つかりませんでした。',
    noWordsIn: (path) => `${path} に質問の語を含む行は見つかりませんでした。`,
    noFile: (path) => `ファイル ${path} は見つかりませんでした。`,
    notSearched: (notes) => `検索していないもの: ${notes}`,
    filesIn: (count, where, size) =>
      `${where.replace(/^all files/, 'すべてのファイル')}: ${count} 個、${size}。`,
    moreFilesIn: (count, where) => `${where}: ${count} 個を超えます。`,
    uncounted: '.git や node_modules などのフォルダーと、.gitignore にあるものは数えていません。',
    nothingAttached: '添付がありません。パイプで渡すか、@FILE でファイルを指定してください。',
    quotes: 'オフラインモデルは見つかった箇所を引用するだけで、解釈はしません。',
  },
};

/** A sentence on what was not searched. Of files that none may read unasked it is silent where something was found. */
export function leftOutText(notes: readonly string[], isFound: boolean, words: Labels): string[] {
  const told = [...new Set(notes)].filter((note) => !isFound || !/credentials|UTF-8/.test(note));
  return told.length > 0 ? [words.notSearched(told.join('; '))] : [];
}

/** The words for a request in its own language. */
export function labelsFor(request: string): Labels {
  return labels[isJapanese(request) ? 'ja' : 'en'];
}
