/** Repositories, packages and unknown code in a sandbox. */

import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {protectedReason} from '../../../tools/containment/package-files.ts';
import {riskySettings} from '../../../tools/containment/repositories.ts';
import {type Place, textOf} from '../place.ts';
import {createConfined, createGraded, type Grade, grades} from './confined.ts';

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

const create = (grade: Grade | 'none'): Place =>
  grade === 'none' ? createConfined('off') : createGraded(grade);

describe.each([...grades, 'none'] as const)(
  'in %s, a repository that a command has made',
  (grade) => {
    test.each(begun)('runs nothing by %s', async (_how, command, user, before) => {
      const place = create(grade);
      sh(place.workspace, before);
      const outcome = await place.run('run_command', {command});
      expect(outcome).toMatchObject({kind: 'succeeded', confinement: grade});
      expect(textOf(outcome)).toContain('belongs to a repository that runs programs');
      sh(place.workspace, user);
      expect(isHooked(place)).toBe(false);
    });

    test('stays unchanged while its settings name nothing that runs', async () => {
      const place = create(grade);
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
      const place = create(grade);
      sh(place.workspace, `git init -q --bare b.git && ${evil} >b.git/config`);
      expect(textOf(await place.run('run_command', {command: 'echo done'}))).toBe('done\n');
      expect(existsSync(join(place.workspace, 'b.git/HEAD'))).toBe(true);
    });
  },
);

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

test('a script that a command adds to a package is shown with the next command that runs it', async () => {
  const place = createConfined('off');
  place.put('package.json', '{"scripts": {"test": "node --test"}}\n');
  const command = `sed -i 's/"test"/"prepare": "node e.js", "test"/' package.json`;
  await place.run('run_command', {command});
  const next = {command: 'npm install'};
  expect(await place.preview('run_command', next, ['package.json'])).toMatchObject({
    preview: expect.stringMatching(/\nit runs package\.json: prepare, [^]*\n {2}node e\.js/),
  });
});

function cargo(version: string): string {
  return `[build-dependencies]\ncc = "${version}"\n`;
}

describe('a person must allow a change of a package file', () => {
  test.each([
    ['package.json', '{}', '{"scripts": {"prepare": "x"}}'],
    ['package.json', '{}', '{"packageManager": "yarn@https://example.com/y.js"}'],
    ['package.json', '{}', '{"overrides": {"a": {"b": "git+https://example.com/b"}}}'],
    ['package.json', '{}', '{"publishConfig": {"registry": "https://example.com"}}'],
    ['package.json', '{}', '{"workspaces": ["../other"]}'],
    ['pyproject.toml', '', '[build-system]\nrequires = ["evil"]\n'],
    ['pyproject.toml', '', '[build-system]\nrequires = ["setuptools @ https://example.com/s"]\n'],
    ['pyproject.toml', '', '[build-system]\nrequires = []\nbuild-backend = "b"\n'],
    ['pyproject.toml', '', '[[tool.poetry.source]]\nname = "x"\nurl = "https://example.com"\n'],
    ['pyproject.toml', '', '[tool.hatch.build.hooks.custom]\npath = "x.py"\n'],
    ['Cargo.toml', '', '[package]\nname = "a"\nbuild = "evil.rs"\n'],
    ['Cargo.toml', '', '[build-dependencies]\ncc = "1"\n'],
    ['Cargo.toml', '', '[patch.crates-io]\na = {path = "../a"}\n'],
    ['build.gradle', '', "apply from: 'https://example.com/x.gradle'\n"],
    ['app/build.gradle.kts', '', 'plugins { id("com.example.evil") }\n'],
    ['settings.gradle', '', 'maven { url = uri("https://example.com") }\n'],
    ['build.gradle', '', "task x { doLast { exec { commandLine 'sh' } } }\n"],
    ['composer.json', '{}', '{"scripts": {"post-install-cmd": "x"}}'],
    ['composer.json', '{}', '{"repositories": [{"type": "vcs", "url": "https://example.com"}]}'],
    ['composer.json', '{}', '{"config": {"allow-plugins": true}}'],
  ])('%s: %j to %j', (path, before, after) => {
    expect(protectedReason(path, before, after)).toContain('only a person');
    expect(protectedReason(path, after, after)).toBeUndefined();
  });

  test.each([
    ['package.json', '{"scripts": {"pretest": "x", "build": "tsc"}, "dependencies": {"a": "^1"}}'],
    ['package.json', '{"packageManager": "pnpm@9.1.0+sha512.ab12", "overrides": {"a": "1.2.3"}}'],
    ['package.json', '{"workspaces": ["packages/*"]}'],
    [
      'pyproject.toml',
      '[build-system]\nrequires = ["setuptools>=61", "wheel"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "a"\ndependencies = ["x"]\n',
    ],
    ['Cargo.toml', '[package]\nname = "a"\nversion = "1.0.0"\n[dependencies]\nserde = "1"\n'],
    [
      'build.gradle',
      "plugins { id 'java' }\nrepositories { mavenCentral() }\ndependencies { implementation 'a:b:1' }\n",
    ],
    ['composer.json', '{"require": {"a/b": "^1"}, "scripts": {"test": "phpunit"}}'],
    ['src/package.json.md', '{"scripts": {"prepare": "x"}}'],
  ])('except one that adds nothing that runs by itself: %s %j', (path, after) => {
    expect(protectedReason(path, undefined, after)).toBeUndefined();
  });

  test('except one that only raises the version of an existing build dependency', () => {
    expect(protectedReason('Cargo.toml', cargo('1.0'), cargo('1.1'))).toBeUndefined();
  });
});

/** Not understood, so that no rule knows its effects. */
function unknown(script: string): {readonly command: string} {
  return {command: `python3 - <<'E'\nimport os, subprocess\nexec("""${script}""")\nE`};
}

function inRepository(place: Place): Place {
  place.put('src/a.js', '1\n');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: place.workspace,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
  return place;
}

const isThere = ({workspace}: Place, path: string): boolean => existsSync(join(workspace, path));
const read = ({workspace}: Place, path: string): string =>
  readFileSync(join(workspace, path), 'utf8');

describe.each(grades)('in %s', (grade) => {
  test('unknown code cannot change installed packages, only the caches of tools', async () => {
    const place = inRepository(createGraded(grade));
    place.put('node_modules/dep/index.js', 'old\n');
    place.put('packages/a/node_modules/dep/index.js', 'old\n');
    place.put('env/pyvenv.cfg', 'home = /usr\n');
    place.put('env/lib/dep.py', 'old\n');
    const files = [
      'node_modules/dep/index.js',
      'node_modules/.bin/tsc',
      'packages/a/node_modules/dep/index.js',
      'env/lib/dep.py',
      'node_modules/.cache/x',
      'node_modules/.vite-temp/x',
    ];
    const script = files.map(
      (file) =>
        `try:\n  os.makedirs(os.path.dirname('${file}'), exist_ok=True); open('${file}', 'w').write('new')\nexcept OSError: print('closed: ${file}')`,
    );
    const text = textOf(await place.run('run_command', unknown(script.join('\n'))));
    // Landlock, which can only allow, closes the caches as well.
    const closed = grade === 'landlock' ? files : files.slice(0, 4);
    expect(files.filter((file) => text.includes(`closed: ${file}\n`))).toEqual(closed);
    expect(isThere(place, 'node_modules/.cache/x')).toBe(grade === 'bubblewrap');
    expect(read(place, 'node_modules/dep/index.js')).toBe('old\n');
  });

  test('an understood command changes packages', async () => {
    const place = inRepository(createGraded(grade));
    place.put('node_modules/dep/index.js', 'old\n');
    await place.run('run_command', {command: 'rm -rf node_modules/dep'});
    expect(isThere(place, 'node_modules/dep')).toBe(false);
  });

  test('unknown code cannot change protected places in deep folders', async () => {
    const place = inRepository(createGraded(grade));
    place.put('packages/a/AGENTS.md', 'old\n');
    await place.run('run_command', unknown("open('packages/a/AGENTS.md', 'w').write('new')"));
    expect(read(place, 'packages/a/AGENTS.md')).toBe('old\n');
  });

  test('a program that is not known cannot change protected places in deep folders', async () => {
    const place = inRepository(create(grade));
    place.put('packages/a/AGENTS.md', 'old\n');
    await place.run('run_command', {command: 'echo new | dd of=packages/a/AGENTS.md'});
    expect(read(place, 'packages/a/AGENTS.md')).toBe('old\n');
  });
});

describe.each([...grades, 'none'] as const)('in %s', (grade) => {
  test('protected places that unknown code makes get another name, at any depth', async () => {
    const place = inRepository(create(grade));
    const script =
      "os.makedirs('src/.vscode'); open('src/.vscode/tasks.json', 'w').write('x'); open('src/CLAUDE.md', 'w').write('x'); open('src/b.js', 'w').write('x')";
    const text = textOf(await place.run('run_command', unknown(script)));
    expect(text).toContain('src/CLAUDE.md is protected: only a person may make it');
    expect(isThere(place, 'src/CLAUDE.md')).toBe(false);
    expect(isThere(place, 'src/CLAUDE.md.not-allowed')).toBe(true);
    expect(isThere(place, 'src/.vscode.not-allowed/tasks.json')).toBe(true);
    expect(isThere(place, 'src/b.js')).toBe(true);
  });

  test('protected places that a program makes get another name, unless it is a known writer', async () => {
    const place = inRepository(create(grade));
    const text = textOf(await place.run('run_command', {command: 'echo x | dd of=src/CLAUDE.md'}));
    expect(text).toContain('src/CLAUDE.md is protected: only a person may make it');
    expect(isThere(place, 'src/CLAUDE.md.not-allowed')).toBe(true);
    await place.run('run_command', {command: 'echo x > src/AGENTS.md'});
    expect(isThere(place, 'src/AGENTS.md')).toBe(true);
  });

  test('unknown code makes the own repository run nothing, by a hard link either', async () => {
    const place = inRepository(create(grade));
    const before = read(place, '.git/config');
    const script = `
try:
  os.link('.git/config', 'c'); open('c', 'a').write('[core]\\\\nfsmonitor = touch MARK; false\\\\n')
  open('.git/hooks/pre-commit', 'w').write('#!/bin/sh\\\\ntouch MARK\\\\n'); os.chmod('.git/hooks/pre-commit', 0o755)
except OSError as error: print(error)`;
    await place.run('run_command', unknown(script));
    expect(read(place, '.git/config')).toBe(before);
    execFileSync('git', ['status'], {cwd: place.workspace, env: {HOME: '/nonexistent'}});
    expect(isThere(place, 'MARK')).toBe(false);
    expect(isThere(place, '.git/hooks/pre-commit')).toBe(false);
  });

  test('what a person allowed stays as the command left it', async () => {
    const place = inRepository(create(grade));
    const script = "open('src/CLAUDE.md', 'w').write('x')";
    await place.run('run_command', unknown(script), {allowedBy: 'person'});
    expect(isThere(place, 'src/CLAUDE.md')).toBe(true);
  });
});
