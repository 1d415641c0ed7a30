/** The launcher in surroundings that it must survive: signals, blank variables, folders and journals that can not be used. */

import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {PassThrough} from 'node:stream';
import {fileURLToPath} from 'node:url';

import {execa} from 'execa';
import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest';

import {checkTemporaryFolder} from '../../cli/doctor/doctor.ts';
import {findingOf} from '../../cli/doctor/finding.ts';
import {completionScript} from '../../cli/line/did-you-mean.ts';
import {temporaryFolder} from '../../tools/temporary-folder.ts';
import {launcherProgram} from '../support/built.ts';
import {runLine} from '../support/command-line.ts';
import {environmentIn} from '../support/launch.ts';
import {canMount, fill, mountSmallDisk} from '../support/small-disk.ts';
import {setStage} from './stage.ts';

function collect(stream: PassThrough): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return () => text;
}

const strace = '/usr/bin/strace';

describe('signals', {timeout: 60_000}, () => {
  const script = fileURLToPath(new URL('waiting-session.ts', import.meta.url));
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s suspends with exit 130',
    async (signal) => {
      const child = spawn(process.execPath, [script], {stdio: ['ignore', 'pipe', 'pipe']});
      const out = collect(child.stdout.pipe(new PassThrough()));
      const err = collect(child.stderr.pipe(new PassThrough()));
      await once(child.stderr, 'data');
      child.kill(signal);
      expect((await once(child, 'close'))[0]).toBe(130);
      expect(out()).toBe('');
      expect(err().match(/continue with: quorate resume run-1\n/g)).toHaveLength(1);
    },
  );

  test('a second signal ends the process at once', async () => {
    const child = spawn(process.execPath, [script, 'stubborn'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const err = collect(child.stderr.pipe(new PassThrough()));
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    while (!err().includes('asked to suspend')) await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect((await once(child, 'close'))[0]).toBe(130);
    expect(err()).not.toContain('suspended; continue');
  });
});

const names = [
  'ANTHROPIC_API_KEY',
  'FORCE_COLOR',
  'NO_COLOR',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'QUORATE_AGENT_DECISION_MODEL',
  'QUORATE_HOME',
  'QUORATE_LOG',
  'XDG_DATA_HOME',
];

describe('blank variables', () => {
  const {at, launcher} = setStage();

  test.each(['', ' '])('variables with the value %j count as not set', async (blank) => {
    const env = Object.fromEntries(names.map((name) => [name, blank]));
    const request = 'Create a file x.txt with the content "Hello"';
    const {code, stdout, stderr} = await launcher.run(['-C', 'work', request], {env});
    expect([code, stdout.split('\n')[0]]).toEqual([0, `completed: ${request}`]);
    expect(stderr).toMatch(/^warning: No model is configured: /);
    expect(readdirSync(at('work'))).toEqual(['x.txt']);
    expect(readdirSync(launcher.folder)).not.toContain(' ');
    expect(existsSync(at('.local/share/quorate/journal.db'))).toBe(true);
  });

  test('a server reachable by others does not start with a blank token', async () => {
    const env = {QUORATE_OWNER_TOKEN: ' '};
    const {code, stderr} = await launcher.run(['serve', '--host', '0.0.0.0', '--port', '0'], {env});
    expect([code, stderr]).toEqual([2, expect.stringContaining('set QUORATE_OWNER_TOKEN')]);
  });
});

describe('a folder that contains the data folder of the program', () => {
  const {at, launcher} = setStage({
    prepare: () => writeFileSync(at('tea.md'), '# Tea\n\nTea is brewed for three minutes.\n'),
  });

  test('runs at once keep their locks', async () => {
    const {run} = launcher;
    const first = await run(['ask', 'How long is tea brewed?']);
    expect(first).toMatchObject({code: 0});
    linkSync(at('data/journal.db'), at('notes.md'));
    linkSync(at('data/journal.db'), at('.env'));
    symlinkSync('data/journal.db', at('README.md'));
    const questions = ['How long is tea brewed?', '2+3', 'What is in notes.md?'];
    const all = await Promise.all(
      [...questions, 'How long is tea brewed?'].map(async (question) => run(['ask', question])),
    );
    for (const {code, stderr} of all) expect({code, stderr}).toMatchObject({code: 0});
    const journal = new DatabaseSync(at('data/journal.db'), {readOnly: true});
    onTestFinished(() => journal.close());
    expect(journal.prepare('PRAGMA integrity_check').all()).toEqual([{integrity_check: 'ok'}]);
    expect(journal.prepare('SELECT count(*) AS runs FROM interactions').get()).toEqual({runs: 5});
  });

  test.runIf(existsSync(strace))(
    'no database or lock of Quorate is opened to be read',
    async () => {
      const {folder, run} = launcher;
      await run(['ask', '2+3']);
      linkSync(at('data/journal.db'), at('notes.md'));
      const trace = at('data/trace');
      const options = ['-fy', '-etrace=open,openat', `-o${trace}`];
      const line = [process.execPath, await launcherProgram(), 'ask', 'What is in notes.md?'];
      const env = environmentIn(folder, {});
      await execa(strace, [...options, ...line], {cwd: folder, env, extendEnv: false});
      const opened = readFileSync(trace, 'utf8').split('\n');
      const ours = opened.filter((each) =>
        /= \d+<.*(?:\.db|-wal|-shm|\.lock|notes\.md)>$/.test(each),
      );
      expect(ours.length).toBeGreaterThan(0);
      // SQLite opens a file to write it.
      expect(ours.filter((each) => !each.includes('O_RDWR'))).toEqual([]);
    },
  );
});

describe('a temporary folder that can not be used', () => {
  const {at, launcher} = setStage();

  test('the doctor names it, and where temporary files go instead', async () => {
    const {code, stdout} = await launcher.run(['doctor'], {env: {TMPDIR: '/nope'}});
    expect({code, stdout}).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /warning +temporary folder +\/nope can't be used \(ENOENT\); \/\S+ is used instead/,
      ),
    });
    const usual = await launcher.run(['doctor']);
    expect(usual.stdout).toMatch(/ok +temporary folder +\/\S+\n/);
  });

  test('a run does its work without it', async () => {
    const {code} = await launcher.run(['Create a file z.txt with the content "x"'], {
      env: {TMPDIR: '/nope'},
    });
    expect({code, isThere: existsSync(at('z.txt'))}).toEqual({
      code: 0,
      isThere: true,
    });
    expect(readFileSync(at('z.txt'), 'utf8')).toBe('x\n');
  });

  test('without any, the error and the doctor name the folder, its variable and the reason', () => {
    const why = "/nope can't be used (ENOENT); set TMPDIR to a folder that you can write";
    expect(() => temporaryFolder(['/nope', '/nope/2'])).toThrow(`the temporary folder ${why}`);
    expect(findingOf(checkTemporaryFolder(['/nope', '/nope/2']), {})).toEqual({
      what: 'temporary folder',
      status: 'failed',
      detail: why,
    });
  });
});

const requestJournal = 'Create a file x.txt with the content "Hello"';

/** The superuser may write anywhere. */
const nobody = process.getuid?.() === 0 ? {uid: 65_534, gid: 65_534} : {};

/** A disk of 2 MB at a folder. Only root may mount one, and not in every container. */
describe('a journal that is locked or read-only', () => {
  const {at, launcher} = setStage({
    prepare: async () => void (await launcher.perform(['-q', requestJournal])),
  });

  /** The program in a process of its own, over the data of the launcher. */
  async function start(args: readonly string[], user: object = {}) {
    return spawn(process.execPath, [await launcherProgram(), ...args], {
      ...user,
      cwd: launcher.folder,
      env: {PATH: process.env['PATH'], HOME: launcher.folder, QUORATE_HOME: at('data')},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** The command with the ID of the only run. */
  async function lineOf(verb: string): Promise<string[]> {
    const {stdout} = await launcher.perform(['sessions', '--output', 'json']);
    const [{id}] = JSON.parse(stdout);
    return [verb, ...(verb === 'sessions' ? ['--all', '--output', 'json'] : [id])];
  }

  test('a locked journal is reported, and Ctrl-C ends the wait at once', async () => {
    const other = new DatabaseSync(at('data/journal.db'));
    other.exec('BEGIN IMMEDIATE');
    const child = await start([requestJournal]);
    const gone = once(child, 'exit');
    let shown = '';
    for await (const chunk of child.stderr) {
      const wasShown = shown.includes('keeps the journal locked');
      shown += String(chunk);
      if (!wasShown && shown.includes('keeps the journal locked')) child.kill('SIGINT');
    }
    expect(await gone).toEqual([130, null]);
    expect(shown).toMatch(/warning: another process keeps the journal locked; waiting/);
    expect(shown).not.toMatch(/quorate resume/);
    other.close();
    const {stdout} = await launcher.perform(['sessions', '--output', 'json']);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  test.each(['show', 'sessions', 'export'])(
    '%s reads a journal that may not be written',
    async (verb) => {
      const line = await lineOf(verb);
      const wanted = await launcher.perform(line);
      for (const file of readdirSync(at('data'))) chmodSync(at('data', file), 0o555);
      for (const folder of [at(), at('data')]) chmodSync(folder, 0o555);
      const child = await start(line, nobody);
      const gone = once(child, 'exit');
      const [stdout, stderr] = await Promise.all(
        [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join('')),
      );
      for (const folder of [at(), at('data')]) chmodSync(folder, 0o755);
      expect({code: (await gone)[0], stdout, stderr}).toEqual({
        code: 0,
        stdout: wanted.stdout,
        stderr: '',
      });
    },
  );

  describe.runIf(canMount())('on a full disk', () => {
    let disk: string;
    let env: Record<string, string>;

    beforeEach(() => {
      disk = at('disk');
      mkdirSync(disk);
      mountSmallDisk(disk);
      env = {QUORATE_HOME: join(disk, 'data')};
      cpSync(at('data'), join(disk, 'data'), {recursive: true});
      fill(disk);
    });
    afterEach(() => void spawnSync('umount', [disk]));

    test.each(['show', 'sessions', 'export'])('%s reads the journal', async (verb) => {
      const line = await lineOf(verb);
      const {stdout: wanted} = await launcher.perform(line);
      const {code, stdout, stderr} = await launcher.perform(line, {env});
      expect({code, stdout, stderr}).toEqual({code: 0, stdout: wanted, stderr: ''});
    });

    test.each([
      ['prune', 'ID', '--yes'],
      ['prune', '--form', 'agent', '--yes'],
    ])('%s names it, and leaves the journal as it was', async (verb, ...args) => {
      const [, id = ''] = await lineOf('export');
      const {stdout: lines} = await launcher.perform(['export', id]);
      const words = args.map((arg) => (arg === 'ID' ? id : arg));

      const {code, stderr} = await launcher.perform([verb, ...words], {env});
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('the disk is full; free some space'),
      ]);
      rmSync(join(disk, 'filling'));
      expect((await launcher.perform(['export', id], {env})).stdout).toBe(lines);
      expect((await launcher.perform([verb, ...words], {env})).code).toBe(0);
    });

    test('doctor reports it, and leaves nothing behind', async () => {
      const {code, stdout} = await launcher.perform(['doctor'], {env});
      expect(code).toBe(2);
      expect(stdout).toMatch(
        /^FAILED +data folder +\/.*: its disk is full \(ENOSPC\); free some space$/m,
      );
      expect(readdirSync(join(disk, 'data')).filter((name) => name.startsWith('doctor-'))).toEqual(
        [],
      );
    });
  });
});

/** The words that bash offers for the last one: those of the registered list. */
async function offered(word: string): Promise<string[]> {
  const script = `${await completionScript('bash')}registered="$(complete -p quorate)"
    complete() { compgen "$3" "$4" -- "$word"; }
    word="$1"; eval "$registered"`;
  const {stdout} = await execa('bash', ['-c', script, 'bash', word], {reject: false});
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completion in a shell', () => {
  test.each([
    ['res', ['resume']],
    ['--hi', ['--hil']],
    ['--dec', ['--decision']],
  ])('bash completes %j to %j', async (word, completions) => {
    expect(await offered(word)).toEqual(completions);
  });

  test('every shell has the same words', async () => {
    const lists = await Promise.all(
      ['bash', 'zsh', 'fish'].map(async (shell) => {
        const {code, out} = await runLine(['--completion', shell], {});
        expect(code).toBe(0);
        return / '([^']+)'/.exec(out)?.[1]?.split(' ');
      }),
    );
    expect(lists[0]).toEqual(expect.arrayContaining(['--continue', '--plan-only', '--debate']));
    expect(lists[0]).not.toContain('--strategy');
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });
});
