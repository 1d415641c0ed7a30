/** The launcher as a child process; errors before a run, and their exit codes, in this process. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {act, ballot, call, isBallot, isPlanBallot} from '../support/agent-models.ts';
import {isDeep} from '../support/depth.ts';
import {createLauncher, eventsOf, type Launched, type Launcher} from '../support/launch.ts';
import {
  type ReceivedRequest,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';

let launcher: Launcher;
let workspace: string;
let server: MockOpenAi | undefined;

beforeEach(() => {
  launcher = createLauncher();
  workspace = join(launcher.folder, 'work');
  mkdirSync(workspace);
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  launcher.remove();
});

function configure(toml: string): void {
  mkdirSync(join(launcher.folder, 'config/quorate'), {recursive: true});
  writeFileSync(join(launcher.folder, 'config/quorate/config.toml'), toml);
}

async function serve(answer: (received: ReceivedRequest) => Said): Promise<void> {
  server = await startMockOpenAi(answer);
  configureModels(server.baseUrl);
}

function configureModels(baseUrl: string): void {
  configure(`[agent]
exploration_model = "mock/worker"
decision_model = "mock/worker"
review_models = ["mock/a", "mock/b", "mock/c"]
[quorum]
feedback_grace_ms = 100
[providers.mock]
base_url = "${baseUrl}"
`);
}

async function launch(...args: string[]): Promise<Launched> {
  return await launcher.run(['-C', workspace, ...args]);
}

async function perform(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', workspace, ...args]);
}

function rejectPlans(received: ReceivedRequest): Said {
  if (isPlanBallot(received)) return ballot('reject', 'not good enough');
  return isBallot(received) ? ballot('approve') : act(received);
}

/** The ID in the command that continues the run. */
function idIn({stdout, stderr}: Launched): string {
  return /quorate resume ([A-Za-z0-9_-]+)/.exec(stdout + stderr)?.[1] ?? '';
}

const note = (): string => join(workspace, 'note.txt');

describe('without a terminal', () => {
  test('a run that needs a person exits 4 and explains how to continue; the decision runs the plan', async () => {
    await serve(rejectPlans);
    const waiting = await launch('Write a note');
    expect(waiting.code).toBe(4);
    expect(waiting.stderr).toMatch(/quorate resume [a-z0-9]+ --decision/);
    expect(existsSync(note())).toBe(false);
    const id = idIn(waiting);
    const resumed = await launch('resume', id, '--decision', 'approve', '--output', 'json');
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({status: 'completed', exitCode: 0});
    expect(readFileSync(note(), 'utf8')).toBe('hello\n');
  });

  test('the last line of JSONL is the result, and every event has its common members', async () => {
    await serve((received) => (isBallot(received) ? ballot('approve') : act(received)));
    const {stdout, code} = await launch('--output', 'jsonl', 'Write a note');
    const events = eventsOf(stdout);
    expect(code).toBe(0);
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      status: 'completed',
      usage: {costUsd: 0},
    });
    expect(events.map(({seq}) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({interaction}) => interaction)).size).toBe(1);
  });

  test('a task may come from standard input', async () => {
    await serve((received) => (isBallot(received) ? ballot('approve') : act(received)));
    const {code} = await launcher.run(['-C', workspace], {stdin: 'Write a note\n'});
    expect(code).toBe(0);
    expect(server?.received[0]?.text).toContain('# Request\nWrite a note');
  });
});

describe('runs that cannot start', () => {
  test.each([
    ['an unknown flag', ['--frobnicate', 'do it'], /--frobnicate/],
    ['an unknown provider', ['-m', 'nowhere/model', 'do it'], /nowhere/],
    ['a rule that is none', ['--rule', 'most', 'do it'], /majority/],
    ['more approvals than seats', ['--rule', 'at_least:5', 'do it'], /at_least:5.*3/s],
    ['a named model without its key', ['-m', 'claude-sonnet-4.5', 'do it'], /ANTHROPIC_API_KEY/],
    ['a folder that is not there', ['-C', '/nowhere/at/all', 'do it'], /nowhere\/at\/all/],
    ['an unknown run', ['resume', 'nosuchrun'], /nosuchrun/],
  ])('%s: exit 2, one clear message, nothing written', async (_, args, message) => {
    const {code, stderr, stdout} = await perform(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(existsSync(note())).toBe(false);
  });

  test.each([
    [
      'solo with debate',
      '[agent]\nstrategy = "debate"\n',
      /config\.toml:2:1: agent\.strategy: solo with debate/,
    ],
    ['no plan review', '[agent]\nrequire_plan_review = false\n', /require_plan_review/],
    [
      'an unknown key',
      '[agent]\nmax_plan_revision = 1\n',
      /config\.toml:2:1: unknown key "agent\.max_plan_revision"; did you mean "agent\.max_plan_revisions"/,
    ],
    ['malformed TOML', '[agent\n', /config\.toml:1/],
  ])('%s in the configuration: exit 2 with the place', async (_, toml, message) => {
    configure(toml);
    const {code, stderr} = await perform('do it');
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe.runIf(isDeep)('at length', () => {
  test(
    'a file that may not grow does not end the process, whichever processes it has started',
    {timeout: 60_000},
    async () => {
      const run = await launcher.run(['-C', workspace, 'Say hello'], {fileKib: 100});
      expect(run).toMatchObject({signal: null, code: expect.any(Number)});
    },
  );

  test('the plan printed as JSON is accepted after an edit, and runs', async () => {
    await serve(rejectPlans);
    const waiting = await perform('--output', 'json', 'Write a note');
    const id = idIn(waiting);
    const file = join(launcher.folder, 'plan.json');
    const {plan} = JSON.parse(waiting.stdout);
    writeFileSync(file, JSON.stringify(plan).replace('hello', 'edited'));
    const resumed = await perform('resume', id, '--decision', `edit:${file}`);
    expect(resumed.code).toBe(0);
    expect(readFileSync(note(), 'utf8')).toBe('edited\n');
  });

  test('a suspended run can be cancelled, and has ended then', async () => {
    await serve(rejectPlans);
    const id = idIn(await launch('Write a note'));
    expect(idIn(await perform('resume'))).toBe(id);
    expect((await perform('sessions')).stdout).toMatch(
      /^\S+ +now +agent +waiting +\$0\.00 +Write a note$/m,
    );
    const open = (await perform('show', id)).stdout;
    expect(open).toMatch(/phase: awaitingHuman\n[\s\S]*waiting for a person: plan/);
    expect(open.match(/^ {2}plan .*: REJECTED \[○/gm)).toHaveLength(3);
    expect((await launch('cancel', id)).code).toBe(0);
    expect((await perform('show', id)).stdout).toContain('cancelled');
    expect((await perform('resume')).code).toBe(2);
  });

  test('an unreachable server: retries, a message, then exit 2 with a run that waits for it', async () => {
    configureModels('http://127.0.0.1:9/v1');
    const {code, stdout} = await perform('--output', 'jsonl', 'Write a note');
    const events = eventsOf(stdout);
    const retries = events.filter(({type}) => type === 'model.retried');
    expect(code).toBe(2);
    expect(retries.length).toBeGreaterThanOrEqual(2);
    expect((events.at(-1)?.at ?? 0) - (retries[0]?.at ?? 0)).toBeLessThan(10_000);
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      status: 'waiting',
      exitCode: 2,
      error: {code: 'network'},
    });
  });

  test('a gate in one task lets the command of another finish before the run waits', async () => {
    const tasks = [
      {
        id: 'count',
        tool: 'run_command',
        args: {command: 'echo a >> counter; sleep 1; echo A >> ends'},
      },
      {
        id: 'guarded',
        tool: 'write_file',
        args: {path: '.github/workflows/x.yml', content: 'x\n', create_dirs: true},
      },
    ].map((task) => Object.assign(task, {description: task.id}));
    await serve((received) => {
      if (isBallot(received)) return ballot('approve');
      const plan = {objective: 'Two at once', reasoning: 'they differ', tasks};
      return received.tools.includes('create_plan') ? call('create_plan', plan) : act(received);
    });
    const {code, stderr} = await perform('Count, and write .github/workflows/x.yml');
    expect(code).toBe(4);
    expect(stderr).toContain('a person must decide: ');
    expect(stderr).toMatch(/^waiting for a person: .* is protected/m);
    expect(readFileSync(join(workspace, 'counter'), 'utf8')).toBe('a\n');
    expect(readFileSync(join(workspace, 'ends'), 'utf8')).toBe('A\n');
  });

  test('two concurrent runs in one folder do not affect each other', async () => {
    await serve((received) => (isBallot(received) ? ballot('approve') : act(received)));
    const other = join(launcher.folder, 'other');
    mkdirSync(other);
    const both = await Promise.all([
      launch('Write a note'),
      launcher.run(['-C', other, 'Write a note']),
    ]);
    expect(both.map(({code}) => code)).toEqual([0, 0]);
    expect(readFileSync(join(other, 'note.txt'), 'utf8')).toBe('hello\n');
    expect((await launch('sessions', '--all')).stdout.match(/completed/g)).toHaveLength(2);
    expect((await launch('sessions')).stdout.match(/completed/g)).toHaveLength(1);
  });
});
