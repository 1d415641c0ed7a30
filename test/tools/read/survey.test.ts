/** The initial survey of a workspace. */

import {symlinkSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {surveyWorkspace} from '../../../tools/index.ts';
import {createPlace} from '../place.ts';

const {signal} = new AbortController();

test('documents and manifests are read in order, and two levels are listed without .git', async () => {
  const place = createPlace();
  place.put('package.json', '{"name":"sample"}');
  place.put('README.md', '# Sample\n');
  place.put('CONTRIBUTING.md', 'Be careful.');
  place.put('src/a.ts', '');
  place.put('.git/config', '');
  place.put('.gitignore', '');
  const {text, read} = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(read).toEqual(['README.md', 'CONTRIBUTING.md', 'package.json']);
  expect(text).toBe(
    '.gitignore\nCONTRIBUTING.md\nREADME.md\npackage.json\nsrc/ (1 file)\n  src/a.ts\n\n## README.md\n# Sample\n\n' +
      '## CONTRIBUTING.md\nBe careful.\n\n## package.json\n{"name":"sample"}',
  );
});

test('the text keeps to its size, and names its cuts', async () => {
  const place = createPlace();
  place.put('README.md', '\u{1f600}'.repeat(50_000));
  place.put('CONTRIBUTING.md', 'x'.repeat(50_000));
  for (const maxBytes of [0, 10, 200, 1_000, 20_000, 60_000]) {
    const {text} = await surveyWorkspace(place.workspace, maxBytes, signal);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
    expect(text).not.toContain('\ufffd');
  }
  expect((await surveyWorkspace(place.workspace, 20_000, signal)).text).toContain(
    '[cut: 200000 bytes in all]',
  );
});

test('an unreadable file is reported and does not count as read', async () => {
  const place = createPlace();
  symlinkSync(join(place.outside, 'secret.txt'), join(place.workspace, 'README.md'));
  place.put('CONTRIBUTING.md', Buffer.from([0, 1, 2]));
  const {text, read} = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(read).toEqual([]);
  expect(text).toContain('leads out of the workspace');
  expect(text).toContain('binary');
  expect(text).not.toContain('keep me');
});

test('folders are listed with the number of files that tools find in them', async () => {
  const place = createPlace();
  place.put('.gitignore', 'dist/\n');
  place.put('dist/out.js', '');
  place.put('node_modules/a/index.js', '');
  for (const name of ['a.ts', 'lib/b.ts', 'lib/c/d.ts']) place.put(`src/${name}`, '');
  const {text, files} = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(text).toBe(
    '.gitignore\ndist/\nnode_modules/\nsrc/ (3 files)\n  src/a.ts\n  src/lib/ (2 files)',
  );
  expect(files).toBe(4);
  for (let index = 0; index < 200; index += 1) place.put(`src/many-${index}.ts`, '');
  const many = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(many.text).toBe('.gitignore\ndist/\nnode_modules/\nsrc/ (203 files)');
});

test('of fewer than ten files the short texts are read whole, except files that may hold credentials', async () => {
  const place = createPlace();
  place.put('README.md', 'Read me.');
  place.put('src/a.js', 'export const a = 1;\n');
  place.put('src/long.js', 'x'.repeat(8_001));
  place.put('image.png', Buffer.from([0, 1, 2]));
  place.put('.env', 'TOKEN=abc\n');
  const few = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(few).toMatchObject({files: 5, read: ['README.md']});
  expect(few.sources).toEqual([{path: 'src/a.js', text: 'export const a = 1;'}]);
  const listed = await surveyWorkspace(place.workspace, 10_000, signal, true);
  expect(listed).toMatchObject({
    text: expect.stringMatching(/^\.env\nREADME/),
    read: [],
    sources: [],
  });
  for (let index = 0; index < 5; index += 1) place.put(`more-${index}.js`, 'x');
  expect(await surveyWorkspace(place.workspace, 10_000, signal)).toMatchObject({
    files: 10,
    sources: [],
  });
});

test('an empty workspace is reported as empty, and an aborted survey rejects', async () => {
  const place = createPlace();
  expect(await surveyWorkspace(place.workspace, 100, signal)).toEqual({
    text: 'The workspace is empty.',
    read: [],
    files: 0,
    sources: [],
  });
  await expect(surveyWorkspace(place.workspace, 100, AbortSignal.abort())).rejects.toThrow(
    'aborted',
  );
});
