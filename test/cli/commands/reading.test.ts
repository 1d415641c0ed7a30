import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {text} from 'node:stream/consumers';

import {parse} from 'smol-toml';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {journalFile} from '../../../cli/past/open-journal.ts';
import {type Ran, runLine} from '../../support/command-line.ts';
import {baseResult} from '../fake-run.ts';

const home = mkdtempSync(join(tmpdir(), 'quorate-test-'));
const env = {QUORATE_HOME: join(home, 'data'), HOME: home, PATH: process.env['PATH']};
const bin = join(import.meta.dirname, '../../../cli/bin.ts');
const plan = {objective: 'Tidy up', reasoning: 'r', tasks: [{id: '1', description: 'Look'}]};

function opened(request: string) {
  const input = {id: 'x', form: 'agent', request, workspace: '/w', settings: {tools: []}};
  return {type: 'opened', version: 'v', input} as const;
}

beforeAll(async () => {
  const journal = createSqliteJournal(journalFile(env));
  const {type, status, exitCode, form, summary} = baseResult;
  const usage = {...baseResult.usage};
  const result = {type, status, exitCode, form, summary, usage, interaction: 'run-old'};
  await journal.log.append([
    {
      interaction: 'run-old',
      bodies: [opened('Clean the\u001b[2J house'), {type: 'closed', result}],
      at: 1_000,
    },
  ]);
  const bodies = [
    opened('Water the plants'),
    {
      type: 'settled',
      key: 'i/interaction/form/planning/call#1',
      request: 'd1',
      ms: 5,
      outcome: {kind: 'ok', text: '', calls: [{id: 'c1', name: 'create_plan', args: plan}]},
    },
  ] as const;
  await journal.log.append([{interaction: 'run-new', bodies, at: Date.now()}]);
  await journal.log.append([{interaction: 'run-bad', bodies, at: 2_000}]);
  await journal.close();
  const database = new DatabaseSync(journalFile(env));
  database.exec(
    `UPDATE entries SET at = at + 1
     WHERE interaction = (SELECT number FROM interactions WHERE id = 'run-bad') AND seq = 1`,
  );
  database.close();
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

async function run(...args: readonly string[]): Promise<Ran> {
  return await runLine(args, env);
}

async function runBin(args: readonly string[], nodeOptions: readonly string[] = []): Promise<Ran> {
  const child = spawn(process.execPath, [...nodeOptions, bin, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, 'close');
  return {code: Number(code), out: await out, err: await err};
}

async function states(): Promise<unknown> {
  const {out} = await run('runs', '--all', '--output', 'json');
  return JSON.parse(out);
}

describe('runs', () => {
  test('lists the runs, newest first, with their states and requests escaped', async () => {
    const {code, out} = await run('runs', '--all');
    expect(code).toBe(0);
    const [head, first, bad, second] = out.split('\n');
    expect(head).toMatch(/^ID +AGE +FORM +STATE +COST +FOLDER +REQUEST$/);
    expect(first).toMatch(/^run-new +now +agent +outdated +\/w +Water the plants$/);
    expect(bad).toMatch(/^run-bad +\d+ d +agent +damaged /);
    expect(second).toMatch(
      /^run-old +\d+ d +agent +ended: completed +\$0\.25 +\/w +Clean the\\x1b\[2J house$/,
    );
  });

  test('as JSON is an array of rows', async () => {
    const {out} = await run('runs', '--all', '--output', 'json');
    expect(JSON.parse(out)).toMatchObject([
      {id: 'run-new', state: 'outdated'},
      {id: 'run-bad', state: 'damaged'},
      {id: 'run-old', state: 'ended', status: 'completed'},
    ]);
  });

  test('with words lists the runs with all of them, or reports that there is none', async () => {
    const search = async (...words: string[]) => (await run('runs', '--all', ...words)).out;
    expect(await search('PLANTS', 'run-new')).toMatch(/\nrun-new .*\n$/);
    expect(await search('plants', 'house')).toBe('no run with plants house\n');
    const {out} = await run('-C', home, 'runs', 'plants');
    expect(out).toBe(
      `no run in ${home} with plants; quorate runs --all lists those of every folder\n`,
    );
  });

  test('a run at work is running, as long as its process lives', async () => {
    const script = join(import.meta.dirname, '../../actors/journal/journal-child.ts');
    const stdio = ['pipe', 'pipe', 'inherit'] as const;
    const owner = spawn(process.execPath, [script, 'own', journalFile(env), 'run-new'], {
      stdio: [...stdio],
    });
    await once(owner.stdout, 'data');
    expect(await states()).toMatchObject([{state: 'running'}, {}, {}]);
    owner.kill('SIGKILL');
    await once(owner, 'close');
    expect(await states()).toMatchObject([{state: 'outdated'}, {}, {}]);
  });
});

describe('show', () => {
  test('an open run of other charts still shows its plan, and the possible next steps', async () => {
    const {code, out, err} = await run('show', 'run-new');
    expect(code).toBe(0);
    for (const part of ['Water the plants', 'Tidy up', '1. Look', 'outdated: ']) {
      expect(out).toContain(part);
    }
    expect(err).toMatch(/quorate undo run-new and quorate cancel run-new/);
    expect(out + err).not.toContain('quorate resume');
  });

  test('a run that has ended shows its result', async () => {
    const {out} = await run('show', 'run-old');
    expect(out).toContain('completed: All done.');
    expect(out).toContain('3 model calls');
    expect(out).not.toContain('quorate resume');
  });

  test.each(['run-none', '../../etc/passwd', '\u001b[2J', ''])('%j is not a run', async (id) => {
    const {code, err} = await run('show', '--', id);
    expect(code).toBe(2);
    expect(err).toMatch(/^quorate: there is no run /);
  });
});

describe('export', () => {
  test('writes the journal unchanged, one entry per line', async () => {
    const {code, out} = await run('export', 'run-old');
    const entries = out
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(code).toBe(0);
    expect(entries).toMatchObject([
      {type: 'opened', seq: 0},
      {type: 'closed', seq: 1},
    ]);
  });

  test.each(['export', 'show'])(
    '%s of a damaged run shows the readable part and the reason, and exits 2',
    async (name) => {
      const {code, out, err} = await run(name, 'run-bad');
      expect(code).toBe(2);
      expect(out).toContain('Water the plants');
      expect(err).toMatch(/^quorate: .*run-bad.*\n$/m);
    },
  );
});

describe('resume', () => {
  test('a run of other charts is reported in one line with the remaining commands', async () => {
    const {code, err} = await run('resume', 'run-bad');
    expect(code).toBe(2);
    expect(err).toMatch(
      /^quorate: run run-bad can't be resumed: .*quorate show run-bad, quorate export run-bad, quorate undo run-bad and quorate cancel run-bad; or start the request again\.\n$/,
    );
  });
});

describe('config', () => {
  test('shows every setting with its source, and trusts a project file in its current state', async () => {
    const cwd = join(home, 'project');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'quorate.toml'), '[agent]\nhil_mode = "auto_approve"\n');
    const shown = async () => await run('-C', cwd, 'config');
    const before = await shown();
    expect(before.out).toMatch(/^agent\.hil_mode = "interactive" +# default$/m);
    expect(before.out).toMatch(/# default; in effect: offline\/offline$/m);
    expect(Object.keys(parse(before.out))).toContain('prices');
    expect(before.err).toContain('quorate config --trust --show');
    const shownOnly = await run('-C', cwd, 'config', '--trust');
    const [, hash = ''] = /--hash ([0-9a-f]{64})/.exec(shownOnly.err) ?? [];
    await run('-C', cwd, 'config', '--trust', '--hash', hash);
    const after = await shown();
    expect(after.out).toMatch(
      /^agent\.hil_mode = "auto_approve" +# quorate\.toml:2:1; default "interactive"$/m,
    );
    expect(after.err).toBe('');
  });
});

describe('the program', {timeout: 60_000}, () => {
  test('prints its version, and the oldest Node that it accepts is that of package.json', async () => {
    const packageJson = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
    const {out, code} = await runBin(['--version']);
    expect(packageJson).toContain(`"version": "${out.trim()}"`);
    expect(code).toBe(0);
    expect(packageJson).toContain('"node": "^22.23 || >=24.15"');
  });

  test.each([
    ['20.20.2', 2],
    ['22.22.9', 2],
    ['22.23.0', 0],
    ['23.11.0', 2],
    ['24.14.9', 2],
    ['24.15.0', 0],
  ])('under Node %s exits %i, with the way to a newer one', async (node, expected) => {
    const script = `Object.defineProperty(process, 'versions', {value: {...process.versions, node: '${node}'}})`;
    const {err, code} = await runBin(['--version'], ['--import', `data:text/javascript,${script}`]);
    expect(code).toBe(expected);
    expect(err).toMatch(expected === 0 ? /^$/ : /^quorate: Node 24\.15 .*nvm install 24.*\n$/);
  });

  test.each([['--help'], ['--version'], ['help', 'resume'], ['--modle', 'x']])(
    '%s %s loads nothing of a runtime',
    async (...args) => {
      const log = 'process.stderr.write(`loads ${url}\\n`)';
      const hooks = `{load: (url, context, next) => (${log}, next(url, context))}`;
      const script = `import {registerHooks} from 'node:module'; registerHooks(${hooks})`;
      const {err} = await runBin(args, ['--import', `data:text/javascript,${script}`]);
      expect(err).toMatch(/loads .*cli\/bin\.ts/);
      expect(err).not.toMatch(/loads .*(\/actors\/|node_modules)/);
    },
  );
});

/** A call with this cost, and the suspension and resumption of its run. */
const spending = [
  {
    type: 'settled',
    key: 'i/interaction/form/planning/call#2',
    request: 'd2',
    ms: 5,
    outcome: {
      kind: 'ok',
      text: '',
      calls: [],
      usage: {inputTokens: 9, outputTokens: 1, cachedTokens: 0, costUsd: 0.5},
    },
  },
  {type: 'noted', note: {type: 'run.suspended', why: 'interrupted'}},
  {
    type: 'noted',
    note: {type: 'run.suspended', why: 'outage', outage: {message: 'm/a: overloaded'}},
  },
  {type: 'settled', key: 'i/x#1', request: 'd3', ms: 5, outcome: {kind: 'ok'}},
] as const;

describe('an open run', () => {
  const id = 'run-spent';
  beforeAll(async () => {
    const journal = createSqliteJournal(journalFile(env));
    const bodies = [opened('Count'), ...spending];
    await journal.log.append([{interaction: id, bodies, at: 3_000}]);
    await journal.close();
  });

  test('is listed with its cost up to now', async () => {
    const {out} = await run('runs', '--all');
    expect(out).toMatch(/^run-spent +\d+ d +agent +outdated +\$0\.50 +\/w +Count$/m);
  });

  test('is shown with the time and the reason of its earlier suspension', async () => {
    const {out} = await run('show', id);
    expect(out).toMatch(
      /\nSuspended and resumed\n {2}\S+ \S+ · interrupted\n {2}\S+ \S+ · m\/a: overloaded\n/,
    );
    expect(out).toContain('\ncost so far: $0.50\n');
  });
});
