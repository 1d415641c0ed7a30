/**
 * First requests to a coding agent, and their required results: every changed file, with its content, and words of the report.
 * A request with another outcome than `done` changes nothing, and its status is not completed. Then requests in natural
 * wordings, each with its changes to the files of `world`, words of the report, or a refusal; and questions about
 * `questionsTree`, with the required parts of a correct answer.
 */

import {cells} from '../../../support/rows.ts';
import type {Files} from '../../../support/stage.ts';
import {CONFIG, NOTES, shiftJis} from './worlds.ts';

export interface Tried {
  readonly request: string;
  /** Replaces the files of the shop. */
  readonly files?: Files;
  /** Added to the files of the shop. */
  readonly more?: Files;
  readonly outcome: 'done' | 'notUnderstood' | 'notDone';
  /** Changed files with their new content; `undefined`: removed. All other files stay unchanged. */
  readonly changes?: Readonly<Record<string, string | RegExp | undefined>>;
  readonly says?: RegExp;
}

const indexText = '// TODO: color of colors\nexport const getUser = () => getUserName();\n';
const cliText =
  'import {getUser} from "./index.js";\r\ngetUser(); // FIXME exit code\r\n// color\r\n';
const readme = '# Shop\n\n![badge](b.svg)\n\nThe shop sells every color.\n';
const pyText = 'def make_str(value):\n    color = value\n\nclass Option:\n    pass\n';

type More = Pick<Tried, 'files' | 'more' | 'says'>;

function done(request: string, changes: Tried['changes'] = {}, more: More = {}): Tried {
  return {request, outcome: 'done', changes, ...more};
}

function notDone(request: string, says: RegExp, more: More = {}): Tried {
  return {request, outcome: 'notDone', says, ...more};
}

function cited(request: string): Tried {
  return {request, outcome: 'notUnderstood', says: /does not understand/};
}

function citedInJapanese(request: string): Tried {
  const says = /を理解できません。[^]*\n- [^\n]*(?:説明して|作成して|置き換えて)\n/;
  return {request, outcome: 'notUnderstood', says};
}

const numbers = Array.from({length: 230}, (_, index) => index);

export const requests: readonly Tried[] = [
  done('Write an overview of this repository to OVERVIEW.md', {
    'OVERVIEW.md':
      /^# Overview: shop\n[^]*shop 1\.2\.3: Sells paint[^]*sells every colour[^]*`npm test`[^]*2 comments say TODO or FIXME/,
  }),
  done(
    'Write an overview of this repository to OVERVIEW.md',
    {
      'OVERVIEW.md':
        /4 files[^]*click 8\.2: Composable[^]*Click makes command lines[^]*Python >=3\.10[^]*script click: `click:main`/,
    },
    {
      files: {
        'pyproject.toml':
          '[project]\nname = "click"\nversion = "8.2"\ndescription = "Composable"\nrequires-python = ">=3.10"\n[project.scripts]\nclick = "click:main"\n',
        'README.md': '# Click\n\nClick makes command lines.\n',
        'src/click/core.py': 'x = 1\n',
        '.github/x.yml': 'a: 1\n',
      },
    },
  ),
  notDone('Write an overview of this repository to OVERVIEW.md', /contains no files/, {files: {}}),
  done('Write an overview of this repository to OVERVIEW.md in Japanese', {
    'OVERVIEW.md': /^# 概要: shop\n[^]*## 言語[^]*コメントは 2 個/,
  }),
  done('Write a short overview of this repository to OVERVIEW.md', {
    'OVERVIEW.md': /^# Overview: shop\n(?:(?!Largest)[^])*$/,
  }),
  cited('Write an overview of this repository to OVERVIEW.md in French'),
  done('このリポジトリの概要を OVERVIEW.md に書いて', {'OVERVIEW.md': /^# 概要: shop/}),
  done('Explain this repository', {}, {says: /shop 1\.2\.3[^]*sells every colour/}),
  done('Collect all TODO and FIXME comments into TODO.md', {
    'TODO.md':
      /2 TODO and FIXME comments in 2 files[^]*src\/cli\.js\n\n- line 2[^]*src\/index\.js\n\n- line 1/,
  }),
  done(
    'Collect all TODO comments into TODO.md',
    {'TODO.md': /not UTF-8: sjis\.txt/},
    {more: {'sjis.txt': shiftJis}, says: /not UTF-8: sjis\.txt/},
  ),
  done(
    'src の TODO を一覧にして',
    {},
    {says: /\nsrc の TODO コメントは 1 件です。\nsrc\/index\.js:1/},
  ),
  done(
    'Append "完了です" to notes.txt',
    {'notes.txt': 'precious\n完了です\n'},
    {says: /\nChanged notes\.txt\.\n/},
  ),
  notDone('Replace colour with color', /230 lines of 230 files[^]*Nothing was changed/, {
    files: Object.fromEntries(numbers.map((number) => [`${number}.txt`, 'a colour\n'])),
  }),
  done('Replace colour with color in *.md', {'README.md': readme, 'docs/a.md': 'color getUser\n'}),
  done('Replace colour with color in all Python files', {'lib/util.py': pyText}),
  done('Rename getUser to fetchUser in the docs folder', {'docs/a.md': 'colour fetchUser\n'}),
  done('Replace colour with color everywhere except src and docs', {
    'README.md': readme,
    'lib/util.py': pyText,
  }),
  done('docs 以外で「colour」を「color」に置き換えて', {
    'README.md': readme,
    'lib/util.py': pyText,
    'src/index.js': indexText,
    'src/cli.js': cliText,
  }),
  cited("Don't replace colour with color"),
  cited('Replace colour with color in comments of src'),
  notDone('Replace colour with color in docs and nowhere', /nowhere/),
  notDone(
    'Create a file notes.txt with the content "Hello"',
    /notes\.txt exists already[^]*precious/,
  ),
  done(
    'Create a file notes.txt with the content "Hello" if it does not exist',
    {},
    {says: /exists already[^]*left as it is/},
  ),
  done('Create a file new.txt with the content "Hello" if it does not exist', {
    'new.txt': 'Hello\n',
  }),
  notDone(
    'Create a file photo.png with the content "Hello"',
    /photo\.png exists but can't be read, so it was not changed/,
    {more: {'photo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1])}},
  ),
  done('Replace the content of notes.txt with "Hello"', {'notes.txt': 'Hello\n'}),
  done('Append the line "Done." to src/cli.js', {'src/cli.js': /\/\/ colour\r\nDone\.\r\n$/}),
  done(
    'new.txt を「こんにちは」という内容で作成して',
    {'new.txt': 'こんにちは\n'},
    {says: /\nnew\.txt を作成しました。\n/},
  ),
  notDone('Append "x" to sjis.txt', /not in UTF-8/, {more: {'sjis.txt': shiftJis}}),
  done('Rename a.js to z.js', {'a.js': undefined, 'z.js': 'a();\n'}),
  notDone('Rename a.js to check.js', /check\.js exists already/),
  cited('Create a README.md'),
  citedInJapanese('README.md を日本語に翻訳して'),
  citedInJapanese('hello.py を作って'),
  done('Run the tests', {}, {says: /npm test[^]*DETAIL of the check/}),
  notDone('Run the tests', /npm test[^]*DETAIL/, {
    files: {'package.json': '{"scripts": {"test": "echo DETAIL; exit 1"}}'},
  }),
  notDone('Run the tests', /no manifest/, {files: {'go.txt': ''}}),
  done('Run npm test and then npm run build', {}, {says: /42/}),
  done(
    'List TODOs, then run `npm test` and report',
    {},
    {says: /1 TODO comment[^]*src\/index\.js:1[^]*DETAIL of the check/},
  ),
  done('What is the version? Then list TODOs', {}, {says: /shop 1\.2\.3[^]*1 TODO comment/}),
  cited('Run `npm test` and fix what fails'),
  cited('Run `cat notes.txt` and explain it'),
  notDone('Run `echo hi > ../outside.txt`', /outside-workspace|workspace/),
  notDone('Run `cat /etc/hostname`', /outside-workspace|workspace/),
  notDone('Run `git push --force`', /git-history/),
  done('`node check.js` を実行して', {}, {says: /DETAIL of the check/}),
  cited('Fix the bug'),
  cited('Add a test'),
  citedInJapanese('バグを直して'),
  cited('Write a poem to poem.txt'),
  cited('Create a.txt with "x" and then make it pretty'),
  done('Where is make_str defined?', {}, {says: /lib\/util\.py:1: def make_str/}),
  done('How many files are in this repository?', {}, {says: /11 files/}),
  done('How do I run the tests?', {}, {says: /npm test/}),
];

/** `[path, from, to]` edits a file, `[path, text]` creates one, `[path]` removes one, `['folder/']` makes a folder. */
type Change =
  | readonly [path: string, from: string, to: string]
  | readonly [path: string, text?: string];

export interface Wording {
  readonly request: string;
  readonly changes: readonly Change[];
  readonly says: readonly string[];
  readonly isRefused: boolean;
}

function right(request: string, ...changes: readonly Change[]): Wording {
  return {request, changes, says: [], isRefused: false};
}

function saying(request: string, ...words: readonly string[]): Wording {
  return {request, changes: [], says: words, isRefused: false};
}

function refused(request: string, ...words: readonly string[]): Wording {
  return {request, changes: [], says: words, isRefused: true};
}

export const wordings: readonly Wording[] = [
  right('Delete line 2 of notes.txt', ['notes.txt', 'second\n', '']),
  right('Delete the last line of notes.txt', ['notes.txt', 'third\n', '']),
  right('Insert "x" before the line "third" in notes.txt', ['notes.txt', 'third', 'x\nthird']),
  right('In config.json set "title" to "My Shop"', ['config.json', '"Shop"', '"My Shop"']),
  right('Change "debug" from false to true in config.json', ['config.json', 'false', 'true']),
  right('Bump the patch version in package.json', ['package.json', '1.4.2', '1.4.3']),
  right('Create an empty file empty.txt', ['empty.txt', '']),
  right('Create the folder build', ['build/']),
  saying('Run `echo one` and then `echo two`', 'one', 'two'),
  right(
    'Delete notes.txt and then append "bye" to docs/guide.md',
    ['notes.txt'],
    ['docs/guide.md', 'b: 2\n', 'b: 2\nbye\n'],
  ),
  right(
    'Move notes.txt to docs/notes.txt and copy config.json to config.bak.json',
    ['notes.txt'],
    ['docs/notes.txt', NOTES],
    ['config.bak.json', CONFIG],
  ),
  right(
    'Replace 3000 with 4000 in config.json, then set "debug" to true in config.json',
    ['config.json', '3000', '4000'],
    ['config.json', 'false', 'true'],
  ),
  refused('How many lines does notes.txt have?', 'quorate ask'),
  // Japanese
  right('notes.txt の2行目を削除して', ['notes.txt', 'second\n', '']),
  right('notes.txt を docs/memo.txt にコピーして', ['docs/memo.txt', NOTES]),
  right('README.md の誤字 teh を the に直して', ['README.md', 'teh', 'the']),
  saying('`echo one` を実行してから `echo two` を実行して', 'one', 'two'),
  right(
    'notes.txt の先頭に「零」を追加して、data.csv を削除して',
    ['notes.txt', 'first', '零\nfirst'],
    ['data.csv'],
  ),
  right('Set the license in package.json to Apache-2.0', ['package.json', 'MIT', 'Apache-2.0']),
  refused('Move notes.txt to docs', '- Move notes.txt to docs/a.txt'),
  right('notes.txt の中身を「空」にして', ['notes.txt', NOTES, '空\n']),
  right('build というフォルダを作って', ['build/']),
  refused('Change the port to 8080', 'Change the port in config.json'),
  refused('Remove "second" from notes.txt', 'Delete the line "second" from notes.txt'),
  refused('notes.txt をコピーして backup.txt を作って', 'コピーして'),
  refused('Run `echo one` and email me the output'),
  refused('notes.txt の9行目を削除して', 'notes.txt は 3 行で、9 行目がありません'),
  // Also hostile or partly understood requests: nothing on disk may change.
  ...cells(`
    Change port to 8080 ¦ Change the title to Store ¦ Change title to Store
    cart を basket に変えて ¦ Swap first with second in notes.txt ¦ ポートを 8080 に変更して
    Delete every line of notes.txt except the first
    Replace "cart" with "basket" in src except in comments ¦ Insert "x" somewhere in notes.txt
    Set debug in config.json to the opposite ¦ Create report.txt with today's sales
    Append the first line of data.csv to notes.txt ¦ Delete the line "fourth" from notes.txt
    Change the port in config.json from 9999 to 8080 ¦ Copy missing.txt to new.txt
    Copy notes.txt to README.md ¦ Bump the version in package.json to something newer
    Delete notes.txt unless it is used ¦ Delete notes.txt but keep the second line
    Remove the key "nope" from config.json ¦ Insert "x" after line 20 of notes.txt
    Create config.json with {"a": 1} ¦ Create broken.json with {"a": }
    Replace teh with the in README.md and tell nobody about it ¦ notes.txt の偶数行を削除して
    notes.txt の2行目以外を削除して ¦ Do not delete notes.txt
    data.csv を並べ替えて、notes.txt を削除しないで ¦ Fix the typo in README.md
  `).map((request) => refused(request)),
];

/** Requests of first-time users. */
export const naturalRequests: readonly Wording[] = [
  right(
    'Rename the function computeTotal to totalOf in all JavaScript files',
    ['src/cart.js', 'computeTotal', 'totalOf'],
    ['test/cart.test.js', 'computeTotal', 'totalOf'],
  ),
  right('Change the version from 1.4.2 to 1.5.0', ['package.json', '1.4.2', '1.5.0']),
  right('Replace teh with the everywhere', ['README.md', 'teh', 'the']),
  right(
    'Rename formatPrice to priceText in src, and run the tests',
    ['src/format.js', 'formatPrice', 'priceText'],
    ['src/cart.js', 'formatPrice', 'priceText'],
  ),
  refused('Create hello.py that prints hello'),
  saying('List all JavaScript files', 'src/cart.js', 'src/main.js'),
  refused('How many lines does src/cart.js have?', 'quorate ask'),
  refused('How many rows are in data.csv?', 'quorate ask'),
  refused('Summarise docs/guide.md'),
  refused('Delete all .md files'),
  refused('Replace the word colour by color in README.md and commit', 'commit'),
  right(
    'Append the line "a, b" to notes.txt and delete config.json',
    ['notes.txt', 'third\n', 'third\na, b\n'],
    ['config.json'],
  ),
  right('hello.txt に「こんにちは」と書いて', ['hello.txt', 'こんにちは\n']),
  saying('テストを走らせて', 'pass 1'),
  saying('このプロジェクトは何をしますか？', 'shop'),
  saying('TODO の一覧を出して', 'src/cart.js:9'),
  // Earlier versions reported these requests as completed although the result was wrong.
  ...[
    'Create notes2.txt with the content of notes.txt',
    'Create b.txt with the same content as notes.txt',
    'Create b.txt with the text from notes.txt',
    'Create LICENSE.txt with the MIT licence',
    'Create b.txt with 10 lines',
    'Create x.txt containing the numbers 1 to 10',
  ].map((request) => refused(request, 'put the text in quotes: Create')),
  refused('Replace "cart" with "basket" in src except in strings', 'strings'),
  right(
    'Rename the variable cart to basket in src/main.js',
    ['src/main.js', '* as cart', '* as basket'],
    ['src/main.js', 'cart.addItem', 'basket.addItem'],
    ['src/main.js', 'cart.showTotal', 'basket.showTotal'],
  ),
];

/** The word where parsing stopped, the suggested sentence, and the nearest requests in the person's own words. */
export const refusals: readonly Wording[] = [
  refused('Append three lines to a.txt', 'put the text in quotes: Append "three lines" to a.txt'),
  refused('Fix the typo "thier" in a.md', 'Replace "thier" with "…" in a.md'),
  refused(
    'Insert "x" somewhere in a.txt',
    'it stopped at “somewhere”',
    '\n- Insert "x" at the top of a.txt\n',
  ),
  refused('Set debug in a.json to the opposite', 'it stopped at “opposite”'),
  refused('Replace "teh" with "the" in notes.txt, twice', 'it stopped at “twice”'),
  refused('Replace "teh" with "the" in notes.txt and again', 'it stopped at “and”'),
  refused('List TODOs in src and twice'),
  refused('Where is X called?', 'quorate ask "Where is X called?"'),
  refused(
    'a.txt の偶数行を削除して',
    '「偶数行を削除して」の所で止まりました',
    '\n- a.txt の2行目を削除して\n',
  ),
  refused('Create a.txt with "x" and "rm notes.txt"'),
  refused('Set title to {"a": 1} and port to {"b": 2} in config.json'),
  refused('Delete line 2 of notes.txt and data.csv'),
  refused('Delete line 1 of "my notes.txt"', 'there is no file my notes.txt'),
];

export interface Question {
  readonly asked: string;
  readonly says: readonly RegExp[];
  readonly never?: RegExp;
}

const callers = [/src\/cart\.js:16/, /src\/main\.js:5/];

export const english: readonly Question[] = [
  {asked: 'Who calls computeTotal?', says: [...callers, /test\/cart\.test\.js:7/], never: /README/},
  {asked: 'What is taxRate?', says: [/const taxRate = 0\.19/]},
  {asked: 'Who calls computeSum?', says: [/computeSum/], never: /src\/cart\.js:\d/},
  {asked: 'What does src/cart.js export?', says: [/addItem/, /computeTotal/, /showTotal/]},
  {asked: 'What is in src/util.py?', says: [/Loads price lists/, /Loader/, /load_all/]},
  {asked: 'How many lines does src/cart.js have?', says: [/\b17\b/]},
  {asked: 'What is in notes.txt?', says: [/first\n.*second\n.*third/]},
  {
    asked: 'What does docs/guide.md say about shipping?',
    says: [/shipped within two days/],
    never: /free shipping/,
  },
  {asked: 'What is docs/guide.md about?', says: [/Getting started/, /Shipping/, /Configuration/]},
  {asked: 'How many rows are in data.csv?', says: [/\b3 rows/]},
  {asked: 'Which columns does data.csv have?', says: [/date/, /product/, /amount/, /city/]},
  {asked: 'What is the sum of amount in data.csv?', says: [/\b60\b/]},
  {asked: 'How many columns has data.csv?', says: [/\b4 columns/]},
  {asked: 'What is the average amount in data.csv?', says: [/\b20\b/]},
  {asked: 'What is the port in config.json?', says: [/"port": 3000/]},
  {asked: 'What port does the server use?', says: [/3000/]},
  {asked: 'How do I install it?', says: [/npm install/]},
  {asked: 'How do I run the tests?', says: [/node --test|npm test/]},
  {asked: 'Which version is this?', says: [/1\.4\.2/]},
  {asked: 'How many customers are there in sales.sqlite?', says: [/\b3\b/]},
  {asked: 'What does this change?', says: [/^Nothing is attached/]},
  {asked: 'What is in .gitignore?', says: [/^No file \.gitignore was found.*\.gitignore names/]},
  {asked: 'What is the port?', says: [/config\.json:2\n> "port": 3000/], never: /export|import/},
  {asked: 'What is in the docs folder?', says: [/docs\/guide\.md/], never: /Getting started/},
  {asked: 'What files are in the test folder?', says: [/test\/cart\.test\.js/]},
  {asked: 'Where is config.json read?', says: [/docs\/guide\.md:13/], never: /"port"/},
  {asked: 'Which dependencies does this project have?', says: [/left-pad/]},
  {asked: 'What scripts are there?', says: [/node src\/main\.js/, /node --test/]},
  {asked: 'Which file is the entry point?', says: [/src\/main\.js/]},
  {asked: 'What is the second line of notes.txt?', says: [/notes\.txt:2: second$/]},
  {asked: 'What does the zebra eat?', says: [/No searched file contains/], never: /\n> /},
];

export const japanese: readonly Question[] = [
  {asked: 'computeTotal はどこで呼ばれていますか？', says: callers, never: /README/},
  {asked: '返品は何日以内ですか？', says: [/三十日以内/]},
  {asked: 'ポートはどこで変更できますか？', says: [/config\.json で変更できます/]},
  {asked: 'MAX_RETRIES の値は？', says: [/MAX_RETRIES = 3/]},
  {asked: 'このプロジェクトは何をしますか？', says: [/cart/, /1\.4\.2/]},
  {asked: 'docs には何のファイルがありますか？', says: [/docs\/ja\.md/], never: /Getting started/},
  {asked: 'どのファイルが format.js を読み込んでいますか？', says: [/src\/cart\.js:2/]},
];
