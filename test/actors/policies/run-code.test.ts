/** Code that the run wrote, or that git does not know: unconfined, no rule approves a command that may run it. */

import {execFileSync} from 'node:child_process';
import {chmodSync} from 'node:fs';
import {join} from 'node:path';

import {assert, asyncProperty, constantFrom, record, subarray} from 'fast-check';
import {describe, expect, test} from 'vitest';

import {analyseProposal} from '../../../actors/policies/analysis/analyse.ts';
import {type Judgement, judge} from '../../../actors/policies/index.ts';
import type {Evidence} from '../../../machines/domain/evidence.ts';
import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {pairs} from '../../support/rows.ts';
import {folderWith, putFiles} from '../../support/stage.ts';
import {did, proposalOf} from './proposal.ts';

const tracked: Readonly<Record<string, string>> = {
  '.gitignore': 'dist/\nnode_modules/\n.env\n',
  'package.json': JSON.stringify({
    main: 'src/index.mjs',
    scripts: {
      test: 'node --test',
      'test:unit': 'vitest run',
      lint: 'eslint src',
      report: 'node scripts/report.mjs',
    },
  }),
  'src/main.mjs': 'export const one = 1;\n',
  'test/main.test.mjs':
    "import {one} from '../src/main.mjs';\n\nif (one !== 1) throw new Error();\n",
  'scripts/report.mjs':
    "import {readFileSync} from 'node:fs';\nimport {format} from './format.mjs';\n\nformat(readFileSync('a.txt'));\n",
  'scripts/format.mjs': "export {format} from './deep/format.mjs';\n",
  'scripts/deep/format.mjs': 'export const format = String;\n',
  'scripts/any.mjs': 'await import(process.argv[2]);\n',
  'eslint.config.js': "import {rules} from './rules/index.js';\n\nexport default [{rules}];\n",
  'rules/index.js': 'export const rules = {};\n',
  'vite.config.js': 'export default {};\n',
  'webpack.config.js': 'module.exports = {};\n',
  Makefile: 'all:\n\tnode src/main.mjs\n\nodd:\n\t$(shell node src/main.mjs)\n',
  'tests/test_a.py': 'def test_a():\n    assert True\n',
  'tool.py': 'import sys\nimport helper\n\nhelper.run(sys.argv)\n',
  'helper.py': 'def run(words):\n    print(words)\n',
  'tox.ini': '[tox]\n',
  'Cargo.toml': '[package]\nname = "fixture"\n',
  'lib.rs': 'pub fn one() -> i32 { 1 }\n',
  'go.mod': 'module fixture\n',
  'main.go': 'package main\n\nfunc main() {}\n',
  'pom.xml': '<project/>\n',
  'build.gradle': '\n',
  Rakefile: 'task :default\n',
  Gemfile: '\n',
  'spec/a_spec.rb': '\n',
  'README.md': '# Fixture\n',
};

const ignored: Readonly<Record<string, string>> = {
  'dist/app.js': 'console.log(1);\n',
  '.env': 'KEY=not-a-real-key\n',
};

const installed = ['vitest', 'jest', 'mocha', 'eslint', 'prettier', 'vite', 'webpack', 'babel'];

interface CodeWorld {
  readonly workspace: string;
  /** Writes as a person does: without evidence of the run. */
  readonly put: (path: string, text: string) => void;
  /** Writes as a tool of the run does. */
  readonly write: (path: string, text: string) => readonly Evidence[];
  readonly git: (...args: readonly string[]) => void;
  readonly judge: (command: string, about?: About) => Promise<Judgement>;
}

interface About {
  readonly evidence?: readonly Evidence[];
  /** Paths that other interactions of the run have changed. */
  readonly changed?: readonly string[];
  readonly isConfined?: boolean;
  readonly isRestorable?: boolean;
}

/** Outside of /tmp, because any user may write there. `hasGit`: the files are committed. */
function openWorld({hasGit = true} = {}): CodeWorld {
  const workspace = folderWith({...tracked, ...ignored}, '/var/tmp');
  const put: CodeWorld['put'] = (path, text) => putFiles(workspace, {[path]: text});
  const git: CodeWorld['git'] = (...args) => {
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    execFileSync('git', [...author, ...args], {cwd: workspace, stdio: 'pipe'});
  };
  for (const name of installed) {
    put(`node_modules/.bin/${name}`, '#!/usr/bin/env node\n');
    chmodSync(join(workspace, `node_modules/.bin/${name}`), 0o755);
  }
  if (hasGit) {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'Begin');
  }
  return {
    workspace,
    put,
    git,
    write: (path, text) => {
      put(path, text);
      return did('write_file', {path, content: text});
    },
    judge: async (command, about = {}) => {
      const {evidence = [], changed = [], isConfined = false, isRestorable = true} = about;
      const calls = [{tool: 'run_command', args: {command}}];
      const confinement = isConfined ? 'confined' : 'unconfined';
      const proposal = proposalOf({workspace, calls, evidence, confinement});
      const analysis = await analyseProposal(proposal, {
        surroundingsOf: createSurroundings,
        isConfined: async () => isConfined,
        isRestorable: async () => isRestorable,
        changed: async () => changed,
      });
      return judge(proposal, analysis);
    },
  };
}

/** A command, and a file that it may load. */
const reached: readonly (readonly [command: string, path: string])[] = pairs(String.raw`
  npm test ⇒ test/b.test.mjs ¦ npm test ⇒ src/main.mjs ¦ npm test ⇒ package.json
  npm run test:unit ⇒ src/b.ts ¦ npm run report ⇒ scripts/report.mjs
  npm run report ⇒ scripts/deep/format.mjs ¦ pnpm test ⇒ test/b.test.mjs ¦ yarn test ⇒ test/b.test.mjs
  bun test ⇒ test/b.test.mjs ¦ node --test ⇒ test/b.test.mjs ¦ node --test test/main.test.mjs ⇒ src/main.mjs
  node app.js ⇒ app.js ¦ node --import ./hook.mjs src/main.mjs ⇒ hook.mjs
  node scripts/report.mjs ⇒ scripts/format.mjs ¦ node scripts/any.mjs src/b.mjs ⇒ src/b.mjs
  npx vitest run ⇒ vitest.config.ts ¦ npx jest ⇒ test/__snapshots__/a.snap ¦ npx mocha ⇒ .mocharc.json
  npx eslint src ⇒ eslint.config.js ¦ npx eslint src ⇒ rules/index.js ¦ npm run lint ⇒ rules/index.js
  npx prettier --check . ⇒ prettier.config.mjs ¦ npx vite build ⇒ vite.config.js
  npx webpack ⇒ webpack.config.js ¦ npx babel src ⇒ babel.config.js ¦ pytest ⇒ conftest.py
  python3 -m pytest ⇒ conftest.py ¦ python3 -m unittest ⇒ tests/test_b.py ¦ python3 tool.py ⇒ helper.py
  pip install -e . ⇒ setup.py ¦ tox ⇒ tests/test_b.py ¦ make odd ⇒ src/main.mjs ¦ make ⇒ src/main.mjs
  make ⇒ Makefile ¦ sh a.sh ⇒ src/main.mjs ¦ ./bin/tool ⇒ bin/tool ¦ cargo test ⇒ build.rs
  cargo build ⇒ build.rs ¦ cargo run ⇒ lib.rs ¦ go test ./... ⇒ main_test.go ¦ go run . ⇒ main.go
  go generate ⇒ main.go ¦ gradle test ⇒ build.gradle ¦ mvn -q test ⇒ pom.xml ¦ rake ⇒ Rakefile
  bundle exec rspec ⇒ spec/b_spec.rb
`);

/** Contents of the files whose text decides the effects of a command. */
const texts: Readonly<Record<string, string>> = {
  'package.json': '{"scripts": {"test": "node --test"}}',
  Makefile: 'all:\n\tnode app.js\n',
  'bin/tool': '#!/usr/bin/env python3\n',
};

function before(world: CodeWorld): void {
  world.put('a.sh', 'node src/main.mjs\n');
  world.git('add', '.');
  world.git('commit', '-qm', 'More');
}

describe('code of the run', () => {
  test.each(reached)('%s cannot be judged once the run has written %s', async (command, path) => {
    const world = openWorld();
    before(world);
    const evidence = world.write(path, texts[path] ?? 'x\n');
    if (path === 'Makefile') world.put('app.js', '');
    const judgement = await world.judge(command, {evidence});
    expect(judgement).toMatchObject({verdict: 'cannot_judge', rules: []});
  });

  test.each([
    ['npm test', 'test/b.test.mjs'],
    ['python3 -m pytest', 'conftest.py'],
    ['cargo test', 'build.rs'],
    ['npm test', 'scripts/tool'],
  ])('%s cannot be judged when git does not know %s', async (command, path) => {
    const world = openWorld();
    world.put(path, '#!/bin/sh\n');
    const {verdict, reasons} = await world.judge(command);
    expect({verdict, reasons}).toEqual({
      verdict: 'cannot_judge',
      reasons: [expect.stringMatching(`: it runs ${path}, which git does not know$`)],
    });
  });

  test('a failed command may also have written the code', async () => {
    const world = openWorld();
    world.put('src/main.mjs', 'x\n');
    const wrote = {tool: 'run_command', did: 'wrote', target: 'src/main.mjs', ok: false} as const;
    const {verdict} = await world.judge('npm test', {evidence: [wrote]});
    expect(verdict).toBe('cannot_judge');
  });

  test('another interaction of the run may have written the code', async () => {
    const world = openWorld();
    world.put('src/main.mjs', 'x\n');
    expect((await world.judge('npm test', {changed: ['src/main.mjs']})).verdict).toBe(
      'cannot_judge',
    );
  });

  test('code that the run has committed still counts as its own', async () => {
    const world = openWorld();
    const evidence = world.write('src/main.mjs', 'x\n');
    world.git('commit', '-qam', 'Change');
    expect((await world.judge('npm test', {evidence})).verdict).toBe('cannot_judge');
  });

  test('an ignored file is unknown once a command of the run has written it', async () => {
    const world = openWorld();
    const evidence = did('run_command', {command: 'cp src/main.mjs dist/app.js'});
    for (const command of ['npm test', 'node dist/app.js'])
      expect((await world.judge(command, {evidence})).verdict).toBe('cannot_judge');
  });

  test('an ignored file written by a script is as well known as the script', async () => {
    const world = openWorld();
    world.put('build.sh', 'cp src/main.mjs dist/app.js\n');
    world.git('add', '.');
    world.git('commit', '-qm', 'Build');
    const judged = async (evidence: readonly Evidence[]) =>
      (await world.judge('npm test', {evidence})).verdict;
    const built = did('run_command', {command: 'sh build.sh'});
    expect(await judged(built)).toBe('approve');
    expect((await world.judge('sh build.sh && npm test')).verdict).toBe('approve');
    const own = world.write('build.sh', 'cp src/main.mjs dist/app.js\n');
    world.git('add', '.');
    expect(await judged([...own, ...built])).toBe('cannot_judge');
  });

  test('no code is known after a command with unknown changes', async () => {
    const world = openWorld();
    const evidence = did('run_command', {command: 'frobnicate'});
    const judged = async (isRestorable: boolean) =>
      (await world.judge('npm test', {evidence, isRestorable})).verdict;
    expect(await judged(false)).toBe('cannot_judge');
    expect(await judged(true)).toBe('approve');
  });

  test.each(['npm test', 'node --test', 'python3 -m pytest'])(
    'a command that writes a test and runs it by %s cannot be judged',
    async (runner) => {
      const world = openWorld();
      const command = `echo x > test/b.test.mjs && echo x > conftest.py && ${runner}`;
      expect((await world.judge(command)).verdict).toBe('cannot_judge');
    },
  );

  test.each(['npm test', 'node dist/app.js', 'npx vitest run'])(
    'a command that writes an ignored file and runs it by %s cannot be judged',
    async (runner) => {
      const world = openWorld();
      const {verdict} = await world.judge(`cp src/main.mjs dist/app.js && ${runner}`);
      expect(verdict).toBe('cannot_judge');
    },
  );

  test('without git, only files that the run has written are unknown', async () => {
    const world = openWorld({hasGit: false});
    expect((await world.judge('npm test')).verdict).toBe('approve');
    const evidence = world.write('test/b.test.mjs', 'x\n');
    expect((await world.judge('npm test', {evidence})).verdict).toBe('cannot_judge');
  });

  test('a command is approved in a sandbox that can be undone', async () => {
    const world = openWorld();
    const evidence = world.write('test/b.test.mjs', 'x\n');
    const {verdict} = await world.judge('npm test', {evidence, isConfined: true});
    expect(verdict).toBe('approve');
  });

  test('a reason names three files and counts the others', async () => {
    const world = openWorld();
    const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => `test/${name}.test.mjs`);
    const evidence = paths.flatMap((path) => world.write(path, 'x\n'));
    const {reasons} = await world.judge('npm test', {evidence});
    expect(reasons).toEqual([
      expect.stringMatching(
        /test\/a\.test\.mjs, which this run has changed; .*; and 2 more such files$/,
      ),
    ]);
  });
});

describe('known code', () => {
  const runners = [...new Set(reached.map(([command]) => command))].filter(
    (command) => !/any\.mjs|hook|app\.js|bin\/tool|make odd|install|generate/.test(command),
  );

  test.each(runners)('%s is approved in a freshly cloned repository', async (command) => {
    const world = openWorld();
    before(world);
    expect(await world.judge(command)).toMatchObject({verdict: 'approve'});
  });

  test.each(['npm test', 'node --test', 'pytest', 'cargo test'])(
    '%s is approved with changes that a person made before the run',
    async (command) => {
      const world = openWorld();
      for (const path of ['src/main.mjs', 'tests/test_a.py', 'lib.rs']) world.put(path, 'x\n');
      expect((await world.judge(command)).verdict).toBe('approve');
    },
  );

  test.each(
    pairs(String.raw`
    npm test ⇒ notes.md ¦ npm test ⇒ data/items.json ¦ npm test ⇒ lib.rs ¦ pytest ⇒ src/main.mjs
    npx eslint src ⇒ src/main.mjs ¦ npx eslint src ⇒ src/index.mjs ¦ npx prettier --check . ⇒ src/main.mjs
    npx vite build ⇒ src/main.mjs ¦ npx tsc --noEmit ⇒ src/main.mjs ¦ go build ./... ⇒ main.go
    node scripts/report.mjs ⇒ src/main.mjs ¦ python3 tool.py ⇒ tests/test_a.py
  `),
  )('%s does not run %s, so that the run may have written it', async (command, path) => {
    const world = openWorld();
    world.put('node_modules/.bin/tsc', '#!/usr/bin/env node\n');
    const evidence = world.write(path, 'x\n');
    expect((await world.judge(command, {evidence})).verdict).toBe('approve');
  });
});

test('no command that may load a file written by the run is approved', async () => {
  const world = openWorld();
  before(world);
  const runs = record({
    wanted: constantFrom(...reached.filter(([, path]) => !(path in texts))),
    others: subarray(['README.md', 'src/c.ts', 'helper2.py', 'lib/x.rb', 'data.json', 'a.txt']),
    prefix: constantFrom('', 'git status && ', 'CI=1 ', 'cd . && ', 'timeout 60 '),
  });
  await assert(
    asyncProperty(runs, async ({wanted: [command, path], others, prefix}) => {
      const evidence: Evidence[] = [path, ...others].flatMap((each) => world.write(each, 'x\n'));
      try {
        const {verdict} = await world.judge(prefix + command, {evidence});
        expect(verdict).not.toBe('approve');
      } finally {
        world.git('checkout', '-q', '--', '.');
        world.git('clean', '-fdq');
      }
    }),
    {numRuns: 60},
  );
});
