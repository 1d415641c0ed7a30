/** Inspects files, links and their git state, without running anything. */

import {execFileSync} from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {createGround} from './understood.ts';

function looking() {
  const ground = createGround();
  const surroundings = createSurroundings(ground.workspace);
  const stateOf = async (path: string, written: readonly string[] = []) =>
    (await surroundings.placeOf(path, {written: new Set(written)})).state;
  return {...ground, surroundings, stateOf};
}

test('a file is clean, changed, untracked, ignored, absent, or written by this run', async () => {
  const {stateOf} = looking();
  expect(await stateOf('src/a.ts')).toBe('clean');
  expect(await stateOf('src/b.ts')).toBe('changed');
  expect(await stateOf('new.txt')).toBe('untracked');
  expect(await stateOf('dist/x.js')).toBe('ignored');
  expect(await stateOf('none/at/all')).toBe('absent');
  expect(await stateOf('new.txt', ['new.txt'])).toBe('written');
  expect(await stateOf('src/a.ts', ['src/a.ts'])).toBe('written');
});

test('the state of a folder is the worst state of its files', async () => {
  const {stateOf, put} = looking();
  expect(await stateOf('src')).toBe('changed');
  expect(await stateOf('dist')).toBe('ignored');
  expect(await stateOf('')).toBe('untracked');
  put('out/one.txt');
  put('out/two.txt');
  expect(await stateOf('out', ['out/one.txt'])).toBe('untracked');
  expect(await stateOf('out', ['out/one.txt', 'out/two.txt'])).toBe('written');
});

test('a repository inside an ignored folder is more than build output', async () => {
  const {stateOf, workspace} = looking();
  mkdirSync(join(workspace, 'dist/vendor/.git'), {recursive: true});
  writeFileSync(join(workspace, 'dist/vendor/work.txt'), 'mine\n');
  expect(await stateOf('dist/vendor')).toBe('untracked');
});

test('a change that keeps the size and sets the time back is detected', async () => {
  const {stateOf, workspace, put, git} = looking();
  put('same.txt', 'aaaa\n');
  git('add', 'same.txt');
  const path = join(workspace, 'same.txt');
  const before = new Date(Date.now() - 60_000);
  utimesSync(path, before, before);
  git('add', 'same.txt');
  expect(await stateOf('same.txt')).toBe('clean');
  writeFileSync(path, 'bbbb\n');
  utimesSync(path, before, before);
  expect(await stateOf('same.txt')).toBe('changed');
});

test.each(['2', '3', '4'])('an index of version %s is read', async (version) => {
  const {stateOf, git, put} = looking();
  for (let at = 0; at < 40; at += 1) put(`deep/er/file-${at}.txt`);
  git('add', '-A');
  git('update-index', `--index-version=${version}`);
  expect(await stateOf('deep/er/file-17.txt')).toBe('clean');
  expect(await stateOf('deep')).toBe('clean');
});

test('a file staged for the first time with git add -N cannot be restored', async () => {
  const {stateOf, git} = looking();
  git('add', '-N', 'new.txt');
  expect(await stateOf('new.txt')).toBe('changed');
});

test('links are resolved as the operating system does, and links that lead out are outside', async () => {
  const {surroundings, link, workspace} = looking();
  link('in', 'src');
  link('out', '/etc');
  link('loop', 'loop');
  expect(await surroundings.placeOf('in/a.ts')).toMatchObject({path: 'src/a.ts', links: ['in']});
  expect(await surroundings.placeOf('out/passwd')).toMatchObject({
    path: '/etc/passwd',
    inside: false,
  });
  expect(await surroundings.placeOf('out/../x')).toMatchObject({path: '/x', inside: false});
  expect(await surroundings.placeOf('loop/x')).toMatchObject({state: 'unknown'});
  expect(await surroundings.placeOf('out', {isLinkItself: true})).toMatchObject({
    path: 'out',
    inside: true,
  });
  expect(await surroundings.placeOf(join(workspace, '../elsewhere'))).toMatchObject({
    inside: false,
  });
  expect(await surroundings.placeOf('a\0b')).toMatchObject({state: 'unknown'});
});

test('patterns match as in a shell, up to a countable number of files', async () => {
  const {surroundings, put, link} = looking();
  put('.hidden.ts');
  link('out', '/etc');
  expect(await surroundings.matches('src/*.ts')).toEqual(['src/a.ts', 'src/b.ts']);
  expect(await surroundings.matches('*.ts')).toEqual([]);
  expect(await surroundings.matches('s[a-z]c/?.ts')).toEqual(['src/a.ts', 'src/b.ts']);
  expect(await surroundings.matches('*/')).toEqual(['dist', 'out', 'src']);
  expect(await surroundings.matches('**/*.ts')).toEqual(['.hidden.ts', 'src/a.ts', 'src/b.ts']);
  expect(await surroundings.matches('*/a.ts')).toEqual(['src/a.ts']);
  expect(await surroundings.matches('out/*')).toEqual([]);
  put('many/0');
  const file = (at: number) => join(surroundings.workspace, `many/${at}`);
  for (let at = 1; at < 2_100; at += 1) linkSync(file(0), file(at));
  expect(await surroundings.matches('many/*')).toBeUndefined();
});

test('only text files of the workspace are read', async () => {
  const {surroundings, put, link} = looking();
  link('out', '/etc/passwd');
  put('large', 'a'.repeat(256 * 1024 + 1));
  writeFileSync(join(surroundings.workspace, 'bytes'), Buffer.from([0xff, 0xfe]));
  execFileSync('mkfifo', [join(surroundings.workspace, 'pipe')]);
  expect(await surroundings.readFileText('src/a.ts')).toBe('src/a.ts\n');
  for (const path of ['out', 'large', 'bytes', 'pipe', 'src', 'none']) {
    expect(await surroundings.readFileText(path)).toBeUndefined();
  }
});

test.each([
  ['ignore-scripts=true\n# token=x\n', true],
  ['//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n', true],
  ['registry=https://registry.example/\n', true],
  ['//registry.npmjs.org/:_authToken=abc\n', false],
  ['_auth = abc\n', false],
  ['email=a\r//x/:_password=abc\n', false],
  ['registry=https://ann:abc@registry.example/\n', false],
  [`# ${'a'.repeat(64 * 1024)}\n`, false],
])('settings hold credentials or they do not', async (content, isBare) => {
  const {surroundings, put, link} = looking();
  put('.npmrc', content);
  link('other', '.npmrc');
  expect((await surroundings.placeOf('.npmrc')).holdsNoSecret ?? false).toBe(isBare);
  expect((await surroundings.placeOf('other')).holdsNoSecret ?? false).toBe(isBare);
  expect(await surroundings.placeOf('src/a.ts')).not.toHaveProperty('holdsNoSecret');
});

test('a repository with settings that run programs runs none', async () => {
  const {stateOf, git, workspace, put} = looking();
  const mark = join(workspace, 'ran');
  const program = `touch ${mark}; cat`;
  git('config', 'core.fsmonitor', program);
  git('config', 'filter.evil.clean', program);
  git('config', 'filter.evil.process', program);
  put('.gitattributes', '* filter=evil\n');
  put('src/a.ts', 'other\n');
  expect(await stateOf('src/a.ts')).toBe('changed');
  expect(await stateOf('')).toBe('untracked');
  expect(existsSync(mark)).toBe(false);
});

test.each([
  ['an index that is no index', 'DIRC nonsense'],
  ['an index that is cut off', 'DIRC\0\0\0\u0002\0\0\u00ff\u00ff'.padEnd(64, '\0')],
])('%s gives no information', async (_name, content) => {
  const {stateOf, workspace} = looking();
  writeFileSync(join(workspace, '.git/index'), content);
  expect(await stateOf('src/a.ts')).toBe('unknown');
});

test('ignore files that are too long to read are not applied', async () => {
  const {stateOf, put} = looking();
  put('.gitignore', `${'*a*a*a*a*a*b\n'.repeat(600)}dist\n!dist\n`);
  const start = performance.now();
  expect(await stateOf('dist/x.js')).toBe('untracked');
  expect(performance.now() - start).toBeLessThan(200);
});

test('a rule that re-includes an ignored file applies', async () => {
  const {stateOf, put} = looking();
  put('.gitignore', '*.log\n!keep.log\n');
  put('keep.log');
  put('other.log');
  expect(await stateOf('keep.log')).toBe('untracked');
  expect(await stateOf('other.log')).toBe('ignored');
});

test('without a repository nothing can be restored', async () => {
  const {stateOf, workspace} = looking();
  rmSync(join(workspace, '.git'), {recursive: true});
  expect(await stateOf('src/a.ts')).toBe('untracked');
});

test('the index of a worktree is elsewhere; a dangling pointer is unknown', async () => {
  const {stateOf, workspace} = looking();
  renameSync(join(workspace, '.git'), join(workspace, 'dist/git'));
  writeFileSync(join(workspace, '.git'), 'gitdir: dist/git\n');
  expect(await stateOf('src/a.ts')).toBe('clean');
  rmSync(join(workspace, '.git'));
  symlinkSync('dist/git', join(workspace, '.git'));
  expect(await stateOf('src/a.ts')).toBe('unknown');
});
