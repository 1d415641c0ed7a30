/** Confinement without bubblewrap: a container runtime (simulated here), and macOS's own sandbox. */

import {chmodSync, existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {createSandbox} from '../../../tools/index.ts';
import {defaultLimits, limitsOf} from '../../../tools/run/quota.ts';
import {seatbeltProfile} from '../../../tools/run/sandbox/seatbelt.ts';
import {createPlace, type Place} from '../place.ts';
import {createConfined} from './confined.ts';

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
