/** Files that a sandbox hides, and machines on which there is no sandbox. */

import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, symlinkSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';

import {describe, expect, test, onTestFinished} from 'vitest';

import {createSandbox} from '../../../tools/index.ts';
import {seatbeltProfile} from '../../../tools/run/sandbox/seatbelt.ts';
import {textOf, verdictOf, type Place} from '../place.ts';
import {createGraded, type Grade, grades} from './confined.ts';

const secrets = ['.env', 'deep/er/.env.local', 'keys/id_ed25519', '.aws/credentials', '.npmrc'];

function createKept(grade: Grade): Place {
  const place = createGraded(grade);
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

describe.each(grades)('to a command in %s', (grade) => {
  test('files that may hold credentials are closed, even through links, and the preview names them', async () => {
    const place = createKept(grade);
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
      const place = createKept(grade);
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
    const place = createKept(grade);
    for (const act of ['mv .env x; cat x', 'rm -f .env', 'echo x >.env', 'ln -f .env y; cat y']) {
      expect(textOf(await place.run('run_command', {command: `frobnicate; ${act}`}))).not.toContain(
        'hunter2',
      );
    }
    expect(place.text('.env')).toBe('hunter2\n');
  });

  test('the preview says so beforehand', async () => {
    const place = createKept(grade);
    expect(await place.preview('run_command', {command: 'frobnicate'})).toMatchObject({
      preview: expect.stringMatching(/closed to it: \.aws, \.env, .* and \d more$/m),
    });
    expect(await place.preview('run_command', {command: 'cat src/a.txt'})).toMatchObject({
      preview: expect.stringContaining('closed to it: .aws, .env'),
    });
  });
});

describe.each(grades)('in %s, a call', (grade) => {
  test('opens the files that it names, even in a closed folder, and no others', async () => {
    const place = createKept(grade);
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
    expect(verdictOf(await createKept(grade).run('run_command', args))).toBe(verdict);
    expect(verdictOf(await createKept(grade).preview('run_command', args))).toBe(verdict);
  });

  test('without a credential file does not mention them', async () => {
    const outcome = await createKept(grade).run('run_command', {
      command: 'cat src/a.txt; mkdir made',
    });
    expect(textOf(outcome)).toBe('known\n');
  });

  test('that commits can use keys that git tracks, and adds no others', async () => {
    const place = createKept(grade);
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
    // Landlock has git ignore them, as a command could not even find out that they are there.
    expect(textOf(await place.run('run_command', {command}))).toContain(
      grade === 'landlock' ? 'nothing to commit' : 'adding files failed',
    );
    expect(git('log', '-1', '--format=%s')).toBe('y\n');
    expect(git('show', 'HEAD:keys/id_ed25519')).toBe('hunter2\n');
    expect(git('ls-files')).not.toMatch(/^\.env$|deep|\.aws/m);
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

describe.each(grades)('in %s, a test', (grade) => {
  test.each([
    ['that git knows reaches hosts that commands may reach, but none under Landlock', []],
    ['that the run has changed reaches none', ['test/a.test.mjs']],
  ])('%s', async (_, changed) => {
    const isOpen = grade === 'bubblewrap' && changed.length === 0;
    const port = await serve();
    const place = createGraded(grade, [`127.0.0.1:${port}`]);
    place.put(
      'test/a.test.mjs',
      `await fetch('http://127.0.0.1:${port}/').then(async r => console.log('answer:', await r.text()), () => console.log('answer: failed'));\n`,
    );
    commitAll(place);
    const outcome = await place.run('run_command', runner, {changed: async () => changed});
    expect(textOf(outcome)).toMatch(isOpen ? /answer: reached/ : /answer: failed/);
    const ready = await place.preview('run_command', runner, changed);
    const line = isOpen ? `network: only 127.0.0.1:${port}` : 'no network';
    expect(ready).toMatchObject({
      preview: expect.stringContaining(`confined by ${grade}, ${line}`),
    });
  });

  test('that git does not know prints no credentials', async () => {
    const place = createGraded(grade);
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
