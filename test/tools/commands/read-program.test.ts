/** The reader of the table's entries. */

import {array, assert, constantFrom, property, string} from 'fast-check';
import {expect, test} from 'vitest';

import {readProgram} from '../../../tools/commands/read-program.ts';
import {wordOf} from '../../../tools/commands/word.ts';
import {pairs, triples} from '../../support/rows.ts';
import {callOf, readingBy, readingText} from './reading.ts';

const copy = {
  options: '-r|--recursive -n|--lines=text -o|--out=writes --color=?text -i=?text',
  operands: 'reads* writes',
};

test.each(
  pairs(`
  a b ⇒ reads a, writes b ¦ a b c ⇒ reads a, reads b, writes c ¦ b ⇒ writes b ¦ ⇒ ? p
  -r a b ⇒ reads a, writes b ¦ a b -r ⇒ reads a, writes b ¦ -rn 3 a b ⇒ reads a, writes b
  -rn3 a b ⇒ reads a, writes b ¦ -n= a b ⇒ reads a, writes b ¦ --lines=3 a b ⇒ reads a, writes b
  --lines 3 a b ⇒ reads a, writes b ¦ -o x a b ⇒ writes x, reads a, writes b
  -ox a b ⇒ writes x, reads a, writes b ¦ --out=x a b ⇒ writes x, reads a, writes b
  --color a b ⇒ reads a, writes b ¦ --color=always a b ⇒ reads a, writes b
  -i a b ⇒ reads a, writes b ¦ -i.bak a b ⇒ reads a, writes b ¦ -- -r b ⇒ reads -r, writes b
  - b ⇒ writes b ¦ a -n -3 b ⇒ reads a, writes b ¦ src/$x b ⇒ ? src/$x
  "src/$x" b ⇒ reads src/$x, writes b ¦ *.ts b ⇒ reads *.ts, writes b
`),
)('p %s: %s', (text, shown) => {
  expect(readingText(readingBy(copy, text))).toBe(shown);
});

test.each(
  triples(`
  an option that it does not name ⇒ -x a b ⇒ ? -x ¦ one within a cluster ⇒ -rx a b ⇒ ? -x
  GNU's abbreviation of one ⇒ --recurs a b ⇒ ? --recurs
  a value where there is none ⇒ --recursive=yes a b ⇒ ? --recursive=yes
  a place that some read with its = ⇒ -o=x a b ⇒ ? -o=x ¦ a value that is missing ⇒ a b -n ⇒ ? -n
  a value that others read as an option ⇒ -n --out a b ⇒ ? --out
  a value that may be several words ⇒ -n *.ts a b ⇒ ? *.ts
  a value that may fall apart ⇒ --lines=$x a b ⇒ ? --lines=$x
  a word that may be an option ⇒ "$x" a b ⇒ ? $x ¦ a word that may be options ⇒ $x a b ⇒ ? $x
  an option whose name is computed ⇒ "--$x" a b ⇒ ? --$x
  a cluster with a computed rest ⇒ "-r$x" a b ⇒ ? -$
  a target that may be several places ⇒ a b* ⇒ ? b* ¦ a target that may be none ⇒ -- a $x ⇒ ? $x
`),
)('%s is not understood: p %s', (_, text, shown) => {
  expect(readingText(readingBy(copy, text))).toContain(shown);
});

test('words after -- may be computed, where any number of words is allowed', () => {
  expect(readingText(readingBy(copy, '-- $x b'))).toBe('reads $x, writes b');
});

test.each([
  ['a', 'reads a'],
  ['a b', '? p'],
  ['', ''],
])('operands that may be left out: p %s', (text, shown) => {
  expect(readingText(readingBy({operands: 'reads?'}, text))).toBe(shown);
});

test('a pattern in place of a text may stand for files that follow it', () => {
  const search = {operands: 'text reads*'};
  expect(readingText(readingBy(search, 'foo.*bar src'))).toBe('reads foo.*bar, reads src');
});

test.each([
  ['5 rm -rf src', 'command rm -rf src'],
  ['-k 3 5 rm', 'command rm'],
  ['5 -k 3 rm', 'command -k 3 rm'],
  ['5', '? p'],
])('words after a command are its own: p %s', (text, shown) => {
  const timeout = {options: '-k=text', style: 'posix' as const, operands: 'text command'};
  expect(readingText(readingBy(timeout, text))).toBe(shown);
});

test('programs whose options have one dash are never read as clusters', () => {
  const find = {options: '-r -n -rn=text', style: 'single' as const, operands: 'reads*'};
  expect(readingText(readingBy(find, '-rn x a'))).toBe('reads a');
  expect(readingText(readingBy(find, '-rn=x a'))).toBe('reads a');
  expect(readingText(readingBy(find, '-nr a'))).toBe('? -nr');
});

test('an option may take two words', () => {
  const query = {options: '-q --load=text,reads', operands: 'reads*'};
  expect(readingText(readingBy(query, '--load x y z'))).toBe('reads y, reads z');
  expect(readingText(readingBy(query, '--load x'))).toBe('? --load');
  expect(readingText(readingBy(query, '--load=x y z'))).toBe('? --load=x');
});

test('a number may be an option', () => {
  expect(readingText(readingBy({options: '-NUM -q', operands: 'reads*'}, '-5 a'))).toBe('reads a');
  expect(readingText(readingBy({options: '-q', operands: 'reads*'}, '-5 a'))).toBe('? -5');
});

test('a folder in the options applies to every place, once', () => {
  const make = {options: '-C=from -q', operands: 'reads*', does: 'runs=a_build'};
  expect(readingText(readingBy(make, '-C x a'))).toBe('runs a build in x, reads a in x');
  expect(readingText(readingBy(make, '-C x -C y a'))).toBe('? -C');
});

test('options and their absence change the effects', () => {
  const format = {
    options: '-w|--write -q|--quiet',
    operands: 'reads*',
    when: {'-w --write': {operands: 'edits*'}, '': {does: 'lists=.'}},
  };
  expect(readingText(readingBy(format, 'a'))).toBe('reads a');
  expect(readingText(readingBy(format, '-qw a'))).toBe('edits a');
  expect(readingText(readingBy(format, '--write a'))).toBe('edits a');
  expect(readingText(readingBy(format, '-q'))).toBe('lists .');
});

test.each(
  pairs(`
  status ⇒ ¦ st ⇒ ¦ -C x run a ⇒ code a in x ¦ remote add a ⇒ records remote ¦ ⇒ lists .
  run - ⇒ ? - ¦ frob ⇒ ? p frob ¦ remote ⇒ ? p ¦ "$x" ⇒ ? $x ¦ -x status ⇒ ? -x
  constructor ⇒ ? p constructor
`),
)('subcommands: p %s', (text, shown) => {
  const git = {
    options: '-C=from',
    subcommands: {
      '': {does: 'lists=.'},
      'status st': {},
      run: {operands: 'code'},
      remote: {subcommands: {add: {operands: 'text', does: 'records=remote'}}},
    },
  };
  expect(readingText(readingBy(git, text))).toBe(shown);
});

test('an entry says whether its program runs the tests, and which words prevent that', () => {
  const runner = {
    options: '--version',
    isTest: true as const,
    when: {'--version': {isTest: false}},
  };
  expect(readingBy(runner, '').isTest).toBe(true);
  expect(readingBy(runner, '--version').isTest).toBeUndefined();
  expect(readingBy({subcommands: {test: {isTest: true}}}, 'test').isTest).toBe(true);
});

test('an entry that names an unjudgeable word is not understood', () => {
  expect(readingText(readingBy({options: '--eval=unjudged'}, '--eval x'))).toBe('? --eval');
});

test('an effect that does not depend on the words may be unjudged', () => {
  expect(readingText(readingBy({does: 'unjudged=what_the_patch_changes'}, ''))).toBe(
    '? what the patch changes',
  );
});

test('a refinement receives the reading, the call and its sorted words', () => {
  const reading = readingBy(
    {
      options: '-n=text',
      operands: 'text*',
      refine: (read, {name}, {options, operands}) => ({
        ...read,
        unknown: [
          {
            word: `${name} ${options[0]?.name} ${options[0]?.value?.text} ${operands.length}`,
            why: 'seen',
          },
        ],
      }),
    },
    '-n 3 a b',
  );
  expect(readingText(reading)).toBe('? p -n 3 2');
});

test('a program that takes any option takes unknown words', () => {
  expect(
    readingText(readingBy({options: '*', operands: 'text*'}, '-x "$a" $b --y="$c" "-$d"')),
  ).toBe('');
});

test('no words make it throw, and none is lost: each has a role, or is not understood', () => {
  const word = constantFrom(
    '-r',
    '--out',
    '-o',
    '--',
    '-',
    '*',
    '$x',
    '',
    '=',
    '--out=',
    '-n=',
    '-NUM',
    '*.ts',
  );
  assert(
    property(array(word), string(), (words, more) => {
      const reading = readProgram(
        {name: 'p', ...copy},
        {...callOf('p'), args: [...words, more].map(wordOf)},
      );
      expect(reading.acts.length + reading.unknown.length).toBeGreaterThan(0);
    }),
  );
});
