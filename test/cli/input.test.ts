/** Files read beside a request: piped input, `@file`, and the lines around the hunks of a diff. */

import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';

import {beforeEach, describe, expect, test, vi} from 'vitest';

import {type Asked, readRequest, withFiles} from '../../cli/line/request.ts';
import {withSurroundings} from '../../cli/review/diff-source.ts';
import type {FileDiff} from '../../machines/domain/patch.ts';
import {type Message, messageText} from '../../machines/message.ts';
import {readPatch} from '../../tools/text/patch.ts';
import {putIn, setFolder} from './folders.ts';

const bom = '\ufeff';

async function asked(
  words: readonly string[],
  piped?: string | Uint8Array,
): Promise<Asked & {readonly warnings: readonly string[]}> {
  const stdin = Object.assign(new PassThrough(), {isTTY: piped === undefined});
  if (piped !== undefined) stdin.end(piped);
  const warnings: string[] = [];
  const read = await readRequest('agent', words, stdin, (warning) =>
    warnings.push(messageText(warning)),
  );
  return {...read, warnings};
}

const input = (text: string) => [{name: 'standard input', text}];

describe('standard input', () => {
  test.each([
    ['is the task without words', [], '  Fix the bug\n', 'Fix the bug', []],
    ['is the task for a dash', ['-'], `${bom}Fix the bug\n`, 'Fix the bug', []],
    ['is what a task is about', ['Explain', 'this'], 'ERROR\n', 'Explain this', input('ERROR\n')],
    ['is that with a dash at the end, too', ['Explain', '-'], 'E', 'Explain', input('E')],
  ])('%s', async (_, words, piped, request, attachments) => {
    expect(await asked(words, piped)).toEqual({request, attachments, warnings: []});
  });

  test.each([
    ['is empty beside a task', ['Explain'], ' \n', 'Explain'],
    ['is empty beside a task with a dash', ['Explain', '-'], ' \n', 'Explain'],
    ['is not meant by a dash inside', ['what', 'is', '3', '-', '2'], '', 'what is 3 - 2'],
  ])('%s, so nothing is attached, with a warning', async (_, words, piped, request) => {
    const warnings = ['standard input is empty, so nothing is attached'];
    expect(await asked(words, piped)).toEqual({request, attachments: [], warnings});
  });

  test.each([
    ['an empty task', [], '', /there is no task/],
    ['a blank one', [], ' \n ', /there is no task/],
    ['a task that is too long', [], 'x'.repeat(1_100_000), /longer than 1048576 bytes/],
    ['a task that is not text', [], Uint8Array.of(0x82, 0xa0), /the task .* is not UTF-8 text/],
    ['no text beside a task', ['Explain'], Uint8Array.of(65, 0, 66), /not UTF-8 text \(3 bytes\)/],
    ['nothing on a terminal', [], undefined, /write: quorate "TASK"/],
  ])('refuses %s', async (_, words, piped, message) => {
    await expect(asked(words, piped)).rejects.toMatchObject({code: 'usage'});
    await expect(asked(words, piped)).rejects.toThrow(message);
  });

  test('that stays silent is ignored next to a task, with a warning', async () => {
    vi.useFakeTimers();
    try {
      const warn = vi.fn<(message: Message) => void>();
      const reading = readRequest('agent', ['Explain'], new PassThrough(), warn);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await reading).toEqual({request: 'Explain', attachments: []});
      expect(warn).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({text: expect.stringMatching(/is silent.*write - as/)}),
      );
    } finally {
      vi.useRealTimers();
    }
  });

  test('is read to its end once data has arrived, and awaited with a dash', async () => {
    vi.useFakeTimers();
    try {
      const [quick, slow] = [new PassThrough(), new PassThrough()];
      const warn = vi.fn<(message: Message) => void>();
      const readings = [
        readRequest('agent', ['Explain'], quick, warn),
        readRequest('agent', ['Explain', '-'], slow, warn),
      ];
      quick.write('one ');
      await vi.advanceTimersByTimeAsync(60_000);
      for (const stream of [quick, slow]) stream.end('two');
      const texts = (await Promise.all(readings)).map(({attachments}) => attachments[0]?.text);
      expect([texts, warn.mock.calls]).toEqual([['one two', 'two'], []]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('@file', () => {
  const root = setFolder();
  const workspace = () => join(root(), 'work');

  beforeEach(() => {
    putIn(workspace(), 'docs/a.md', 'alpha\n');
    putIn(workspace(), 'my notes.txt', 'notes\n');
    putIn(workspace(), '手順.md', '一\n');
    writeFileSync(join(workspace(), 'photo.png'), Uint8Array.of(137, 80, 78, 71, 0, 1));
    symlinkSync(putIn(root(), 'outside.txt', 'secret\n'), join(workspace(), 'link.txt'));
  });

  const reported: string[] = [];
  const files = (request: string) =>
    withFiles({request, attachments: []}, workspace(), (warning) =>
      reported.push(messageText(warning)),
    );
  const alpha = {name: 'docs/a.md', text: 'alpha\n', file: 'docs/a.md'};

  test.each([
    ['Explain @docs/b.md, please', 'docs/b.md', '; did you mean "docs/a.md"?'],
    ['@手順書.mdを読んで', '手順書.md', '; did you mean "手順.md"?'],
    ['Explain @"a file.txt"', 'a file.txt', ''],
  ])('warns about a name that looks like a file but is not one: %s', (request, name, hint) => {
    reported.length = 0;
    expect(files(request)).toEqual({request, attachments: []});
    expect(reported).toEqual([`there is no file ${name}, so @${name} stays a word${hint}`]);
  });

  test('a name that does not look like a file is a word', () => {
    reported.length = 0;
    files('Ask @ann about @types/node and @example.com/x');
    expect(reported).toEqual([]);
  });

  test.each([
    ['Explain @docs/a.md', 'Explain docs/a.md', [alpha]],
    ['Compare @docs/a.md, (@docs/a.md) and b.', 'Compare docs/a.md, (docs/a.md) and b.', [alpha]],
    ['What is in @./docs/a.md?', 'What is in ./docs/a.md?', [alpha]],
    ['@docs/a.mdを要約して', 'docs/a.mdを要約して', [alpha]],
    ['「@docs/a.md」を', '「docs/a.md」を', [alpha]],
    ['@手順.mdを英語に', '手順.mdを英語に', [{name: '手順.md', text: '一\n', file: '手順.md'}]],
    [
      'Sum up @"my notes.txt"',
      'Sum up "my notes.txt"',
      [{name: 'my notes.txt', text: 'notes\n', file: 'my notes.txt'}],
    ],
  ])('%j attaches the file', (request, text, attachments) => {
    expect(files(request)).toEqual({request: text, attachments});
  });

  test.each([
    'Install @types/node',
    'Write to me@docs/a.md',
    'Explain @docs',
    'Explain @docs/a.mdx',
    'Explain @"nothing here"',
    'Who is @',
  ])('%j names no file and is unchanged', (request) => {
    expect(files(request)).toEqual({request, attachments: []});
  });

  test.each([
    ['@../outside.txt', /^@..\/outside.txt can't be attached: .*outside/],
    ['@link.txt', /^@link.txt can't be attached: /],
    ['@photo.png', /photo.png is binary/],
  ])('%s is refused', (request, message) => {
    expect(() => files(request)).toThrow(message);
  });
});

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

describe('lines around hunks, read from the working tree', () => {
  const folder = setFolder();
  const put = (path: string, text: string) => void putIn(folder(), path, text);

  test('a hunk that fits its file gets 20 lines above and below', async () => {
    put('a.txt', `${numbers(100).join('\n')}\n`);
    const diff = withSurroundings(await diffOf('a.txt', 50), folder());
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
    const shown = shownIn(withSurroundings(await diffOf('a.txt', first, second), folder()));
    expect(new Set(shown.map((line) => line.slice(1))).size).toBe(shown.length);
    expect(shown.length).toBeGreaterThan(20);
  });

  test('in a folder below the top of the repository, the paths of git are resolved', async () => {
    put('src/a.txt', numbers(30).join('\r\n'));
    mkdirSync(join(folder(), '.git'));
    const diff = withSurroundings(await diffOf('src/a.txt', 10), join(folder(), 'src'));
    expect(shownIn(diff)).toHaveLength(30);
  });

  const text = numbers(40).join('\n');

  test.each([
    ['that differs', 'a.txt', {'a.txt': numbers(40).toReversed().join('\n')}],
    ['that is not there', 'a.txt', {'b.txt': text}],
    ['that may hold credentials', '.env', {'.env': text}],
    ['of a program', 'package-lock.json', {'package-lock.json': text}],
    ['that is large', 'a.txt', {'a.txt': `${text}${'x'.repeat(2_000_000)}`}],
    ['with long lines', 'a.txt', {'a.txt': text.replace('line 5', 'x'.repeat(20_001))}],
    ['behind a link', 'a.txt', {'.env': text}],
  ])('a file %s is unchanged', async (what, path, files) => {
    for (const [name, content] of Object.entries(files)) put(name, content);
    if (what === 'behind a link') symlinkSync(join(folder(), '.env'), join(folder(), 'a.txt'));
    const diff = await diffOf(path, 10);
    expect(withSurroundings(diff, folder())).toEqual(diff);
  });

  test('a path that leads out of the folder is not read', async () => {
    put('out.txt', numbers(40).join('\n'));
    mkdirSync(join(folder(), 'work'));
    const [file] = await diffOf('out.txt', 10);
    const diff = file ? [{...file, path: '../out.txt'}] : [];
    expect(withSurroundings(diff, join(folder(), 'work'))).toEqual(diff);
  });
});
