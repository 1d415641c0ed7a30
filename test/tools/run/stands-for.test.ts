/** A vote on a command is a vote on the scripts and the code that it runs: they are told, and nothing else runs in their place. */

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {standsFor} from '../../../tools/run/stands-for.ts';
import {createPlace, type Place, textOf, verdictOf} from '../place.ts';

const args = {command: 'sh a.sh'};

/** As a run does it: what was allowed is what was looked at. */
async function lookThenRun(place: Place, meanwhile: () => void): Promise<ToolOutcome> {
  const ready = await place.preview('run_command', args);
  const basedOn = ready.kind === 'ready' ? ready.basedOn : undefined;
  meanwhile();
  return await place.run('run_command', args, {run: 'r', basedOn});
}

test('the script that a command runs is shown with its hash, and can steer no terminal', async () => {
  const place = createPlace();
  place.put('a.sh', 'echo harmless\nprintf "\u001b[2J"\n');
  expect(await place.preview('run_command', args)).toMatchObject({
    preview: expect.stringMatching(
      /\nit runs a\.sh, of a file with the SHA-256 [0-9a-f]{64}:\n {2}echo harmless\n {2}printf "\\x1b\[2J"$/,
    ),
    basedOn: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('whoever judges a command reads which of its scripts this run has written', async () => {
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

test('a package script is of a manifest that this run has written', async () => {
  const place = createPlace();
  place.put('package.json', '{"scripts": {"deploy": "echo deployed"}}');
  const npm = {command: 'npm run deploy'};
  expect(await place.preview('run_command', npm, ['package.json'])).toMatchObject({
    preview: expect.stringContaining(
      'it runs package.json: deploy, of a file that was written in this run, with the SHA-256 ',
    ),
  });
});

test('a script that is as it was looked at runs', async () => {
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
    const digest = async () => (await standsFor(command, place.workspace, '')).digest;
    const absent = await digest();
    place.put('x.js', '#!/usr/bin/env node\n1\n');
    const before = await digest();
    expect(before).not.toBe(absent);
    expect(before).toBe(await digest());
    place.put('x.js', '#!/usr/bin/env node\n2\n');
    expect(await digest()).not.toBe(before);
  },
);

test('code that a command runs is told by its hash, and does not run once it is swapped', async () => {
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
])('%s: whether git is held from it: %s', async (command, expected) => {
  const place = createPlace();
  mkdirSync(join(place.workspace, '.git'));
  place.put('x.js', '');
  place.put('package.json', JSON.stringify({scripts: {test: 'vitest run'}}));
  expect((await standsFor(command, place.workspace, '')).holdsGit).toBe(expected);
});
