/**
 * The built package: a few large modules instead of many small ones, which find the programs they start and the files they
 * read.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {execa} from 'execa';
import {afterAll, beforeAll, expect, test} from 'vitest';

import {chartsVersion} from '../../actors/version.ts';
import {builtPackage, launcherProgram} from '../support/built.ts';

let folder: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-package-')));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(await builtPackage(), join(folder, 'node_modules/quorate'));
}, 120_000);

afterAll(() => rmSync(folder, {recursive: true}));

async function built(...args: readonly string[]): Promise<{stdout: string; exitCode?: number}> {
  return await execa(process.execPath, [await launcherProgram(), ...args], {
    cwd: folder,
    env: {PATH: process.env['PATH'], HOME: folder, QUORATE_HOME: join(folder, 'data')},
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
}

test('the built launcher knows its version', async () => {
  const {stdout} = await built('--version');
  expect(stdout).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the built launcher stores its compiled code apart from its data, once data exists', async () => {
  const data = join(folder, 'data');
  const code = join(folder, '.cache/quorate/code');
  await built('--version');
  expect([data, code].filter((each) => existsSync(each))).toEqual([]);
  mkdirSync(data);
  await built('--version');
  expect(readdirSync(code)).not.toEqual([]);
  expect(readdirSync(data)).toEqual([]);
  rmSync(data, {recursive: true});
});

test('the built launcher finds the files of its demo', async () => {
  const {exitCode, stdout} = await built('demo', '--output', 'json');
  expect({exitCode, result: JSON.parse(stdout)}).toMatchObject({
    exitCode: 0,
    result: {status: 'completed'},
  });
}, 120_000);

test('the built launcher opens runs of the version of the sources', async () => {
  const {stdout} = await built('ask', 'How much is 6 * 7?', '--output', 'json');
  const result: unknown = JSON.parse(stdout);
  const id = Object(result)['interaction'];
  const exported = await built('export', String(id));
  const opened: unknown = JSON.parse(exported.stdout.split('\n')[0] ?? '');
  expect(opened).toMatchObject({type: 'opened', version: chartsVersion()});
});

test('the built launcher queries a database in a process of its own', async () => {
  const file = join(folder, 'shop.db');
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE goods (name TEXT); INSERT INTO goods VALUES ('a lamp')");
  database.close();
  const {exitCode, stdout} = await built('ask', '--db', file, 'SELECT name FROM goods');
  expect({exitCode, stdout}).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('a lamp'),
  });
});

test('a program that imports the built library loads no SDKs, no optional parts, no launcher, and no small files of packages', async () => {
  const program = join(folder, 'loaded.mjs');
  writeFileSync(
    program,
    `import {registerHooks} from 'node:module';
    const loaded = [];
    registerHooks({load: (url, context, next) => (loaded.push(url), next(url, context))});
    const {createRuntime} = await import('quorate');
    createRuntime({env: {}});
    console.log(JSON.stringify(loaded));`,
  );
  const {stdout} = await execa(process.execPath, [program], {cwd: folder});
  const loaded: unknown = JSON.parse(stdout);
  expect(loaded).toContainEqual(expect.stringContaining('/dist/actors/index.js'));
  expect(loaded).not.toContainEqual(
    expect.stringMatching(
      /anthropic|openai|\/sdk-|offline|policies|htmlparser2|\/node_modules\/|^node:crypto$/,
    ),
  );
  expect(loaded).toContainEqual(expect.stringMatching(/\/chunks\/runtime-library-/));
  expect(loaded).not.toContainEqual(
    expect.stringMatching(/\/chunks\/(?:start|past|runtime|run)-(?!library-)/),
  );
});

test.each([
  'tools/database/query-process',
  'tools/run/sandbox/forward-process',
  'tools/run/sandbox/landlock-process',
])('the process of %s loads nothing for runs', async (name) => {
  const hooks = join(folder, 'hooks.mjs');
  writeFileSync(
    hooks,
    `import {registerHooks} from 'node:module';
      registerHooks({load: (url, context, next) => (console.error(url), next(url, context))});`,
  );
  const program = join(folder, `dist/${name}.js`);
  const {stderr} = await execa(process.execPath, ['--import', hooks, program], {
    cwd: folder,
    input: '',
    reject: false,
  });
  expect(stderr).toContain(`/dist/${name}.js`);
  expect(stderr).not.toMatch(/\/chunks\/(?:start|past|runtime|run)-|\/node_modules\//);
});
