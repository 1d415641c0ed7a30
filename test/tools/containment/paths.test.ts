/** Paths and links that lead out of a workspace, or into the state of Quorate itself. */

import {execFileSync} from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {join, dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {describe, expect, onTestFinished, test} from 'vitest';

import {copyFolder} from '../../../actors/history/history.ts';
import {createWorkspaceSecrets} from '../../../actors/secrets/redact.ts';
import {createSurroundings} from '../../../tools/commands/surroundings.ts';
import {partsOf} from '../../../tools/containment/folder.ts';
import {claimState} from '../../../tools/containment/own-state.ts';
import {createDatabase} from '../../../tools/database/database.ts';
import {readFormFile} from '../../../tools/questionnaire/form-file.ts';
import {readInside} from '../../../tools/read/read.ts';
import {readContextFiles, surveyWorkspace} from '../../../tools/read/survey.ts';
import {createSnapshots} from '../../../tools/run/snapshot/snapshots.ts';
import {createSearch} from '../../../tools/search/search.ts';
import {heldBy, restore} from '../../../tools/write/restore.ts';
import {writeInside} from '../../../tools/write/write.ts';
import {pairs, cells} from '../../support/rows.ts';
import {createPlace, secretText, textOf, verdictOf, type Place} from '../place.ts';

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

const signal = new AbortController().signal;

/** Names by which the code that is tested opens a file on its own account. */
const links = cells(`
  README.md ¦ AGENTS.md ¦ package.json ¦ .gitignore ¦ .npmrc ¦ .env ¦ .git/HEAD ¦ .git/config
  .git/index ¦ .git/info/exclude ¦ .git/commondir ¦ form.toml ¦ notes.md
`);

interface Held extends Place {
  /** The lock of this process is still on its database. */
  readonly isLocked: () => boolean;
}

/** A workspace that contains the data folder, and other names of the database in it; this process holds its lock. */
function createHeld(): Held {
  const place = createPlace();
  const {workspace, put} = place;
  const data = join(workspace, 'state/quorate');
  mkdirSync(data, {recursive: true});
  const file = join(data, 'journal.db');
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE t (a); BEGIN EXCLUSIVE');
  onTestFinished(() => database.close());
  claimState([realpathSync(data)]);
  put('src/tea.md', 'Tea is described here.\n');
  for (const name of links) {
    mkdirSync(dirname(join(workspace, name)), {recursive: true});
    linkSync(file, join(workspace, name));
  }
  symlinkSync('state/quorate/journal.db', join(workspace, 'link.md'));
  symlinkSync('state/quorate', join(workspace, 'linked'));
  return {...place, isLocked: () => !canLock(file)};
}

/** Asks another process: SQLite shares locks within one. */
function canLock(file: string): boolean {
  const program = `
    const {DatabaseSync} = require('node:sqlite');
    try { new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE'); console.log('yes'); }
    catch { console.log('no'); }`;
  const argv = ['--disable-warning=ExperimentalWarning', '-e', program, file];
  return execFileSync(process.execPath, argv, {encoding: 'utf8'}).trim() === 'yes';
}

const everyName = [...links, 'state/quorate/journal.db', 'link.md', 'linked/journal.db'];

test.each<[string, (held: Held) => unknown]>([
  [
    'read_file',
    async ({run}) => Promise.all(everyName.map(async (path) => run('read_file', {path}))),
  ],
  ['grep_search', async ({run}) => run('grep_search', {pattern: 'Tea', path: '.'})],
  [
    'grep_search of one file',
    async ({run}) => run('grep_search', {pattern: 'Tea', path: 'notes.md'}),
  ],
  ['glob_search', async ({run}) => run('glob_search', {pattern: '**/*'})],
  ['write_file', async ({run}) => run('write_file', {path: 'notes.md', content: ''})],
  [
    'write_file below',
    async ({run}) => run('write_file', {path: 'state/quorate/new', content: ''}),
  ],
  ['search', async ({workspace}) => searchIn(workspace)],
  ['the survey', async ({workspace}) => surveyWorkspace(workspace, 100_000, signal)],
  ['context files', ({workspace}) => readContextFiles(workspace, 100_000)],
  ['a form', async ({workspace}) => readFormFile(join(workspace, 'form.toml'))],
  ['a snapshot', async ({workspace}) => snapshotOf(workspace)],
  ['the credential scan', async ({workspace}) => createWorkspaceSecrets(workspace, '*').refresh()],
  ['surroundings', async ({workspace}) => surroundingsOf(workspace)],
  ['undo', async ({workspace}) => undoIn(workspace)],
  ['the database tool', async ({workspace}) => databaseAt(join(workspace, 'notes.md'))],
  [
    'a copy of the folder',
    async ({workspace}) => copyFolder(workspace, join(dirname(workspace), 'copy'), []),
  ],
])('%s opens nothing of the data of Quorate: its lock stays', async (_, act) => {
  const held = createHeld();
  expect(held.isLocked()).toBe(true);
  await act(held);
  expect(held.isLocked()).toBe(true);
});

async function searchIn(workspace: string) {
  const tool = createSearch({paths: ['**/*'], topK: 5});
  return await tool.run({query: 'tea'}, {workspace, signal, recovering: false, onChild: () => {}});
}

async function snapshotOf(workspace: string): Promise<void> {
  const snapshots = createSnapshots();
  const watch = await snapshots.begin(workspace, undefined);
  writeFileSync(join(workspace, 'src/new.md'), 'new');
  await watch.end(async () => await Promise.resolve());
  snapshots.close();
}

async function surroundingsOf(workspace: string): Promise<void> {
  const {placeOf, files, readFileText, matches} = createSurroundings(workspace);
  await files();
  await matches('**/*');
  for (const path of everyName) {
    await Promise.all([placeOf(path), readFileText(path)]);
  }
}

async function undoIn(workspace: string): Promise<void> {
  heldBy(workspace, 'notes.md');
  const to = {state: 'x', content: Buffer.from('x'), mode: 0o644};
  await restore({workspace, path: 'notes.md', expected: 'x', foldersSince: 0, to});
}

async function databaseAt(path: string): Promise<void> {
  const {describe: described} = createDatabase({path});
  await expect(described?.()).rejects.toThrow(/belongs to the data of Quorate/);
}

test('a walk lists neither the data folder nor other names of its files, and a direct read is refused', async () => {
  const {run} = createHeld();
  expect(textOf(await run('glob_search', {pattern: '**/*'}))).toMatch(/^src\/tea\.md/);
  expect(textOf(await run('glob_search', {pattern: '**/*'}))).not.toMatch(/notes|journal|quorate/);
  expect(await run('read_file', {path: 'linked/journal.db'})).toMatchObject({
    kind: 'refused',
    code: 'own_state',
  });
});

test('a new file that uses the inode of a removed one of ours is read', async () => {
  const {workspace, put, run} = createHeld();
  const place = join(workspace, 'state/quorate/marker');
  for (let times = 0; times < 20; times += 1) {
    writeFileSync(place, '');
    claimState([]);
    expect(textOf(await run('read_file', {path: 'src/tea.md'}))).toContain('Tea');
    rmSync(place);
    put(`src/${times}.md`, 'mine\n');
    expect(textOf(await run('read_file', {path: `src/${times}.md`}))).toContain('mine');
  }
});

test('a file of ours that came by a rename, or into a new folder, is refused under its other name', async () => {
  const {workspace, put, run} = createHeld();
  const data = join(workspace, 'state/quorate');
  for (let times = 0; times < 20; times += 1) {
    const name = `other-${times}.md`;
    put(name, 'mine\n');
    expect(textOf(await run('read_file', {path: name}))).toContain('mine');
    const folder = times % 2 === 0 ? data : join(data, `${times}`);
    mkdirSync(folder, {recursive: true});
    linkSync(join(workspace, name), join(workspace, 'moving'));
    renameSync(join(workspace, 'moving'), join(folder, 'taken'));
    expect(await run('read_file', {path: name})).toMatchObject({code: 'own_state'});
  }
});
