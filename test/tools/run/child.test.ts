/** Child processes, and the programs that a command resolves to. */

import {spawn, execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, existsSync, openSync, readdirSync, readFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, onTestFinished, test, vi} from 'vitest';

import {allowSubject} from '../../../machines/domain/allow-rule.ts';
import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {attempt} from '../../../tools/containment/denial.ts';
import {createRunCommand, createSandbox, createToolbox} from '../../../tools/index.ts';
import {runChild, type ChildOrder} from '../../../tools/run/child.ts';
import {signalGroup} from '../../../tools/run/processes.ts';
import {resolveCommand} from '../../../tools/run/resolved-command.ts';
import {runCommand} from '../../../tools/run/run-command.ts';
import {createPlace, type Place, textOf, verdictOf} from '../place.ts';
import {startNode} from '../process.ts';
import {canConfine} from './confined.ts';

const modes = canConfine ? (['off', 'required'] as const) : (['off'] as const);

function createMode(mode: 'off' | 'required'): Place {
  return createPlace(createToolbox([createRunCommand({sandbox: createSandbox({mode})})]));
}

async function untilGone(group: number): Promise<void> {
  await vi.waitFor(() => expect(signalGroup(group, 0)).toBe(false), {timeout: 30_000});
}

const refusals: readonly [string, () => void | Promise<void>][] = [
  [
    'throws',
    () => {
      throw new Error('the journal is full');
    },
  ],
  ['rejects', async () => await Promise.reject(new Error('the journal is full'))],
];

test.each(modes.flatMap((mode) => refusals.map(([how, refuse]) => [mode, how, refuse] as const)))(
  'with the sandbox %s, a command whose recording %s has not run, and says so',
  async (mode, _how, refuse) => {
    const place = createMode(mode);
    const onChild = (group: number): void | Promise<void> => {
      place.groups.push(group);
      return refuse();
    };
    const outcome = await place.run('run_command', {command: 'touch made'}, {onChild});
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'not_started',
      message: expect.stringContaining('the journal is full'),
    });
    await untilGone(place.groups[0] ?? 0);
    expect(existsSync(join(place.workspace, 'made'))).toBe(false);
  },
);

test.each(modes)(
  'with the sandbox %s, a command waits until its recording is done',
  async (mode) => {
    const place = createMode(mode);
    const seen: boolean[] = [];
    const onChild = async (): Promise<void> => {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      seen.push(existsSync(join(place.workspace, 'made')));
    };
    const outcome = await place.run('run_command', {command: 'touch made; echo ran'}, {onChild});
    expect(textOf(outcome)).toBe('ran\n');
    expect(seen).toEqual([false]);
  },
);

test('a command that is cancelled during its recording has not run', async () => {
  const place = createMode('off');
  const cancel = new AbortController();
  const onChild = (group: number): void => {
    place.groups.push(group);
    cancel.abort();
  };
  const context = {onChild, signal: cancel.signal};
  const outcome = await place.run('run_command', {command: 'touch made'}, context);
  expect(verdictOf(outcome)).toBe('cancelled');
  await untilGone(place.groups[0] ?? 0);
  expect(existsSync(join(place.workspace, 'made'))).toBe(false);
});

const runUrl = new URL('../../../tools/run/', import.meta.url).href;
const commandUrl = new URL('../../../tools/run/run-command.ts', import.meta.url).href;
const sandboxUrl = new URL('../../../tools/run/sandbox.ts', import.meta.url).href;

/** A program that is killed after the process of the command exists and before it is recorded. */
function dying(workspace: string, mode: string): string {
  return `
    Promise.all([import(${JSON.stringify(commandUrl)}), import(${JSON.stringify(sandboxUrl)})]).then(([{createRunCommand}, {createSandbox}]) => {
      const tool = createRunCommand({sandbox: createSandbox({mode: '${mode}'})});
      const onChild = (group) => {
        require('node:fs').writeSync(1, String(group));
        process.kill(process.pid, 'SIGKILL');
      };
      const signal = new AbortController().signal;
      const context = {workspace: ${JSON.stringify(workspace)}, signal, recovering: false, onChild};
      tool.run({command: 'touch made; sleep 9999'}, context);
    });`;
}

test.each(modes)(
  'with the sandbox %s, a program that dies before it has recorded a command leaves nothing running',
  async (mode) => {
    const place = createMode(mode);
    const {stdout, signal} = await startNode(dying(place.workspace, mode)).ended;
    expect(signal).toBe('SIGKILL');
    await untilGone(Number(stdout));
    expect(existsSync(join(place.workspace, 'made'))).toBe(false);
  },
  30_000,
);

/** A program that prints the group of its command, and waits to be killed. */
function atWork(workspace: string, mode: string): string {
  return `
    Promise.all(['run-command.ts', 'sandbox.ts'].map((path) => import(${JSON.stringify(runUrl)} + path)))
      .then(([{createRunCommand}, {createSandbox}]) => {
        const tool = createRunCommand({sandbox: createSandbox({mode: '${mode}'})});
        const {existsSync, writeSync} = require('node:fs');
        const workspace = ${JSON.stringify(workspace)};
        const onChild = (group) => {
          const timer = setInterval(() => {
            if (!existsSync(workspace + '/begun')) return;
            clearInterval(timer);
            writeSync(1, String(group));
          }, 5);
        };
        const context = {workspace, signal: new AbortController().signal, recovering: false, onChild};
        tool.run({command: "trap '' TERM HUP; (sleep 9999; :) & touch begun; while :; do sleep 1; done"}, context);
      });`;
}

test.each(modes)(
  'with the sandbox %s, a command ends at once when what runs it is killed',
  async (mode) => {
    const place = createMode(mode);
    const runtime = startNode(atWork(place.workspace, mode));
    const group = Number(await runtime.said);
    expect(signalGroup(group, 0)).toBe(true);
    await runtime.kill();
    await untilGone(group);
  },
  30_000,
);

/** Waits until the processes end that run the command with this group. */
function guardsOf(group: number): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    const read = attempt(pid, () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    return read.ok && read.value.endsWith(`\0sh\0${group}\0`);
  });
}

test.skipIf(!existsSync('/proc/self/cmdline'))(
  'after the command has ended, no caller waits for its runner',
  async () => {
    const place = createMode('off');
    let during: readonly string[] = [];
    const onChild = (group: number): void => {
      place.groups.push(group);
      during = guardsOf(group);
    };
    await place.run('run_command', {command: 'true'}, {onChild});
    expect(during).toHaveLength(1);
    await vi.waitFor(() => expect(guardsOf(place.groups[0] ?? 0)).toEqual([]));
  },
);

test.skipIf(!existsSync('/proc/self/fdinfo'))(
  'a descriptor that a terminal has left open leads nowhere in a child',
  async () => {
    const place = createMode('off');
    const program = `
      import(${JSON.stringify(`${runUrl}child.ts`)}).then(async ({runChild}) => {
        const signal = new AbortController().signal;
        const args = ['-c', 'readlink /proc/self/fd/40 /proc/self/fd/41; true'];
        await runChild({file: '/bin/sh', args, cwd: '/', env: {PATH: '/usr/bin:/bin'}, signal, ending: 'SIGTERM',
          onOutput: (chunk) => process.stdout.write(chunk), onChild() {}});
      });`;
    const left = openSync(place.workspace, 'r');
    onTestFinished(() => closeSync(left));
    const stdio = Array.from({length: 41}, (_, fd) => (fd === 40 ? left : 'ignore'));
    const parent = spawn(process.execPath, ['-e', program], {
      stdio: ['ignore', 'pipe', ...stdio.slice(2)],
    });
    let output = '';
    parent.stdout?.on('data', (chunk) => {
      output += String(chunk);
    });
    await once(parent, 'close');
    expect(output).toBe('/dev/null\n');
  },
  30_000,
);

function orderOf(script: string, more: Partial<ChildOrder> = {}): [ChildOrder, () => string] {
  let text = '';
  const order: ChildOrder = {
    file: '/bin/sh',
    args: ['-c', script],
    cwd: '/',
    env: {PATH: '/usr/bin:/bin'},
    signal: new AbortController().signal,
    ending: 'SIGTERM',
    onOutput: (chunk) => {
      text += chunk.toString();
    },
    onChild: () => undefined,
    ...more,
  };
  return [order, () => text];
}

test('a child receives exactly its input', async () => {
  const input = 'two lines\nand "quotes" \\ é\n';
  const [order, text] = orderOf('cat', {input});
  expect(await runChild(order)).toMatchObject({kind: 'ended', exitCode: 0});
  expect(text()).toBe(input);
});

test('a missing folder prevents the start, and the outcome says so', async () => {
  const [order] = orderOf('true', {cwd: '/no/such/folder'});
  expect(await runChild(order)).toEqual({
    kind: 'not_started',
    message: 'the shell (/bin/sh) or the folder does not exist',
  });
});

test('a group that is asked to end may still write', async () => {
  const cancel = new AbortController();
  const [order, text] = orderOf("trap 'echo bye; exit 7' TERM; echo begun; while :; do :; done", {
    signal: cancel.signal,
  });
  const running = runChild({
    ...order,
    onOutput: (chunk) => {
      order.onOutput(chunk);
      cancel.abort();
    },
  });
  expect(await running).toMatchObject({kind: 'ended', exitCode: 7, escaped: false});
  expect(text()).toBe('begun\nbye\n');
});

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
    const digest = async () =>
      (await resolveCommand({command, workspace: place.workspace, folder: ''})).digest;
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
  expect((await resolveCommand({command, workspace: place.workspace, folder: ''})).holdsGit).toBe(
    expected,
  );
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
  const before = (
    await resolveCommand({command: 'npm test', workspace: place.workspace, folder: ''})
  ).digest;
  place.put('test/b.test.mjs', '1;\n');
  const after = (
    await resolveCommand({command: 'npm test', workspace: place.workspace, folder: ''})
  ).digest;
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
    const {closesNetwork} = await resolveCommand({
      command,
      workspace: place.workspace,
      folder: '',
      changed,
    });
    expect(closesNetwork).toBe(expected);
  },
);

test('a file of code that the command makes is shown as one that does not exist yet', async () => {
  const {workspace} = createRepository();
  const {shown} = await resolveCommand({
    command: 'echo x > new.mjs && node new.mjs',
    workspace,
    folder: '',
  });
  expect(shown).toEqual(['it runs new.mjs, a file that does not exist yet']);
});

test.each([
  ['cat src/a.mjs | wc -l; git log', true],
  ['cat src/a.mjs > b.txt', false],
  ['git add .', false],
  ['npm test', false],
])("%s: git's data need not be recorded before it: %s", async (command, expected) => {
  const {workspace} = createRepository();
  expect((await resolveCommand({command, workspace, folder: ''})).onlyReads).toBe(expected);
});
