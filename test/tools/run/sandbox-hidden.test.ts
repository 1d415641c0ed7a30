/** Files that a sandbox hides, and machines on which there is no sandbox. */

import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, symlinkSync, chmodSync, mkdirSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';

import {describe, expect, test, onTestFinished} from 'vitest';

import {createSandbox} from '../../../tools/index.ts';
import {defaultLimits, limitsOf} from '../../../tools/run/quota.ts';
import {seatbeltProfile} from '../../../tools/run/sandbox/seatbelt.ts';
import {textOf, verdictOf, createPlace, type Place} from '../place.ts';
import {canConfine, createConfined} from './confined.ts';

const secrets = ['.env', 'deep/er/.env.local', 'keys/id_ed25519', '.aws/credentials', '.npmrc'];

function createKept() {
  const place = createConfined();
  for (const path of secrets) place.put(path, 'hunter2\n');
  place.put('.aws/more/deep.txt', 'hunter2\n');
  place.put('.env.example', 'NAME=example\n');
  place.put('src/a.txt', 'known\n');
  symlinkSync('keys/id_ed25519', join(place.workspace, 'id_rsa'));
  place.put('aside.txt', 'hunter2\n');
  symlinkSync('aside.txt', join(place.workspace, 'live.env'));
  place.put('read.py', 'import sys\nfor path in sys.argv[1:]: print(open(path).read())\n');
  return place;
}

describe.skipIf(!canConfine)('to a confined command', () => {
  test('files that may hold credentials are closed, even through links, and the preview names them', async () => {
    const place = createKept();
    const outcome = await place.run('run_command', {
      command: `frobnicate; grep -rs . . --exclude=read.py; cat id_rsa live.env ${secrets.join(' ')}`,
    });
    const text = textOf(outcome);
    expect(text).not.toContain('hunter2');
    expect(text).toContain('src/a.txt:known');
    expect(text).toContain('.env.example:NAME=example');
    expect(text).toContain('[closed to this command, as they may hold credentials: ');
    expect(text).toMatch(/ and \d more; one that it needs/);
    for (const path of secrets) expect(place.text(path)).toBe('hunter2\n');
  });

  test.skipIf(!existsSync('/usr/bin/python3'))(
    'so are they to code, whether git knows it or not',
    async () => {
      const place = createKept();
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: place.workspace,
        });
      const command = 'python3 read.py src/a.txt .env';
      git('init', '-q');
      const before = textOf(await place.run('run_command', {command}));
      expect(before).toContain('known');
      expect(before).not.toContain('hunter2');
      expect(before).toContain('[closed to this command');
      git('add', 'read.py');
      git('commit', '-qm', 'x');
      const after = textOf(await place.run('run_command', {command}));
      expect(after).toContain('known');
      expect(after).not.toContain('hunter2');
    },
  );

  test('they cannot be moved, replaced or written either', async () => {
    const place = createKept();
    for (const act of ['mv .env x; cat x', 'rm -f .env', 'echo x >.env', 'ln -f .env y; cat y']) {
      expect(textOf(await place.run('run_command', {command: `frobnicate; ${act}`}))).not.toContain(
        'hunter2',
      );
    }
    expect(place.text('.env')).toBe('hunter2\n');
  });

  test('the preview says so beforehand', async () => {
    const place = createKept();
    expect(await place.preview('run_command', {command: 'frobnicate'})).toMatchObject({
      preview: expect.stringMatching(/closed to it: \.aws, \.env, .* and \d more$/m),
    });
    expect(await place.preview('run_command', {command: 'cat src/a.txt'})).toMatchObject({
      preview: expect.stringContaining('closed to it: .aws, .env'),
    });
  });
});

describe.skipIf(!canConfine)('a call', () => {
  test('opens the files that it names, even in a closed folder, and no others', async () => {
    const place = createKept();
    const args = {
      command: 'cat .env .aws/credentials .aws/more/deep.txt keys/id_ed25519',
      credentials: ['.env', '.aws/credentials'],
    };
    const outcome = await place.run('run_command', args);
    expect(textOf(outcome).match(/hunter2/g)).toHaveLength(2);
    expect(await place.preview('run_command', args)).toMatchObject({
      preview: expect.stringContaining('opens to it, for this call: .env, .aws/credentials'),
    });
  });

  test.each([
    ['src/a.txt', 'refused/not_credentials'],
    ['.env.prod', 'refused/not_found'],
    ['.aws', 'refused/not_a_file'],
    ['../outside/.env', 'refused/path_escape'],
  ])('that names %s in its place is refused', async (path, verdict) => {
    const args = {command: 'ls', credentials: [path]};
    expect(verdictOf(await createKept().run('run_command', args))).toBe(verdict);
    expect(verdictOf(await createKept().preview('run_command', args))).toBe(verdict);
  });

  test('without a credential file does not mention them', async () => {
    const outcome = await createKept().run('run_command', {command: 'cat src/a.txt; mkdir made'});
    expect(textOf(outcome)).toBe('known\n');
  });

  test('that commits can use keys that git tracks, and fails to add others', async () => {
    const place = createKept();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: place.workspace,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', 'keys/id_ed25519', 'src');
    git('commit', '-qm', 'x');
    const commit = 'git -c user.name=a -c user.email=a@b commit';
    const command = `git add -A; echo more >> src/a.txt; ${commit} -qam y; ${commit} -qm z`;
    expect(textOf(await place.run('run_command', {command}))).toContain('adding files failed');
    expect(git('log', '-1', '--format=%s')).toBe('y\n');
    expect(git('show', 'HEAD:keys/id_ed25519')).toBe('hunter2\n');
    expect(git('ls-files')).not.toMatch(/^\.env$|deep|\.aws/m);
  });
});

interface Stand {
  readonly candidates: readonly string[];
  /** The arguments of each call, one per line. */
  readonly calls: () => readonly (readonly string[])[];
}

/** An engine that records its calls, and runs commands without a container. */
function createEngine(tools: Place): Stand {
  const path = tools.put(
    'bin/engine',
    `#!/bin/sh
HOME=${tools.workspace}/home; export HOME
{ printf '%s\\n' "$@"; echo END; } >>${tools.workspace}/log
[ "$1" = run ] || exit 0
case "$*" in *"readlink /proc/self/ns/mnt"*) printf 'mnt:[1]\\nwritable\\n'; exit;; esac
while [ "$1" != the/image:1 ]; do shift; done
shift; exec "$@"
`,
  );
  chmodSync(path, 0o755);
  return {
    candidates: [path],
    calls: () =>
      tools
        .text('log')
        .split('END\n')
        .filter((call) => call !== '')
        .map((call) => call.split('\n').slice(0, -1)),
  };
}

test.each(['docker', 'podman'] as const)(
  '%s runs a command in a container of its own',
  async (container) => {
    const engine = createEngine(createPlace());
    const options = {container, image: 'the/image:1', candidates: engine.candidates};
    const place = createConfined('required', options);
    for (const name of ['hooks', 'objects', 'refs']) {
      mkdirSync(join(place.workspace, '.git', name), {recursive: true});
    }
    place.put('.git/HEAD', 'ref: refs/heads/main\n');
    place.put('sub,part/a.txt', '');
    const outcome = await place.run('run_command', {
      command: 'pwd; exit 4',
      working_dir: 'sub,part',
    });
    expect(outcome).toMatchObject({code: 'exit_nonzero', exitCode: 4, confined: true});
    const [trial = [], trialRemoved, call = [], removed = []] = engine.calls();
    expect(trial.slice(0, 4)).toEqual(['run', '--rm', '--init', '--name']);
    expect(trialRemoved?.[0]).toBe('rm');
    const line = call.join(' ');
    expect(line).toContain(
      '--network none --read-only --cap-drop ALL --security-opt no-new-privileges',
    );
    const {memory, processes} = limitsOf(defaultLimits);
    expect(line).toContain(`--pids-limit ${processes} --memory ${memory}b`);
    expect(line).toContain(
      container === 'podman' ? '--userns keep-id' : `--user ${process.getuid?.()}:`,
    );
    const {workspace} = place;
    expect(call).toContain(`type=bind,source=${workspace},target=${workspace}`);
    expect(call).toContain(`type=bind,source=${workspace}/.git,target=${workspace}/.git`);
    const hooks = `type=bind,source=${workspace}/.git/hooks,target=${workspace}/.git/hooks,readonly`;
    expect(call).toContain(hooks);
    expect(call.indexOf(hooks)).toBeLessThan(call.indexOf('the/image:1'));
    expect(line).toContain(`--workdir ${workspace}/sub,part --env HOME=/tmp/home`);
    expect(call).not.toContain('PATH');
    expect(removed).toEqual(['rm', '--force', call[call.indexOf('--name') + 1]]);
    expect(existsSync(join(workspace, '.vscode'))).toBe(false);
  },
);

test('a container runtime that does not work counts as missing, with its own reason', async () => {
  const tools = createPlace();
  const path = tools.put(
    'engine',
    '#!/bin/sh\necho "Cannot connect to the Docker daemon" >&2; exit 1\n',
  );
  chmodSync(path, 0o755);
  const options = {mode: 'auto', container: 'docker', image: 'x', candidates: [path]} as const;
  expect(await createSandbox(options).probe(tools.workspace)).toEqual({
    confined: false,
    why: 'container does not work here (Cannot connect to the Docker daemon)',
  });
});

test('a missing container runtime is not replaced by another sandbox', async () => {
  const place = createConfined('required', {container: 'podman', image: 'x', candidates: []});
  const outcome = await place.run('run_command', {command: 'true'});
  expect(outcome).toMatchObject({
    kind: 'refused',
    code: 'sandbox_missing',
    message: expect.stringContaining('podman is not in'),
  });
});

test('on macOS, sandbox-exec is probed', async () => {
  const sandbox = createSandbox({mode: 'auto', platform: 'darwin', candidates: ['/nowhere']});
  expect(await sandbox.probe('/work')).toEqual({confined: false, why: 'sandbox-exec is missing'});
});

test('a macOS profile denies by default, and its guards follow its permissions', () => {
  const profile = seatbeltProfile({
    workspace: '/Users/me/a "b"',
    home: '/private/tmp/home',
    shown: ['/Users/me/.cargo/bin'],
    places: [
      {path: '/Users/me/a "b"/.git', as: 'pinned'},
      {path: '/Users/me/a "b"/.git/hooks', as: 'shut'},
      {path: '/Users/me/a "b"/.vscode', as: 'shut', held: 'folder'},
      {path: '/Users/me/a "b"/x.sock', as: 'masked'},
    ],
  });
  const lines = profile.split('\n');
  expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  expect(profile).not.toMatch(/network/);
  expect(lines).toContain('(allow file-read* (subpath "/Users/me/.cargo/bin"))');
  expect(lines.slice(-7)).toEqual([
    String.raw`(allow file-read* file-write* (subpath "/Users/me/a \"b\""))`,
    '(allow file-read* file-write* (subpath "/private/tmp/home"))',
    String.raw`(deny file-write-unlink (literal "/Users/me/a \"b\""))`,
    String.raw`(deny file-write-unlink (literal "/Users/me/a \"b\"/.git"))`,
    String.raw`(deny file-write* (subpath "/Users/me/a \"b\"/.git/hooks"))`,
    String.raw`(deny file-write* (subpath "/Users/me/a \"b\"/.vscode"))`,
    String.raw`(deny file-read* file-write* (subpath "/Users/me/a \"b\"/x.sock"))`,
  ]);
});

const runner = {command: 'node --test --test-reporter=tap'};

async function serve(): Promise<number> {
  const server = createServer((_, response) => response.end('reached'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function commitAll({workspace}: Place): void {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {cwd: workspace});
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
}

describe.skipIf(!canConfine)('a test in a sandbox', () => {
  test.each([
    ['that git knows reaches hosts that commands may reach', [], /answer: reached/],
    ['that the run has changed reaches none', ['test/a.test.mjs'], /answer: failed/],
  ])('%s', async (_, changed, expected) => {
    const port = await serve();
    const place = createConfined('required', {network: [`127.0.0.1:${port}`]});
    place.put(
      'test/a.test.mjs',
      `await fetch('http://127.0.0.1:${port}/').then(async r => console.log('answer:', await r.text()), () => console.log('answer: failed'));\n`,
    );
    commitAll(place);
    const outcome = await place.run('run_command', runner, {changed: async () => changed});
    expect(textOf(outcome)).toMatch(expected);
    const ready = await place.preview('run_command', runner, changed);
    const line = changed.length > 0 ? 'no network' : `network: only 127.0.0.1:${port}`;
    expect(ready).toMatchObject({
      preview: expect.stringContaining(`confined by bubblewrap, ${line}\n`),
    });
  });

  test('that git does not know prints no credentials', async () => {
    const place = createConfined();
    place.put('.gitignore', '.env\n');
    place.put('.env', 'KEY=hunter2\n');
    commitAll(place);
    place.put(
      'test/b.test.mjs',
      "import {readFileSync} from 'node:fs';\n\nconsole.log('ran');\nconsole.log(readFileSync('.env', 'utf8'));\n",
    );
    const text = textOf(await place.run('run_command', runner));
    expect(text).toContain('ran');
    expect(text).not.toContain('hunter2');
  });
});
