/** Confinement without an installed program: what a command can't do under Landlock, and what it still can. */

import {execFileSync, spawn} from 'node:child_process';
import {chmodSync, existsSync, statSync, symlinkSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import {createRunCommand, createSandbox, createToolbox} from '../../../tools/index.ts';
import {keepPlaces} from '../../../tools/run/sandbox/revert.ts';
import {type Place, secretText, textOf, verdictOf} from '../place.ts';
import {byLandlock, createConfined, hasLandlock} from './confined.ts';

const place = (): Place => createConfined('required', byLandlock);

async function run({run: runTool}: Place, command: string): Promise<string> {
  return textOf(await runTool('run_command', {command}));
}

function sh(folder: string, command: string): string {
  return execFileSync('/bin/sh', ['-c', command], {cwd: folder, encoding: 'utf8'});
}

function repository(): Place {
  const made = place();
  sh(
    made.workspace,
    'git init -q -b main . && git config user.email a@example.com && git config user.name A && ' +
      'echo one >a.txt && git add a.txt && git commit -q -m first',
  );
  return made;
}

/** `node -e` is unknown code. */
function node(script: string): string {
  return `${process.execPath} -e '${script}'`;
}

function connectTo(to: number | string): string {
  const options = JSON.stringify(to);
  return node(
    `require("net").connect(${options}).on("data", d => console.log(String(d))).on("error", e => console.log(e.code))`,
  );
}

async function listenAt(at: string | number): Promise<number> {
  const server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((resolve) => void server.listen(at, resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

test('a bubblewrap that does not work gives way to Landlock, and a machine without both says so', async () => {
  const made = place();
  made.put('bin/bwrap', '#!/bin/sh\necho "No permissions to create new namespace" >&2; exit 1\n');
  chmodSync(join(made.workspace, 'bin/bwrap'), 0o755);
  const candidates = [join(made.workspace, 'bin/bwrap')];
  const probe = await createSandbox({mode: 'auto', candidates}).probe(made.workspace);
  expect(probe).toMatchObject(
    hasLandlock ? {confined: true, by: 'landlock', network: []} : {confined: false},
  );
  const none = await createSandbox({mode: 'auto', candidates, grades: ['bubblewrap']}).probe(
    '/tmp',
  );
  expect(none).toMatchObject({confined: false, why: expect.stringContaining('No permissions')});
});

test('Landlock does not confine where commands could change Quorate itself', async () => {
  expect(await createSandbox({mode: 'auto', ...byLandlock}).probe(process.cwd())).toEqual({
    confined: false,
    why: 'commands could change Quorate itself, which lies in their workspace',
  });
});

test.skipIf(!hasLandlock)(
  'variables of a command reach it, and not the process that confines it',
  async () => {
    const made = place();
    const file = join(made.workspace, 'x.cjs');
    made.put(
      'x.cjs',
      `try { require("fs").readFileSync("${made.outside}/secret.txt"); console.log("open") } catch (e) { console.log(e.code) }`,
    );
    const sandbox = createSandbox({mode: 'required', ...byLandlock});
    const command = createRunCommand({sandbox, env: {NODE_OPTIONS: `--require ${file}`}});
    const toolbox = createToolbox([command]);
    const request = {
      tool: 'run_command',
      args: {command: 'node -e 0'},
      workspace: made.workspace,
    } as const;
    const signal = new AbortController().signal;
    const outcome = await toolbox.run(
      {...request, repeatability: 'once'},
      {workspace: made.workspace, signal, recovering: false, onChild: () => {}},
    );
    expect(textOf(outcome)).toBe('EACCES\n');
  },
);

describe.skipIf(!hasLandlock)('under Landlock a command reads', () => {
  test('nothing outside the workspace except programs and their settings', async () => {
    const made = place();
    symlinkSync(made.outside, join(made.workspace, 'link'));
    const text = await run(
      made,
      `cat ${made.outside}/secret.txt link/secret.txt /etc/shadow; ls /root /home /var/log /tmp; cat /proc/${process.pid}/cmdline /proc/1/cmdline; cat /proc/${process.pid}/environ`,
    );
    expect(text).not.toContain(secretText.trim());
    expect(text.split('\n').filter((line) => line !== '' && !/denied|\[/.test(line))).toEqual([]);
  });
});

describe.skipIf(!hasLandlock)('under Landlock a command writes', () => {
  test('nothing outside the workspace except its own home and temporary folder, which are removed', async () => {
    const made = place();
    const file = join(made.outside, 'secret.txt');
    symlinkSync(made.outside, join(made.workspace, 'link'));
    const text = await run(
      made,
      `echo x >>link/secret.txt; ln ${file} hard; truncate -s 0 ${file}; mkdir ${made.outside}/made; touch ../pwn ${tmpdir()}/pwn; mkdir sub; touch sub/in && echo in; echo t >"$TMPDIR/t" && echo h >~/h && cat "$TMPDIR/t" ~/h; echo "at $TMPDIR"`,
    );
    expect(text).toMatch(/in\nt\nh\n/);
    expect(existsSync(join(made.workspace, '../pwn'))).toBe(false);
    expect(existsSync(join(tmpdir(), 'pwn'))).toBe(false);
    expect(existsSync(/at (\S+)/.exec(text)?.[1] ?? '/')).toBe(false);
  });

  test('no permissions of files outside when its effects are unknown', async () => {
    const made = place();
    const file = join(made.outside, 'secret.txt');
    const {mode} = statSync(file);
    const script = `for (const f of [() => fs.chmodSync("${file}", 0), () => fs.lchownSync("${file}", 1, 1)]) try { f(); console.log("done") } catch (e) { console.log(e.code) }`;
    expect(await run(made, node(script))).toBe('EPERM\nEPERM\n');
    expect(statSync(file).mode).toBe(mode);
  });

  test('no git hook, configuration or moved repository that stays, whether its effects are known or not', async () => {
    const made = repository();
    const before = sh(made.workspace, 'cat .git/config; ls -A .git/hooks');
    const known = await run(made, 'git config core.fsmonitor "touch HOOKED; false"');
    expect(known).toMatch(/\.git\/config is protected: only a person may change it/);
    const unknown = await run(
      made,
      'node -e 0; mkdir -p .git/hooks; cp a.txt .git/hooks/pre-commit; mv .git .g; mkdir .git; mkdir .vscode; cp a.txt .vscode/tasks.json; rm .g/HEAD',
    );
    expect(unknown).toMatch(
      /cannot create regular file '\.git\/hooks\/pre-commit': Permission denied/,
    );
    expect(sh(made.workspace, 'cat .git/config; ls -A .git/hooks | grep -v not-allowed')).toBe(
      before,
    );
    expect(existsSync(join(made.workspace, '.vscode'))).toBe(false);
    expect(sh(made.workspace, 'git status --short a.txt; git log --format=%s')).toBe('first\n');
  });
});

describe.skipIf(!hasLandlock)('under Landlock a command', () => {
  test('reaches no port, no Unix socket and no network', async () => {
    const made = place();
    const socket = join(made.workspace, 'w.sock');
    const port = await listenAt(0);
    await listenAt(socket);
    await listenAt('\0quorate-landlock');
    for (const to of [port, socket, '\0quorate-landlock'])
      expect(await run(made, connectTo(to))).toBe('EACCES\n');
    const udp = node(
      'require("dgram").createSocket("udp4").on("error", e => console.log(e.code)).bind()',
    );
    expect(await run(made, udp)).toBe('EACCES\n');
  });

  test('leaves no process behind, and can end none but its own', async () => {
    const made = place();
    const outsider = spawn('sleep', ['60']);
    onTestFinished(() => void outsider.kill());
    const mark = `6${process.pid}`;
    await run(
      made,
      `(env -i /usr/bin/setsid sh -c 'sleep ${mark} & sleep ${mark}' >/dev/null 2>&1 &); kill -9 ${outsider.pid} ${process.pid} $PPID; sleep 0.1`,
    );
    expect(sh('/', `pgrep -f 'sleep ${mark}$' || true`)).toBe('');
    expect([outsider.exitCode, outsider.signalCode]).toEqual([null, null]);
  });

  test('ends with its processes when its time is over', async () => {
    const made = place();
    const mark = `7${process.pid}`;
    const outcome = await made.run('run_command', {
      command: `trap '' TERM; (env -i /usr/bin/setsid sleep ${mark} &); sleep ${mark}; sleep ${mark}`,
      timeout_secs: 1,
    });
    expect(verdictOf(outcome)).toBe('failed/timeout');
    expect(sh('/', `pgrep -f 'sleep ${mark}$' || true`)).toBe('');
  });

  test('mounts nothing, and has no power of the superuser', async () => {
    const made = place();
    const text = await run(
      made,
      'mount -t tmpfs none . && echo mounted; unshare -Ur mount -t tmpfs none . && echo mounted; chroot / true && echo chrooted; mknod disk b 8 0 && echo made; echo x >/proc/sys/kernel/core_pattern && echo wrote; date -s 2001-01-01 && echo dated',
    );
    expect(text).not.toMatch(/^(?:mounted|chrooted|made|wrote|dated)$/m);
  });

  test('exits as it would without confinement', async () => {
    const made = place();
    expect(await made.run('run_command', {command: 'echo out; exit 7'})).toMatchObject({
      exitCode: 7,
      text: 'out\n',
      confinement: 'landlock',
    });
    expect(await made.run('run_command', {command: 'kill -SEGV $$'})).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('SIGSEGV'),
    });
  });

  test('of unknown effects makes nothing beside installed packages, and is told so; others do', async () => {
    const made = repository();
    made.put(
      'build.mjs',
      'import {writeFileSync} from "node:fs"; writeFileSync("out.txt", "built\\n");',
    );
    sh(made.workspace, 'git add -A && git commit -q -m build');
    made.put('node_modules/a/index.js', '');
    expect(await run(made, 'node build.mjs && cat out.txt')).toBe('built\n');
    const refused = await run(
      made,
      node('try { fs.writeFileSync("new.txt", "") } catch (e) { console.log(e.message) }'),
    );
    expect(refused).toContain('can make, rename and remove nothing directly in .');
  });
});

test('places that hold too much are not kept', () => {
  const made = place();
  made.put('.vscode/big', Buffer.alloc(33 * 1_048_576));
  const path = join(made.workspace, '.vscode');
  expect(keepPlaces(made.workspace, [{path, as: 'shut'}])).toBeUndefined();
});
