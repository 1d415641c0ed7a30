/** Repositories that a confined command makes below the workspace: git runs nothing for them that the command has named. */

import {execFileSync} from 'node:child_process';
import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test, vi} from 'vitest';

import {isHarmless} from '../../../tools/run/sandbox/harmless-config.ts';
import {type Place, textOf} from '../place.ts';
import {canConfine, createConfined} from './confined.ts';

/** As the user does, outside of any sandbox; what git says of a folder that is no repository does not matter. */
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
const evilTree = String.raw`printf '[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch HOOKED; false"\n'`;
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
    ['a folder that looks like one', `git init -q --bare sub && ${evilTree} >sub/config`, status],
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
      'one that lay there under another name',
      'mv sub/dot-git sub/.git',
      status,
      `git init -q sub && ${evil} >sub/.git/config && mv sub/.git sub/dot-git`,
    ],
  ];

const begun = escapes.map(
  ([how, command, user, before = 'true']) => [how, command, user, before] as const,
);

describe.skipIf(!canConfine)('a repository that a command has made', () => {
  test.each(begun)('runs nothing by %s', async (_how, command, user, before) => {
    const place = createConfined();
    sh(place.workspace, before);
    const outcome = await place.run('run_command', {command});
    expect(outcome).toMatchObject({kind: 'succeeded', confined: true});
    expect(textOf(outcome)).toContain('belongs to a repository that runs programs');
    sh(place.workspace, user);
    expect(isHooked(place)).toBe(false);
  });

  test('stays as it is while its settings name nothing that runs', async () => {
    const place = createConfined();
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

  test('before it ran, and that it has not touched, stays whatever it runs', async () => {
    const place = createConfined();
    sh(place.workspace, `git init -q --bare b.git && ${evil} >b.git/config`);
    const madeAt = statSync(join(place.workspace, 'b.git/config')).ctimeMs;
    await vi.waitFor(() => expect(Date.now() - madeAt).toBeGreaterThan(60));
    expect(textOf(await place.run('run_command', {command: 'echo done'}))).toBe('done\n');
    expect(existsSync(join(place.workspace, 'b.git/HEAD'))).toBe(true);
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
])('of the configuration %j it is said whether it names something that runs', (text, harmless) => {
  expect(isHarmless(text)).toBe(harmless);
});
