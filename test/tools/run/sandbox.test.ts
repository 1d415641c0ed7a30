/** The sandbox of commands: what each mode does where bubblewrap is missing, broken or there. */

import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import {createRunCommand, createSandbox, createToolbox} from '../../../tools/index.ts';
import type {SandboxMode} from '../../../tools/run/sandbox.ts';
import {createPlace, type Place, textOf, verdictOf} from '../place.ts';

function createConfined(mode: SandboxMode, candidates?: readonly string[]): Place {
  const sandbox = createSandbox({mode, ...(candidates ? {candidates} : {})});
  return createPlace(createToolbox([createRunCommand({sandbox})]));
}

/** A program in bubblewrap's place: notes its arguments, then runs what it was given, or fails. */
function putStandIn(place: Place, body: string): string {
  const path = place.put('bin/bwrap', `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const passOn =
  'printf "%s\\n" "$@" > "$0.log"; while [ "$1" != -- ]; do shift; done; shift; exec "$@"';

describe('where bubblewrap is missing', () => {
  test('auto runs commands as they are, required refuses and says what to do', async () => {
    const auto = createConfined('auto', ['/nowhere/bwrap']);
    expect(textOf(await auto.run('run_command', {command: 'echo ran'}))).toBe('ran\n');
    const required = createConfined('required', ['/nowhere/bwrap']);
    const outcome = await required.run('run_command', {command: 'touch made'});
    expect(outcome).toMatchObject({
      kind: 'refused',
      code: 'sandbox_missing',
      message: expect.stringContaining('install it'),
    });
    expect(existsSync(join(required.workspace, 'made'))).toBe(false);
    expect(verdictOf(await required.preview('run_command', {command: 'true'}))).toBe(
      'refused/sandbox_missing',
    );
  });

  test('one that does not work counts as missing', async () => {
    const tools = createPlace();
    const path = putStandIn(tools, 'exit 1');
    expect(
      verdictOf(await createConfined('required', [path]).run('run_command', {command: 'true'})),
    ).toBe('refused/sandbox_missing');
    expect(
      textOf(await createConfined('auto', [path]).run('run_command', {command: 'echo ran'})),
    ).toBe('ran\n');
  });

  test('one that is there and does not work confines nothing, and the preview says so', async () => {
    const path = putStandIn(createPlace(), 'exit 1');
    const auto = createConfined('auto', [path]);
    expect(await auto.preview('run_command', {command: 'true'})).toMatchObject({
      preview: expect.stringContaining('\nunconfined: '),
      confinement: 'unconfined',
    });
    expect(await auto.run('run_command', {command: 'true'})).toMatchObject({confined: false});
  });
});

describe('where a bubblewrap works', () => {
  test('commands run in it, with the workspace writable and what is protected read-only', async () => {
    const tools = createPlace();
    const path = putStandIn(tools, passOn);
    const place = createConfined('required', [path]);
    place.put('.git/hooks/pre-commit', '');
    place.put('sub/a.txt', '');
    const outcome = await place.run('run_command', {command: 'pwd; exit 4', working_dir: 'sub'});
    expect(outcome).toMatchObject({code: 'exit_nonzero', exitCode: 4, confined: true});
    expect(await place.preview('run_command', {command: 'true'})).toMatchObject({
      preview: expect.stringContaining('\nconfined by bubblewrap, no network'),
      confinement: 'confined',
    });
    const args = readFileSync(`${path}.log`, 'utf8').split('\n').join(' ');
    expect(args).toContain(
      '--unshare-all --unshare-user --disable-userns --die-with-parent --new-session',
    );
    expect(args).toContain('--cap-drop ALL --clearenv --ro-bind / /');
    expect(args).toContain(`--bind ${place.workspace} ${place.workspace}`);
    const hooks = join(place.workspace, '.git/hooks');
    expect(args).toContain(`--ro-bind ${hooks} ${hooks}`);
    expect(args.indexOf('--tmpfs /tmp')).toBeLessThan(args.indexOf(`--bind ${place.workspace}`));
    expect(args).toContain(`--chdir ${join(place.workspace, 'sub')}`);
  });

  test('a workspace that is a git worktree, where .git is a file, is no obstacle', async () => {
    const tools = createPlace();
    const path = putStandIn(tools, passOn);
    const place = createConfined('required', [path]);
    place.put('.git', 'gitdir: /elsewhere\n');
    expect(textOf(await place.run('run_command', {command: 'echo ran'}))).toBe('ran\n');
  });

  test('off does not use it', async () => {
    const tools = createPlace();
    const path = putStandIn(tools, passOn);
    await createConfined('off', [path]).run('run_command', {command: 'true'});
    expect(existsSync(`${path}.log`)).toBe(false);
  });
});

const works = await (async (): Promise<boolean> => {
  const enclosure = {workspace: process.cwd(), folder: process.cwd(), env: {PATH: '/usr/bin:/bin'}};
  return (await createSandbox({mode: 'required'}).enclose(['/bin/true'], enclosure)).ok;
})();

/** Inside, /tmp is another one: a Node that lives there is not to be seen. */
const isHidden = process.execPath.startsWith('/tmp/');

describe.skipIf(!works)('in a real bubblewrap', () => {
  test('the workspace is writable, everything else is not', async () => {
    const place = createConfined('required');
    place.put('.git/hooks/x', '');
    const command = `echo in > made; echo out > ${place.outside}/pwn; echo hook > .git/hooks/pre-commit; touch /etc/x`;
    expect(verdictOf(await place.run('run_command', {command}))).toBe('failed/exit_nonzero');
    expect(place.text('made')).toBe('in\n');
    expect(existsSync(join(place.workspace, '.git/hooks/pre-commit'))).toBe(false);
  });

  test('code that a tool is tricked into running cannot write outside', async () => {
    const place = createConfined('required');
    for (const command of [
      `find . -exec sh -c 'id > ${place.outside}/p' ';'`,
      `git -c core.pager="sh -c 'id > ${place.outside}/p'" log`,
    ]) {
      await place.run('run_command', {command});
    }
    expect(existsSync(join(place.outside, 'p'))).toBe(false);
  });

  test.skipIf(isHidden)('there is no network, not even this machine', async () => {
    const server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const place = createConfined('required');
    const script = `require('net').connect(${port}, '127.0.0.1').on('data', d => console.log(String(d))).on('error', e => console.log(e.code))`;
    writeFileSync(join(place.workspace, 'try.cjs'), script);
    const text = textOf(await place.run('run_command', {command: `${process.execPath} try.cjs`}));
    expect(text).toMatch(/ECONNREFUSED|ENETUNREACH/);
  });

  test('a process that leaves its group ends with the command', async () => {
    const place = createConfined('required');
    const outcome = await place.run('run_command', {
      command: 'setsid nohup sleep 9999 & echo done',
    });
    expect(outcome).toMatchObject({kind: 'succeeded', text: 'done\n'});
  });

  test.skipIf(isHidden)('no new namespaces, and a Node project can run its tests', async () => {
    const place = createConfined('required');
    expect(verdictOf(await place.run('run_command', {command: 'unshare -Ur true'}))).toBe(
      'failed/exit_nonzero',
    );
    mkdirSync(join(place.workspace, 'test'));
    place.put('test/a.test.cjs', "require('node:test')('works', () => undefined)");
    const outcome = await place.run('run_command', {command: `${process.execPath} --test`});
    expect(outcome).toMatchObject({kind: 'succeeded', exitCode: 0});
  });
});
