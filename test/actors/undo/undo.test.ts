/**
 * Undo reverts the writes of a run unless something else changed the files since, and reports the files that it cannot
 * revert.
 */

import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, describe, expect, test} from 'vitest';

import type {Backup, Journal} from '../../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../../actors/journal/sqlite.ts';
import type {Runtime} from '../../../actors/runtime-api.ts';
import {chained, folderWith, journalIn, setStage, type Stage} from '../../support/stage.ts';
import {treeOf} from '../../support/undoing.ts';

interface Call {
  readonly tool: string;
  readonly args: object;
}

const secret = 'sk-canary-1f0c9a7be24d';
let root: string;
let workspace: string;
let runtime: Runtime;
let journal: Journal;

beforeEach(() => {
  root = folderWith();
  workspace = join(root, 'work');
  mkdirSync(workspace);
  journal = journalIn(root);
});

/** Opens a runtime whose plan makes the calls one after the other; every review approves. */
function openStage(calls: readonly Call[] = []): Stage {
  const stage = setStage({
    folder: workspace,
    tasks: chained(calls.map((call) => ({...call, description: call.tool}))),
    config: {agent: {review_models: ['t/a']}, quorum: {screen: []}, sandbox: {mode: 'off'}},
    journal,
    env: {HOUSE_API_KEY: secret},
  });
  ({runtime} = stage);
  return stage;
}

async function runCalls(...calls: readonly Call[]): Promise<string> {
  const {status, interaction} = await openStage(calls).run('Change the files of this folder');
  expect(status).toBe('completed');
  return interaction;
}

const file = (path: string): string => join(workspace, path);
const text = (path: string): string => readFileSync(file(path), 'utf8');

function sh(command: string): Call {
  return {tool: 'run_command', args: {command}};
}

function edit(old_text: string, new_text: string): Call {
  return {tool: 'edit_file', args: {path: 'tool.sh', old_text, new_text}};
}

test('an undo does not make a repository of restored and remaining files', async () => {
  for (const name of ['objects', 'refs']) mkdirSync(file(`sub/${name}`), {recursive: true});
  writeFileSync(file('sub/HEAD'), 'ref: refs/heads/main\n');
  const content =
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "touch PWNED; false"\n';
  const id = await runCalls(sh('rm sub/HEAD'), {
    tool: 'write_file',
    args: {path: 'sub/config', content},
  });
  appendFileSync(file('sub/config'), '# changed since\n');
  const {files, setAside} = await runtime.undo(id);
  expect(files).toContainEqual({path: 'sub/HEAD', outcome: 'restored'});
  expect(setAside).toEqual([expect.stringContaining('now sub/HEAD.not-allowed')]);
  execFileSync('/bin/sh', ['-c', 'git status >/dev/null 2>&1; exit 0'], {
    cwd: file('sub'),
    env: {PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CEILING_DIRECTORIES: root},
  });
  expect(existsSync(file('PWNED'))).toBe(false);
});

test('an undo leaves a repository of the user unchanged', async () => {
  execFileSync('git', ['init', '-q', '--bare', 'sub'], {cwd: workspace});
  writeFileSync(file('sub/hooks/pre-receive'), '#!/bin/sh\n');
  const id = await runCalls(sh('rm -r sub'));
  expect(await runtime.undo(id)).toMatchObject({setAside: []});
  expect(text('sub/HEAD')).toContain('ref: ');
});

describe('after a run', () => {
  test('files are as they were, with their permissions, and created files are gone', async () => {
    writeFileSync(file('tool.sh'), 'one\r\ntwo\r\n');
    chmodSync(file('tool.sh'), 0o750);
    const made = {path: 'docs/a.md', content: 'new\n', create_dirs: true};
    const id = await runCalls(
      edit('one', 'uno'),
      edit('two', 'due'),
      {tool: 'write_file', args: made},
      {tool: 'run_command', args: {command: 'touch by-command'}},
    );
    expect(text('tool.sh')).toBe('uno\r\ndue\r\n');
    const done = {
      files: [
        {path: 'by-command', outcome: 'removed'},
        {path: 'docs/a.md', outcome: 'removed'},
        {path: 'tool.sh', outcome: 'restored'},
      ],
      commands: 1,
      unknown: 0,
      isOpen: false,
    };

    expect(await runtime.undo(id, {dryRun: true})).toMatchObject(done);
    expect([text('tool.sh'), text('docs/a.md')]).toEqual(['uno\r\ndue\r\n', 'new\n']);

    expect(await runtime.undo(id)).toMatchObject(done);
    expect(text('tool.sh')).toBe('one\r\ntwo\r\n');
    expect(statSync(file('tool.sh')).mode & 0o777).toBe(0o750);
    expect([existsSync(file('docs/a.md')), existsSync(file('by-command'))]).toEqual([false, false]);

    expect((await runtime.undo(id)).files.map(({outcome}) => outcome)).toEqual([
      'asBefore',
      'asBefore',
      'asBefore',
    ]);
  });

  test('folders that it created and that are otherwise empty are removed, and no others', async () => {
    mkdirSync(file('old'));
    const paths = ['old/a.txt', 'deep/one/a.txt', 'deep/two/a.txt', 'kept/a/b.txt'];
    const id = await runCalls(
      ...paths.map((path) => ({tool: 'write_file', args: {path, content: 'x', create_dirs: true}})),
    );
    writeFileSync(file('kept/mine.txt'), 'mine');
    await runtime.undo(id);
    expect(readdirSync(workspace, {recursive: true})).toHaveLength(3);
    expect([existsSync(file('old')), text('kept/mine.txt')]).toEqual([true, 'mine']);
  });

  test('a file that something else has changed since is left, and the others are restored', async () => {
    writeFileSync(file('tool.sh'), 'one\n');
    const id = await runCalls(edit('one', 'uno'), {
      tool: 'write_file',
      args: {path: 'b.txt', content: 'b'},
    });
    writeFileSync(file('tool.sh'), 'mine\n');
    expect((await runtime.undo(id)).files).toEqual([
      {path: 'b.txt', outcome: 'removed'},
      {path: 'tool.sh', outcome: 'left', why: 'something else has changed it since'},
    ]);
    expect(text('tool.sh')).toBe('mine\n');
  });

  test('a file with a known secret is not kept, and so cannot be restored', async () => {
    writeFileSync(file('tool.sh'), `one\nkey=${secret}\n`);
    const id = await runCalls(edit('one', 'uno'));
    expect((await runtime.undo(id)).files).toEqual([
      {
        path: 'tool.sh',
        outcome: 'left',
        why: 'its earlier content was not kept: it contained a secret',
      },
    ]);
    expect(readFileSync(join(root, 'journal.db'), 'latin1')).not.toContain(secret);
    expect(readFileSync(join(root, 'journal.db-wal'), 'latin1')).not.toContain(secret);
  });

  test('changes by commands to files, links, folders and permissions are reverted completely', async () => {
    for (const path of ['src/deep/a.ts', 'src/b.ts', 'keep.txt', 'run.sh']) {
      mkdirSync(join(file(path), '..'), {recursive: true});
      writeFileSync(file(path), `${path}\n`);
    }
    chmodSync(file('run.sh'), 0o755);
    chmodSync(file('src/deep'), 0o750);
    mkdirSync(file('empty'));
    symlinkSync('keep.txt', file('link'));
    const before = treeOf(workspace);
    const id = await runCalls(
      sh('rm -rf src empty; echo more >> keep.txt; chmod -x run.sh'),
      sh(
        'rm link; ln -s run.sh link; mkdir -p new/a/b; echo x > new/a/x; mkdir src; echo y > src/b.ts',
      ),
      sh('rm keep.txt; mkdir keep.txt; touch keep.txt/in; ln new/a/x new/hard; mkdir hollow'),
    );
    expect(treeOf(workspace)).not.toEqual(before);
    const {files} = await runtime.undo(id);
    expect(files.filter(({outcome}) => outcome === 'left')).toEqual([]);
    expect(treeOf(workspace)).toEqual(before);
    expect(new Set((await runtime.undo(id)).files.map(({outcome}) => outcome))).toEqual(
      new Set(['asBefore']),
    );
  });

  test.each([
    ['a link in place of their folder', 'mkdir .x; mv src .x/src; ln -s .x src; rm -r .x/src'],
    ['a hard link to one of them', 'ln a.txt c.txt; echo more >> c.txt'],
    ['a hard link in place of one of them', 'rm a.txt; ln src/b.txt a.txt'],
    ['them too large to be read', 'truncate -s 12M big; truncate -s 30M a.txt'],
    ['them exchanged', 'mv a.txt t; mv src/b.txt a.txt; mv t src/b.txt'],
  ])('files are restored after a command has left %s', async (_what, command) => {
    mkdirSync(file('src'));
    for (const path of ['a.txt', 'src/b.txt']) writeFileSync(file(path), `${path}\n`);
    const before = treeOf(workspace);
    const id = await runCalls(sh(command));
    expect([...treeOf(workspace).keys()]).not.toEqual([]);
    const {files} = await runtime.undo(id);
    expect(files.filter(({outcome}) => outcome === 'left')).toEqual([]);
    expect(treeOf(workspace)).toEqual(before);
  });

  test('a removed file is restored in place of a hard link to a file that is not kept', async () => {
    writeFileSync(file('a.txt'), 'a\n');
    mkdirSync(file('node_modules/dep'), {recursive: true});
    for (const path of ['.package-lock.json', 'dep/index.js'])
      writeFileSync(file(`node_modules/${path}`), '{}\n');
    const before = treeOf(workspace);
    const id = await runCalls(sh('rm a.txt'), sh('ln node_modules/dep/index.js a.txt'));
    expect(treeOf(workspace)).not.toEqual(before);
    const {files} = await runtime.undo(id);
    expect(files.filter(({outcome}) => outcome === 'left')).toEqual([]);
    expect(treeOf(workspace)).toEqual(before);
  });

  // The superuser can read everything.
  test.skipIf(process.getuid?.() === 0).each([
    ['a file', 'echo junk > a.txt; chmod 000 a.txt'],
    ['a folder', 'echo junk > src/b.txt; chmod 000 src'],
    ['a folder of which the names can be read', 'echo junk > src/b.txt; chmod 400 src'],
    ['a folder in an unreadable one', 'mkdir -p d/e; cp -r src d/e; chmod 000 d/e/src d/e d'],
  ])('%s that a command has made unreadable is restored', async (_what, command) => {
    mkdirSync(file('src'));
    for (const path of ['a.txt', 'src/b.txt']) writeFileSync(file(path), `${path}\n`);
    const before = treeOf(workspace);
    const id = await runCalls(sh(command));
    const {files} = await runtime.undo(id);
    expect(files.filter(({outcome}) => outcome === 'left')).toEqual([]);
    expect(treeOf(workspace)).toEqual(before);
  });

  test('a file too large to be read that something else has changed since is left', async () => {
    const id = await runCalls(sh('truncate -s 12M big'));
    appendFileSync(file('big'), 'mine');
    expect((await runtime.undo(id)).files).toMatchObject([{path: 'big', outcome: 'left'}]);
  });

  test('a journal inside the folder does not count as changed by commands', async () => {
    workspace = root;
    const id = await runCalls(sh('echo a > a.txt'), sh('echo b > b.txt'));
    const {files} = await runtime.undo(id);
    expect(files.map(({path}) => path)).toEqual(['b.txt', 'a.txt']);
  });

  test('a change of a command is left when something else has changed it since', async () => {
    writeFileSync(file('a.txt'), 'a\n');
    const id = await runCalls(
      sh('echo b > a.txt; mkdir made; echo c > made/c.txt; echo d > d.txt'),
    );
    writeFileSync(file('a.txt'), 'mine\n');
    writeFileSync(file('made/mine.txt'), 'mine\n');
    expect((await runtime.undo(id)).files).toEqual([
      {path: 'made/c.txt', outcome: 'removed'},
      {path: 'made', outcome: 'left', why: 'made contains entries that the run did not make'},
      {path: 'd.txt', outcome: 'removed'},
      {path: 'a.txt', outcome: 'left', why: 'something else has changed it since'},
    ]);
    expect([...treeOf(workspace).keys()]).toEqual(['a.txt', 'made', 'made/mine.txt']);
  });

  test('neither a run at work nor an unknown run can be undone', async () => {
    writeFileSync(file('tool.sh'), 'one\n');
    const id = await runCalls(edit('one', 'uno'));
    const owned = await journal.owners.own(id);
    await expect(runtime.undo(id)).rejects.toMatchObject({code: 'busy'});
    await owned.release();
    await expect(runtime.undo('nosuchrun')).rejects.toMatchObject({code: 'not_found'});
    rmSync(workspace, {recursive: true});
    await expect(runtime.undo(id)).rejects.toMatchObject({code: 'usage'});
  });
});

/** Appends the opening of a run `r` to the journal, and nothing else. */
async function open(): Promise<void> {
  const input = {id: 'r', form: 'agent', request: 'q', workspace, settings: {}, limits: {}};
  const body = {type: 'opened', version: 'v', input} as const;
  await journal.log.append([{interaction: 'r', bodies: [body], at: 1}]);
}

function sha(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** `undefined`: the file does not exist. */
function backup(before: string | undefined, after: string | undefined): Backup {
  const held = before !== undefined && {
    before: {hash: sha(before), mode: 0o644, content: Buffer.from(before)},
  };
  return {path: 'f', ...held, ...(after === undefined ? {} : {after: sha(after)})};
}

/** `-`: the file does not exist. */
const textOf = (mark: string): string | undefined => (mark === '-' ? undefined : mark);

describe('the changes of a run that was killed', () => {
  /** Writes as `before>after`, the text that is then held, and the one that is expected after the undo. */
  test.each([
    ['killed before the file was replaced: it is unchanged', 'a>b', 'a', 'a', 'asBefore'],
    ['killed in the second write: the first one is reverted', 'a>b b>c', 'b', 'a', 'restored'],
    ['a failed write repeated with other content counts once', 'a>b a>c', 'c', 'a', 'restored'],
    ['created, removed and created again: it is removed', '->a a>- ->b', 'b', '-', 'removed'],
    ['removed: it is restored', 'a>-', '-', 'a', 'restored'],
    ['changed by others between: their change stays', 'a>b theirs>c', 'c', 'theirs', 'restored'],
    ['removed by others since: it stays removed', 'a>b', '-', '-', 'left'],
  ])('%s', async (_, writes, held, expected, outcome) => {
    openStage();
    await open();
    for (const write of writes.split(' ')) {
      const [before = '', after = ''] = write.split('>');
      await journal.backups?.keep('r', [backup(textOf(before), textOf(after))]);
    }
    if (held !== '-') writeFileSync(file('f'), held);

    const report = await runtime.undo('r');
    expect(report).toMatchObject({files: [{path: 'f', outcome}], isOpen: true});
    expect(existsSync(file('f')) ? text('f') : undefined).toBe(textOf(expected));
  });
});

test('a journal without backups has nothing to undo', async () => {
  const {backups: _, ...bare} = createMemoryJournal();
  journal = bare;
  runtime = setStage({journal}).runtime;
  await open();
  expect(await runtime.undo('r')).toMatchObject({files: []});
});
