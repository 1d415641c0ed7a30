/** Files with credentials in a workspace are closed to every confined command. */

import {execFileSync} from 'node:child_process';
import {existsSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {textOf, verdictOf} from '../place.ts';
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
