/** A temporary folder that can't be used, in real processes. */

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {checkTemporaryFolder} from '../../../cli/doctor/system.ts';
import {doctorTexts} from '../../../cli/doctor/texts.ts';
import {temporaryFolder} from '../../../tools/temporary-folder.ts';
import {createLauncher, type Launcher} from '../../support/launch.ts';

let launcher: Launcher;

beforeEach(() => {
  launcher = createLauncher();
});
afterEach(() => launcher.remove());

test('the doctor names it, and where temporary files go instead', async () => {
  const {code, stdout} = await launcher.run(['doctor'], {env: {TMPDIR: '/nope'}});
  expect({code, stdout}).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /warning +temporary folder +\/nope can't be used \(ENOENT\); \/\S+ is used instead/,
    ),
  });
  const usual = await launcher.run(['doctor']);
  expect(usual.stdout).toMatch(/ok +temporary folder +\/\S+\n/);
});

test('a run does its work without it', async () => {
  const {code} = await launcher.run(['Create a file z.txt with the content "x"'], {
    env: {TMPDIR: '/nope'},
  });
  expect({code, isThere: existsSync(join(launcher.folder, 'z.txt'))}).toEqual({
    code: 0,
    isThere: true,
  });
  expect(readFileSync(join(launcher.folder, 'z.txt'), 'utf8')).toBe('x\n');
});

test('without any, the error and the doctor name the folder, its variable and the reason', () => {
  const why = "/nope can't be used (ENOENT); set TMPDIR to a folder that you can write";
  expect(() => temporaryFolder(['/nope', '/nope/2'])).toThrow(`the temporary folder ${why}`);
  expect(checkTemporaryFolder(doctorTexts({}), ['/nope', '/nope/2'])).toEqual({
    what: 'temporary folder',
    status: 'failed',
    detail: why,
  });
});
