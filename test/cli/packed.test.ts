/**
 * The package as npm packs it, in an empty folder: the programs of README and of the rooms' READMEs are type-checked
 * strictly, and run.
 */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {isBuiltin} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {DatabaseSync} from 'node:sqlite';
import type {Readable} from 'node:stream';

import {execa} from 'execa';
import {afterAll, beforeAll, expect, test} from 'vitest';

import manifest from '../../package.json' with {type: 'json'};
import {builtPackage} from '../support/built.ts';
import {isDeep} from '../support/depth.ts';
import {allCodeBlocks, documents} from '../support/documents.ts';
import {chromiumForTests, openInspectorPage} from '../support/inspecting.ts';

const compiler = resolve('node_modules/typescript/bin/tsc');

let folder: string;
let app: string;
let programs: readonly string[];

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-packed-')));
  app = join(folder, 'app');
  await pack(join(folder, 'source'));
  await install();
  programs = allCodeBlocks('ts').filter((block) => / from 'quorate(?:\/\w+)?';/.test(block));
  for (const [index, program] of programs.entries()) {
    writeFileSync(join(app, `program-${index}.ts`), program);
  }
}, 120_000);

afterAll(() => rmSync(folder, {recursive: true}));

/** Runs `npm pack`. Types, which take longest to build, are built in a deep search only; `npm run types` checks them. */
async function pack(source: string): Promise<void> {
  const built = await builtPackage();
  const parts = {recursive: true, filter: (path: string) => !path.endsWith('node_modules')};
  cpSync(built, source, parts);
  for (const part of [...documents, 'diagrams'])
    cpSync(part, join(source, part), {recursive: true});
  if (isDeep) {
    const types = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', join(source, 'dist')];
    await execa(process.execPath, [compiler, ...types]);
  }
  await execa('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {cwd: source});
}

/** Unpacks the tarball next to its dependencies. */
async function install(): Promise<void> {
  const modules = join(app, 'node_modules');
  mkdirSync(join(modules, manifest.name), {recursive: true});
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  await execa('tar', ['-xzf', join(folder, tarball), '--strip-components=1'], {
    cwd: join(modules, manifest.name),
  });
  for (const name of [...Object.keys(manifest.dependencies), '@types/node', 'undici-types']) {
    mkdirSync(dirname(join(modules, name)), {recursive: true});
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  writeFileSync(join(app, 'package.json'), '{"type": "module"}');
  const database = new DatabaseSync(join(app, 'sales.sqlite'));
  database.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, order_date TEXT);
    INSERT INTO customers VALUES (1, 'Ann'); INSERT INTO orders VALUES (1, 1, '2025-01-02');`);
  database.close();
}

async function run(program: string): Promise<{exitCode?: number; stdout: string; stderr: string}> {
  return await execa(process.execPath, [program], {
    cwd: app,
    env: {PATH: process.env['PATH'], HOME: folder},
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
}

/** The only program with these words. */
function programWith(words: string): string {
  const [program = '', ...others] = programs.filter((each) => each.includes(words));
  expect([program === '', others]).toEqual([false, []]);
  return program;
}

test.runIf(isDeep)(
  'the programs compile under the strictest settings',
  async () => {
    const strict = '--strict --noUncheckedIndexedAccess --noEmit --target esnext --module nodenext';
    const files = programs.map((_, index) => `program-${index}.ts`);
    const {stdout, exitCode} = await execa(
      process.execPath,
      [compiler, ...strict.split(' '), '--types', 'node', ...files],
      {cwd: app, reject: false},
    );
    expect([exitCode, stdout]).toEqual([0, '']);
  },
  120_000,
);

test('the loop on the page of the library meets a gate, answers it, and ends', async () => {
  const loop = programWith('nobody was asked').replace(
    "'Fix the failing test'",
    "'Run `git push --force`'",
  );
  mkdirSync(join(app, 'docs'));
  writeFileSync(join(app, 'docs', 'a.md'), 'what nobody else has');
  writeFileSync(join(app, 'loop.ts'), loop);
  const {exitCode, stdout, stderr} = await run('loop.ts');
  expect({exitCode, stdout}).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^rejected /),
  });
  expect(stderr).toMatch(/human\.requested\n[\s\S]*human\.decided/);
  expect(existsSync(join(app, 'docs'))).toBe(true);
}, 60_000);

test('the other programs run, and print the output in their comments', async () => {
  const others = programs.filter((program) => !program.includes('nobody was asked'));
  const results = await Promise.all(
    others.map(async (program) => {
      const {exitCode, stdout, stderr} = await run(`program-${programs.indexOf(program)}.ts`);
      const comments = program.matchAll(/^ *console\.log\(.*\); \/\/ (.+)$/gm);
      const missing = [...comments].filter(([, text = '']) => !stdout.includes(text));
      return {program, exitCode, stderr, missing};
    }),
  );
  expect(results).toEqual(
    others.map((program) => ({program, exitCode: 0, stderr: '', missing: []})),
  );
}, 60_000);

test('the question to a database is answered', async () => {
  const {stdout} = await run(`program-${programs.indexOf(programWith('sales.sqlite'))}.ts`);
  expect(stdout).toMatch(/^orders\n1\n[\s\S]* completed\n/);
}, 60_000);

test('an XState of the program drives the charts, which contain a copy of it', async () => {
  const program = programWith('modelCallMachine');
  const {stdout, stderr} = await run(`program-${programs.indexOf(program)}.ts`);
  expect([stdout, stderr]).toEqual(['refused', '']);
});

test('the package depends on the modules that it loads, and on no bundled ones except the two that its types name', () => {
  const dist = join(app, 'node_modules/quorate/dist');
  const code = readdirSync(dist, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(dist, file), 'utf8'))
    .join('\n');
  const imported = [...code.matchAll(/(?:from |import\(|load(?:\$\d+)?\()"([^."\s][^"/\s]*)["/]/g)]
    .map(([, name = '']) => name)
    .filter((name) => !isBuiltin(name));
  expect([...new Set([...imported, 'xstate', 'zod'])].toSorted()).toEqual(
    Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    }).toSorted(),
  );
  const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  expect(licences).toMatch(/^==== execa [\d.]+: MIT ====\n\nMIT License\n\nCopyright/m);
  expect(licences.match(/^==== /gm)?.length).toBeGreaterThan(30);
});

/** Counts to its end by itself, and takes events. */
const counter = `import {inspect} from 'quorate/inspect';
import {assign, createActor, setup} from 'xstate';

const counter = setup({types: {} as {context: {count: number}}}).createMachine({
  id: 'counter',
  context: {count: 0},
  initial: 'counting',
  states: {
    counting: {
      on: {ADD: {actions: assign({count: ({context}) => context.count + 1})}, STOP: 'stopped'},
    },
    stopped: {type: 'final'},
  },
});
createActor(counter, {id: 'mine', inspect: inspect()}).start();
setInterval(() => {}, 1_000);
`;

const chromium = await chromiumForTests();
afterAll(async () => await chromium.close());

test.runIf(chromium.isThere)(
  'the actor of a program outside of the project appears with its chart',
  async () => {
    writeFileSync(join(app, 'counter.ts'), counter);
    const program = execa(process.execPath, ['counter.ts'], {cwd: app, stdin: 'ignore'});
    const [address = ''] = (await firstLine(program.stderr)).match(/http\S+/) ?? [];
    await using shown = await openInspectorPage(chromium.browser(), address);
    await shown.page.getByRole('img', {name: 'Statechart of counter. Active: counting.'}).waitFor();
    expect(shown.complaints).toEqual([]);
    program.kill('SIGTERM');
    await program.catch(() => undefined);
  },
  60_000,
);

async function firstLine(stream: Readable): Promise<string> {
  for await (const line of createInterface({input: stream})) return line;
  return '';
}

test('the package has the files of the chat page, and none of its sources', () => {
  const folderOfPage = join(app, 'node_modules/quorate/cli/serve/page/browser');
  expect(readdirSync(folderOfPage).toSorted()).toEqual(['icon.svg', 'index.html', 'style.css']);
});
