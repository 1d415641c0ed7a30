/** `verify -v`, `show` at points, and `fork`, as a person uses them. */

import {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {beforeForms, unpackBefore} from '../../fixtures/journals/recorded.ts';
import {createLauncher, type Launched, type Launcher} from '../../support/launch.ts';

let launcher: Launcher;
let workspace: string;

beforeEach(() => {
  launcher = createLauncher();
  workspace = join(launcher.folder, 'work');
  mkdirSync(workspace);
});
afterEach(() => launcher.remove());

async function launch(...args: string[]): Promise<Launched> {
  return await launcher.perform(args, {cwd: workspace});
}

const note = (): string => join(workspace, 'notes.txt');

async function written(): Promise<string> {
  const made = await launch('-q', 'Create a file notes.txt with the content "Hello"');
  return /^([a-z0-9]{12}) · /m.exec(made.stdout)?.[1] ?? '';
}

test('verify says that the replay holds, and lists the points with -v', async () => {
  const id = await written();
  const {code, stdout} = await launch('verify', '-v', id);
  expect(code).toBe(0);
  expect(stdout).toMatch(/✓ replay +the charts reach the recorded states/);
  expect(stdout).toMatch(/^ {2}plan\.1 {2}0–3\n {2}vote\.1 {2}2–5\n/m);
  const json = JSON.parse((await launch('verify', id, '--output', 'json')).stdout);
  expect(json.checks.find(({check}: {check: string}) => check === 'replay')).toMatchObject({
    points: expect.arrayContaining([{name: 'plan.1', before: 0, after: 3}]),
  });
});

test('show --at shows the states at that moment, and how to continue from it', async () => {
  const id = await written();
  const {code, stdout, stderr} = await launch('show', id, '--at', 'plan.1');
  expect({code, stdout}).toMatchObject({code: 0});
  expect(stdout).toMatch(/^as it was after entry 3, /m);
  expect(stdout).toMatch(/form {2}reviewingPlan/);
  expect(stderr).toContain(`quorate fork ${id} --at 3`);
  expect(stdout).not.toContain('completed');
  const {moment, status} = JSON.parse(
    (await launch('show', id, '--at', '3', '--output', 'json')).stdout,
  );
  expect(moment).toMatchObject({entry: 3});
  expect(status).toBeUndefined();
});

test('show --from --to shows states, decisions and files between two points', async () => {
  const id = await written();
  const {stdout} = await launch('show', id, '--from', 'plan.1', '--to', 'task:create');
  expect(stdout).toMatch(/^from entry 3 to entry \d+\n/);
  expect(stdout).toMatch(/reviewingPlan → /);
  expect(stdout).toMatch(/quorum\.decided/);
  expect(stdout).toMatch(/^ {2}\+ notes\.txt$/m);
});

test.each([
  [['fork'], /needs the ID of a run/],
  [['fork', 'nobody'], /needs a point: --at 12/],
  [['fork', 'ID', '--at', 'plan.9'], /not a point of this run.*it has plan\.1/],
  [['fork', 'ID', '--at', '1', '--say', ' '], /--say is empty/],
  [['fork', 'ID', '--files', '--yes'], /needs a point: --at 12/],
  [['fork', 'ID', '--at', '1', '--files'], /without a terminal, quorate fork --files needs --yes/],
  [['fork', 'ID', '--at', '1', '--dry-run'], /--dry-run is for quorate fork --files/],
  [['show', 'ID', '--at', '999'], /there is no entry 999/],
  [['show', 'ID', '--at', '1', '--to', '2'], /--at shows one point/],
])('%j is refused with a reason', async (args, reason) => {
  const id = await written();
  const {code, stderr} = await launch(...args.map((arg) => (arg === 'ID' ? id : arg)));
  expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringMatching(reason)});
});

describe('fork', () => {
  test('continues in a copy of the folder with -C, and names its origin', async () => {
    const id = await written();
    const copy = join(launcher.folder, 'copy');
    mkdirSync(copy);
    const {code, stdout, stderr} = await launch('-C', copy, 'fork', id, '--at', 'plan.1');
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^[a-z0-9]{12}, forked from ${id} after entry 0, in `, 'm'));
    expect(readFileSync(join(copy, 'notes.txt'), 'utf8')).toContain('Hello');
    const fork = /^([a-z0-9]{12}) · /m.exec(stdout)?.[1] ?? '';
    expect((await launch('show', fork)).stdout).toContain(`forked from run ${id} after entry 0`);
    expect((await launch('verify', fork)).code).toBe(0);
  });
});

describe('fork --files', () => {
  test('takes the file back and continues in the same folder', async () => {
    const id = await written();
    const preview = await launch('fork', id, '--at', 'plan.1', '--files', '--dry-run');
    expect(preview).toMatchObject({code: 0, stdout: expect.stringContaining('would be removed')});
    expect(existsSync(note())).toBe(true);
    const {code, stdout} = await launch('fork', id, '--at', 'plan.1', '--files', '--yes');
    expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining('completed')});
    expect(existsSync(note())).toBe(true);
  });

  test('changes nothing when the user has changed the file since', async () => {
    const id = await written();
    writeFileSync(note(), 'mine');
    const {code, stdout} = await launch('fork', id, '--at', 'plan.1', '--files', '--yes');
    expect(code).toBe(1);
    expect(stdout).toMatch(/Nothing was changed: .*\n.*\n.*notes\.txt: something else has changed/);
    expect(readFileSync(note(), 'utf8')).toBe('mine');
  });
});

test('an open run continues in the folder to which its folder was moved', async () => {
  writeFileSync(join(workspace, 'quorate.toml'), '[agent]\nconfirm_execution = true\n');
  const made = await launch('Create a file notes.txt with the content "Hello"');
  expect(made.code).toBe(4);
  const id = /^([a-z0-9]{12}) · /m.exec(made.stderr)?.[1] ?? '';
  const moved = join(launcher.folder, 'moved');
  renameSync(workspace, moved);
  const decision = ['--decision', 'approve'];
  const refused = await launcher.perform(['resume', id, ...decision], {cwd: launcher.folder});
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`resume ${id} -C FOLDER`),
  });
  const resumed = await launcher.perform(['-C', moved, 'resume', id, ...decision], {
    cwd: launcher.folder,
  });
  expect(resumed).toMatchObject({code: 0});
  expect(existsSync(join(moved, 'notes.txt'))).toBe(true);
});

test.each(['json', 'jsonl'])(
  'show --at --output %s masks a private answer right after it was given',
  async (output) => {
    const home = join(launcher.folder, 'recorded');
    unpackBefore(join(home, 'journal.db'));
    const env = {QUORATE_HOME: home};
    const id = beforeForms['interview-ended']?.id ?? '';
    const lines = (await launcher.perform(['export', id], {env})).stdout.split('\n');
    const replied = lines.findIndex((line) => line.includes('Ann Lee'));
    for (const entry of [replied, replied + 1]) {
      const args = ['show', id, '--at', String(entry), '--output', output];
      const {code, stdout} = await launcher.perform(args, {env});
      expect(code).toBe(0);
      expect(stdout, `entry ${entry}`).not.toContain('Ann Lee');
    }
  },
);
