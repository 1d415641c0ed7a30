/** The format of the text files, and the messages for mistakes in them. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import type {Program} from '../../../../tools/commands/program.ts';
import {readProgram} from '../../../../tools/commands/read-program.ts';
import {refinements as allRefinements} from '../../../../tools/commands/refinements/index.ts';
import {roleNames} from '../../../../tools/commands/role.ts';
import {compactTexts} from '../../../../tools/commands/table/compact.ts';
import {keywordNames} from '../../../../tools/commands/table/entry.ts';
import {createProgramTable} from '../../../../tools/commands/table/program-table.ts';
import {programTexts} from '../../../../tools/commands/table/program-texts.ts';
import {examplesIn} from '../examples.ts';
import {callOf, readingText} from '../reading.ts';

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
  join(import.meta.dirname, '../../../../tools/commands/programs/README.md'),
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
