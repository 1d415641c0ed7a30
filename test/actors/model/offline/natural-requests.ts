/** Requests of first-time users. */

import {refused, right, says, type Wording} from './wording.ts';
import {NOTES} from './world.ts';

export const naturalRequests: readonly Wording[] = [
  right(
    'In README.md change the line "The colour of the button is blue." to "The button is blue."',
    ['README.md', 'The colour of the button is blue.', 'The button is blue.'],
  ),
  right('Change line 2 of notes.txt to "zweite"', ['notes.txt', 'second', 'zweite']),
  right(
    'Rename the function computeTotal to totalOf in all JavaScript files',
    ['src/cart.js', 'computeTotal', 'totalOf'],
    ['test/cart.test.js', 'computeTotal', 'totalOf'],
  ),
  right(
    'Please rename computeTotal into sumOf across the project',
    ['src/cart.js', 'computeTotal', 'sumOf'],
    ['test/cart.test.js', 'computeTotal', 'sumOf'],
  ),
  right('Append "fourth" to notes.txt', ['notes.txt', 'third\n', 'third\nfourth\n']),
  right('Insert the line "zero" at the top of notes.txt', ['notes.txt', 'first', 'zero\nfirst']),
  right('Insert "and a half" after the line "second" in notes.txt', [
    'notes.txt',
    'second\n',
    'second\nand a half\n',
  ]),
  right('Delete the line "second" from notes.txt', ['notes.txt', 'second\n', '']),
  right('Remove docs/guide.md', ['docs/guide.md']),
  right('Create settings.json with {"theme": "dark"}', ['settings.json', '{"theme": "dark"}\n']),
  right('Create a JSON file settings.json with the content {"theme": "dark"}', [
    'settings.json',
    '{"theme": "dark"}\n',
  ]),
  right(
    'Move docs/guide.md to guide.md',
    ['docs/guide.md'],
    ['guide.md', '# Guide\n\na: 1\nb: 2\n'],
  ),
  right('Bump the version in package.json to 1.5.0', ['package.json', '1.4.2', '1.5.0']),
  right('Change the version from 1.4.2 to 1.5.0', ['package.json', '1.4.2', '1.5.0']),
  right('Fix the typo "teh" in README.md', ['README.md', 'teh', 'the']),
  right('Replace teh with the everywhere', ['README.md', 'teh', 'the']),
  right('Set "debug" to true in config.json', ['config.json', 'false', 'true']),
  right('Change the port in config.json from 3000 to 8080', ['config.json', '3000', '8080']),
  right(
    'Replace 3000 with 8080 in config.json and in README.md',
    ['config.json', '3000', '8080'],
    ['README.md', '3000', '8080'],
  ),
  right(
    'Rename formatPrice to priceText in src, and run the tests',
    ['src/format.js', 'formatPrice', 'priceText'],
    ['src/cart.js', 'formatPrice', 'priceText'],
  ),
  refused('Create hello.py that prints hello'),
  right('Create a file todo.md with the lines "a" and "b"', ['todo.md', 'a\nb\n']),
  right(
    'Add a line "c: 3" to docs/guide.md and to notes.txt',
    ['docs/guide.md', 'b: 2\n', 'b: 2\nc: 3\n'],
    ['notes.txt', 'third\n', 'third\nc: 3\n'],
  ),
  says('List all JavaScript files', 'src/cart.js', 'src/main.js'),
  refused('How many lines does src/cart.js have?', 'quorate ask'),
  refused('How many rows are in data.csv?', 'quorate ask'),
  refused('Summarise docs/guide.md'),
  right('Copy notes.txt to notes.bak', ['notes.bak', NOTES]),
  refused('Delete all .md files'),
  right('Create the folder build', ['build/']),
  right('Rename class Loader to Reader in src/util.py', ['src/util.py', 'Loader', 'Reader']),
  right('Replace "TODO: rounding" with "done" in src/cart.js', [
    'src/cart.js',
    'TODO: rounding',
    'done',
  ]),
  refused('Replace the word colour by color in README.md and commit', 'commit'),
  right(
    'Append the line "a, b" to notes.txt and delete config.json',
    ['notes.txt', 'third\n', 'third\na, b\n'],
    ['config.json'],
  ),
  right('notes.txt の最後に「四」を追加して', ['notes.txt', 'third\n', 'third\n四\n']),
  right(
    'computeTotal を totalOf に名前を変えて',
    ['src/cart.js', 'computeTotal', 'totalOf'],
    ['test/cart.test.js', 'computeTotal', 'totalOf'],
  ),
  right('README.md の teh を the に直して', ['README.md', 'teh', 'the']),
  right('config.json の 3000 を 8080 に変更してください', ['config.json', '3000', '8080']),
  right('docs/guide.md を削除してください', ['docs/guide.md']),
  right(
    'docs/guide.md を guide.md に移動して',
    ['docs/guide.md'],
    ['guide.md', '# Guide\n\na: 1\nb: 2\n'],
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
  says('Run `echo one` and then `echo two`', 'one', 'two'),
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
