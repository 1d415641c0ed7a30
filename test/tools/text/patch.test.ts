/** The guarantees of reading a diff: no part is left out silently, and unreadable parts are reported. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {createTwoFilesPatch} from 'diff';
import {array, assert, asyncProperty, pre, stringMatching} from 'fast-check';
import {expect, test} from 'vitest';

import {addedLines} from '../../../machines/domain/patch.ts';
import {readPatch} from '../../../tools/text/patch.ts';

const hunk = '@@ -1 +1 @@\n-a\n+b\n';

test.each([
  ['of git', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n'],
  ['of git with other prefixes', 'diff --git i/x w/x\n--- i/x\n+++ w/x\n'],
  ['of git without prefixes', 'diff --git x x\n--- x\n+++ x\n'],
  ['of diff, with times', '--- x\t2026-01-01 00:00:00\n+++ x\t2026-01-02 00:00:00\n'],
  ['with a message before it', 'From 1\nSubject: y\n\n---\n x | 2 +-\n\n--- a/x\n+++ b/x\n'],
])('a diff %s names the file and its lines', async (_, head) => {
  expect(await readPatch(head + hunk)).toEqual([
    {path: 'x', did: 'modified', hunks: [{oldStart: 1, newStart: 1, lines: ['-a', '+b']}]},
  ]);
});

test('the signature of a mail is not a line of the diff', async () => {
  const [file] = await readPatch(`--- a/x\n+++ b/x\n${hunk}-- \n2.47.1\n\n`);
  expect(file?.hunks[0]?.lines).toEqual(['-a', '+b']);
});

test('names outside of ASCII are decoded', async () => {
  const name = String.raw`"a/\346\227\245.txt"`;
  const text = `diff --git ${name} ${name.replace('a/', 'b/')}\n--- ${name}\n+++ ${name.replace('a/', 'b/')}\n${hunk}`;
  expect(await readPatch(text)).toMatchObject([{path: '日.txt'}]);
});

test.each([
  ['new file mode 100644\nindex 0..e69de29\n', {did: 'added', hunks: []}],
  ['new file mode 100755\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n', {mode: '100755'}],
  ['deleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', {did: 'deleted'}],
  ['old mode 100644\nnew mode 100755\n', {did: 'modified', mode: '100755'}],
  ['similarity index 100%\nrename from x\nrename to y\n', {did: 'renamed', from: 'x', path: 'y'}],
  ['index 1..2 100644\nBinary files a/x and b/x differ\n', {isBinary: true}],
  ['index 1..2\nGIT binary patch\nliteral 1\nIc${MZ\n\n', {isBinary: true}],
  ['new file mode 100644\nGIT binary patch\nliteral 1\nIc${MZ\n\n', {did: 'added', isBinary: true}],
  ['index 1..2 100644\n', {isBinary: true}],
])('metadata of git outside of hunks is kept: %j', async (head, file) => {
  const path = 'path' in file ? file.path : 'x';
  expect(await readPatch(`diff --git a/x b/${path}\n${head}`)).toMatchObject([{path, ...file}]);
});

test('lines that resemble headers are lines', async () => {
  const [file, ...more] = await readPatch(
    '--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n--- b\n+++ c\n+@@ -1 +1 @@\n',
  );
  expect(more).toEqual([]);
  expect(file?.hunks[0]?.lines).toEqual([' a', '--- b', '+++ c', '+@@ -1 +1 @@']);
});

test('an empty diff has no files', async () => {
  expect(await readPatch('')).toEqual([]);
  expect(await readPatch(' \n\n')).toEqual([]);
});

test.each([
  ['hello\nworld\n', 'it names no file'],
  [`\u001b[1m--- a/x\u001b[m\n\u001b[1m+++ b/x\u001b[m\n`, '--no-color'],
  ['--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n', 'line'],
  [`--- a/x\n+++ b/x\n${hunk}+one more\n`, 'more lines'],
  [hunk, 'names no file'],
  ['diff --cc x\n--- a/x\n+++ b/x\n@@@ -1 -1 +1,2 @@@\n  a\n++c\n', 'merge'],
])('a text that is not a diff is refused: %j', async (text, why) => {
  await expect(readPatch(text)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(why),
  });
});

test('every prefix of a diff is read completely, or refused', async () => {
  const folder = 'test/fixtures/diffs';
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
  const whole = await readPatch(text);
  for (let end = 0; end < text.length; end += 37) {
    const files = await readPatch(text.slice(0, end)).catch(() => []);
    expect(files.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, files.length - 1)));
  }
});

test('a diff written by a library is read back unchanged', async () => {
  const lines = array(stringMatching(/^[ -~]{0,12}$/), {maxLength: 12});
  await assert(
    asyncProperty(lines, lines, async (before, after) => {
      const [old, now] = [before, after].map((each) => each.map((line) => `${line}\n`).join(''));
      pre(old !== now);
      const [file] = await readPatch(createTwoFilesPatch('a/x', 'b/x', old ?? '', now ?? ''));
      for (const {line, text} of file ? addedLines(file) : []) {
        expect(after[line - 1]).toBe(text);
      }
    }),
  );
});
