/** stdout is for results, a log for records: the reports of runs that wait, were suspended or could not run are on stderr, in every command. */

import {copyFileSync, existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {beforeAll, describe, expect, test} from 'vitest';

import {logWarning, withLog} from '../../cli/log.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {act, ballot, isBallot, writePlan} from '../support/agent-models.ts';
import type {Launched, LaunchOptions} from '../support/launch.ts';
import {setStage} from './stage.ts';

interface LogRecord {
  readonly level: number;
  readonly time: string;
  readonly elapsedMs: number;
  readonly type: string;
  readonly [key: string]: unknown;
}

function recordsIn(file: string): LogRecord[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line): LogRecord => JSON.parse(line));
}

describe('a log', () => {
  const {at, launch, launcher} = setStage();

  test('a run is logged from its warnings to its result, readable by its owner only, and a second run below it', async () => {
    const file = at('run.log');
    const {code} = await launcher.run(['-C', 'work', 'ask', 'What is 2 + 3?', '--log', file]);
    const records = recordsIn(file);
    const types = records.map(({type}) => type);
    expect(code).toBe(0);
    expect(types.at(-1)).toBe('result');
    expect(types).toContain('warning');
    expect(types).toContain('tool.called');
    expect(types).not.toContain('model.delta');
    expect(records.map(({elapsedMs}) => elapsedMs)).toEqual(
      records.map(({elapsedMs}) => elapsedMs).toSorted((a, b) => a - b),
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await launcher.perform(['-C', 'work', 'ask', 'What is 2 + 4?'], {env: {QUORATE_LOG: file}});
    expect(recordsIn(file).filter(({type}) => type === 'result')).toHaveLength(2);
  });

  test('a log that cannot be written is an error before the run starts', async () => {
    const file = at('nowhere', 'run.log');
    const {code, stderr} = await launch('--log', file, 'Create a.txt with the text: x');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^quorate: the log .*run\.log can't be written: ENOENT.*\n$/);
    expect(existsSync(at('work', 'a.txt'))).toBe(false);
  });

  test('a log on a full device is an error before the run starts', async () => {
    const line = ['-C', 'work', 'ask', 'What is 2 + 3?', '--log', '/dev/full'];
    const {code, stdout, stderr} = await launcher.perform(line);
    expect({code, stdout}).toEqual({code: 2, stdout: ''});
    expect(stderr).toMatch(/^quorate: the log \/dev\/full can't be written: ENOSPC.*\n$/);
  });

  test('a disk that fills up later costs log lines, not the run', async () => {
    const fileKib = 4096;
    const file = at('run.log');
    writeFileSync(file, '\n'.repeat(fileKib * 1024));
    const line = ['-C', 'work', 'ask', 'What is 2 + 3?', '--log', file];
    const {code, stdout} = await launcher.run(line, {fileKib});
    expect([code, stdout]).toEqual([0, '2 + 3 = 5\n']);
    expect(statSync(file).size).toBe(fileKib * 1024);
  });

  test('an error is logged with its code and its causes, without the secrets of the environment', async () => {
    const file = at('error.log');
    const env = {QUORATE_LOG: file, ANTHROPIC_API_KEY: 'sk-very-secret-indeed'};
    const cause = new Error('refused sk-very-secret-indeed');
    const failing = withLog({}, env, async (logger) => {
      logWarning(logger, t`careful`);
      throw new AppError('io', 'it broke', {cause});
    });
    await expect(failing).rejects.toThrow('it broke');
    expect(recordsIn(file)).toMatchObject([
      {level: 40, type: 'warning', event: {message: 'careful'}},
      {
        level: 50,
        type: 'error',
        error: {code: 'io', message: 'it broke', cause: {message: 'refused [secret]'}},
      },
    ]);
  });
});

describe('stdout', () => {
  const {at, launcher, put} = setStage({
    once: true,
    models: (received) => {
      if (isDown) return {status: 401};
      return isBallot(received) ? ballot('reject', 'not good enough') : act(received);
    },
    agent: 'max_plan_revisions = 1',
    prepare: () => {
      copyFileSync('test/fixtures/forms/t-shirt.toml', at('work/t-shirt.toml'));
      put('plan.json', JSON.stringify(writePlan));
    },
  });
  let isDown = false;

  const diff = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-a
+b
`;

  async function run(args: readonly string[], options: LaunchOptions = {}): Promise<Launched> {
    return await launcher.run(args, {cwd: at('work'), ...options});
  }

  /** The ID of a new run that was suspended, or that waits. */
  async function left(isSuspended: boolean): Promise<string> {
    isDown = isSuspended;
    const {stderr} = await run(['Write a note']);
    return /quorate resume (\w+)/.exec(stderr)?.[1] ?? '';
  }

  const models = ['-m', 'mock/a'];
  const forms: readonly (readonly [form: string, args: readonly string[], stdin: string])[] = [
    ['a task', ['Write a note'], ''],
    ['ask', ['ask', ...models, 'How many?'], ''],
    ['discuss', ['discuss', ...models, 'Tabs or spaces?'], ''],
    ['review', ['review'], diff],
    ['a conversation', ['chat', ...models], '/ask How many?\n'],
  ];

  describe('a suspended run', () => {
    test.each([...forms, ['a plan in a file', ['--plan', 'plan.json'], '']] as const)(
      'is reported on stderr by %s',
      async (_, args, stdin) => {
        isDown = true;
        const ran = await run(args, {stdin});
        expect(ran).toMatchObject({code: 2, stdout: ''});
        expect(ran.stderr).toMatch(/suspended.*refused the key/);
        expect(ran.stderr).toMatch(/continue with: quorate resume \w/);
      },
    );

    test('is reported on stderr by resume and fork', async () => {
      const id = await left(true);
      for (const args of [
        ['resume', id],
        ['--continue'],
        ['fork', id, '--at', '1'],
        ['fork', id, '--at', '1', '--files', '--yes'],
      ]) {
        const ran = await run(args);
        expect({args, ...ran}).toMatchObject({args, code: 2, stdout: ''});
        expect(ran.stderr).toMatch(/^suspended.*refused the key/m);
      }
    });
  });

  describe('a run that waits for a person', () => {
    test.each([
      ['a task', ['Write a note'], ''],
      ['a plan in a file', ['--plan', 'plan.json'], ''],
      ['a conversation', ['chat'], 'Write a note\n'],
    ] as const)('is reported on stderr by %s', async (_, args, stdin) => {
      isDown = false;
      const ran = await run(args, {stdin});
      expect(ran).toMatchObject({code: 4, stdout: ''});
      expect(ran.stderr).toMatch(/^waiting for a person: /m);
      expect(ran.stderr.match(/quorate resume \w+ --decision approve:/g)).toHaveLength(1);
    });

    test('is reported on stderr by resume and fork', async () => {
      const id = await left(false);
      for (const args of [
        ['resume', id],
        ['fork', id, '--at', 'gate.1'],
        ['fork', id, '--at', 'gate.1', '--files', '--yes'],
      ]) {
        const ran = await run(args);
        expect({args, ...ran}).toMatchObject({args, code: 4, stdout: ''});
        expect(ran.stderr).toMatch(/quorate resume \w+ --decision approve:/);
      }
    });

    test('is shown on stdout, and the commands that continue it on stderr', async () => {
      for (const isSuspended of [true, false]) {
        const id = await left(isSuspended);
        const {code, stdout, stderr} = await run(['show', id]);
        expect(code).toBe(0);
        expect(stdout).toContain('Write a note');
        expect(stdout).not.toContain('quorate resume');
        expect(stderr).toContain(`quorate resume ${id}`);
      }
    });

    test('of an interview whose input has ended is reported on stderr', async () => {
      const args = ['interview', 't-shirt.toml', '--lang', 'en', '--country', 'Japan'];
      const offline = {env: {XDG_CONFIG_HOME: at('none')}};
      const first = await run(args, {...offline, stdin: 'L\n'});
      const id = /quorate resume (\w+)/.exec(first.stderr)?.[1] ?? '';
      for (const ran of [first, await run(['resume', id], offline)]) {
        expect(ran).toMatchObject({code: 4, stdout: ''});
        expect(ran.stderr).toMatch(/^waiting/m);
        expect(ran.stderr).toContain(`continue with: quorate resume ${id}`);
      }
    });
  });

  describe('a run that could not run', () => {
    /** The log of the journal can't be written beyond this: it has the pages of 4 KB of an earlier journal. */
    const fileKib = 64;
    let home = '';

    beforeAll(async () => {
      isDown = false;
      home = at('full');
      await run(['ask', ...models, 'How many?'], {env: {QUORATE_HOME: home}});
      const journal = new DatabaseSync(join(home, 'journal.db'));
      journal.exec('PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM');
      journal.exec('PRAGMA journal_mode = WAL');
      journal.close();
    });

    test.each(forms)('is reported on stderr by %s', async (_, args, stdin) => {
      const ran = await run(args, {env: {QUORATE_HOME: home}, fileKib, stdin});
      expect(ran).toMatchObject({code: 2, stdout: ''});
      expect(ran.stderr).toMatch(/error: .*journal\.db/);
    });
  });

  describe('a run that a limit stopped', () => {
    test('has its result on stdout, and the way to continue it on stderr', async () => {
      isDown = false;
      const {code, stdout, stderr} = await run(['--max-calls', '1', 'Write a note']);
      expect(code).toBe(3);
      expect(stdout).toMatch(/^limited: /);
      expect(stdout).not.toContain('quorate resume');
      expect(stderr).toMatch(/continue with: quorate resume \w+ --max-calls N\n/);
    });
  });
});
