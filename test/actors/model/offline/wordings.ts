/** Requests in natural wordings, each with its changes to the files of `world`, words of the report, or a refusal. */

import {CONFIG, NOTES} from './world.ts';

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

export function right(request: string, ...changes: readonly Change[]): Wording {
  return {request, changes, says: [], isRefused: false};
}

export function says(request: string, ...words: readonly string[]): Wording {
  return {request, changes: [], says: words, isRefused: false};
}

export function refused(request: string, ...words: readonly string[]): Wording {
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
  says('Run `echo one` and then `echo two`', 'one', 'two'),
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
  says('`echo one` を実行してから `echo two` を実行して', 'one', 'two'),
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
  refused('Change port to 8080'),
  refused('Change the title to Store'),
  refused('Change title to Store'),
  refused('cart を basket に変えて'),
  refused('Swap first with second in notes.txt'),
  refused('ポートを 8080 に変更して'),
  refused('Remove "second" from notes.txt', 'Delete the line "second" from notes.txt'),
  refused('notes.txt をコピーして backup.txt を作って', 'コピーして'),
  // Hostile or partly understood requests: nothing on disk may change.
  refused('Delete every line of notes.txt except the first'),
  refused('Replace "cart" with "basket" in src except in comments'),
  refused('Insert "x" somewhere in notes.txt'),
  refused('Set debug in config.json to the opposite'),
  refused("Create report.txt with today's sales"),
  refused('Append the first line of data.csv to notes.txt'),
  refused('Delete the line "fourth" from notes.txt'),
  refused('Change the port in config.json from 9999 to 8080'),
  refused('Copy missing.txt to new.txt'),
  refused('Copy notes.txt to README.md'),
  refused('Bump the version in package.json to something newer'),
  refused('Delete notes.txt unless it is used'),
  refused('Delete notes.txt but keep the second line'),
  refused('Remove the key "nope" from config.json'),
  refused('Insert "x" after line 20 of notes.txt'),
  refused('Create config.json with {"a": 1}'),
  refused('Create broken.json with {"a": }'),
  refused('Replace teh with the in README.md and tell nobody about it'),
  refused('notes.txt の偶数行を削除して'),
  refused('notes.txt の2行目以外を削除して'),
  refused('Do not delete notes.txt'),
  refused('Run `echo one` and email me the output'),
  refused('notes.txt の9行目を削除して', 'notes.txt は 3 行で、9 行目がありません'),
  refused('data.csv を並べ替えて、notes.txt を削除しないで'),
  refused('Fix the typo in README.md'),
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
  says('List all JavaScript files', 'src/cart.js', 'src/main.js'),
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
  says('テストを走らせて', 'pass 1'),
  says('このプロジェクトは何をしますか？', 'shop'),
  says('TODO の一覧を出して', 'src/cart.js:9'),
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
