/** Two machines of a user, in a folder with only the built package, XState and Vitest. */

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {builtPackage, launcherProgram} from '../../support/built.ts';
import {codeBlocks, readDocument} from '../../support/documents.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-outside-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(await builtPackage(), join(folder, 'node_modules/quorate'));
  for (const name of ['xstate', 'vitest', 'zod']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  cpSync('test/fixtures/charts', folder, {recursive: true});
}, 120_000);

afterAll(() => rmSync(folder, {recursive: true}));

async function quorate(...args: readonly string[]) {
  return await execa(process.execPath, [await launcherProgram(), ...args], {
    cwd: folder,
    env: {PATH: process.env['PATH'], HOME: folder, QUORATE_HOME: join(folder, 'data')},
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
}

async function vitest(...args: readonly string[]) {
  return await execa(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: folder,
    env: {PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1'},
    extendEnv: false,
    reject: false,
  });
}

/** Changes a file; returns a function that reverts the change. */
function change(name: string, from: string, to: string): () => void {
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${name} lacks ${from}`);
  writeFileSync(file, text.replace(from, to));
  return () => writeFileSync(file, text);
}

const checkout = {
  file: 'checkout.ts',
  args: ['--samples', 'samples.js'],
  tests: 'checkout.paths.test.ts',
  breaks: [
    ["'help.closed': 'closed', 'chat.message': 'unread'", "'chat.message': 'unread'"],
    ["{target: 'payment', guard: 'hasItems'}", "'payment'"],
    ["'order.placed': 'payment.again'", "'order.placed': 'payment'"],
    ["{paymentTimeout: 'failed'}", "{paymentTimeout: 'waiting'}"],
    ["entry: 'countAttempt',", ''],
    ["type: 'final', entry: 'trackPurchase'", "type: 'final'"],
  ],
} as const;

const fetching = {
  file: 'fetch-with-retries.ts',
  args: [],
  tests: 'fetch.paths.test.ts',
  breaks: [
    ['context.tries < 3', 'context.tries < 4'],
    ["10000: {target: 'failure'}", "10000: {target: 'idle'}"],
    ["success: {type: 'final'}", 'success: {}'],
  ],
} as const;

describe.each([checkout, fetching])('$file', ({file, args, tests, breaks}) => {
  test('has tours that take every transition, as a test file that passes', async () => {
    const made = await quorate('paths', file, ...args, '--vitest', tests, '--output', 'json');
    const result: unknown = JSON.parse(made.stdout);
    expect(made.exitCode).toBe(0);
    expect(made.stdout).toMatch(/"error": \{\s*"name": "Error"/);
    expect(result).toMatchObject({transitions: {missing: []}, states: {missing: []}, failures: []});
    const run = await vitest(tests);
    expect(run).toMatchObject({exitCode: 0});
  });

  test.each([...breaks])('fails its test when %s becomes %s', async (from, to) => {
    const restore = change(file, from, to);
    const run = await vitest(tests);
    restore();
    expect(run.exitCode).toBe(1);
    expect(run.stdout + run.stderr).toMatch(/AssertionError|is not possible now/);
  });
});

test('an existing test file of the user is not replaced', async () => {
  writeFileSync(join(folder, 'mine.test.ts'), '// mine\n');
  const refused = await quorate('paths', 'fetch-with-retries.ts', '--vitest', 'mine.test.ts');
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('mine.test.ts exists and was not made by quorate paths');
  expect(readFileSync(join(folder, 'mine.test.ts'), 'utf8')).toBe('// mine\n');
});

test('a test file that was edited is not replaced', async () => {
  const name = 'edited.paths.test.ts';
  const write = async () => await quorate('paths', 'fetch-with-retries.ts', '--vitest', name);
  expect([(await write()).exitCode, (await write()).exitCode]).toEqual([0, 0]);
  writeFileSync(join(folder, name), `${readFileSync(join(folder, name), 'utf8')}// mine\n`);
  const refused = await write();
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
    'was edited after quorate paths made it',
  );
  expect(readFileSync(join(folder, name), 'utf8')).toContain('// mine');
});

test('a skeleton of samples has every event and actor, with the types of the machine', async () => {
  const name = 'checkout.samples.ts';
  const made = await quorate('paths', 'checkout.ts', '--init-samples', name);
  expect(made).toMatchObject({exitCode: 0, stdout: name});
  const text = readFileSync(join(folder, name), 'utf8');
  expect(text).toContain("'card.entered': [{}],");
  expect(text).toContain('chargeCard: [undefined],');
  const explored = await quorate('paths', 'checkout.ts', '--samples', name, '--output', 'json');
  expect(explored.exitCode).toBe(1);
  expect(JSON.parse(explored.stdout)).toMatchObject({machine: 'checkout'});
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'esnext',
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    paths: {'quorate/testing': [resolve('machines/testing/index.ts')]},
  };
  const config = join(folder, 'tsconfig.types.json');
  writeFileSync(config, JSON.stringify({compilerOptions, files: [name]}));
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const {stdout} = await execa(process.execPath, [tsc, '-p', config], {reject: false});
  expect(stdout).toContain("Property 'number' is missing in type '{}'");
});

test('the shortest run to a state is shown', async () => {
  const {stdout, exitCode} = await quorate('paths', 'fetch-with-retries.ts', '--to', 'failure');
  expect({stdout, exitCode}).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('after 10000'),
  });
  const unknown = await quorate('paths', 'fetch-with-retries.ts', '--to', 'failur');
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain(
    'no run to the state "failur" was found; did you mean "failure"?',
  );
});

test('a machine that needs an input is reported', async () => {
  const {stdout, exitCode} = await quorate('paths', 'checkout.ts');
  expect(exitCode).toBe(1);
  expect(stdout).toContain('the machine fails at its start: TypeError');
  expect(stdout).toContain('If it needs an input, give a sample: see quorate help paths.');
});

test('a journal of a user runs the suite that all journals pass', async () => {
  writeFileSync(
    join(folder, 'journal.test.js'),
    `import {createMemoryJournal} from 'quorate';
    import {describeJournal} from 'quorate/testing/journal';
    describeJournal('mine', createMemoryJournal);`,
  );
  const run = await vitest('journal.test.js');
  expect({code: run.exitCode, out: run.stdout + run.stderr}).toMatchObject({code: 0});
  expect(run.stdout).toMatch(/Tests +[3-9]\d passed/);
});

test('a chart of Quorate runs with actors of its user, as its page shows', async () => {
  const [code = ''] = codeBlocks(readDocument('machines/README.md'), 'js');
  writeFileSync(join(folder, 'lock.js'), code);
  const {stdout} = await execa(process.execPath, ['lock.js'], {cwd: folder});
  expect(stdout).toBe('me');
});

test('a program checks a property of its machine', async () => {
  writeFileSync(
    join(folder, 'check.ts'),
    `import {check} from 'quorate/testing';
    import {checkoutMachine} from './checkout.ts';
    import {samples} from './samples.js';
    const properties = {'nothing is charged twice': ({snapshot}) => snapshot.context.attempts < 2};
    await check(checkoutMachine, {...samples, properties}).catch(({message}) => console.log(message));`,
  );
  const {stdout} = await execa(process.execPath, ['check.ts'], {cwd: folder});
  expect(stdout).toContain('checkout violates "nothing is charged twice"');
  expect(stdout).toContain('5. after backOff in checkout.order.payment.waiting');
});
