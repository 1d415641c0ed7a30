/** Control groups: where they can be created, what they limit, and that no process of a command escapes them. */

import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test, vi} from 'vitest';

import {createRunCommand, createSandbox, createToolbox} from '../../../tools/index.ts';
import {createControlGroups} from '../../../tools/run/cgroup/control-groups.ts';
import {findHierarchies, hierarchiesIn} from '../../../tools/run/cgroup/hierarchies.ts';
import {statOf} from '../../../tools/run/processes.ts';
import {createPlace, type Place, textOf} from '../place.ts';
import {canConfine} from './confined.ts';
import {canGroup, groupsOf} from './grouped.ts';

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
