/** Rows P of the corpus of hostile inputs: paths, links, special files, sizes. */

import {execFileSync} from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import {partsOf} from '../../../tools/containment/path-text.ts';
import {readInside} from '../../../tools/read/read.ts';
import {writeInside} from '../../../tools/write/write.ts';
import {pairs} from '../../support/rows.ts';
import {createPlace, secretText, textOf, verdictOf} from '../place.ts';

const refusedTexts: readonly (readonly [path: unknown, verdict: string])[] = [
  ...pairs(`
  ../../etc/passwd ⇒ refused/path_escape ¦ .. ⇒ refused/path_escape
  a/../../outside/secret.txt ⇒ refused/path_escape ¦ /etc/passwd ⇒ refused/path_absolute
  /dev/zero ⇒ refused/path_absolute ¦ /dev/fd/3 ⇒ refused/path_absolute
  /proc/self/environ ⇒ refused/path_absolute ¦ /proc/self/root/etc/passwd ⇒ refused/path_absolute
  /proc/self/cwd/../x ⇒ refused/path_absolute ¦ README.md\u202e.exe ⇒ refused/path_characters
  inv\u200boice.txt ⇒ refused/path_characters ¦ a\u0000b ⇒ refused/path_characters
  \ud800 ⇒ refused/path_characters ¦ ⇒ refused/schema ¦ . ⇒ refused/schema
`),
  ['n'.repeat(256), 'refused/name_too_long'],
  ['d/'.repeat(2_500), 'refused/name_too_long'],
  ['x\n\u001b[31m', 'refused/path_characters'],
  [' ', 'refused/schema'],
  [['a'], 'refused/schema'],
  [{toString: 'x'}, 'refused/schema'],
  [7, 'refused/schema'],
  [null, 'refused/schema'],
];

const calls = [
  ['read_file', {}],
  ['write_file', {content: 'x', create_dirs: true}],
  ['edit_file', {old_text: 'x', new_text: 'y'}],
] as const;

describe.each(calls)('%s', (tool, rest) => {
  test.each(refusedTexts)('refuses the path %j with %s', async (path, verdict) => {
    const place = createPlace();
    const args = JSON.parse(JSON.stringify({path, ...rest}));
    expect(verdictOf(await place.run(tool, args))).toBe(verdict);
    const previewed = verdictOf(await place.preview(tool, args));
    expect(previewed).toBe(tool === 'read_file' && previewed === 'ready' ? 'ready' : verdict);
  });

  test('refuses links that lead out, and circular links', async () => {
    const place = createPlace();
    symlinkSync(join(place.outside, 'secret.txt'), join(place.workspace, 'link'));
    symlinkSync(place.outside, join(place.workspace, 'folder'));
    symlinkSync('../outside', join(place.workspace, 'relative'));
    symlinkSync('b', join(place.workspace, 'a'));
    symlinkSync('a', join(place.workspace, 'b'));
    for (const path of ['link', 'folder/secret.txt', 'relative/secret.txt', 'relative/new', 'a']) {
      const outcome = await place.run(tool, {path, ...rest});
      expect([path, verdictOf(outcome)]).toEqual([path, 'refused/symlink']);
      expect(JSON.stringify(outcome)).not.toContain('keep me');
    }
  });

  test('refuses a folder, a pipe and a socket at once', async () => {
    const place = createPlace();
    mkdirSync(join(place.workspace, 'folder'));
    execFileSync('mkfifo', [join(place.workspace, 'pipe')]);
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(join(place.workspace, 'socket'), resolve);
    });
    onTestFinished(() => void server.close());
    for (const path of ['folder', 'pipe', 'socket']) {
      expect(verdictOf(await place.run(tool, {path, ...rest}))).toBe('refused/not_regular');
    }
  });

  test('refuses a sparse file of 1 TB by its size, without reading it', async () => {
    const place = createPlace();
    truncateSync(place.put('huge', ''), 1024 ** 4);
    const before = process.memoryUsage().rss;
    expect(verdictOf(await place.run(tool, {path: 'huge', ...rest}))).toBe('failed/too_large');
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });
});

test('a link that stays inside can be read through, but not written through', async () => {
  const place = createPlace();
  place.put('real/file.txt', 'inside\n');
  symlinkSync('real', join(place.workspace, 'folder'));
  symlinkSync(join(place.workspace, 'folder/file.txt'), join(place.workspace, 'link'));
  expect(textOf(await place.run('read_file', {path: 'link'}))).toBe('1\tinside\n');
  expect(textOf(await place.run('read_file', {path: 'folder/file.txt'}))).toBe('1\tinside\n');
  expect(verdictOf(await place.run('write_file', {path: 'link', content: 'x'}))).toBe(
    'refused/symlink',
  );
  expect(verdictOf(await place.run('write_file', {path: 'folder/new', content: 'x'}))).toBe(
    'refused/symlink',
  );
});

test('a dangling link to a file outside is refused and its target is not created', async () => {
  const place = createPlace();
  mkdirSync(join(place.workspace, 'd'));
  symlinkSync(join(place.outside, 'pwn'), join(place.workspace, 'd/new'));
  expect(verdictOf(await place.run('write_file', {path: 'd/new', content: 'x'}))).toBe(
    'refused/symlink',
  );
  expect(existsSync(join(place.outside, 'pwn'))).toBe(false);
});

test('a file with a second name can be read, but not written', async () => {
  const place = createPlace();
  linkSync(join(place.outside, 'secret.txt'), join(place.workspace, 'h'));
  expect(verdictOf(await place.run('write_file', {path: 'h', content: 'x'}))).toBe(
    'refused/hard_link',
  );
  expect(verdictOf(await place.preview('write_file', {path: 'h', content: 'x'}))).toBe(
    'refused/hard_link',
  );
  const edit = {path: 'h', old_text: 'keep', new_text: 'lose'};
  expect(verdictOf(await place.run('edit_file', edit))).toBe('refused/hard_link');
  expect(readFileSync(join(place.outside, 'secret.txt'), 'utf8')).toBe(secretText);
});

test('an absolute path inside the workspace is the same as the relative one', async () => {
  const place = createPlace();
  place.put('a/b.txt', 'text');
  const path = join(place.workspace, 'a/b.txt');
  expect(textOf(await place.run('read_file', {path}))).toBe('1\ttext');
  expect(textOf(await place.run('read_file', {path: 'a/./x/../b.txt'}))).toBe('1\ttext');
});

test('names that differ only in how their accents are encoded are different files', async () => {
  const place = createPlace();
  place.put('\u00e9', 'composed');
  place.put('e\u0301', 'decomposed');
  await place.run('write_file', {path: '\u00e9', content: 'new'});
  expect(place.text('e\u0301')).toBe('decomposed');
  expect(textOf(await place.run('read_file', {path: '\u00e9'}))).toBe('1\tnew');
  expect(textOf(await place.run('glob_search', {pattern: '*'}))).toContain('differ only');
});

test.each([
  ['NULs', 'binary', Buffer.from([0x41, 0, 0x42])],
  ['invalid UTF-8 and control characters', 'binary', Buffer.from([0x41, 1, 0xff])],
  ['invalid UTF-8', 'encoding', Buffer.from([0x41, 0xff, 0xfe, 0x42])],
  ['Shift-JIS', 'encoding', Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a])],
  ['EUC-JP', 'encoding', Buffer.from([0xc6, 0xfc, 0xcb, 0xdc, 0x0a])],
  ['UTF-16', 'encoding', Buffer.from('\ufeffTODO', 'utf16le')],
])('a file with %s is reported as %s, with its size', async (_what, code, bytes) => {
  const place = createPlace();
  place.put('data', bytes);
  const outcome = await place.run('read_file', {path: 'data'});
  expect(outcome).toMatchObject({kind: 'failed', code});
  expect(JSON.stringify(outcome)).toContain(`${bytes.length} bytes`);
});

test('a search names the files that are text in another encoding', async () => {
  const place = createPlace();
  place.put('a.txt', 'TODO\n');
  place.put('jp/sjis.txt', Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]));
  place.put('blob', Buffer.from([0, 1, 2]));
  expect(textOf(await place.run('grep_search', {pattern: 'TODO'}))).toBe(
    'a.txt:1: TODO\n… 1 file not searched, text that is not UTF-8: jp/sjis.txt\n1 match in 1 file',
  );
});

test.each(['..\\..\\etc', 'C:\\Windows', 'CON', 'a.txt:ads', 'foo. '])(
  'the name %j is refused on Windows and a plain name elsewhere',
  async (path) => {
    expect(partsOf('C:\\work', path, true).ok).toBe(false);
    const place = createPlace();
    expect(verdictOf(await place.run('write_file', {path, content: 'x'}))).toBe('succeeded');
    expect(place.text(path)).toBe('x');
  },
);

test('virtual file systems are outside even when the workspace is the root folder', () => {
  expect(readInside('/', 'proc/self/environ')).toMatchObject({
    ok: false,
    denial: {code: 'path_escape'},
  });
  expect(readInside('/', '/proc/self/environ')).toMatchObject({denial: {code: 'path_absolute'}});
});

test('without descriptors to walk by, links are also refused', async () => {
  const place = createPlace();
  place.put('real/file.txt', 'inside');
  symlinkSync(place.outside, join(place.workspace, 'folder'));
  symlinkSync('real', join(place.workspace, 'inner'));
  const order = {
    workspace: place.workspace,
    content: 'x',
    createDirs: true,
    holding: 'paths',
  } as const;
  expect(await writeInside({...order, path: 'folder/new'})).toMatchObject({
    denial: {code: 'symlink'},
  });
  expect(await writeInside({...order, path: 'made/new'})).toMatchObject({ok: true});
  expect(place.text('made/new')).toBe('x');
  const read = readInside(place.workspace, 'inner/file.txt', {holding: 'paths'});
  expect(read).toMatchObject({ok: true, value: {path: 'real/file.txt'}});
  expect(readInside(place.workspace, 'folder/secret.txt', {holding: 'paths'}).ok).toBe(false);
  expect(readInside(place.workspace, 'real/file.txt/x', {holding: 'paths'})).toMatchObject({
    denial: {code: 'not_found'},
  });
});

test('a replaced file keeps its mode', async () => {
  const place = createPlace();
  const path = place.put('script.sh', 'old');
  execFileSync('chmod', ['750', path]);
  await place.run('write_file', {path: 'script.sh', content: 'new'});
  expect(statSync(path).mode & 0o777).toBe(0o750);
});
