/** `quorate mutants` in a folder of a user: their machine, their tests, their copy of XState. */

import {mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';

import {execa} from 'execa';
import {afterAll, beforeAll, expect, test} from 'vitest';

import {statOf} from '../../../tools/run/processes.ts';
import {launcherProgram} from '../../support/built.ts';
import {createLauncher, type Launched, type LaunchOptions} from '../../support/launch.ts';

const launcher = createLauncher();
const modules = resolve('node_modules');
let folder = '';

/** No test covers the locked door. */
const door = `{
    id: 'door',
    initial: 'closed',
    states: {
      closed: {on: {open: 'opened', lock: 'locked'}},
      opened: {on: {close: {guard: 'isFree', target: 'closed'}}},
      locked: {on: {unlock: 'closed'}},
    },
  }`;

const testing = `
  test('a door opens, and closes when nobody is in it', () => {
    for (const isFree of [true, false]) {
      const actor = createActor(door.provide({guards: {isFree: () => isFree}})).start();
      actor.send({type: 'open'});
      equal(actor.getSnapshot().value, 'opened');
      actor.send({type: 'close'});
      equal(actor.getSnapshot().value, isFree ? 'closed' : 'opened');
    }
  });`;

const files: Readonly<Record<string, string>> = {
  'package.json': '{"type": "module"}',
  'door.ts': `import {setup} from 'xstate';
    const guards: {isFree: () => boolean} = {isFree: () => true};
    export const door = setup({guards}).createMachine(${door});`,
  'door.test.ts': `import {equal} from 'node:assert/strict';
    import {test} from 'vitest';
    import {createActor} from 'xstate';
    import {door} from './door.ts';
    ${testing}`,
  'door-node.ts': `import {equal} from 'node:assert/strict';
    import {test} from 'node:test';
    import {createActor} from 'xstate';
    import {door} from './door.ts';
    ${testing}`,
  'door.cjs': `const {equal} = require('node:assert/strict');
    const {test} = require('node:test');
    const {createActor, createMachine} = require('xstate');
    const door = createMachine(${door}, {guards: {isFree: () => true}});
    ${testing}`,
  'other.js': `import {createMachine} from 'xstate';
    createMachine({id: 'door', initial: 'ajar', states: {ajar: {}}});`,
  'kept.mjs': 'globalThis.kept = true;',
  'needs-kept.js': `import './door-node.ts'; if (!globalThis.kept) throw new Error('forgotten');`,
  'waiting.js': `import {writeFileSync} from 'node:fs';
    import {createActor, waitFor} from 'xstate';
    import {door} from './door.ts';
    const actor = createActor(door).start();
    actor.send({type: 'open'});
    if (actor.getSnapshot().value === 'closed') {
      writeFileSync('waiting.pid', String(process.pid));
      setInterval(() => {}, 1000);
    }`,
};

beforeAll(() => {
  folder = mkdtempSync(join(launcher.folder, 'a door '));
  symlinkSync(modules, join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});

afterAll(launcher.remove);

async function mutants(args: readonly string[], options: LaunchOptions = {}): Promise<Launched> {
  const path = `${join(modules, '.bin')}:${process.env['PATH'] ?? ''}`;
  const env = {...options.env, PATH: path};
  return await launcher.run(['mutants', 'door.ts', ...args], {cwd: folder, ...options, env});
}

function outcomesIn({stdout}: Launched): Readonly<Record<string, string>> {
  const result: {mutants: readonly {name: string; outcome: string}[]} = JSON.parse(stdout);
  return Object.fromEntries(result.mutants.map(({name, outcome}) => [name, outcome]));
}

const guarded = {
  'door.opened: drop the guard of close [isFree] → closed': 'found',
  'door.opened: negate the guard of close [isFree] → closed': 'found',
};
const dropped = {
  'door.closed: drop open → opened': 'found',
  'door.closed: drop lock → locked': 'survived',
  'door.opened: drop close [isFree] → closed': 'found',
  'door.locked: drop unlock → closed': 'survived',
};
const guards = ['--kind', 'drop-guard', '--kind', 'negate-guard'];
const json = ['--output', 'json'];

test('mutants that the tests do not notice are listed with a suggested check, and nothing is written', async () => {
  const before = readdirSync(folder);
  const ran = await mutants(['--test', 'node --test door-node.ts', '--kind', 'drop-transition']);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain(
    'survived  door.closed: drop lock → locked\n          send the event and check what happens\n',
  );
  expect(ran.stdout).toMatch(/^2 +0 +2 +0 +4 +50\.0 %/m);
  expect(ran.stderr).toMatch(/^the tests pass without a mutant[\s\S]*^4\/4  survived .*unlock/m);
  expect(readdirSync(folder)).toEqual(before);
  expect(readFileSync(join(folder, 'door.ts'), 'utf8')).toBe(files['door.ts']);
});

test.each([
  'node --test door-node.ts',
  'node --test door.cjs',
  'vitest run door.test.ts',
  'vitest run --pool threads',
])('the machine is changed in all processes of "%s"', async (line) => {
  const kinds = [...guards, '--kind', 'drop-transition'];
  const ran = await mutants(['--test', line, ...kinds, '--jobs', '2', ...json]);
  expect(outcomesIn(ran)).toEqual({...guarded, ...dropped});
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('6/6')]);
});

test('a smaller share of found mutants may be accepted, and all mutants may be found', async () => {
  const some = ['--kind', 'drop-transition', '--min-found', '50'];
  const command = ['--test', 'node --test door-node.ts', '-q', '--jobs', '2'];
  const [half, all] = [
    await mutants([...command, ...some]),
    await mutants([...command, ...guards]),
  ];
  expect([half.code, half.stderr]).toEqual([0, '']);
  expect([all.code, all.stderr]).toEqual([0, '']);
});

test('tests that fail without a mutant are refused, and their output is shown', async () => {
  const ran = await mutants(['--test', 'echo "no such door"; exit 3']);
  expect(ran).toMatchObject({code: 2, stdout: ''});
  expect(ran.stderr).toMatch(/the tests fail without a mutant: .*\n *no such door\n$/);
});

test('tests that never create the machine are refused', async () => {
  const ran = await mutants(['--test', 'node other.js']);
  expect(ran).toMatchObject({code: 2, stdout: ''});
  expect(ran.stderr).toContain('the tests pass, but do not make the machine door: node other.js');
});

test('a mutant whose tests take too long counts as found, and all of their processes are ended', async () => {
  const drop = ['--kind', 'drop-transition', ...json];
  const ran = await mutants(['--test', 'node waiting.js & wait', '--timeout', '2s', ...drop]);
  expect(outcomesIn(ran)).toMatchObject({'door.closed: drop open → opened': 'timed_out'});
  const pid = Number(readFileSync(join(folder, 'waiting.pid'), 'utf8'));
  expect(statOf(pid)).toBeUndefined();
});

test('options of Node that are already set remain', async () => {
  const options = {env: {NODE_OPTIONS: `--import=./kept.mjs`}};
  const ran = await mutants(['--test', 'node --test needs-kept.js', ...guards, ...json], options);
  expect(outcomesIn(ran)).toEqual(guarded);
});

test('Ctrl-C ends the tests, and shows the results up to then', async () => {
  const line = ['mutants', 'door.ts', '--test', 'node --test door-node.ts'];
  const child = execa(process.execPath, [await launcherProgram(), ...line], {
    cwd: folder,
    reject: false,
  });
  child.stderr.on('data', (chunk) => {
    if (String(chunk).includes('1/')) child.kill('SIGINT');
  });
  const {exitCode, stdout} = await child;
  expect(exitCode).toBe(130);
  expect(stdout).toMatch(/^found +timed out[\s\S]*^\d+ mutants not tried: interrupted$/m);
});

test('mutants are listed without running anything', async () => {
  const {code, stdout} = await mutants(['--list', ...json]);
  const listed: unknown = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(listed).toMatchObject({
    machine: 'door',
    mutants: expect.arrayContaining([
      {
        name: 'door: start in opened',
        kind: 'change-initial',
        state: 'door',
        hint: 'check that it starts in closed',
      },
    ]),
    excluded: [],
  });
  const text = await mutants(['--list', '--kind', 'change-initial']);
  expect(text.stdout).toBe('kind            mutant\nchange-initial  door: start in opened\n');
});

test.each([
  [[], 'say how to run the tests: --test "npx vitest run x.test.ts"; or --list the mutants'],
  [['--list', '--kind', 'drop-guards'], 'did you mean "drop-guard"?'],
  [['--test', 'true', '--jobs', '0'], '--jobs takes a number from 1 to 256, not "0"'],
  [['--test', 'true', '--timeout', 'soon'], '--timeout takes a time such as 90s'],
  [['--test', 'true', '--min-found', '101'], '--min-found takes a number from 0 to 100, not "101"'],
])('%j is refused', async (args, message) => {
  const {code, stderr} = await mutants(args);
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(message)]);
});
