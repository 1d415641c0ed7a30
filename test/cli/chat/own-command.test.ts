/** Shell commands that a person types in a conversation. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createLauncher, type Launched, type Launcher} from '../../support/launch.ts';
import {hasPty} from '../../support/pty.ts';
import {canConfine} from '../../tools/run/confined.ts';
import {setUpConversation, stall} from './conversation.ts';

describe('from a pipe', {timeout: 60_000}, () => {
  let launcher: Launcher;
  let cwd: string;

  beforeEach(() => {
    launcher = createLauncher();
    cwd = join(launcher.folder, 'work');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'kept.txt'), 'one\n');
  });
  afterEach(() => launcher.remove());

  async function pipe(...lines: readonly string[]): Promise<Launched> {
    return await launcher.perform(['chat'], {
      cwd,
      stdin: lines.map((line) => `${line}\n`).join(''),
    });
  }

  test('a line with ! runs at once, is recorded as the person’s, and can be undone', async () => {
    const {code, stdout, stderr} = await pipe('!rm kept.txt && echo gone', '/tree', '/diff');
    expect({code, stdout}).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^completed: \$ rm kept\.txt && echo gone\ngone\n/),
    });
    expect(stderr).toMatch(/^1 command completed: rm kept\.txt && echo gone$/m);
    expect(stderr).not.toContain('vote on');
    const [, id = ''] = /^command (\w+): /m.exec(stderr) ?? [];
    const exported = await launcher.perform(['export', id]);
    expect(exported.stdout).toContain('typed by the person');
    expect(existsSync(join(cwd, 'kept.txt'))).toBe(false);
    await launcher.perform(['undo', id], {cwd});
    expect(readFileSync(join(cwd, 'kept.txt'), 'utf8')).toBe('one\n');
    const shown = await launcher.perform(['show', id]);
    expect(shown.stdout).toContain('rm kept.txt && echo gone');
    expect(shown.stdout).toMatch(/^ {2}person approved .*typed by the person/m);
  });

  test('a command that fails ends with its exit code on record, and later lines are performed', async () => {
    const {code, stdout} = await pipe('!exit 3', '!echo next');
    expect(stdout).toMatch(/^failed: \$ exit 3\nthe command exited with code 3\n/);
    expect(stdout).toMatch(/^completed: \$ echo next\nnext\n/m);
    expect(code).toBe(1);
  });

  test.runIf(canConfine)(
    'with a file with credentials, explains how a person can read it',
    async () => {
      writeFileSync(join(cwd, '.env'), 'TOKEN=1\n');
      const {stdout} = await pipe('!cat .env');
      expect(stdout).toContain('closed to this command, as they may hold credentials: .env');
      expect(stdout).toContain('to read them, run the command in a shell outside Quorate');
      expect(stdout).not.toContain('argument');
    },
  );

  test('! alone reports the missing command', async () => {
    const {code, stderr} = await pipe('!');
    expect(stderr).toContain('! needs a command after it, such as !npm test');
    expect(code).toBe(2);
  });
});

describe.runIf(hasPty)('on a pseudo-terminal', {timeout: 60_000}, () => {
  const {chat, answer, received} = setUpConversation();

  test('later tasks receive the person’s command and its output', async () => {
    const {type, sees} = await chat();
    type('!echo the port is 4711\r');
    await sees(/^completed: \$ echo the port is 4711/m);
    await sees(/^solo>$/m);
    type('/ask --full which port is it?\r');
    await sees(/Nothing more\./);
    const asked = received().find(({text}) => text.includes('which port is it?'));
    expect(asked?.text).toContain('The person ran: echo the port is 4711');
    expect(asked?.text).toMatch(/\n.*the port is 4711/);
  });

  test('a command runs beside a task, which keeps the focus', async () => {
    answer(stall);
    const {type, sees, rows} = await chat();
    type('Say hello\r');
    await sees('▸ planning');
    type('!echo beside\r');
    await sees(/^\[2\] completed: \$ echo beside/m);
    await sees(/^solo 1>$/m);
    type('/undo\r');
    await sees('there is nothing to take back');
    expect(rows().join('\n')).not.toMatch(/^solo 2>/m);
  });
});
