/** Lines around hunks, read from the working tree. */

import {mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {withSurroundings} from '../../../cli/review/surroundings.ts';
import type {FileDiff} from '../../../machines/domain/patch.ts';
import {readPatch} from '../../../tools/text/patch.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-around-')));
});
afterEach(() => rmSync(folder, {recursive: true}));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), {recursive: true});
  writeFileSync(join(folder, path), text);
}

const numbers = (count: number) => Array.from({length: count}, (_, index) => `line ${index + 1}`);

function hunkAt(line: number): string {
  const [above, , below] = [`line ${line - 1}`, '', `line ${line + 1}`];
  return `@@ -${line - 1},3 +${line - 1},3 @@\n ${above}\n-old ${line}\n+line ${line}\n ${below}\n`;
}

async function diffOf(path: string, ...lines: readonly number[]): Promise<readonly FileDiff[]> {
  const hunks = lines.map(hunkAt).join('');
  return await readPatch(`--- a/${path}\n+++ b/${path}\n${hunks}`);
}

function shownIn([file]: readonly FileDiff[]): string[] {
  return file?.hunks.flatMap(({lines}) => lines.filter((line) => !line.startsWith('-'))) ?? [];
}

test('a hunk that fits its file gets 20 lines above and below', async () => {
  put('a.txt', `${numbers(100).join('\n')}\n`);
  const diff = withSurroundings(await diffOf('a.txt', 50), folder);
  expect(diff[0]?.hunks).toMatchObject([{oldStart: 29, newStart: 29}]);
  expect(shownIn(diff).map((line) => line.slice(1))).toEqual(numbers(100).slice(28, 71));
  expect(diff[0]?.hunks[0]?.lines).toContain('+line 50');
});

test.each([
  [10, 20],
  [10, 14],
  [10, 60],
])('no line around the hunks at %i and %i occurs twice', async (first, second) => {
  put('a.txt', `${numbers(70).join('\n')}\n`);
  const shown = shownIn(withSurroundings(await diffOf('a.txt', first, second), folder));
  expect(new Set(shown.map((line) => line.slice(1))).size).toBe(shown.length);
  expect(shown.length).toBeGreaterThan(20);
});

test('in a folder below the top of the repository, the paths of git are resolved', async () => {
  put('src/a.txt', numbers(30).join('\r\n'));
  mkdirSync(join(folder, '.git'));
  const diff = withSurroundings(await diffOf('src/a.txt', 10), join(folder, 'src'));
  expect(shownIn(diff)).toHaveLength(30);
});

test.each<[string, string, () => void]>([
  ['that differs', 'a.txt', () => put('a.txt', numbers(40).toReversed().join('\n'))],
  ['that is not there', 'a.txt', () => put('b.txt', numbers(40).join('\n'))],
  ['that may hold credentials', '.env', () => put('.env', numbers(40).join('\n'))],
  ['of a program', 'package-lock.json', () => put('package-lock.json', numbers(40).join('\n'))],
  [
    'behind a link',
    'a.txt',
    () => {
      put('.env', numbers(40).join('\n'));
      symlinkSync(join(folder, '.env'), join(folder, 'a.txt'));
    },
  ],
  [
    'that is large',
    'a.txt',
    () => put('a.txt', `${numbers(40).join('\n')}${'x'.repeat(2_000_000)}`),
  ],
  [
    'with long lines',
    'a.txt',
    () => put('a.txt', numbers(40).join('\n').replace('line 5', 'x'.repeat(20_001))),
  ],
])('a file %s is unchanged', async (_, path, prepare) => {
  prepare();
  const diff = await diffOf(path, 10);
  expect(withSurroundings(diff, folder)).toEqual(diff);
});

test('a path that leads out of the folder is not read', async () => {
  put('out.txt', numbers(40).join('\n'));
  mkdirSync(join(folder, 'work'));
  const [file] = await diffOf('out.txt', 10);
  const diff = file ? [{...file, path: '../out.txt'}] : [];
  expect(withSurroundings(diff, join(folder, 'work'))).toEqual(diff);
});
