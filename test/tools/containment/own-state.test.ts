/** The data of Quorate in a workspace: no tool opens it, under whatever name, so that its locks stay. */

import {execFileSync} from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {expect, onTestFinished, test} from 'vitest';

import {copyFolder} from '../../../actors/history/folder-copy.ts';
import {createWorkspaceSecrets} from '../../../actors/secrets/workspace-secrets.ts';
import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {claimState} from '../../../tools/containment/own-state.ts';
import {createDatabase} from '../../../tools/database/database.ts';
import {readFormFile} from '../../../tools/questionnaire/form-file.ts';
import {readContextFiles} from '../../../tools/read/context-files.ts';
import {surveyWorkspace} from '../../../tools/read/survey.ts';
import {createSnapshots} from '../../../tools/run/snapshot/snapshots.ts';
import {createSearch} from '../../../tools/search/search.ts';
import {heldBy, restore} from '../../../tools/write/restore.ts';
import {cells} from '../../support/rows.ts';
import {createPlace, type Place, textOf} from '../place.ts';

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
  const {placeOf, files, readFileText, isPublished, matches} = createSurroundings(workspace);
  await files();
  await isPublished('.');
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
  const {describe} = createDatabase({path});
  await expect(describe?.()).rejects.toThrow(/belongs to the data of Quorate/);
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
