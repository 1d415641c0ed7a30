/** Package files after a command: permitted changes, and changes that write_file could not have made. */

import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {protectedReason} from '../../../tools/containment/protected.ts';
import {type Place, textOf} from '../place.ts';
import {canConfine, createConfined} from './confined.ts';

const modes = canConfine ? (['required', 'off'] as const) : (['off'] as const);

const manifest = '{"name": "a", "version": "1.0.0", "scripts": {"test": "node --test"}}\n';

function createProject(mode: 'required' | 'off'): Place {
  const place = createConfined(mode);
  place.put('package.json', manifest);
  place.put('lib/package.json', '{"name": "lib", "version": "1.0.0"}\n');
  return place;
}

const node = JSON.stringify(process.execPath);

describe.each(modes)('with the sandbox %s', (mode) => {
  test.each([
    [`sed -i 's/"test"/"prepare":"node e.js","test"/' package.json`],
    [`sed 's/"test"/"prepare":"node e.js","test"/' package.json >p.json; mv p.json package.json`],
    ['npm pkg set scripts.prepare="node e.js"'],
    [
      `${node} -e 'fs.writeFileSync("package.json", JSON.stringify({scripts: {postinstall: "x"}}))'`,
    ],
    [`echo '{"scripts": {"install": "x"}}' >evil; ln -sf evil package.json`],
  ])('%s is reverted', async (command) => {
    const place = createProject(mode);
    const outcome = await place.run('run_command', {command});
    expect(textOf(outcome)).toContain(
      'only a person may allow that; the new version is now package.json.not-allowed, and the file is as before]',
    );
    expect(place.text('package.json')).toBe(manifest);
    expect(existsSync(join(place.workspace, 'package.json.not-allowed'))).toBe(true);
  });

  test.each([
    ['npm version patch --no-git-tag-version', '"1.0.1"'],
    ['npm pkg set description=x', '"description":"x"'],
    ['npm pkg set scripts.build=tsc', '"build":"tsc"'],
    ['npm install --offline --no-audit --no-fund ./lib', '"lib":"file:lib"'],
  ])('%s is kept', async (command, text) => {
    const place = createProject(mode);
    const outcome = await place.run('run_command', {command});
    expect(textOf(outcome)).not.toContain('not-allowed');
    expect(place.text('package.json').replaceAll(' ', '')).toContain(text);
  });

  test('a new package with a script that npm runs by itself is renamed', async () => {
    const place = createProject(mode);
    const command = `mkdir new && echo '{"scripts": {"prepare": "x"}}' >new/package.json`;
    expect(textOf(await place.run('run_command', {command}))).toContain(
      'new/package.json.not-allowed',
    );
    expect(existsSync(join(place.workspace, 'new/package.json'))).toBe(false);
  });

  test('a clone keeps the scripts of its package', async () => {
    const place = createProject(mode);
    const command =
      `git init -q from && cd from && echo '{"scripts": {"prepare": "x"}}' >package.json && ` +
      'git add . && git -c user.name=a -c user.email=a@b commit -qm x && cd .. && git clone -q from to';
    expect(textOf(await place.run('run_command', {command}))).not.toContain('not-allowed');
    expect(existsSync(join(place.workspace, 'to/package.json'))).toBe(true);
  });
});

test('a script that a person approved by its name stays, any other does not', async () => {
  const place = createProject('off');
  const command = 'npm pkg set scripts.prepare=x';
  await place.run('run_command', {command}, {allowedBy: 'person'});
  expect(place.text('package.json')).toContain('prepare');
  place.put('set.sh', 'npm pkg set scripts.postinstall=x\n');
  const other = await place.run('run_command', {command: 'sh set.sh'}, {allowedBy: 'person'});
  expect(textOf(other)).toContain('scripts.postinstall');
});

test('a script is not approved by a word of the command that equals its key by accident', async () => {
  const place = createProject('off');
  place.put('set.sh', 'npm pkg set scripts.install=x\n');
  const command = 'sh set.sh # npm install';
  const outcome = await place.run('run_command', {command}, {allowedBy: 'person'});
  expect(textOf(outcome)).toContain('package.json.not-allowed');
});

test('a script from before a command is not removed when another command restores it', async () => {
  const place = createProject('off');
  place.put('package.json', '{"scripts": {"prepare": "mine"}}\n');
  await place.run('run_command', {command: 'mv package.json kept'});
  const outcome = await place.run('run_command', {command: 'mv kept package.json'});
  expect(textOf(outcome)).not.toContain('not-allowed');
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
