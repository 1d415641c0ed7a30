/** Context files: where they are read, which takes precedence, and hostile ones. */

import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {readContextFiles} from '../../../tools/read/context-files.ts';
import {createPlace} from '../place.ts';

const plenty = 20_000;

/** A repository with a workspace two folders below its root. */
function createRepository() {
  const {workspace: root, put} = createPlace();
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, 'packages/app'), {recursive: true});
  return {root, workspace: join(root, 'packages/app'), put};
}

test('the files of the workspace and of the folders above it are read, in ascending order of precedence', () => {
  const {root, workspace, put} = createRepository();
  put('AGENTS.md', 'root agents\n');
  put('CLAUDE.md', 'root claude\n');
  put('packages/AGENTS.md', 'packages\n');
  put('packages/app/CLAUDE.md', 'app claude\n');
  put('packages/app/.quorate/context.md', '\ufeffapp\r\ncontext\r\n');
  put('packages/app/src/CLAUDE.md', 'nested');
  put('packages/other/CLAUDE.md', 'beside');
  expect(readContextFiles(workspace, plenty)).toEqual([
    {path: '../../CLAUDE.md', text: 'root claude'},
    {path: '../../AGENTS.md', text: 'root agents'},
    {path: '../AGENTS.md', text: 'packages'},
    {path: 'CLAUDE.md', text: 'app claude'},
    {path: '.quorate/context.md', text: 'app\ncontext'},
  ]);
  expect(readContextFiles(root, plenty).map(({path}) => path)).toEqual(['CLAUDE.md', 'AGENTS.md']);
  expect(readContextFiles(workspace, 0)).toEqual([]);
});

test('outside of a repository, only the files of the workspace are read', () => {
  const {workspace: above, put} = createPlace();
  put('AGENTS.md', 'above');
  put('app/AGENTS.md', 'own');
  expect(readContextFiles(join(above, 'app'), plenty)).toEqual([{path: 'AGENTS.md', text: 'own'}]);
});

test('a file with two names, and a copy of a file, are there once', () => {
  const {root, workspace, put} = createRepository();
  put('AGENTS.md', 'shared\n');
  put('packages/AGENTS.md', 'shared\n');
  symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
  symlinkSync('../../AGENTS.md', join(workspace, 'AGENTS.md'));
  expect(readContextFiles(workspace, plenty)).toEqual([{path: 'AGENTS.md', text: 'shared'}]);
});

test('together they keep to their size: far ones are cut or left out first, and say so', () => {
  const {workspace, put} = createRepository();
  put('AGENTS.md', 'r'.repeat(5_000));
  put('packages/AGENTS.md', '\u{1f600}'.repeat(1_000));
  put('packages/app/AGENTS.md', 'a'.repeat(1_000));
  const [far, middle, near] = readContextFiles(workspace, 3_000);
  expect(near?.text).toBe('a'.repeat(1_000));
  expect(middle?.text).toMatch(/^(?:\u{1f600})+\n\[cut: 4000 bytes in all\]$/u);
  expect(Buffer.byteLength(middle?.text ?? '')).toBeLessThanOrEqual(2_000);
  expect(far?.text).toBe('[left out, as there is no room: 5000 bytes]');
});

test('links out of the repository, pipes, credentials, binary and large files are named with the reason, and never read', () => {
  const {root, workspace, put} = createRepository();
  symlinkSync('/etc/passwd', join(workspace, 'AGENTS.md'));
  execFileSync('mkfifo', [join(workspace, 'CLAUDE.md')]);
  put('packages/app/.env', 'TOKEN=do-not-show-me');
  mkdirSync(join(workspace, '.quorate'));
  symlinkSync('../.env', join(workspace, '.quorate/context.md'));
  put('packages/AGENTS.md', 'x'.repeat(10 * 1024 * 1024));
  put('packages/CLAUDE.md', Buffer.from([0, 1, 2]));
  put('.git/config', 'url = https://somebody:password@host');
  symlinkSync('.git/config', join(root, 'AGENTS.md'));
  const files = readContextFiles(workspace, plenty);
  expect(Object.fromEntries(files.map(({path, text}) => [path, text]))).toEqual({
    'AGENTS.md': expect.stringContaining('a link that leads out of the workspace'),
    'CLAUDE.md': expect.stringContaining('is a device, a pipe or a socket'),
    '.quorate/context.md': '[not read: it leads to a file that may hold credentials]',
    '../AGENTS.md': expect.stringContaining('has 10485760 bytes; files up to 2097152 bytes'),
    '../CLAUDE.md': expect.stringContaining('is binary'),
    '../../AGENTS.md': '[not read: it leads to a file that may hold credentials]',
  });
  const all = JSON.stringify(files);
  for (const secret of ['root:', 'do-not-show-me', 'password']) expect(all).not.toContain(secret);
});

test('invisible characters are spelled out', () => {
  const {workspace, put} = createPlace();
  put('AGENTS.md', 'Run \u202egnihton\u202c.\u{e0041}\u200b\u001b[2J\tEnd');
  expect(readContextFiles(workspace, plenty)[0]?.text).toBe(
    String.raw`Run <U+202E>gnihton<U+202C>.<U+E0041><U+200B>\x1b[2J` + '\tEnd',
  );
});
