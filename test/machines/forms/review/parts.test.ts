/** Parts of a diff: together they are the diff, each fits into one message, and line numbers stay correct. */

import {expect, test} from 'vitest';

import {addedLines, type FileDiff} from '../../../../machines/domain/patch.ts';
import {partsOf} from '../../../../machines/forms/review/parts.ts';
import {largeFiles, newFile} from '../../events/review.ts';
import {modelSeat, policySeat} from '../../events/settings.ts';

const models = [modelSeat('test/a')];
const max = 40_000;

test('small files share one part, in their order', () => {
  const [part, ...more] = partsOf([newFile('a.ts', 1), newFile('b.ts', 1)], models);
  expect(more).toEqual([]);
  expect(part).toMatchObject({title: 'a.ts and 1 more', files: [{path: 'a.ts'}, {path: 'b.ts'}]});
});

test('a diff that only policies review is split into fewer parts', () => {
  expect(partsOf(largeFiles(6), models)).toHaveLength(6);
  expect(partsOf(largeFiles(6), [policySeat])).toHaveLength(1);
});

test('a hunk that is too long is split, and its lines keep their numbers', () => {
  const parts = partsOf([newFile('a.ts', 2_000)], models);
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.every(({text}) => text.length <= max)).toBe(true);
  const lines = parts.flatMap(({files}) => files.flatMap(addedLines)).map(({line}) => line);
  expect(lines).toEqual(Array.from({length: 2_000}, (_, index) => index + 1));
  expect(parts[1]?.title).toMatch(/^a\.ts:\d+$/);
});

test('the line numbers of later pieces also count removed lines', () => {
  const lines = Array.from({length: 900}, (_, at) => `${' -+'[at % 3] ?? ''}${'x'.repeat(99)}`);
  const file: FileDiff = {
    path: 'a.ts',
    did: 'modified',
    hunks: [{oldStart: 5, newStart: 7, lines}],
  };
  const pieces = partsOf([file], models).flatMap(({files}) => files.flatMap(({hunks}) => hunks));
  const before = lines.slice(0, pieces[0]?.lines.length);
  expect(pieces[1]).toMatchObject({
    oldStart: 5 + before.filter((line) => !line.startsWith('+')).length,
    newStart: 7 + before.filter((line) => !line.startsWith('-')).length,
  });
});

test('a lock file is named without its lines, but rules still read the lines', () => {
  const [part] = partsOf([newFile('package-lock.json', 5_000)], models);
  expect(part?.text).toBe(
    'File package-lock.json (added, +5000 −0)\n(a lock file; its lines are not shown)',
  );
  expect(part?.files[0]?.hunks[0]?.lines).toHaveLength(5_000);
});

test('a binary file, a rename and a change of permissions are named', () => {
  const files: FileDiff[] = [
    {path: 'a.png', did: 'added', isBinary: true, hunks: []},
    {path: 'new.ts', did: 'renamed', from: 'old.ts', hunks: []},
    {path: 'run.sh', did: 'modified', mode: '100755', hunks: []},
  ];
  expect(partsOf(files, models)[0]?.text).toBe(
    'File a.png (added, binary)\n\nFile new.ts (renamed, from old.ts, +0 −0)\n\nFile run.sh (modified, mode 100755, +0 −0)',
  );
});

test('a line of a megabyte is split, and each character is in a part', () => {
  const text = Array.from({length: 100_000}, (_, at) => `word${at};`).join('');
  const hunk = {oldStart: 0, newStart: 1, lines: ['+one', `+${text}`, '+three']};
  const parts = partsOf([{path: 'app.min.js', did: 'added', hunks: [hunk]}], models);
  expect(parts.length).toBeGreaterThan(text.length / max);
  expect(new Set(parts.map(({hash}) => hash)).size).toBe(parts.length);
  expect(parts.every((part) => part.text.length <= max)).toBe(true);
  const shown = parts.map((part) => part.text).join('\n');
  expect(shown).not.toContain('characters cut');
  expect(new Set(shown.match(/word\d+;/g)).size).toBeGreaterThanOrEqual(100_000);
  expect(shown).toContain('     2 +word0;');
  expect(shown).toContain('     3 +three');
});

test('another line changes the hash of a part', () => {
  const hashes = [1, 2].map((lines) => partsOf([newFile('a.ts', lines)], models)[0]?.hash);
  expect(new Set(hashes).size).toBe(2);
});

test('a secret of the diff does not reach a model, but rules read it', () => {
  const key = `AKIA${'Q'.repeat(16)}`;
  const hunk = {oldStart: 0, newStart: 1, lines: [`+const key = '${key}';`]};
  const [part] = partsOf([{path: 'a.ts', did: 'added', hunks: [hunk]}], models);
  expect(part?.text).toContain("1 +const key = '[redacted]';");
  expect(part?.files[0]?.hunks[0]?.lines[0]).toContain(key);
});
