/** glob_search and grep_search: their results, and that no pattern can delay them or lead them out. */

import {execFileSync} from 'node:child_process';
import {symlinkSync, truncateSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {compileGlob} from '../../../tools/read/glob.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {createPlace, textOf, verdictOf} from '../place.ts';

function matches(pattern: string, path: string): boolean {
  const glob = compileGlob(pattern);
  return glob.ok && glob.value.matches(path);
}

describe('globs', () => {
  test.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/deep/a.ts', true],
    ['src/**', 'src/a/b', true],
    ['src/**/b', 'src/b', true],
    ['./src/*', 'src/a', true],
    ['**/*', '.env', false],
    ['**/*', '.github/x', false],
    ['.github/**', '.github/workflows/ci.yml', true],
    ['**/.env', 'a/.env', true],
    ['*.{ts,tsx}', 'a.tsx', true],
    ['*.{ts,{md,txt}}', 'a.txt', true],
    ['{a,b}/{c,d}', 'b/c', true],
    ['{a}', '{a}', true],
    [String.raw`\*.ts`, '*.ts', true],
    [String.raw`\*.ts`, 'a.ts', false],
    [String.raw`\{a,b}`, '{a,b}', true],
    ['app/(group)/[id]/page.tsx', 'app/(group)/i/page.tsx', true],
    [String.raw`app/(group)/\[id]/page.tsx`, 'app/(group)/[id]/page.tsx', true],
    ['[!a-c]x', 'dx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]', ']', true],
    ['[a', '[a', true],
    ['?', '\u{1f600}', true],
    ['*a*b*', 'xxaxxbxx', true],
    ['*a*b*', 'xxbxxaxx', false],
    ['(a+)+', '(a+)+', true],
  ])('%s with %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  test.each([
    '../*',
    '{.,}./**',
    '/etc/*',
    'a/../../*',
    '{a,b}'.repeat(20),
    `**/${'*{a,b,c,d,e,f,g}'.repeat(3)}${'z'.repeat(20)}`,
    '*'.repeat(1_001),
    '**/'.repeat(9),
  ])('the pattern %s is refused', async (pattern) => {
    const place = createPlace();
    const outcome = await place.run('glob_search', {pattern});
    expect(verdictOf(outcome)).toMatch(/^refused\/(pattern_invalid|schema)$/);
  });

  test.each(['([a]+)+b', `${'*a'.repeat(100)}b`, `${'{a*,a*}'.repeat(8)}b`, '**/a/'.repeat(8)])(
    'the pattern %s cannot run away',
    (pattern) => {
      const started = cpuMs();
      const path = `${'a/'.repeat(100)}${'a'.repeat(255)}`;
      expect(matches(pattern, path) || matches(pattern, 'a'.repeat(255))).toBe(false);
      expect(cpuMs() - started).toBeLessThan(5_000);
    },
  );
});

describe('glob_search', () => {
  test('lists files with their sizes, sorted, without .git, node_modules and links', async () => {
    const place = createPlace();
    place.put('src/b.ts', '12345');
    place.put('src/a.ts', '');
    place.put('node_modules/x/a.ts', 'x');
    place.put('.git/a.ts', 'x');
    symlinkSync(place.outside, join(place.workspace, 'out'));
    symlinkSync('.', join(place.workspace, 'loop'));
    expect(textOf(await place.run('glob_search', {pattern: '**/*'}))).toBe(
      'src/a.ts\t0\nsrc/b.ts\t5',
    );
    const inside = await place.run('glob_search', {
      pattern: '*.ts',
      base_dir: 'src',
      max_results: null,
    });
    expect(textOf(inside)).toBe('src/a.ts\t0\nsrc/b.ts\t5');
    const outside = await place.run('glob_search', {pattern: '*', base_dir: 'out'});
    expect(verdictOf(outside)).toBe('refused/symlink');
    expect(verdictOf(await place.run('glob_search', {pattern: '*', base_dir: '..'}))).toBe(
      'refused/path_escape',
    );
  });

  test('gives the number of files when it does not show all', async () => {
    const place = createPlace();
    for (let index = 0; index < 12; index += 1) place.put(`f${index}.txt`, '');
    const lines = textOf(await place.run('glob_search', {pattern: '*', max_results: 5})).split(
      '\n',
    );
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe('… 12 files in all');
  });

  test('escapes names that could control a terminal or forge a line', async () => {
    const place = createPlace();
    place.put('x\n\u001b[31m', 'x');
    expect(textOf(await place.run('glob_search', {pattern: '*'}))).toBe(
      String.raw`x\n\x1b[31m` + '\t1',
    );
  });

  test('is cancelled by its signal', async () => {
    const place = createPlace();
    const signal = AbortSignal.abort();
    expect(verdictOf(await place.run('glob_search', {pattern: '*'}, {signal}))).toBe('cancelled');
  });
});

describe('grep_search', () => {
  test('gives path, line and text, then the totals', async () => {
    const place = createPlace();
    place.put('src/a.ts', 'one\r\n// TODO: two\r\nthree\r\n');
    place.put('b.md', 'todo\n');
    expect(textOf(await place.run('grep_search', {pattern: 'TODO'}))).toBe(
      'src/a.ts:2: // TODO: two\n1 match in 1 file',
    );
    const loose = {pattern: 'todo', case_insensitive: true, file_pattern: '*.md'};
    expect(textOf(await place.run('grep_search', loose))).toBe('b.md:1: todo\n1 match in 1 file');
    expect(textOf(await place.run('grep_search', {pattern: '(?i)todo'}))).toContain(
      '2 matches in 2 files',
    );
    const one = {pattern: '^t\\w+$', path: 'src/a.ts', context_lines: 1};
    expect(textOf(await place.run('grep_search', one))).toBe(
      'src/a.ts-2- // TODO: two\nsrc/a.ts:3: three\n1 match in 1 file',
    );
  });

  test('shows 200 matches and counts all', async () => {
    const place = createPlace();
    place.put('a.txt', 'x\n'.repeat(1_000));
    place.put('long.txt', `x${'y'.repeat(100_000)}`);
    const text = textOf(await place.run('grep_search', {pattern: 'x'}));
    expect(text.split('\n')).toHaveLength(201);
    expect(text).toContain('1001 matches in 2 files, the first 200 shown');
    const long = textOf(await place.run('grep_search', {pattern: 'x', path: 'long.txt'}));
    expect(long.length).toBeLessThan(700);
    expect(long).toContain('(100001 characters)');
  });

  test('skips binary files, large files, pipes and files outside', async () => {
    const place = createPlace();
    place.put('binary', Buffer.from('secret\0'));
    truncateSync(place.put('large', 'secret'), 3_000_000);
    place.put('node_modules/a', 'secret');
    execFileSync('mkfifo', [join(place.workspace, 'pipe')]);
    symlinkSync(join(place.outside, 'secret.txt'), join(place.workspace, 'link'));
    const text = textOf(await place.run('grep_search', {pattern: 'secret|keep'}));
    expect(text).toBe('… 1 file not searched, over 2 MB: large\n0 matches in 0 files');
    const link = await place.run('grep_search', {pattern: 'keep', path: 'link'});
    expect(verdictOf(link)).toBe('refused/symlink');
  });

  test.each(['[', '(', 'a'.repeat(1_001)])('the pattern %s is refused', async (pattern) => {
    const place = createPlace();
    place.put('a.txt', 'aaa');
    expect(verdictOf(await place.run('grep_search', {pattern}))).toBe('refused/pattern_invalid');
  });

  test.each(['([a-zA-Z0-9]+)*@', '(?<=(a*)*)b', '^(.*)*\\1$'])(
    'the pattern %s ends within its time',
    async (pattern) => {
      const place = createPlace();
      for (let index = 0; index < 30; index += 1) {
        place.put(`f${index}.txt`, `${'a'.repeat(40)}!${index}\n`.repeat(20));
      }
      const verdict = verdictOf(await place.run('grep_search', {pattern}));
      expect(['failed/regex_timeout', 'succeeded']).toContain(verdict);
    },
  );

  test('an endless pattern is reported', async () => {
    const place = createPlace();
    place.put('a.txt', `${'a'.repeat(40)}!`);
    const outcome = await place.run('grep_search', {pattern: '(a+)+$'});
    expect(verdictOf(outcome)).toBe('failed/regex_timeout');
  });
});
