/** The words of what the offline model writes about a repository, in the languages that it writes. */

export type Language = 'en' | 'ja';

export interface Labels {
  readonly overview: string;
  readonly about: string;
  readonly languages: string;
  readonly entries: string;
  readonly scripts: string;
  readonly largest: string;
  readonly tests: string;
  readonly marks: string;
  readonly leftOut: string;
  readonly language: string;
  readonly count: string;
  readonly size: string;
  readonly other: string;
  readonly runTests: string;
  readonly needs: string;
  readonly dependsOn: string;
  readonly files: (count: number, size: string) => string;
  readonly atLeast: (count: number, size: string) => string;
  readonly testFiles: (files: number, folders: number) => string;
  readonly more: (count: number) => string;
  readonly comments: (count: number) => string;
  readonly from: (file: string) => string;
}

export const labels: Readonly<Record<Language, Labels>> = {
  en: {
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
    files: (count, size) => `${count} ${count === 1 ? 'file' : 'files'}, ${size}.`,
    atLeast: (count, size) => `The first ${count} files, ${size}; there are more: see the end.`,
    testFiles: (files, folders) =>
      `${files} test ${files === 1 ? 'file' : 'files'} in ${folders} ${folders === 1 ? 'folder' : 'folders'}:`,
    more: (count) => `and ${count} more`,
    comments: (count) => `${count} ${count === 1 ? 'comment says' : 'comments say'} TODO or FIXME.`,
    from: (file) => ` (${file})`,
  },
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
  },
};
