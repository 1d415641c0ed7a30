/** Code that the run may have written, or that git does not know: unconfined, no rule approves a check that may load it. */

import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';

import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';

import {analyseProposal} from '../../../actors/policies/analysis/analyse.ts';
import {type Judgement, judge} from '../../../actors/policies/index.ts';
import type {Evidence} from '../../../machines/domain/evidence.ts';
import {cells, pairs} from '../../support/rows.ts';
import {folderWith, putFiles} from '../../support/stage.ts';
import {did, proposalOf} from './proposal.ts';

const tracked: Readonly<Record<string, string>> = {
  '.gitignore': 'dist/\n',
  'package.json': '{"scripts": {"test": "node --test", "build": "node scripts/build.mjs"}}',
  'scripts/build.mjs': 'build();\n',
  'src/main.mjs': 'export const one = 1;\n',
  'tests/test_a.py': 'def test_a():\n    assert True\n',
  'lib.rs': 'pub fn one() -> i32 { 1 }\n',
  'main.go': 'package main\n',
  Makefile: 'test:\n\tnode --test\n',
  'README.md': '# Fixture\n',
};

const ignored = {'dist/app.js': 'console.log(1);\n'};

/** The exact words that are approved unconfined. */
const checks = cells(`
  npm test ¦ npm run build ¦ node --test ¦ pytest ¦ cargo test ¦ go test ./... ¦ make test
`);

let workspace: string;

function git(...args: readonly string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  execFileSync('git', [...author, ...args], {cwd: workspace, stdio: 'pipe'});
}

/** Outside of /tmp, because any user may write there. */
beforeAll(() => {
  workspace = mkdtempSync('/var/tmp/quorate-code-');
  putFiles(workspace, {...tracked, ...ignored});
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  git('tag', 'begin');
});

afterAll(() => rmSync(workspace, {recursive: true}));

afterEach(() => {
  git('reset', '-q', '--hard', 'begin');
  git('clean', '-fdq');
});

/** Writes as a person does: without evidence of the run. */
function put(path: string, text = 'x\n', folder = workspace): void {
  putFiles(folder, {[path]: text});
}

/** Writes as a tool of the run does. */
function write(path: string, folder = workspace): readonly Evidence[] {
  put(path, 'x\n', folder);
  return did('write_file', {path, content: 'x\n'});
}

interface About {
  readonly evidence?: readonly Evidence[];
  /** Paths that other interactions of the run have changed. */
  readonly changed?: readonly string[];
  readonly isContained?: boolean;
  readonly folder?: string;
}

async function judgementOn(command: string, about: About = {}): Promise<Judgement> {
  const {evidence = [], changed = [], isContained = false, folder = workspace} = about;
  const calls = [{tool: 'run_command', args: {command}}];
  const proposal = proposalOf({workspace: folder, calls, evidence});
  const analysis = await analyseProposal(proposal, {
    isConfined: async () => isContained,
    isRestorable: async () => isContained,
    changed: async () => changed,
  });
  return judge(proposal, analysis);
}

async function verdictOn(command: string, about?: About): Promise<string> {
  return (await judgementOn(command, about)).verdict;
}

describe('known code', () => {
  test.each(checks)('%s is approved in a freshly cloned repository', async (command) => {
    expect(await verdictOn(command)).toBe('approve');
  });

  test.each(checks)(
    '%s is approved with changes of a person from before the run',
    async (check) => {
      for (const path of ['src/main.mjs', 'tests/test_a.py', 'lib.rs']) put(path);
      expect(await verdictOn(check)).toBe('approve');
    },
  );

  test.each(['notes.md', 'data/items.json', 'a.txt'])(
    'the run may have written %s, because it is not code',
    async (path) => {
      expect(await verdictOn('npm test', {evidence: write(path)})).toBe('approve');
    },
  );

  test('without git, only files that the run has written are unknown', async () => {
    const folder = folderWith(tracked, '/var/tmp');
    expect(await verdictOn('npm test', {folder})).toBe('approve');
    const evidence = write('test/b.test.mjs', folder);
    expect(await verdictOn('npm test', {evidence, folder})).toBe('cannot_judge');
  });
});

describe('unknown code', () => {
  test.each(
    pairs(`
    npm test ⇒ test/b.test.mjs ¦ npm test ⇒ src/main.mjs ¦ npm test ⇒ package.json ¦ npm test ⇒ .mocharc.json
    npm run build ⇒ scripts/build.mjs ¦ node --test ⇒ test/b.test.mjs ¦ pytest ⇒ conftest.py
    pytest ⇒ tests/test_a.py ¦ cargo test ⇒ build.rs ¦ go test ./... ⇒ main_test.go ¦ make test ⇒ Makefile
    make test ⇒ lib.rs ¦ npm test ⇒ vitest.config.ts
  `),
  )('%s cannot be judged once the run has written %s', async (command, path) => {
    const judgement = await judgementOn(command, {evidence: write(path)});
    expect(judgement).toMatchObject({verdict: 'cannot_judge', rules: []});
  });

  test.each(
    pairs(`
    npm test ⇒ test/b.test.mjs ¦ pytest ⇒ conftest.py ¦ cargo test ⇒ build.rs ¦ make test ⇒ a.mk
  `),
  )('%s cannot be judged when git does not know %s', async (command, path) => {
    put(path);
    const {verdict, reasons} = await judgementOn(command);
    expect(verdict).toBe('cannot_judge');
    expect(reasons.join('\n')).toContain(`: it may run ${path}, which git does not know`);
  });

  test('may have been written by a failed command, by another interaction, or by a commit of the run', async () => {
    put('src/main.mjs');
    const wrote = {tool: 'run_command', did: 'wrote', target: 'src/main.mjs', ok: false} as const;
    expect(await verdictOn('npm test', {evidence: [wrote]})).toBe('cannot_judge');
    expect(await verdictOn('npm test', {changed: ['src/main.mjs']})).toBe('cannot_judge');
    const evidence = write('src/main.mjs');
    git('commit', '-qam', 'Change');
    expect(await verdictOn('npm test', {evidence})).toBe('cannot_judge');
  });

  test('may be an ignored file that the run has written', async () => {
    const evidence = write('dist/app.js');
    expect(await verdictOn('npm test', {evidence})).toBe('cannot_judge');
    put('dist/app.js', ignored['dist/app.js']);
  });

  test('does not keep a contained command from being approved', async () => {
    const evidence = write('test/b.test.mjs');
    expect(await verdictOn('npm test', {evidence, isContained: true})).toBe('approve');
  });

  test('is named in the reason: three files, and a count of the others', async () => {
    const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => `test/${name}.test.mjs`);
    const evidence = paths.flatMap((path) => write(path));
    const {reasons} = await judgementOn('npm test', {evidence});
    expect(reasons.join('\n')).toMatch(
      /it may run test\/a\.test\.mjs, .*, and 2 more, which git does not know or this run has changed/,
    );
  });
});
