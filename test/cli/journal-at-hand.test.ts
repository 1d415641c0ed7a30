/** A journal that is locked or read-only, as a person sees it. */

import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {launcherProgram} from '../support/built.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';

const request = 'Create a file x.txt with the content "Hello"';
let launcher: Launcher;

beforeEach(async () => {
  launcher = createLauncher();
  await launcher.perform(['-q', request]);
});

afterEach(() => launcher.remove());

test('a locked journal is reported, and Ctrl-C ends the wait at once', async () => {
  const data = join(launcher.folder, 'data');
  const other = new DatabaseSync(join(data, 'journal.db'));
  other.exec('BEGIN IMMEDIATE');
  const child = spawn(process.execPath, [await launcherProgram(), request], {
    cwd: launcher.folder,
    env: {PATH: process.env['PATH'], HOME: launcher.folder, QUORATE_HOME: data},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  let shown = '';
  for await (const chunk of child.stderr) {
    const wasShown = shown.includes('keeps the journal locked');
    shown += String(chunk);
    if (!wasShown && shown.includes('keeps the journal locked')) child.kill('SIGINT');
  }
  expect(await gone).toEqual([130, null]);
  expect(shown).toMatch(/warning: another process keeps the journal locked; waiting/);
  expect(shown).not.toMatch(/quorate resume/);
  other.close();
  const {stdout} = await launcher.perform(['sessions', '--output', 'json']);
  expect(JSON.parse(stdout)).toHaveLength(1);
});

/** The superuser may write anywhere. */
const nobody = process.getuid?.() === 0 ? {uid: 65_534, gid: 65_534} : {};

test.each(['show', 'sessions', 'export'])(
  '%s reads a journal that may not be written',
  async (verb) => {
    const data = join(launcher.folder, 'data');
    const {stdout: list} = await launcher.perform(['sessions', '--output', 'json']);
    const [{id}] = JSON.parse(list);
    const operands = operandsOf(verb, id);
    const wanted = await launcher.perform([verb, ...operands]);
    for (const file of readdirSync(data)) chmodSync(join(data, file), 0o555);
    for (const folder of [launcher.folder, data]) chmodSync(folder, 0o555);
    const child = spawn(process.execPath, [await launcherProgram(), verb, ...operands], {
      ...nobody,
      cwd: launcher.folder,
      env: {PATH: process.env['PATH'], HOME: launcher.folder, QUORATE_HOME: data},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = once(child, 'exit');
    const [stdout, stderr] = await Promise.all(
      [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join('')),
    );
    for (const folder of [launcher.folder, data]) chmodSync(folder, 0o755);
    expect({code: (await gone)[0], stdout, stderr}).toEqual({
      code: 0,
      stdout: wanted.stdout,
      stderr: '',
    });
  },
);

function operandsOf(verb: string, id: string): string[] {
  return verb === 'sessions' ? ['--all', '--output', 'json'] : [id];
}

/** A disk of 2 MB at a folder. Only root may mount one, and not in every container. */
function mountSmallDisk(folder: string): boolean {
  const args = ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder];
  return process.platform === 'linux' && spawnSync('mount', args).status === 0;
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-test-'));
  try {
    return mountSmallDisk(folder) && spawnSync('umount', [folder]).status === 0;
  } finally {
    rmSync(folder, {recursive: true});
  }
}

describe.runIf(canMount())('on a full disk', () => {
  let disk: string;
  let env: Record<string, string>;

  beforeEach(() => {
    disk = join(launcher.folder, 'disk');
    mkdirSync(disk);
    mountSmallDisk(disk);
    env = {QUORATE_HOME: join(disk, 'data')};
    cpSync(join(launcher.folder, 'data'), join(disk, 'data'), {recursive: true});
    fill(disk);
  });
  afterEach(() => void spawnSync('umount', [disk]));

  test.each(['show', 'sessions', 'export'])('%s reads the journal', async (verb) => {
    const {stdout: list} = await launcher.perform(['sessions', '--output', 'json']);
    const [{id}] = JSON.parse(list);
    const operands = operandsOf(verb, id);
    const wanted = await launcher.perform([verb, ...operands]);
    const {code, stdout, stderr} = await launcher.perform([verb, ...operands], {env});
    expect({code, stdout, stderr}).toEqual({code: 0, stdout: wanted.stdout, stderr: ''});
  });

  test.each([
    ['prune', 'ID', '--yes'],
    ['prune', '--form', 'agent', '--yes'],
  ])('%s names it, and leaves the journal as it was', async (verb, ...args) => {
    const {stdout: list} = await launcher.perform(['sessions', '--output', 'json']);
    const [{id}] = JSON.parse(list);
    const {stdout: lines} = await launcher.perform(['export', id]);
    const words = args.map((arg) => (arg === 'ID' ? id : arg));

    const {code, stderr} = await launcher.perform([verb, ...words], {env});
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('the disk is full; free some space'),
    ]);
    rmSync(join(disk, 'filling'));
    expect((await launcher.perform(['export', id], {env})).stdout).toBe(lines);
    expect((await launcher.perform([verb, ...words], {env})).code).toBe(0);
  });

  test('doctor reports it, and leaves nothing behind', async () => {
    const {code, stdout} = await launcher.perform(['doctor'], {env});
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^FAILED +data folder +\/.*: its disk is full \(ENOSPC\); free some space$/m,
    );
    expect(readdirSync(join(disk, 'data')).filter((name) => name.startsWith('doctor-'))).toEqual(
      [],
    );
  });
});

function fill(disk: string): void {
  const {bavail, bsize} = statfsSync(disk);
  writeFileSync(join(disk, 'filling'), new Uint8Array(bavail * bsize));
}
