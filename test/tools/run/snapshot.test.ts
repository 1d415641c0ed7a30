/** Snapshots of a workspace around a command. */

import {execFileSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {
  createRunCommand,
  createSandbox,
  createSnapshots,
  createToolbox,
  type Replacement,
} from '../../../tools/index.ts';
import {createPlace, type Place, textOf} from '../place.ts';
import {startNode} from '../process.ts';

const secret = 'canary-6b1f0e9d';

function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-snapshots-')));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  return folder;
}

interface Watched extends Place {
  /** Runs a shell command in the workspace. */
  readonly sh: (command: string) => Promise<ToolOutcome>;
  /** The report on the last command. */
  readonly replaced: () => readonly Replacement[];
}

function createWatched(folder?: string): Watched {
  const snapshots = createSnapshots({folder, holdsSecret: (content) => content.includes(secret)});
  onTestFinished(snapshots.close);
  snapshots.baselines.begin('r');
  const command = createRunCommand({sandbox: createSandbox({mode: 'off'}), snapshots});
  const place = createPlace(createToolbox([command]));
  let replaced: Replacement[] = [];
  return {
    ...place,
    replaced: () => replaced,
    sh: async (text) => {
      replaced = [];
      const onReplace = (more: readonly Replacement[]): void => void replaced.push(...more);
      return await place.run('run_command', {command: text}, {run: 'r', onReplace});
    },
  };
}

/** `-path` for a removed file, `+path` for a new one, `path` for a changed one. */
function marksOf({replaced}: Watched): string[] {
  return replaced().map(
    ({path, before, after}) => `${before ? '' : '+'}${after === undefined ? '-' : ''}${path}`,
  );
}

test('files that a command makes, changes and removes are reported, with their lines', async () => {
  const place = createWatched();
  place.put('src/a.ts', 'one\ntwo\n');
  place.put('src/b.ts', 'gone\n');
  const outcome = await place.sh(
    'echo three >> src/a.ts; rm src/b.ts; mkdir new; echo x > new/c.ts; ln -s ../src new/link',
  );
  expect(outcome).toMatchObject({
    kind: 'succeeded',
    written: ['new/c.ts', 'new/link', 'src/a.ts'],
    changes: [
      {path: 'new/c.ts', added: 1, removed: 0},
      {path: 'new/link', added: 1, removed: 0},
      {path: 'src/a.ts', added: 1, removed: 0, diff: expect.stringContaining('\n+three')},
      {path: 'src/b.ts', added: 0, removed: 1, diff: expect.stringContaining('+++ /dev/null')},
    ],
  });
  expect(textOf(outcome)).toContain(
    '\n[files: made new/c.ts, made new/link, changed src/a.ts, removed src/b.ts]',
  );
  expect(marksOf(place)).toEqual(['+new', '+new/c.ts', '+new/link', 'src/a.ts', '-src/b.ts']);
});

test('a command that fails, or changes only times, is reported with that', async () => {
  const place = createWatched();
  place.put('a.txt', 'a\n');
  expect(await place.sh('touch -d 2001-01-01 a.txt; true')).toMatchObject({written: []});
  expect(marksOf(place)).toEqual([]);
  expect(await place.sh('echo b > a.txt; exit 3')).toMatchObject({
    kind: 'failed',
    exitCode: 3,
    written: ['a.txt'],
    changes: [{path: 'a.txt', added: 1, removed: 1}],
  });
});

test('setuid programs, and names that no undo can restore, are reported', async () => {
  const place = createWatched();
  place.put('a.txt', 'a');
  const note = async (command: string): Promise<string> =>
    textOf(await place.run('run_command', {command}));
  expect(await note('cp a.txt s; chmod 4755 s')).toContain('[files: made s (setuid)]');
  const text = await note(String.raw`printf x > "$(printf 'o\377')"`);
  expect(text).toContain(
    '[files: from now on not all can be undone: it contains names that are not UTF-8',
  );
});

test('a change that keeps size and modification time is detected', async () => {
  const place = createWatched();
  place.put('a.txt', 'aaaa');
  await place.sh('true');
  await place.sh('touch -r a.txt mark; printf bbbb > a.txt; touch -r mark a.txt; rm mark');
  expect(marksOf(place)).toEqual(['a.txt']);
});

test('changed ignore rules neither hide a change nor reveal an old file as new', async () => {
  const place = createWatched();
  place.put('.gitignore', 'dist/\n');
  place.put('dist/out.js', 'built\n');
  place.put('src/a.ts', 'a\n');
  await place.sh('echo b > dist/out.js');
  expect(marksOf(place)).toEqual([]);
  await place.sh('printf "src/\\nnew/\\n" > .gitignore; echo b > src/a.ts; mkdir new; touch new/x');
  expect(marksOf(place)).toEqual(['.gitignore', '+new', '+new/x', 'src/a.ts']);
});

test("packages and git's own files are excluded, except for the existence of their folder", async () => {
  const place = createWatched();
  place.put('package.json', '{}');
  place.put('node_modules/a/index.js', '');
  await place.sh('echo x > node_modules/a/index.js; mkdir -p .git; echo y > .git/HEAD');
  expect(marksOf(place)).toEqual(['+.git']);
  expect(place.replaced()[0]?.before).toBeUndefined();
});

test('contents are stored in one file of the user, and none with a secret', async () => {
  const folder = createFolder();
  const place = createWatched(folder);
  place.put('a.txt', 'plain text\n');
  place.put('b.txt', `key = ${secret}\n`);
  place.put('.env', 'PASSWORD=hunter2hunter2\n');
  const outcome = await place.sh('echo x > a.txt; echo y > b.txt; echo z > .env');
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  expect(kept.join('')).toContain('plain text');
  expect(kept.join('')).not.toMatch(/canary|hunter2/);
  expect(JSON.stringify(outcome)).not.toMatch(/canary|hunter2/);
  expect(place.replaced().map(({before}) => before?.content)).toEqual([
    'secret',
    Buffer.from('plain text\n'),
    'secret',
  ]);
});

test('nothing is left in the folder once it is not needed', async () => {
  const folder = createFolder();
  const snapshots = createSnapshots({folder});
  const place = createPlace();
  const watch = await snapshots.begin(place.workspace, 'r');
  expect(readdirSync(folder)).toContain('r.json');
  await watch.end(undefined);
  snapshots.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('a workspace with a file that is too large to keep is not restorable', async () => {
  const place = createWatched();
  place.put('a.txt', 'a');
  const preview = async (): Promise<string> => {
    const ready = await place.preview('run_command', {command: 'true'});
    return ready.kind === 'ready' ? ready.preview : '';
  };
  expect(await preview()).toContain('its changes to files of the workspace can be undone');
  place.put('big.bin', Buffer.alloc(11 * 1024 * 1024));
  await place.sh('true');
  expect(await preview()).toContain("its changes can't be undone: big.bin");
});

test('a workspace is restorable while all of its content can be kept', async () => {
  const snapshots = createSnapshots();
  onTestFinished(snapshots.close);
  const place = createPlace();
  expect(await snapshots.isRestorable(place.workspace)).toBe(true);
  const large = createPlace();
  large.put('big.bin', Buffer.alloc(11 * 1024 * 1024));
  expect(await snapshots.isRestorable(large.workspace)).toBe(false);
});

test('a large file that git has is restorable, unless the command can change git or the file differs', async () => {
  const place = createPlace();
  const {workspace} = place;
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: workspace,
    });
  const large = randomBytes(11 * 1024 * 1024);
  git('init', '-q');
  place.put('large.bin', large);
  git('add', '.');
  git('commit', '-qm', 'first');
  const snapshots = createSnapshots();
  onTestFinished(snapshots.close);
  expect(await snapshots.gapOf(workspace)).toMatch(/^large\.bin /);
  expect(await snapshots.gapOf(workspace, undefined, true)).toBeUndefined();
  expect(await snapshots.isRestorable(workspace)).toBe(true);
  const watch = await snapshots.begin(workspace, 'r', true);
  rmSync(join(workspace, 'large.bin'));
  const removed: Replacement[] = [];
  const changes = await watch.end((more) => void removed.push(...more));
  expect(changes?.note).toBe('removed large.bin');
  expect(removed.map(({path}) => path)).toEqual(['large.bin']);
  const content = removed[0]?.before?.content;
  expect(typeof content === 'object' && large.equals(content)).toBe(true);
  const other = createSnapshots();
  onTestFinished(other.close);
  place.put('large.bin', randomBytes(large.length));
  expect(await other.isRestorable(workspace)).toBe(false);
});

test('pipes and sockets are known before a command, and no rule relies on their undo', async () => {
  const place = createPlace();
  execFileSync('mkfifo', ['pipe'], {cwd: place.workspace});
  const snapshots = createSnapshots();
  onTestFinished(snapshots.close);
  const pipe = {path: 'pipe', why: 'is a pipe, a socket or a device'};
  expect(await snapshots.unkeptIn(place.workspace)).toEqual([pipe]);
  expect(await snapshots.isRestorable(place.workspace)).toBe(false);
  const watch = await snapshots.begin(place.workspace, 'r');
  rmSync(join(place.workspace, 'pipe'));
  const socket = createServer().listen(join(place.workspace, 'socket'));
  await once(socket, 'listening');
  const changes = await watch.end(undefined);
  socket.close();
  expect(changes?.note).toBe('from now on not kept: socket, which is a pipe, a socket or a device');
});

const moduleUrl = new URL('../../../tools/run/snapshot/snapshots.ts', import.meta.url).href;

test('the changes of a command whose process was killed are found once, by the process that takes over', async () => {
  const folder = createFolder();
  const place = createPlace();
  place.put('a.txt', 'before\n');
  place.put('b.txt', 'gone\n');
  const program = `
    import(${JSON.stringify(moduleUrl)}).then(async ({createSnapshots}) => {
      const {rmSync, writeFileSync} = require('node:fs');
      const [folder, workspace] = process.argv.slice(1);
      await createSnapshots({folder}).begin(workspace, 'r');
      writeFileSync(workspace + '/a.txt', 'after\\n');
      rmSync(workspace + '/b.txt');
      process.kill(process.pid, 'SIGKILL');
    });`;
  expect((await startNode(program, folder, place.workspace).ended).signal).toBe('SIGKILL');

  const other = createSnapshots({folder});
  await (await other.begin(createPlace().workspace, 'other')).end(undefined);
  const reported: Replacement[] = [];
  const keep = (more: readonly Replacement[]): void => void reported.push(...more);
  await other.settle('r', keep, true);
  await other.settle('r', keep);
  await other.settle('r', keep);
  expect(reported.map(({path, before}) => `${path} ${String(before?.content)}`)).toEqual([
    'a.txt before\n',
    'b.txt gone\n',
    'a.txt before\n',
    'b.txt gone\n',
  ]);
  other.close();
  await (await createSnapshots({folder}).begin(createPlace().workspace, 'third')).end(undefined);
  expect(readdirSync(folder)).toHaveLength(2);
});
