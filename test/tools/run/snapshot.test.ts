/** Snapshots of a workspace around a command, and the limits of its control group. */

import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  existsSync,
  mkdirSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test, describe, vi} from 'vitest';

import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {
  createRunCommand,
  createSandbox,
  createSnapshots,
  createToolbox,
  type Replacement,
} from '../../../tools/index.ts';
import {createControlGroups} from '../../../tools/run/cgroup/control-groups.ts';
import {findHierarchies, hierarchiesIn} from '../../../tools/run/cgroup/hierarchies.ts';
import {statOf} from '../../../tools/run/processes.ts';
import {createPlace, type Place, textOf} from '../place.ts';
import {startNode} from '../process.ts';
import {canConfine} from './confined.ts';
import {canGroup, groupsOf} from './grouped.ts';

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

const modes = canConfine ? (['off', 'required'] as const) : (['off'] as const);

const limits = {memory: 128 * 1_048_576, processes: 50};

function createMode(mode: 'off' | 'required'): Place {
  const sandbox = createSandbox({mode});
  const command = createRunCommand({sandbox, limits, controlGroups: createControlGroups()});
  return createPlace(createToolbox([command]));
}

describe.skipIf(!canGroup).each(modes)('with the sandbox %s', (mode) => {
  test('the kernel ends a process that takes more memory than allowed, and the outcome says so', async () => {
    const place = createMode(mode);
    const command = `${process.execPath} -e 'const all = []; for (let i = 0; i < 400; i += 1) all.push(Buffer.alloc(1e6, 1))'`;
    const outcome = await place.run('run_command', {command});
    expect(outcome).toMatchObject({kind: 'failed', exitCode: 137});
    expect(textOf(outcome)).toContain(
      '[the kernel ended a process of it: all of them together may take 128 MB of memory',
    );
  });

  test('processes that share the memory share the limit', async () => {
    const place = createMode(mode);
    const hold = `
      const {existsSync} = require("node:fs");
      const memory = Buffer.alloc(70e6, 1);
      setTimeout(() => process.exit(memory[0]), 20_000);
      setInterval(() => existsSync("over") && process.exit(), 20);`;
    const one = `{ ${process.execPath} -e '${hold}'; touch over; }`;
    const outcome = await place.run('run_command', {command: `${one} & ${one} & wait; echo end`});
    expect(textOf(outcome)).toContain('[the kernel ended a process of it');
  });

  test('the number of processes is limited, and the outcome says so', async () => {
    const place = createMode(mode);
    const command = `${process.execPath} -e '
      const {spawn} = require("node:child_process");
      let begun = 0;
      for (let i = 0; i < 200; i += 1) {
        const child = spawn("sleep", ["30"], {stdio: "ignore"});
        child.on("error", () => undefined);
        if (child.pid) begun += 1;
      }
      console.log("begun", begun);
      process.exit(0);'`;
    const text = textOf(await place.run('run_command', {command}));
    const [, begun = 0] = /^begun (\d+)/.exec(text) ?? [];
    expect(Number(begun)).toBeGreaterThan(0);
    expect(Number(begun)).toBeLessThan(50);
    expect(text).toContain('[processes were refused it: it may have 50 at once');
  });

  test('a command below its limits has no message about them, and its group is removed with it', async () => {
    const place = createMode(mode);
    const outcome = await place.run('run_command', {command: 'echo done'});
    expect(outcome).toMatchObject({kind: 'succeeded', text: 'done\n'});
    expect(groupsOf(place.groups[0])).toEqual([]);
  });
});

describe.skipIf(!canGroup)('a process that has left its group', () => {
  test('its session and its mark still ends with the command', async () => {
    const place = createMode('off');
    const command =
      "(env -i setsid sh -c 'echo $$ > pid; exec sleep 60' &); while [ ! -s pid ]; do :; done; echo done";
    const outcome = await place.run('run_command', {command, timeout_secs: 20});
    expect(outcome).toMatchObject({kind: 'succeeded'});
    expect(textOf(outcome)).toBe('done\n\n[a process that it had started elsewhere ended with it]');
    await vi.waitFor(() => expect(statOf(Number(place.text('pid')))).toBeUndefined());
    expect(groupsOf(place.groups[0])).toEqual([]);
  });

  test('and forks endlessly ends with the command', async () => {
    const place = createMode('off');
    const forking = 'i=0; while [ $i -lt 5000 ]; do sleep 60 & i=$((i+1)); done';
    const command = `(env -i setsid sh -c '${forking}' >/dev/null 2>&1 &); sleep 0.3; echo done`;
    const outcome = await place.run('run_command', {command, timeout_secs: 20});
    expect(outcome).toMatchObject({kind: 'succeeded', text: expect.stringMatching(/^done\n/)});
    expect(groupsOf(place.groups[0])).toEqual([]);
  });
});

test.skipIf(!canGroup)('the next command removes the groups of ended commands', async () => {
  const left = findHierarchies().map(({folder}) => join(folder, 'quorate-1073741824-1'));
  for (const folder of left) mkdirSync(folder);
  await createMode('off').run('run_command', {command: 'true'});
  expect(left.filter((folder) => existsSync(folder))).toEqual([]);
});

function createTree(handedOn: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'quorate-test-'));
  onTestFinished(() => rmSync(root, {recursive: true, force: true}));
  for (const [path, controllers] of Object.entries(handedOn)) {
    mkdirSync(join(root, path), {recursive: true});
    writeFileSync(join(root, path, 'cgroup.subtree_control'), `${controllers}\n`);
  }
  return root;
}

function mounted(folder: string, type: string, options = 'rw', root = '/'): string {
  return `31 23 0:28 ${root} ${folder} rw,relatime shared:4 - ${type} ${type} ${options}\n`;
}

describe('the place of new groups', () => {
  test('is the nearest group above this process that delegates memory and processes', () => {
    const root = createTree({
      '': 'cpu memory pids',
      app: 'memory pids',
      'app/term': '',
      'app/term/x': '',
    });
    expect(hierarchiesIn(mounted(root, 'cgroup2'), '0::/app/term/x\n')).toEqual([
      {
        version: 2,
        controllers: ['memory', 'pids'],
        folder: join(root, 'app'),
        left: [join(root, 'app/term/x'), join(root, 'app/term')],
      },
    ]);
  });

  test('is the visible part of the hierarchy, in a container', () => {
    const root = createTree({'': 'memory pids', own: ''});
    const [found] = hierarchiesIn(
      mounted(root, 'cgroup2', 'rw', '/docker/a'),
      '0::/docker/a/own\n',
    );
    expect(found).toMatchObject({folder: root, left: [join(root, 'own')]});
    expect(hierarchiesIn(mounted(root, 'cgroup2', 'rw', '/docker/a'), '0::/docker/b\n')).toEqual(
      [],
    );
  });

  test('is below its own groups in the hierarchies of version 1, if both exist', () => {
    const both =
      mounted('/c/memory', 'cgroup', 'rw,memory') + mounted('/c/p\\040ids', 'cgroup', 'rw,pids');
    expect(hierarchiesIn(both, '8:pids:/\n4:memory:/own/group\n0::/\n')).toEqual([
      {version: 1, controllers: ['memory'], folder: '/c/memory/own/group', left: []},
      {version: 1, controllers: ['pids'], folder: '/c/p ids', left: []},
    ]);
    expect(hierarchiesIn(mounted('/c/memory', 'cgroup', 'rw,memory'), '4:memory:/\n')).toEqual([]);
  });

  test('does not exist without delegation, or without control groups', () => {
    const root = createTree({'': 'cpu', own: ''});
    expect(hierarchiesIn(mounted(root, 'cgroup2'), '0::/own\n')).toEqual([]);
    expect(hierarchiesIn('', '')).toEqual([]);
  });
});
