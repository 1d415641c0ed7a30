/**
 * Repositories that a command creates below the workspace, confined or not: git runs no program that the command has named
 * for them.
 */

import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {riskySettings} from '../../../tools/containment/harmless-config.ts';
import {type Place, textOf} from '../place.ts';
import {canConfine, createConfined} from './confined.ts';

/** Runs as the user does, outside of any sandbox; the reply of git about a folder that is not a repository does not matter. */
function sh(folder: string, command: string): string {
  const env = {...process.env, GIT_CEILING_DIRECTORIES: folder};
  return execFileSync('/bin/sh', ['-c', `${command} 2>/dev/null || true`], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
}

function isHooked({workspace}: Place): boolean {
  return sh(workspace, 'find . -name HOOKED').trim() !== '';
}

const evil = String.raw`printf '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "touch HOOKED; false"\n'`;
const evilTree = String.raw`printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch HOOKED; false"\n'`;
const hook = String.raw`printf '#!/bin/sh\ntouch HOOKED\n'`;
const status = 'cd sub && git status';

const escapes: readonly (readonly [how: string, command: string, user: string, before?: string])[] =
  [
    ['its configuration', `git init -q sub && ${evil} >sub/.git/config`, status],
    [
      'a hook',
      `git init -q sub && ${hook} >sub/.git/hooks/pre-commit && chmod u+x sub/.git/hooks/pre-commit`,
      'cd sub && git -c user.name=a -c user.email=b@example.com commit -q --allow-empty -m x',
    ],
    [
      'a folder that looks like one',
      `git init -q --bare sub && ${evilTree.replace('= .', '= ..')} >sub/config`,
      status,
    ],
    [
      'the workspace itself, which looks like one',
      `git init -q --bare b && mv b/* . && ${evilTree} >config`,
      'git status',
    ],
    [
      'a file that leads to one',
      `git init -q d && ${evil} >d/.git/config && mkdir sub && echo 'gitdir: ../d/.git' >sub/.git`,
      status,
    ],
    [
      'a link that leads to one',
      `git init -q d && ${evil} >d/.git/config && mkdir sub && ln -s ../d/.git sub/.git`,
      status,
    ],
    [
      'the settings of another one',
      `git init -q --bare sub/r && mkdir sub/.git && ${evil} >sub/r/config && echo ../r >sub/.git/commondir && echo 'ref: refs/heads/main' >sub/.git/HEAD`,
      status,
    ],
    [
      'the configuration of its work tree',
      `${evilTree.replace('= .', '= ..')} >sub/config.worktree`,
      status,
      'git init -q --bare sub && git -C sub config extensions.worktreeConfig true',
    ],
    [
      'one that lay there under another name',
      'mv sub/dot-git sub/.git',
      status,
      `git init -q sub && ${evil} >sub/.git/config && mv sub/.git sub/dot-git`,
    ],
  ];

const begun = escapes.map(
  ([how, command, user, before = 'true']) => [how, command, user, before] as const,
);

const modes = canConfine ? (['required', 'off'] as const) : (['off'] as const);

describe.each(modes)('with the sandbox %s a repository that a command has made', (mode) => {
  test.each(begun)('runs nothing by %s', async (_how, command, user, before) => {
    const place = createConfined(mode);
    sh(place.workspace, before);
    const outcome = await place.run('run_command', {command});
    expect(outcome).toMatchObject({kind: 'succeeded', confined: mode === 'required'});
    expect(textOf(outcome)).toContain('belongs to a repository that runs programs');
    sh(place.workspace, user);
    expect(isHooked(place)).toBe(false);
  });

  test('stays unchanged while its settings name nothing that runs', async () => {
    const place = createConfined(mode);
    const command =
      'git init -q -b main sub && cd sub && git config user.name A && git config user.email a@example.com && ' +
      'git config commit.gpgsign false && git commit -q --allow-empty -m one && git clone -q . ../copy && ' +
      'git init -q --bare ../bare.git && git remote add origin ../bare.git && git push -q -u origin main';
    const outcome = await place.run('run_command', {command});
    expect(outcome).toMatchObject({kind: 'succeeded', text: '(no output)'});
    for (const name of ['sub', 'copy', 'bare.git']) {
      expect(sh(join(place.workspace, name), 'git log --format=%s main')).toBe('one\n');
    }
  });

  test('from before the command, which did not touch it, stays even if it runs programs', async () => {
    const place = createConfined(mode);
    sh(place.workspace, `git init -q --bare b.git && ${evil} >b.git/config`);
    expect(textOf(await place.run('run_command', {command: 'echo done'}))).toBe('done\n');
    expect(existsSync(join(place.workspace, 'b.git/HEAD'))).toBe(true);
  });
});

const user = 'git config user.name A && git config user.email a@example.com';
const first = 'echo one >a.txt && git add a.txt && git commit -q -m one';

describe('an unconfined command does not change', () => {
  test.each([
    [
      'a submodule and a linked worktree of the workspace itself',
      `git init -q -b main . && ${user} && ${first} && git init -q -b main .lib && cd .lib && ${user} && ${first}`,
      'git -c protocol.file.allow=always submodule --quiet add ./.lib lib && git worktree add -q tree && git -C tree status --short && git -C lib log --format=%s',
      'one\n',
    ],
    [
      'a repository with hooks of its own in which it commits',
      `git init -q -b main sub && cd sub && ${user} && printf '#!/bin/sh\\n' >.git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && git config core.hooksPath .git/hooks && ${first}`,
      'cd sub && echo two >b.txt && git add b.txt && git config user.name B && git commit -q -m two && git log --format=%s',
      'two\none\n',
    ],
    [
      "the workspace's own repository",
      `git init -q -b main . && ${user} && ${first}`,
      "printf '#!/bin/sh\\n' >.git/hooks/pre-commit && git status --short",
      '(no output)',
    ],
  ])('%s', async (_what, before, command, text) => {
    const place = createConfined('off');
    sh(place.workspace, before);
    expect(await place.run('run_command', {command})).toMatchObject({kind: 'succeeded', text});
  });

  test('the hooks that a person approved by name', async () => {
    const place = createConfined('off');
    const command = `git init -q sub && ${hook} >sub/.git/hooks/pre-commit`;
    const outcome = await place.run('run_command', {command}, {allowedBy: 'person'});
    expect(outcome).toMatchObject({kind: 'succeeded', text: '(no output)'});
    expect(existsSync(join(place.workspace, 'sub/.git/HEAD'))).toBe(true);
  });

  test('no hooks of a command that a person approved without their names', async () => {
    const place = createConfined('off');
    place.put('make.sh', `git init -q sub && ${hook} >sub/.git/hooks/pre-commit`);
    const outcome = await place.run('run_command', {command: 'sh make.sh'}, {allowedBy: 'person'});
    expect(textOf(outcome)).toContain('sub/.git/HEAD.not-allowed');
  });
});

test.each([
  ['', true],
  ['[core]\n\tbare = false\n\tfilemode\n; a comment\n# another\n', true],
  [
    '[remote "origin"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    true,
  ],
  ['[Branch "main"]\r\n\tRemote = origin\r\n', true],
  ['[commit]\n\tgpgsign = false\n', true],
  ['[commit]\n\tgpgsign = true\n', false],
  ['[core]\n\tfsmonitor = x\n', false],
  ['[core]\n\tFSMonitor = x\n', false],
  ['[core] fsmonitor = x\n', false],
  ['[core]\n\tbare = \\\n\tfsmonitor = x\n', false],
  ['[core]\n\tworktree = /home/me\n', false],
  ['[include]\n\tpath = ../x\n', false],
  ['[remote "origin"]\n\turl = ext::sh -c x\n', false],
  ['[remote "origin"]\n\tuploadpack = x\n', false],
  ['[alias]\n\tst = !x\n', false],
  ['[constructor]\n\tname = x\n', false],
  ['bare = false\n', false],
])('the configuration %j is checked for programs that git runs', (text, harmless) => {
  expect(riskySettings(text).length === 0).toBe(harmless);
});
