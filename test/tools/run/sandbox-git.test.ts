/** A confined command cannot change the files of a repository that git later runs or obeys. */

import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, realpathSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {createSandbox} from '../../../tools/index.ts';
import {type Place, textOf} from '../place.ts';
import {createGraded, type Grade, grades} from './confined.ts';

/** Runs as the user does, outside of any sandbox. */
function sh(folder: string, command: string): string {
  return execFileSync('/bin/sh', ['-c', command], {cwd: folder, encoding: 'utf8'});
}

const begin =
  'git init -q -b main . && git config user.email a@example.com && git config user.name A && ' +
  'echo one >a.txt && git add a.txt && git commit -q -m first';

function createRepository(grade: Grade, before = 'true'): Place {
  const place = createGraded(grade);
  sh(place.workspace, `${begin} && ${before}`);
  return place;
}

const hook = String.raw`printf '#!/bin/sh\ntouch HOOKED\n' >.git/hooks/pre-commit && chmod u+x .git/hooks/pre-commit`;
const evil = String.raw`printf '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "touch HOOKED; false"\n'`;
const commit = 'git commit -q --allow-empty -m y';

const escapes: readonly (readonly [how: string, before: string, command: string, user: string])[] =
  [
    [
      'by a copy of .git in its place',
      'mkdir -p .git/hooks',
      `mv .git .g && cp -r .g .git && ${hook}`,
      commit,
    ],
    [
      'by a commondir that leads to another configuration',
      'mkdir -p .git/hooks',
      `cp -r .git evil; ${evil} >evil/config; echo ../evil >.git/commondir`,
      'git status',
    ],
    ['by hooks where there were none', 'rm -rf .git/hooks', `mkdir .git/hooks; ${hook}`, commit],
    [
      'by hooks that are a link into the workspace',
      'rm -rf .git/hooks; mkdir h; ln -s ../h .git/hooks',
      hook,
      commit,
    ],
    [
      'by another link in the place of hooks that are one',
      'rm -rf .git/hooks; mkdir h; ln -s ../h .git/hooks',
      `rm .git/hooks; mkdir .git/hooks; ${hook}`,
      commit,
    ],
    ['by a hook beside others', 'true', hook, commit],
    ['by moving hooks away', 'true', `mv .git/hooks .git/h2; mkdir .git/hooks; ${hook}`, commit],
    ['by the configuration', 'true', `${evil} >.git/config`, 'git status'],
    [
      'by git config',
      'true',
      'git config core.fsmonitor "touch HOOKED; false"; git config core.hooksPath h',
      'git status',
    ],
    [
      'by a new configuration that is renamed into place',
      'true',
      `${evil} >c; mv -f c .git/config; ${evil} >.git/config.lock; mv -f .git/config.lock .git/config`,
      'git status',
    ],
    [
      'by a configuration of the worktree',
      'git config extensions.worktreeConfig true',
      `${evil} >.git/config.worktree`,
      'git status',
    ],
    [
      'by a file that the configuration includes',
      'git config include.path ../shared.cfg; git config include.path extra',
      `${evil} >shared.cfg; ${evil} >.git/extra; ${evil} >.git/../shared.cfg`,
      'git status',
    ],
    [
      'by the folder that core.hooksPath names',
      'git config core.hooksPath tools/hooks',
      String.raw`mkdir -p tools/hooks; printf '#!/bin/sh\ntouch HOOKED\n' >tools/hooks/pre-commit; chmod +x tools/hooks/pre-commit`,
      commit,
    ],
    [
      'by swapping the folder that core.hooksPath names',
      'mkdir -p tools/hooks; git config core.hooksPath tools/hooks',
      String.raw`mv tools t2; mkdir -p tools/hooks; printf '#!/bin/sh\ntouch HOOKED\n' >tools/hooks/pre-commit; chmod +x tools/hooks/pre-commit`,
      commit,
    ],
    [
      'by an attribute that names a filter',
      'git config filter.x.clean "touch HOOKED; cat"',
      'mkdir -p .git/info; echo "* filter=x" >.git/info/attributes; echo two >a.txt',
      'git add a.txt',
    ],
    [
      'by a .git that is a file',
      'true',
      `mv .git .g; cp -r .g evil; ${evil} >evil/config; echo "gitdir: evil" >.git`,
      'git status',
    ],
    [
      'by a repository without a folder of its own, once .git is none any more',
      'true',
      `rm -rf .git; cp -r .git/. .; mkdir objects refs; echo "ref: refs/heads/main" >HEAD; ${evil} >config`,
      'git status || true',
    ],
    [
      'through a nested repository',
      `mkdir -p sub/deep && cd sub/deep && ${begin}`,
      `cd sub/deep; ${hook}; mv .git .g; cp -r .g .git; ${hook}; cd ..; mv deep d2; cd ..; mv sub s2; mkdir -p sub; cp -r s2/d2 sub/deep; cd sub/deep; ${hook}`,
      `cd sub/deep && echo >>a.txt && git commit -q -am y && [ ! -e HOOKED ]`,
    ],
  ];

describe.each(grades)('in %s, code of a command is not run by git', (grade) => {
  test.each(escapes)('%s', async (_how, before, command, user) => {
    const {workspace, run} = createRepository(grade, before);
    await run('run_command', {command});
    sh(workspace, user);
    expect(existsSync(join(workspace, 'HOOKED'))).toBe(false);
  });
});

describe.each(grades)('in %s, the ordinary use of git', (grade) => {
  test('continues to work: add, commit, branches, stash, gc', async () => {
    const {workspace, run} = createRepository(grade);
    const outcome = await run('run_command', {
      command:
        'set -e; echo two >b.txt; git add -A; git commit -q -m second; git checkout -q -b topic; ' +
        'echo three >>b.txt; git stash -q; git stash pop -q; git commit -q -am third; git gc -q; ' +
        'git checkout -q main; git merge -q topic; git branch -d -q topic; git status --short; git log --format=%s',
    });
    expect(outcome).toMatchObject({kind: 'succeeded'});
    // `git gc` makes a list for transports, which Landlock has set aside afterwards.
    expect(textOf(outcome)).toMatch(
      grade === 'landlock'
        ? /third\nsecond\nfirst\n\[\.git\/info\/refs is in a protected place: [^\n]+\]\n$/
        : /third\nsecond\nfirst\n$/,
    );
    expect(sh(workspace, 'git log --format=%s; git status --short; git fsck --no-dangling')).toBe(
      'third\nsecond\nfirst\n',
    );
  });

  test('receives the name and address of the user for commits, and no other setting', async () => {
    const place = createGraded(grade);
    sh(place.workspace, 'git init -q .');
    const home = join(place.outside, '..', 'home');
    mkdirSync(home);
    sh(
      home,
      'HOME=$PWD; git config --global user.name "A \\"b\\" c"; git config --global user.email a@example.com; ' +
        'git config --global http.extraheader "Authorization: secret"',
    );
    const before = process.env['HOME'];
    process.env['HOME'] = realpathSync(home);
    try {
      const outcome = await place.run('run_command', {
        command:
          'git commit -q --allow-empty -m x; git log -1 --format="%an <%ae>"; git config --list',
      });
      expect(textOf(outcome)).toContain('A "b" c <a@example.com>\n');
      expect(textOf(outcome)).not.toContain('secret');
    } finally {
      process.env['HOME'] = before;
    }
  });

  test('is read-only when the sandbox protects the git data', async () => {
    const {workspace} = createRepository(grade, 'git config core.hooksPath tools/hooks');
    const enclosed = await createSandbox({mode: 'required', grades: [grade]}).enclose(
      [
        '/bin/sh',
        '-c',
        `git status --short; git log --format=%s; echo x >b.txt; git add b.txt; rm -rf .git; mv .git .g; mkdir -p tools/hooks; ${evil} >tools/hooks/pre-commit; true`,
      ],
      {
        workspace,
        folder: workspace,
        env: {PATH: '/usr/bin:/bin', HOME: '/root'},
        holdsGit: true,
        // Landlock protects it from unknown code only, which then makes nothing beside it.
        isUnknown: grade === 'landlock',
      },
    );
    if (!enclosed.ok) throw new Error(enclosed.denial.message);
    const {file, args, env, release} = enclosed.value;
    const output = execFileSync(file, [...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await release();
    expect(output).toBe('first\n');
    expect(sh(workspace, 'git fsck; git log --format=%s; git status --short')).toBe(
      grade === 'landlock' ? 'first\n' : 'first\n?? b.txt\n',
    );
  });

  test('works in a linked worktree, and leaves the others unchanged', async () => {
    const place = createRepository(grade);
    const {workspace} = place;
    const linked = join(place.outside, '..', 'linked');
    sh(workspace, `git worktree add -q -b topic ${linked}`);
    const inLinked = createGraded(grade);
    const outcome = await inLinked.run(
      'run_command',
      {
        command: `echo two >b.txt && git add b.txt && git commit -q -m second; git log --format=%s; cp b.txt ${workspace}/b.txt; ${evil} >${workspace}/.git/config; ${evil} >${workspace}/.git/worktrees/linked/config.worktree; git worktree list`,
      },
      {workspace: realpathSync(linked)},
    );
    expect(textOf(outcome)).toContain('second\nfirst\n');
    expect(existsSync(join(workspace, 'b.txt'))).toBe(false);
    expect(sh(workspace, 'git status --short; git log -1 --format=%s topic')).toBe('second\n');
    sh(workspace, `git worktree remove --force ${linked}`);
  });

  test('a file .git that names a repository without its worktree shows nothing of it', async () => {
    const place = createGraded(grade);
    const other = join(place.outside, '..', 'other');
    mkdirSync(other);
    sh(other, begin);
    place.put('.git', `gitdir: ${other}/.git\n`);
    const outcome = await place.run('run_command', {command: `git log; ls ${other}`});
    expect(outcome).toMatchObject({kind: 'failed', code: 'exit_nonzero'});
    expect(textOf(outcome)).not.toContain('first');
  });

  test('a part of a repository is writable, the rest of it read-only', async () => {
    const place = createGraded(grade);
    place.put('src/a.txt', 'one');
    sh(place.workspace, `${begin} && git add . && git commit -q -m second`);
    const part = join(place.workspace, 'src');
    const command = 'echo two >a.txt; git status --short; echo x >../a.txt; git add a.txt';
    const outcome = await place.run('run_command', {command}, {workspace: part});
    expect(textOf(outcome)).toContain(' M a.txt\n');
    expect(place.text('a.txt')).toBe('one\n');
  });
});

describe.each(grades)('in %s, a version that differs in protected places', (grade) => {
  const other =
    'git checkout -q -b other && mkdir .vscode && echo {} >.vscode/settings.json && echo o >o.txt && ' +
    'git add . && git commit -q -m other && git checkout -q main';
  const both =
    'mkdir -p .github/workflows && echo a >.github/workflows/ci.yml && git add . && git commit -q -m ci && ' +
    'git checkout -q -b other && echo b >.github/workflows/ci.yml && echo o >o.txt && git add . && ' +
    'git commit -q -m other && git checkout -q main';

  test.each([
    ['git checkout other', other],
    ['git switch -q other && echo x >x.txt', other],
    ['git merge -q other', other],
    ['git checkout other', both],
    ['git merge --ff-only other', both],
  ])('is not checked out in part by %s', async (command, before) => {
    const place = createRepository(grade, before);
    place.put('a.txt', 'two\n');
    const outcome = await place.run('run_command', {command});
    expect(outcome).toMatchObject({kind: 'failed', exitCode: 1});
    expect(textOf(outcome)).toMatch(
      /other differs in .*(?:\.vscode\/settings\.json|\.github\/workflows\/ci\.yml), which a confined command can't write/,
    );
    expect(sh(place.workspace, 'git status --short; git branch --show-current')).toBe(
      ' M a.txt\nmain\n',
    );
  });

  test.each([
    [
      'git checkout -q other',
      'git checkout -q -b other && echo o >o.txt && git add . && git commit -q -m o && git checkout -q main',
    ],
    [
      'git merge -q --no-edit other',
      `git branch other && ${other.replace('-b other', '-b third')} && git merge -q third`,
    ],
    ['git checkout -q other -- o.txt', other],
    ['git checkout -q -b new', other],
    ['git checkout -q -- a.txt', other],
  ])('does not concern %s', async (command, before) => {
    const place = createRepository(grade, before);
    expect(await place.run('run_command', {command})).toMatchObject({kind: 'succeeded'});
    expect(sh(place.workspace, 'git status --short')).not.toContain(' D ');
  });
});

describe.each(grades)('in %s, a placeholder for a missing place', (grade) => {
  test('is removed with the command, and git has not seen it', async () => {
    const {workspace, run} = createRepository(grade);
    const list = (): string[] =>
      readdirSync(workspace, {recursive: true, encoding: 'utf8'}).toSorted();
    const before = list();
    const outcome = await run('run_command', {
      command: 'git status --short; git add -A; git status --short',
    });
    expect(textOf(outcome)).toBe('(no output)');
    expect(list()).toEqual(before);
  });

  test.each([
    ['git stash -u', 'one\n', false, 'git stash pop -q'],
    ['git stash -q --include-untracked && git stash pop -q', 'two\n', true, 'true'],
    ['git clean -fdq', 'two\n', false, 'mkdir folder; touch new.txt folder/new.txt'],
  ])('does not get in the way of %s', async (command, text, isKept, back) => {
    const place = createRepository(grade);
    const untracked = ['new.txt', 'folder/new.txt'];
    const guarded = ['.env', '.vscode/settings.json', 'AGENTS.md', '[x]/.npmrc'];
    place.put('a.txt', 'two\n');
    for (const path of [...untracked, ...guarded]) place.put(path, `TOKEN=of-${path}-1234567\n`);
    const before = sh(place.workspace, 'git status --short -uall');
    // Under Landlock, beside a file with credentials, a command can't read what it makes; the next one can.
    for (const part of grade === 'landlock' ? command.split(' && ') : [command]) {
      const outcome = await place.run('run_command', {command: part});
      expect(outcome).toMatchObject({kind: 'succeeded', exitCode: 0});
      expect(textOf(outcome)).not.toMatch(/warning|busy/);
    }
    expect(place.text('a.txt')).toBe(text);
    for (const path of untracked) expect(existsSync(join(place.workspace, path))).toBe(isKept);
    for (const path of guarded) expect(place.text(path)).toBe(`TOKEN=of-${path}-1234567\n`);
    sh(place.workspace, back);
    expect(sh(place.workspace, 'git status --short -uall')).toBe(before);
  });

  test.runIf(grade === 'landlock')(
    'beside a file with credentials, a stash that the same command fails to pop is kept',
    async () => {
      const place = createRepository(grade);
      place.put('.env', 'TOKEN=abcdefgh12345678\n');
      place.put('a.txt', 'two\n');
      const command = 'git stash -q && git stash pop -q';
      expect(await place.run('run_command', {command})).toMatchObject({exitCode: 1});
      const next = {command: 'git stash pop -q'};
      expect(await place.run('run_command', next)).toMatchObject({exitCode: 0});
      expect(place.text('a.txt')).toBe('two\n');
    },
  );

  test('does not keep protected files that a person made out of a commit', async () => {
    const place = createRepository(grade);
    place.put('AGENTS.md', 'Be brief.\n');
    place.put('sub/.vscode/settings.json', '{}\n');
    await place.run('run_command', {command: 'git add -A && git commit -q -m second'});
    expect(sh(place.workspace, 'git ls-files')).toBe(
      'AGENTS.md\na.txt\nsub/.vscode/settings.json\n',
    );
  });

  test('is taken over and removed by the next command after a crash', async () => {
    const {workspace, run} = createRepository(grade);
    sh(
      workspace,
      String.raw`mkdir -m 1755 .vscode; printf '.\n' >.git/commondir; chmod 1644 .git/commondir; mkdir .idea`,
    );
    await run('run_command', {command: 'mkdir -p .vscode && echo x >.vscode/tasks.json'});
    expect(existsSync(join(workspace, '.vscode'))).toBe(false);
    // Landlock makes no placeholders, and takes over none in git's data.
    expect(existsSync(join(workspace, '.git/commondir'))).toBe(grade === 'landlock');
    expect(existsSync(join(workspace, '.idea'))).toBe(true);
  });

  test('is kept when something is put into it meanwhile; under Landlock it is set aside', async () => {
    const place = createRepository(grade);
    const begun = (): Promise<unknown> =>
      place.run(
        'run_command',
        {command: 'echo begun; while [ ! -e go ]; do sleep 0.01; done'},
        {
          onOutput: () => {
            place.put('.vscode/settings.json', '{}');
            place.put('go', '');
          },
        },
      );
    await begun();
    const kept = grade === 'landlock' ? '.vscode.not-allowed' : '.vscode';
    expect(place.text(`${kept}/settings.json`)).toBe('{}');
    expect(readFileSync(join(place.workspace, 'go'), 'utf8')).toBe('');
  });
});
