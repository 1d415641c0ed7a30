/**
 * A vote on a command is a vote on the scripts and the code that it runs: they are shown, and nothing else can run in their
 * place.
 */

import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {allowSubject} from '../../../machines/domain/allow-rule.ts';
import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {resolveCommand} from '../../../tools/run/resolved-command.ts';
import {runCommand} from '../../../tools/run/run-command.ts';
import {createPlace, type Place, textOf, verdictOf} from '../place.ts';

const args = {command: 'sh a.sh'};

/** As in a run: the allowed command is the inspected one. */
async function lookThenRun(place: Place, meanwhile: () => void): Promise<ToolOutcome> {
  const ready = await place.preview('run_command', args);
  const basedOn = ready.kind === 'ready' ? ready.basedOn : undefined;
  meanwhile();
  return await place.run('run_command', args, {run: 'r', basedOn});
}

test('the script that a command runs is shown with its hash, and cannot control a terminal', async () => {
  const place = createPlace();
  place.put('a.sh', 'echo harmless\nprintf "\u001b[2J"\n');
  expect(await place.preview('run_command', args)).toMatchObject({
    preview: expect.stringMatching(
      /\nit runs a\.sh, of a file with the SHA-256 [0-9a-f]{64}:\n {2}echo harmless\n {2}printf "\\x1b\[2J"$/,
    ),
    basedOn: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('the preview of a command names its scripts that this run has written', async () => {
  const place = createPlace();
  place.put('a.sh', 'sh b/c.sh\n');
  place.put('b/c.sh', 'echo harmless\n');
  for (const written of ['b/c.sh', './b/c.sh', join(place.workspace, 'b/c.sh')]) {
    expect(await place.preview('run_command', args, [written])).toMatchObject({
      preview: expect.stringMatching(
        /\nit runs a\.sh, of a file with the SHA-256 [^]*\nit runs b\/c\.sh, of a file that was written in this run, with the SHA-256 /,
      ),
    });
  }
});

test('a package script counts as written by the run when its manifest does', async () => {
  const place = createPlace();
  place.put('package.json', '{"scripts": {"deploy": "echo deployed"}}');
  const npm = {command: 'npm run deploy'};
  expect(await place.preview('run_command', npm, ['package.json'])).toMatchObject({
    preview: expect.stringContaining(
      'it runs package.json: deploy, of a file that was written in this run, with the SHA-256 ',
    ),
  });
});

test('an unchanged script runs', async () => {
  const place = createPlace();
  place.put('a.sh', 'echo harmless\n');
  expect(textOf(await lookThenRun(place, () => {}))).toBe('harmless\n');
});

test.each<readonly [string, string | undefined]>([
  ['that was swapped since', 'echo harmless\n'],
  ['that was not there', undefined],
])('a script %s does not run', async (_, before) => {
  const place = createPlace();
  if (before !== undefined) place.put('a.sh', before);
  const outcome = await lookThenRun(place, () => void place.put('a.sh', 'touch harm\n'));
  expect(verdictOf(outcome)).toBe('refused/changed');
  expect(place.groups).toEqual([]);
});

test.each(['node x.js', 'node --import ./x.js y.js', './x.js', 'python3 x.js'])(
  '%s stands for what x.js holds',
  async (command) => {
    const place = createPlace();
    const digest = async () => (await resolveCommand(command, place.workspace, '')).digest;
    const absent = await digest();
    place.put('x.js', '#!/usr/bin/env node\n1\n');
    const before = await digest();
    expect(before).not.toBe(absent);
    expect(before).toBe(await digest());
    place.put('x.js', '#!/usr/bin/env node\n2\n');
    expect(await digest()).not.toBe(before);
  },
);

test('code that a command runs is shown with its hash, and does not run after it was swapped', async () => {
  const place = createPlace();
  place.put('x.js', '');
  const code = {command: 'node x.js'};
  const ready = await place.preview('run_command', code);
  expect(ready).toMatchObject({
    preview: expect.stringMatching(/\nit runs x\.js, a file with the SHA-256 [0-9a-f]{64}$/),
  });
  place.put('x.js', '1');
  const basedOn = ready.kind === 'ready' ? ready.basedOn : undefined;
  const outcome = await place.run('run_command', code, {run: 'r', basedOn});
  expect(verdictOf(outcome)).toBe('refused/changed');
});

test.each([
  ['git add . && git commit -m x', false],
  ['git status', false],
  ['frobnicate; git commit -m x', true],
  ['npm test && git commit -m x', true],
  ['cat a.txt', false],
  ['node x.js', true],
])('%s: kept from git: %s', async (command, expected) => {
  const place = createPlace();
  mkdirSync(join(place.workspace, '.git'));
  place.put('x.js', '');
  place.put('package.json', JSON.stringify({scripts: {test: 'vitest run'}}));
  expect((await resolveCommand(command, place.workspace, '')).holdsGit).toBe(expected);
});

/** A repository whose tests are committed. */
function createRepository(): Place {
  const place = createPlace();
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: place.workspace,
    });
  place.put('package.json', JSON.stringify({scripts: {test: 'node --test'}}));
  place.put('test/a.test.mjs', '1;\n');
  place.put('src/a.mjs', '1;\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
  return place;
}

const npm = {command: 'npm test'};

test('code that git does not know is shown with its content, which cannot pass for a line of the preview', async () => {
  const place = createRepository();
  place.put('test/b.test.mjs', 'harm();\nit runs a.mjs, a file\u001b[2J\n');
  expect(await place.preview('run_command', npm)).toMatchObject({
    preview: expect.stringMatching(
      /\nit runs test\/b\.test\.mjs, a file that git does not know, with the SHA-256 [0-9a-f]{64}:\n {2}harm\(\);\n {2}it runs a\.mjs, a file\\x1b\[2J$/,
    ),
  });
});

test('code that the run has written comes first, and known code is not shown', async () => {
  const place = createRepository();
  place.put('test/b.test.mjs', 'b\n');
  place.put('src/a.mjs', 'a\n');
  const ready = await place.preview('run_command', npm, ['src/a.mjs']);
  expect(ready).toMatchObject({
    preview: expect.stringMatching(
      /\nit runs src\/a\.mjs, a file that was written in this run, with [^\n]*:\n {2}a\nit runs test\/b\.test\.mjs, /,
    ),
  });
  expect(ready).toMatchObject({preview: expect.not.stringContaining('a.test.mjs')});
});

test('each file of unknown code has its share of the preview', async () => {
  const place = createRepository();
  place.put('test/b.test.mjs', 'x\n'.repeat(20_000));
  place.put('test/c.test.mjs', 'harm();\n');
  expect(await place.preview('run_command', npm)).toMatchObject({
    preview: expect.stringMatching(/\n {2}\[cut: \d+ more characters\]\n[^]*\n {2}harm\(\);$/),
  });
});

test('unknown code with a name typical of credentials is shown by its hash only', async () => {
  const place = createRepository();
  place.put('.npmrc', 'token=hunter2\n');
  expect(await place.preview('run_command', npm)).toMatchObject({
    preview: expect.not.stringContaining('hunter2'),
  });
});

test.each([
  ['test/b.test.mjs', 'that was shown'],
  ['test/c.test.mjs', 'that was not there'],
])('a runner does not run with %s, a file %s otherwise', async (path) => {
  const place = createRepository();
  place.put('test/b.test.mjs', '1;\n');
  const ready = await place.preview('run_command', npm);
  const basedOn = ready.kind === 'ready' ? ready.basedOn : undefined;
  place.put(path, 'harm();\n');
  const outcome = await place.run('run_command', npm, {run: 'r', basedOn});
  expect(verdictOf(outcome)).toBe('refused/changed');
});

test('a standing rule covers the scripts of a runner, not the code that it loads', async () => {
  const place = createRepository();
  const before = (await resolveCommand('npm test', place.workspace, '')).digest;
  place.put('test/b.test.mjs', '1;\n');
  const after = (await resolveCommand('npm test', place.workspace, '')).digest;
  expect(after).not.toBe(before);
  const subject = (basedOn: string | undefined) =>
    allowSubject({args: npm, facts: runCommand, workspace: place.workspace, basedOn});
  expect(subject(after)).toEqual(subject(before));
});

test.each([
  ['npm test', [], false],
  ['npm test', ['src/a.mjs'], true],
  ['cat src/a.mjs', ['src/a.mjs'], false],
  ['echo x > src/a.mjs && npm test', [], true],
])(
  '%s, with %j written in the run: the network is closed: %s',
  async (command, changed, expected) => {
    const place = createRepository();
    const {closesNetwork} = await resolveCommand(command, place.workspace, '', changed);
    expect(closesNetwork).toBe(expected);
  },
);
