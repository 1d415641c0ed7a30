/** Lists of folders, and the context files in them. */

import {execFileSync} from 'node:child_process';
import {existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';

import {expect, test} from 'vitest';

import {readContextFiles} from '../../../tools/read/survey.ts';
import {listFiles, type Listing} from '../../../tools/read/tree.ts';
import {createPlace, type Place, textOf} from '../place.ts';
import {createRacedPlace} from '../process.ts';

async function list(place: Place, base: readonly string[] = []): Promise<Listing> {
  return await listFiles(place.workspace, base, new AbortController().signal);
}

async function paths(place: Place, base?: readonly string[]): Promise<string[]> {
  return (await list(place, base)).files.map(({path}) => path);
}

const hostileNames = [
  'two\nlines/in a\r\nname.txt',
  'back\\slash/.\\x/a.txt',
  '{a,b}/[c]/*.txt',
  '!not/(x|y)/+(z).txt',
  '-rf/--/~.txt',
  '.hidden/..dots/...txt',
  'a\u2028b/\u202e.txt',
  '([a]+)+b.txt',
];

test.skipIf(process.platform === 'win32')('a file with any name is listed', async () => {
  const place = createPlace();
  for (const name of hostileNames) place.put(name, 'x');
  expect(await paths(place)).toEqual(hostileNames.toSorted());
  expect(await paths(place, ['two\nlines'])).toEqual(['two\nlines/in a\r\nname.txt']);
});

test('links are neither listed nor followed, and special files are skipped', async () => {
  const place = createPlace();
  place.put('src/a.txt', 'abc');
  place.put('src/node_modules/x/index.js', '');
  place.put('.git/config', '');
  symlinkSync(place.outside, join(place.workspace, 'src/out'));
  symlinkSync(join(place.workspace, 'src'), join(place.workspace, 'again'));
  symlinkSync('a.txt', join(place.workspace, 'src/b.txt'));
  expect(await list(place)).toEqual({
    files: [{path: 'src/a.txt', bytes: 3}],
    cut: false,
    missedMost: false,
    unreadable: 0,
    opaque: [],
  });
  expect(await paths(place, ['src', 'node_modules'])).toEqual(['src/node_modules/x/index.js']);
});

test.skipIf(!existsSync('/proc/self/fd'))(
  'a process that swaps a folder for a link cannot lead a walk out',
  async () => {
    const {place, attacker} = await createRacedPlace();
    const seen = new Set<string>();
    const end = performance.now() + 20_000;
    for (let walk = 0; walk < 1_000 && performance.now() < end; walk += 1) {
      for (const path of await paths(place)) seen.add(path);
    }
    await attacker.kill();
    expect([...seen].filter((path) => !/^d2?\/inside\.txt$/.test(path))).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  },
  60_000,
);

test('a walk ends at its depth and says so', async () => {
  const place = createPlace();
  const deep = Array.from({length: 101}, () => 'd');
  mkdirSync(join(place.workspace, ...deep), {recursive: true});
  place.put([...deep.slice(1), 'last.txt'].join('/'), '');
  place.put([...deep, 'beyond.txt'].join('/'), '');
  const listing = await list(place);
  expect(listing.files.map(({path}) => path.split('/').at(-1))).toEqual(['last.txt']);
  expect(listing.cut).toBe(true);
});

/** Names of one file, because creating files takes long on some systems. */
function putMany(place: Place, count: number): void {
  const file = place.put('0.txt', '');
  for (let index = 1; index < count; index += 1) {
    linkSync(file, join(place.workspace, `${index}.txt`));
  }
}

test('the event loop runs during a walk, and an abort ends it', async () => {
  const place = createPlace();
  putMany(place, 1_000);
  await list(place);
  const stop = new AbortController();
  const walking = listFiles(place.workspace, [], stop.signal);
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
  stop.abort();
  const {files} = await walking;
  expect(files.length).toBeGreaterThan(0);
  expect(files.length).toBeLessThan(1_000);
});

/** The number of turns of the event loop until the work is done. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    if (isDone) return;
    turns += 1;
    await setImmediate();
    return count();
  };
  const counting = count();
  await work;
  isDone = true;
  await counting;
  return turns;
}

test.each([
  ['glob_search', {pattern: '*.txt'}],
  ['grep_search', {pattern: 'never'}],
])('the event loop turns all along a folder of any size: %s', async (tool, args) => {
  const place = createPlace();
  putMany(place, 4_000);
  const finding = place.run(tool, args);
  // Each file is visited, compared and sorted, 200 steps at a time.
  expect(await turnsOf(finding)).toBeGreaterThan(60);
  expect(textOf(await finding)).toMatch(/4000 files in all|0 matches in 0 files/);
});

test.skipIf(process.platform !== 'linux')(
  'names that are not UTF-8 are listed, with a note that no tool can open them',
  async () => {
    const place = createPlace();
    place.put('a.txt', '');
    place.put('real \uFFFD.txt', '');
    writeFileSync(Buffer.from(`${place.workspace}/caf\xe9.txt`, 'latin1'), '');
    mkdirSync(Buffer.from(`${place.workspace}/\xff`, 'latin1'));
    const {files, opaque} = await list(place);
    expect(files.map(({path}) => path)).toEqual(['a.txt', 'real \uFFFD.txt']);
    expect(opaque.toSorted()).toEqual(['caf\uFFFD.txt', '\uFFFD']);
    expect(textOf(await place.run('glob_search', {pattern: '*'}))).toContain(
      '… some names are not UTF-8, so no tool can open them: ',
    );
  },
);

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
