/** Undo restores git's refs, HEAD, stash and index, and loses no later commit. */

import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import type {UndoReport} from '../../../actors/undo/undo-steps.ts';
import {createSnapshots, type Replacement} from '../../../tools/index.ts';
import {createUndoPlace, runCommandPreview, treeOf, type UndoPlace} from '../../support/undoing.ts';
import {startNode} from '../../tools/process.ts';

const moduleUrl = new URL('../../../tools/run/snapshot/snapshots.ts', import.meta.url).href;

const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

function gitText(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', [...identity, ...args], {cwd: folder, encoding: 'utf8'});
}

/** Refs, HEAD, the stash with its messages, and the entries of the index. */
function stateOf(folder: string): string {
  const refs = gitText(folder, 'for-each-ref', '--format=%(refname) %(objectname) %(symref)');
  const head = gitText(folder, 'rev-parse', '--symbolic-full-name', 'HEAD');
  const commit = gitText(folder, 'rev-parse', 'HEAD');
  const stash = gitText(folder, 'stash', 'list', '--format=%gd %gs %H');
  const index = gitText(folder, 'ls-files', '--stage');
  const own = refs.split('\n').filter((line) => !line.startsWith('refs/quorate/'));
  return [...own, head, commit, stash, index].join('\n');
}

function pinsIn(folder: string): readonly string[] {
  const listed = gitText(folder, 'for-each-ref', '--format=%(refname)', 'refs/quorate');
  return listed.split('\n').filter((line) => line !== '');
}

/** Two commits, a branch and a tag, two stashes, and a staged change that differs from the file. */
function createRepository(): UndoPlace {
  const place = createUndoPlace();
  const {git, put} = place;
  git('init', '-q', '-b', 'main');
  for (const [key, value] of [
    ['user.name', 'a'],
    ['user.email', 'a@b'],
  ]) {
    git('config', `${key}`, `${value}`);
  }
  put('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  put('a.txt', 'two\n');
  git('commit', '-qam', 'second');
  git('switch', '-qc', 'side');
  put('side.txt', 'side\n');
  git('add', '.');
  git('commit', '-qm', 'side');
  git('tag', '-am', 'a tag', 'v1');
  git('switch', '-q', 'main');
  for (const text of ['older', 'newer']) {
    put('a.txt', `${text}\n`);
    git('stash', 'push', '-qm', text);
  }
  put('a.txt', 'staged\n');
  git('add', '.');
  put('a.txt', 'unstaged\n');
  return place;
}

const collect = 'git reflog expire --expire=now --all; git gc -q --prune=now';

describe('undo restores what a command has done to git:', () => {
  test.each([
    ['changes to files', 'git checkout -q -- a.txt'],
    ['a dropped stash', 'git stash drop -q'],
    ['an older stash', 'git stash drop -q stash@{1}'],
    ['all stashes', 'git stash clear'],
    ['a stash that it made', 'git stash -q'],
    ['a commit and staged changes', 'git reset -q --hard HEAD~1'],
    ['the index', 'git reset -q'],
    ['a branch', 'git branch -q -D side'],
    ['a tag', 'git tag -d v1'],
    ['a branch without reflog', 'git update-ref -d refs/heads/side'],
    ['an amended commit', 'git commit -q --amend -m other'],
    ['a rebased branch', 'git stash -q; git rebase -q --onto side HEAD~1 main'],
    ['the branch of HEAD', 'git switch -q --discard-changes side'],
    ['a detached HEAD', 'git reset -q --hard; git checkout -q --detach side'],
    ['a branch that it made', 'git switch -q -c other; git commit -qm other'],
    ['a branch in the way of another', 'git branch -q -D side; git branch side/below'],
    ['the last commit on an orphan', 'git checkout -q --orphan new; git commit -qm orphan'],
  ])('%s', async (_, command) => {
    const {workspace, run, runtime} = createRepository();
    const before = stateOf(workspace);
    const files = treeOf(workspace);
    const id = await run(`${command}; ${collect}`);
    const {files: planned} = await runtime().undo(id, {dryRun: true});
    expect(planned.filter(({outcome}) => outcome === 'left')).toEqual([]);
    expect((await runtime().undo(id)).files).toEqual(planned);
    expect(stateOf(workspace)).toBe(before);
    expect(treeOf(workspace)).toEqual(files);
    gitText(workspace, 'fsck', '--full', '--strict');
    expect((await runtime().undo(id)).files.map(({outcome}) => outcome)).not.toContain('restored');
  });

  test('several commands, in one go', async () => {
    const {workspace, run, runtime} = createRepository();
    const before = stateOf(workspace);
    const id = await run(
      'git commit -qm third',
      'git switch -q side',
      'git commit -q --allow-empty -m more && git branch -q -D main && git stash pop -q',
      collect,
    );
    const {files} = await runtime().undo(id);
    expect(files.filter(({outcome}) => outcome === 'left')).toEqual([]);
    expect(stateOf(workspace)).toBe(before);
  });
});

function leftIn(report: UndoReport): readonly string[] {
  return report.files.filter(({outcome}) => outcome === 'left').map(({path}) => path);
}

describe('a commit that a person makes after the run stays:', () => {
  test('on the branch that the run has moved', async () => {
    const {workspace, run, runtime} = createRepository();
    const id = await run('git reset -q --hard HEAD~1');
    gitText(workspace, 'commit', '-q', '--allow-empty', '-m', 'mine');
    const mine = stateOf(workspace);
    const own = ['.git/HEAD', '.git/index', '.git/refs/heads/main'];
    expect(leftIn(await runtime().undo(id)).toSorted()).toEqual(own);
    expect(stateOf(workspace)).toBe(mine);
  });

  test('on the branch to which the run has switched', async () => {
    const {workspace, run, runtime} = createRepository();
    const id = await run('git reset -q --hard; git switch -q side');
    gitText(workspace, 'commit', '-q', '--allow-empty', '-m', 'mine');
    const mine = stateOf(workspace);
    expect(leftIn(await runtime().undo(id)).toSorted()).toEqual(['.git/HEAD', '.git/index']);
    expect(stateOf(workspace)).toBe(mine);
  });

  test('on a branch that was checked out elsewhere when it was made', async () => {
    const {workspace, git, run, runtime} = createRepository();
    git('worktree', 'add', '-q', '../other', 'side');
    // Made meanwhile, by another person: for a snapshot it looks like a change by the command.
    const id = await run('git -C ../other commit -q --allow-empty -m mine; echo x > b.txt');
    const mine = stateOf(workspace);
    const {files} = await runtime().undo(id);
    expect(files).toEqual([
      {
        path: '.git/refs/heads/side',
        outcome: 'left',
        why: expect.stringMatching(/^it is checked out in .*other$/),
      },
      {path: 'b.txt', outcome: 'removed'},
    ]);
    expect(stateOf(workspace)).toBe(mine);
  });

  test('on a branch that the run has made and a person has switched to', async () => {
    const {workspace, run, runtime} = createRepository();
    const id = await run('git branch other');
    gitText(workspace, 'switch', '-q', 'other');
    expect(leftIn(await runtime().undo(id))).toEqual(['.git/refs/heads/other']);
    expect(gitText(workspace, 'rev-parse', 'HEAD')).toBe(gitText(workspace, 'rev-parse', 'main'));
  });
});

test('a stash and an index that changed after the run stay', async () => {
  const {workspace, put, run, runtime} = createRepository();
  const id = await run('git stash drop -q; git reset -q');
  put('mine.txt', 'mine\n');
  gitText(workspace, 'add', 'mine.txt');
  gitText(workspace, 'stash', 'push', '-q', '-m', 'mine', 'a.txt');
  const mine = stateOf(workspace);
  expect(leftIn(await runtime().undo(id)).toSorted()).toEqual(['.git/index', '.git/refs/stash']);
  expect(stateOf(workspace)).toBe(mine);
});

test('an operation that git has not finished is named, and stays', async () => {
  const {workspace, run, runtime} = createRepository();
  const before = stateOf(workspace);
  const id = await run('git reset -q --hard; git merge -q --no-commit --no-ff side');
  expect(leftIn(await runtime().undo(id))).toEqual(['.git/MERGE_HEAD']);
  expect(stateOf(workspace)).toBe(before);
});

test('a large file is restored from git', async () => {
  const {workspace, git, put, run, runtime} = createRepository();
  put('large.bin', Buffer.alloc(11 * 1024 * 1024, 'large'));
  git('add', '.');
  git('commit', '-qm', 'large');
  const id = await run('rm large.bin');
  expect((await runtime().undo(id)).files).toEqual([{path: 'large.bin', outcome: 'restored'}]);
  expect(gitText(workspace, 'status', '--short', 'large.bin')).toBe('');
});

describe('objects', () => {
  test('that only an undo needs stay until the run is erased, the others only during the run', async () => {
    const {workspace, run, runtime} = createRepository();
    const side = gitText(workspace, 'rev-parse', 'side').trim();
    const id = await run('git branch -q -D side');
    await runtime().close();
    expect(pinsIn(workspace)).toEqual([expect.stringMatching(`^refs/quorate/${id}/.*/${side}$`)]);
    gitText(workspace, 'tag', '-d', 'v1');
    gitText(workspace, 'reflog', 'expire', '--expire=now', '--all');
    gitText(workspace, 'gc', '-q', '--prune=now');
    await run('true');
    expect((await runtime().undo(id)).files).toEqual([
      {path: '.git/refs/heads/side', outcome: 'restored'},
    ]);
    await runtime().erase(id);
    expect(pinsIn(workspace).filter((name) => name.includes(id))).toEqual([]);
  });

  test('are not kept before a command that can not change git', async () => {
    const {workspace} = createRepository();
    const snapshots = createSnapshots();
    await (await snapshots.begin(workspace, 'r', true)).end(undefined);
    expect(pinsIn(workspace)).toEqual([]);
    await (await snapshots.begin(workspace, 'r')).end(undefined);
    expect(pinsIn(workspace)).not.toEqual([]);
    await snapshots.rest('r');
    expect(pinsIn(workspace)).toEqual([]);
    snapshots.close();
  });
});

test('nothing that the configuration of a repository names is run', async () => {
  const place = createRepository();
  const {workspace, git, put, run, runtime} = place;
  const trap = join(workspace, '../trap');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >>${workspace}/../sprung\nexit 1\n`);
  chmodSync(trap, 0o755);
  mkdirSync(join(workspace, '../hooks'));
  const hooks = ['reference-transaction', 'post-index-change', 'post-checkout', 'pre-auto-gc'];
  const settings = {
    'core.fsmonitor': trap,
    'core.alternateRefsCommand': trap,
    'core.sshCommand': trap,
    'core.gitProxy': trap,
    'core.pager': trap,
    'core.editor': trap,
    'pager.for-each-ref': trap,
    'alias.for-each-ref': `!${trap}`,
    'credential.helper': trap,
    'filter.f.clean': trap,
    'filter.f.smudge': trap,
    'filter.f.process': trap,
    'filter.f.required': 'true',
    'diff.external': trap,
    'gpg.program': trap,
    'extensions.partialClone': 'origin',
    'remote.origin.url': `ext::${trap}`,
    'remote.origin.promisor': 'true',
    'protocol.allow': 'always',
  };
  put('.gitattributes', '* filter=f\n');
  for (const [key, value] of Object.entries(settings)) git('config', key, value);
  for (const name of hooks) {
    for (const folder of ['.git/hooks', '../hooks']) {
      writeFileSync(join(workspace, folder, name), `#!/bin/sh\nexec ${trap} ${name}\n`, {
        mode: 0o755,
      });
    }
  }
  git('config', 'core.hooksPath', join(workspace, '../hooks'));
  const id = await run(
    'rm .git/refs/heads/side .git/logs/refs/stash .git/refs/stash .git/index; echo 0 >a.txt',
  );
  const {files} = await runtime().undo(id);
  expect(files.map(({path, outcome}) => `${outcome} ${path}`).toSorted()).toEqual([
    'restored .git/index',
    'restored .git/refs/heads/side',
    'restored .git/refs/stash',
    'restored a.txt',
  ]);
  expect(existsSync(join(workspace, '../sprung'))).toBe(false);
});

async function previewIn(workspace: string): Promise<string> {
  const snapshots = createSnapshots();
  onTestFinished(snapshots.close);
  return await runCommandPreview(workspace, snapshots);
}

describe('the preview names', () => {
  test('a repository that git cannot read', async () => {
    const {workspace, put} = createUndoPlace();
    expect(await previewIn(workspace)).toContain("also those to git's refs, stash and index");
    expect(await previewIn(workspace)).not.toContain('not kept');
    put('.git', 'gitdir: /nowhere\n');
    expect(await previewIn(workspace)).toContain(
      "not kept: .git, which git can't read: fatal: not a git repository",
    );
  });

  test('a repository without a work tree, and one in another format', async () => {
    const {workspace, git} = createRepository();
    git('config', 'core.bare', 'true');
    expect(await previewIn(workspace)).toContain(
      'not kept: .git, which belongs to a repository without a work tree',
    );
    git('config', 'core.bare', 'false');
    mkdirSync(join(workspace, '.git/reftable'));
    expect(await previewIn(workspace)).toContain('git keeps in another format');
  });

  test('an operation that git has not finished, and repositories in subfolders', async () => {
    const {workspace, git} = createRepository();
    git('reset', '-q', '--hard');
    git('merge', '-q', '--no-commit', '--no-ff', 'side');
    git('init', '-q', 'sub');
    const preview = await previewIn(workspace);
    expect(preview).toContain('.git/MERGE_HEAD, which belongs to an operation of git');
    expect(preview).toContain('sub/.git, which is the data of another repository');
  });
});

describe('git keeps its data elsewhere, or has none yet:', () => {
  test('a worktree', async () => {
    const {workspace, git, run, runtime} = createUndoPlace();
    const main = join(workspace, '../main');
    git('init', '-q', '-b', 'main', main);
    const commit = ['commit', '-q', '--allow-empty', '-m', 'first'];
    execFileSync('git', [...identity, ...commit], {cwd: main});
    execFileSync('git', ['worktree', 'add', '-q', '-b', 'side', workspace], {cwd: main});
    expect(await undoneIn({workspace, run, runtime})).toEqual({left: [], isRestored: true});
    expect(gitText(main, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main\n');
  });

  test('a submodule', async () => {
    const {workspace, git, run, runtime} = createUndoPlace();
    const [inner, outer] = [join(workspace, '../inner'), join(workspace, '../outer')];
    for (const folder of [inner, outer]) git('init', '-q', '-b', 'main', folder);
    gitText(inner, 'commit', '-q', '--allow-empty', '-m', 'first');
    gitText(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    rmSync(workspace, {recursive: true});
    renameSync(join(outer, 'sub'), workspace);
    const folder = join(outer, '.git/modules/sub');
    writeFileSync(join(workspace, '.git'), `gitdir: ${folder}\n`);
    git('-C', outer, 'config', '--file', join(folder, 'config'), 'core.worktree', workspace);
    expect(await undoneIn({workspace, run, runtime})).toEqual({left: [], isRestored: true});
  });

  test('a folder of a repository', async () => {
    const {workspace, git, run, runtime} = createUndoPlace();
    git('init', '-q', '-b', 'main', join(workspace, '..'));
    git('commit', '-q', '--allow-empty', '-m', 'first');
    expect(await undoneIn({workspace, run, runtime})).toEqual({left: [], isRestored: true});
  });

  test('a branch without a commit', async () => {
    const {git, put, run, runtime} = createUndoPlace();
    git('init', '-q', '-b', 'main');
    put('a.txt', 'a');
    const id = await run(`git add . && git ${identity.join(' ')} commit -qm first && git tag v1`);
    const {files} = await runtime().undo(id);
    expect(files.map(({path, outcome}) => `${outcome} ${path}`).toSorted()).toEqual([
      'removed .git/index',
      'removed .git/refs/heads/main',
      'removed .git/refs/tags/v1',
      'restored .git/HEAD',
    ]);
  });

  test('a repository with other hashes', async () => {
    const {workspace, git, run, runtime} = createUndoPlace();
    git('init', '-q', '-b', 'main', '--object-format=sha256');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    expect(await undoneIn({workspace, run, runtime})).toEqual({left: [], isRestored: true});
  });
});

/** Undoes a run that changes all of git's data. */
async function undoneIn({
  workspace,
  run,
  runtime,
}: Pick<UndoPlace, 'workspace' | 'run' | 'runtime'>): Promise<object> {
  gitText(workspace, 'branch', 'lost');
  writeFileSync(join(workspace, 'new.txt'), 'new');
  const before = stateOf(workspace);
  const commit = `git add new.txt; git ${identity.join(' ')} commit -qm second`;
  const id = await run(`${commit}; git branch -q -D lost; git switch -q --detach`);
  const after = stateOf(workspace);
  const left = leftIn(await runtime().undo(id));
  return {left, isRestored: stateOf(workspace) === before && after !== before};
}

test('what a killed process has done to git is found by the process that takes over', async () => {
  const {workspace} = createRepository();
  const folder = join(workspace, '../snapshots');
  const program = `
    import(${JSON.stringify(moduleUrl)}).then(async ({createSnapshots}) => {
      const [folder, workspace] = process.argv.slice(1);
      await createSnapshots({folder}).begin(workspace, 'r');
      require('node:child_process').execFileSync('git', ['reset', '-q', '--hard', 'HEAD~1'], {cwd: workspace});
      process.kill(process.pid, 'SIGKILL');
    });`;
  const id = gitText(workspace, 'rev-parse', 'HEAD').trim();
  const index = readFileSync(join(workspace, '.git/index'));
  expect((await startNode(program, folder, workspace).ended).signal).toBe('SIGKILL');
  const snapshots = createSnapshots({folder});
  const found = new Map<string, Replacement>();
  await snapshots.settle('r', (more) => {
    for (const each of more) found.set(each.path, each);
  });
  snapshots.close();
  expect([...found.keys()]).toEqual(['a.txt', '.git/HEAD', '.git/index', '.git/refs/heads/main']);
  expect(found.get('.git/refs/heads/main')?.before?.state).toBe(`ref ${id}`);
  expect(found.get('.git/index')?.before?.content).toEqual(index);
});
