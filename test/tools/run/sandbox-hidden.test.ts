/** Files of credentials in a workspace, and commands of which nobody knows what they read. */

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

describe.skipIf(!canConfine)('to a confined command that is not understood', () => {
  test('files that may hold credentials are closed, links to them too, and it is told which', async () => {
    const place = createKept();
    const outcome = await place.run('run_command', {
      command: `frobnicate; grep -rs . . --exclude=read.py; cat id_rsa live.env ${secrets.join(' ')}`,
    });
    const text = textOf(outcome);
    expect(text).not.toContain('hunter2');
    expect(text).toContain('src/a.txt:known');
    expect(text).toContain('.env.example:NAME=example');
    expect(text).toContain(
      '[closed to this command, as nobody can tell what it reads and they may hold',
    );
    expect(text).toContain('deep/er/.env.local');
    expect(text).toMatch(/ and \d more\]\n/);
    for (const path of secrets) expect(place.text(path)).toBe('hunter2\n');
  });

  test.skipIf(!existsSync('/usr/bin/python3'))(
    'so are they to code that git does not know, and not to what it knows',
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
      expect(after).toContain('hunter2');
      expect(after).not.toContain('[closed');
    },
  );

  test('they can’t be moved aside, replaced or written either', async () => {
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
      preview: expect.stringContaining('files that may hold credentials are closed to it'),
    });
    expect(await place.preview('run_command', {command: 'cat src/a.txt'})).toMatchObject({
      preview: expect.not.stringContaining('credentials'),
    });
  });
});

test.skipIf(!canConfine)(
  'what is understood finds them as they are, for tests need them',
  async () => {
    const place = createKept();
    const outcome = await place.run('run_command', {command: 'cat .env'});
    expect(verdictOf(outcome)).toBe('succeeded');
    expect(textOf(outcome)).toBe('hunter2\n');
  },
);
