/** How the words of a command are read by the table of programs. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {array, assert, constantFrom, property, string} from 'fast-check';
import {expect, test} from 'vitest';

import type {Program} from '../../../tools/commands/program.ts';
import {readProgram} from '../../../tools/commands/read-program.ts';
import {refinements as allRefinements} from '../../../tools/commands/refinements/index.ts';
import {roleNames} from '../../../tools/commands/role.ts';
import {compactTexts} from '../../../tools/commands/table/compact.ts';
import {keywordNames} from '../../../tools/commands/table/entry.ts';
import {createProgramTable} from '../../../tools/commands/table/program-table.ts';
import {programTexts} from '../../../tools/commands/table/program-texts.ts';
import {wordOf} from '../../../tools/commands/word.ts';
import {pairs, triples} from '../../support/rows.ts';
import {examplesIn, callOf, readingBy, readingText} from './reading.ts';

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

const refinements = {
  seen: (reading) => ({...reading, unknown: [{word: 'seen', why: 'by a refinement'}]}),
  again: ({unknown, ...reading}) => ({
    ...reading,
    unknown: unknown.map(({word, why}) => ({word: `${word} again`, why})),
  }),
} satisfies Record<string, Program['refine']>;

function tableOf(...lines: readonly string[]) {
  return createProgramTable({'p.txt': lines.join('\n')}, refinements);
}

/** The whole program, including lazily parsed parts. */
function entryOf(...lines: readonly string[]) {
  return structuredClone(tableOf('program p', ...lines).get('p'));
}

test('each line is a part of the entry', () => {
  const entry = entryOf(
    '  -q --quiet',
    '  -n --lines  text',
    '  --color  [text]',
    '  --arg  text reads',
    '  -C  from',
    '  style posix',
    '  operands text reads*',
    '  does runs the tests',
    '  does loads deno.json',
    '  runs-tests',
    '  bounded -n --lines',
    '  when -q --quiet',
    '    operands none',
    '    does nothing',
    '    runs-no-tests',
    '  when no operands',
    '    does lists .',
    '  example p a b  ->  nothing',
  );
  expect(entry).toEqual({
    name: ['p'],
    options: '-q|--quiet -n|--lines=text --color=?text --arg=text,reads -C=from',
    style: 'posix',
    operands: 'text reads*',
    does: 'runs=the_tests loads=deno.json',
    isTest: true,
    bounded: '-n --lines',
    when: {'-q --quiet': {operands: '', does: '', isTest: false}, '': {does: 'lists=.'}},
  });
});

test('subcommands have entries of their own', () => {
  const entry = entryOf(
    '  subcommand none',
    '  subcommand cache store',
    '    subcommand purge',
    '      does alters the cache',
  );
  expect(entry?.subcommands).toEqual({
    '': {},
    'cache store': {subcommands: {purge: {does: 'alters=the_cache'}}},
  });
});

test('comments and blank lines are ignored, and a line may continue on the next', () => {
  const table = tableOf('# A comment.', '', 'program p \\', '  q', '  # Another one.', '', '  -q');
  expect(table.get('q')).toEqual({name: ['p', 'q'], options: '-q'});
  expect([...table.keys()]).toEqual(['p', 'q']);
});

test('a group is found in any file, and may include others', () => {
  const table = createProgramTable(
    {
      'a.txt': 'program p\n  include all\n',
      'b.txt': 'group few\n  -q\ngroup all\n  include few\n  -v',
    },
    {},
  );
  expect(table.get('p')?.options).toBe('-q -v');
});

test('an option that two groups list alike occurs once', () => {
  const table = tableOf(
    'group a',
    '  -q -s',
    'group b',
    '  -q --quiet',
    'program p',
    '  include a',
    '  include b',
  );
  expect(table.get('p')?.options).toBe('-q|-s --quiet');
});

test('refinements are found by name, and follow one another', () => {
  const program = tableOf('program p', '  refine seen again').get('p');
  expect(program && readingText(readProgram(program, callOf('p')))).toBe('? seen again');
});

test.each([
  ['an unknown role', ['  operands reeds'], 'p.txt:2: unknown role "reeds"; did you mean "reads"?'],
  [
    'an unknown role of an option',
    ['  -q', '  -o  wirtes'],
    'p.txt:3: unknown role "wirtes"; did you mean "writes"?',
  ],
  ['an unknown effect', ['  does rnus x'], 'p.txt:2: unknown role "rnus"; did you mean "runs"?'],
  [
    'an unknown word',
    ['  operand text'],
    'p.txt:2: unknown word "operand"; did you mean "operands"?',
  ],
  [
    'an unknown style',
    ['  style gnu'],
    'p.txt:2: unknown style "gnu"; expected "posix" or "single"',
  ],
  ['an unknown group', ['  include x'], 'p.txt:2: unknown group "x"'],
  [
    'an unknown refinement',
    ['  refine sen'],
    'p.txt:2: unknown refinement "sen"; did you mean "seen"?',
  ],
  ['no roles', ['  operands'], 'p.txt:2: expected words after "operands"'],
  ['no refinement', ['  refine'], 'p.txt:2: expected words after "refine"'],
  ['no condition', ['  when', '    does nothing'], 'p.txt:2: expected words after "when"'],
  ['no subcommand', ['  subcommand'], 'p.txt:2: expected words after "subcommand"'],
  ['a word too many', ['  runs-tests never'], 'p.txt:2: expected nothing after "runs-tests"'],
  ['a denial without a condition', ['  runs-no-tests'], 'p.txt:2: "runs-no-tests" is for a "when"'],
  [
    'a condition given twice',
    ['  -q', '  when -q', '  when -q'],
    'p.txt:4: the same condition is above already',
  ],
  ['an effect on nothing', ['  does runs'], 'p.txt:2: expected what it runs, without "_"'],
  [
    'a condition that is no option',
    ['  --write', '  when --wirte'],
    'p.txt:3: no option "--wirte"; did you mean "--write"?',
  ],
  [
    'a change of options',
    ['  when no operands', '    -q'],
    'p.txt:3: only "operands", "does" and "runs-tests" can change',
  ],
  [
    'a name with a value',
    ['  --color=text'],
    'p.txt:2: "--color=text" is not the name of an option',
  ],
  [
    'an option with two values',
    ['  -q', '  -q  text'],
    'p.txt:3: "-q" is listed above with another value',
  ],
  ['a line given twice', ['  style posix', '  style posix'], 'p.txt:3: "style" is given twice'],
  [
    'a subcommand given twice',
    ['  subcommand a b', '  subcommand b'],
    'p.txt:3: "b" is a subcommand above already',
  ],
  ['lines below an option', ['  -q', '    -v'], 'p.txt:3: no line can be indented here'],
  ['a wrong indentation', ['   -q'], 'p.txt:2: is indented by none of the levels above it'],
  ['a line outside', ['-q'], 'p.txt:2: expected "program" or "group"'],
])('%s is a fault with its place', (_, lines, message) => {
  expect(() => tableOf('program p', ...lines).get('p')).toThrow(new Error(message));
});

test('a file with an invalid beginning, and a name given twice, are faults of the table', () => {
  expect(() => tableOf('progam p')).toThrow('p.txt:1: expected "program" or "group"');
  expect(() => tableOf('program p', 'program q p')).toThrow('p.txt: "p" is in p.txt already');
});

test('the texts that the build embeds have the same meaning', () => {
  const texts = programTexts();
  const kept = compactTexts(texts);
  const [written, built] = [texts, kept].map((each) => createProgramTable(each, allRefinements));
  expect(Object.values(kept).join('\n')).not.toMatch(/^\s*(?:#|example)/m);
  expect([...(built?.keys() ?? [])]).toEqual([...(written?.keys() ?? [])]);
  for (const name of written?.keys() ?? [])
    expect(JSON.stringify(built?.get(name))).toBe(JSON.stringify(written?.get(name)));
});

const readme = readFileSync(
  join(import.meta.dirname, '../../../tools/commands/programs/README.md'),
  'utf8',
);

test('the program in the README is understood, and its examples have their effects', () => {
  const text = /```text\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const program = createProgramTable({'wordcount.txt': text}, {}).get('wordcount');
  const examples = examplesIn(text);
  expect(examples).toHaveLength(4);
  for (const {command, effects} of examples)
    expect(program && (readingText(readProgram(program, callOf(command))) || 'nothing')).toBe(
      effects,
    );
});

test('the README describes every role and every line', () => {
  const tables = readme.replaceAll(/```.*?```/gs, '').matchAll(/`([^`]+)`/g);
  const described = new Set([...tables].flatMap(([, code = '']) => code.split(' ')));
  expect(roleNames.filter((role) => !described.has(role))).toEqual([]);
  expect(keywordNames.filter((keyword) => !described.has(keyword))).toEqual([]);
});
