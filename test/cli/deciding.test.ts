/** A person sees the proposal before the decision, and the record shows who decided. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import type {RunResult, Waiting} from '../../machines/domain/result.ts';
import {act, ballot, call, isBallot, isPlanBallot, writePlan} from '../support/agent-models.ts';
import {createLauncher, type Launched, type Launcher} from '../support/launch.ts';
import {
  type ReceivedRequest,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';
import {useMockPanel} from '../support/mock-panel.ts';

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

async function serve(answer: (received: ReceivedRequest) => Said): Promise<void> {
  server = await startMockOpenAi(answer);
  useMockPanel(launcher, server, {graceMs: 100});
}

async function launch(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', workspace, ...args]);
}

function idIn({stderr}: Launched): string {
  return /quorate resume ([A-Za-z0-9_-]+)/.exec(stderr)?.[1] ?? '';
}

function resultIn({stdout}: Launched): RunResult {
  const result: RunResult = JSON.parse(stdout);
  return result;
}

test('a protected write that a worker proposes is shown with its diff wherever it is decided', async () => {
  const args = {
    path: '.github/workflows/ci.yml',
    content: 'on: push\njobs: {}\n',
    create_dirs: true,
  };
  await serve((received) => {
    if (isBallot(received)) return ballot('approve');
    if (received.tools.includes('create_plan')) {
      const tasks = [{id: 'w', description: 'Set up the checks'}];
      return call('create_plan', {objective: 'Checks', reasoning: 'r', tasks});
    }
    const mayWrite = received.tools.includes('write_file') && received.turn === 0;
    return mayWrite ? call('write_file', args) : act(received);
  });
  const waiting = await launch('Set up the checks in .github/workflows/ci.yml');
  expect(waiting.code).toBe(4);
  const shown = await launch('show', idIn(waiting));
  for (const text of [waiting.stderr, shown.stdout + shown.stderr]) {
    for (const part of ['+on: push', '+jobs: {}', 'Deciding on sha256 ', `in ${workspace}`]) {
      expect(text).toContain(part);
    }
  }
  const json = JSON.parse((await launch('show', idIn(waiting), '--output', 'json')).stdout);
  expect(json).toMatchObject({
    state: 'waiting',
    waiting: {
      question: {kind: 'protected'},
      workspace,
      diff: '--- /dev/null\n+++ b/.github/workflows/ci.yml\n@@ -0,0 +1,2 @@\n+on: push\n+jobs: {}',
      votes: [{approved: true}],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  });
});

test('a person’s decision against the panel is in the first line, in show and in JSON', async () => {
  await serve((received) => {
    if (isPlanBallot(received)) return ballot('reject', 'not good enough');
    return isBallot(received) ? ballot('approve') : act(received);
  });
  const id = idIn(await launch('Write a note'));
  const done = await launch('resume', id, '--decision', 'approve');
  const first = 'completed: A person allowed the plan "Write a note", which the panel rejected.\n';
  expect(done.stdout.startsWith(first)).toBe(true);
  expect(done.stdout).toMatch(
    /\n {2}person approved plan "Write a note" against the panel · \d{4}-\d\d-\d\d \d\d:\d\d · sha256 [0-9a-f]{12}\n/,
  );
  expect((await launch('show', id)).stdout).toContain(first);
  const {decisions} = resultIn(await launch('resume', id, '--output', 'json'));
  expect(decisions?.find(({by}) => by === 'person')).toMatchObject({decision: 'approve'});
});

test('after a replan the plan to decide on is shown, and can be edited as shown', async () => {
  const first = {
    objective: 'First plan',
    reasoning: 'r',
    tasks: [
      {id: 'good', description: 'g', tool: 'run_command', args: {command: 'true'}},
      {id: 'bad', description: 'b', tool: 'run_command', args: {command: 'exit 3'}},
    ],
  };
  const args = {path: 'note.txt', content: 'x\n'};
  const task = {id: 'next', description: 'n', tool: 'write_file', args, depends_on: ['good']};
  const second = {objective: 'Second plan', reasoning: 'r', tasks: [task]};
  let plans = 0;
  await serve((received) => {
    if (isPlanBallot(received) && received.text.includes('Second plan'))
      return ballot('reject', 'no');
    if (isBallot(received)) return ballot('approve');
    if (!received.tools.includes('create_plan')) return act(received);
    plans += 1;
    return call('create_plan', plans === 1 ? first : second);
  });
  const waiting = await launch('Do both, and write note.txt');
  const shown = await launch('show', idIn(waiting));
  for (const text of [waiting.stderr, shown.stdout]) {
    expect(text).toContain('Plan Objective:\n  Second plan');
    expect(text).toContain('write_file {"path":"note.txt","content":"x\\n"} · after good');
  }
  const file = join(launcher.folder, 'plan.json');
  const edited = {...args, content: 'edited\n'};
  writeFileSync(file, JSON.stringify({...second, tasks: [{...task, args: edited}]}));
  const done = await launch('resume', idIn(waiting), '--decision', `edit:${file}`);
  expect(done.stderr).toMatch(/plan, revision \d: Second plan \(by person\)/);
  expect(done.stderr).toContain(
    'write_file {"path":"note.txt","content":"edited\\n"} · after good',
  );
  expect(existsSync(join(workspace, 'note.txt'))).toBe(true);
  expect(readFileSync(join(workspace, 'note.txt'), 'utf8')).toBe('edited\n');
});

test('with several questions, the named one is answered, and none without a name', async () => {
  const tasks = ['left', 'right'].map((name) => ({
    id: name,
    description: `Write ${name}`,
    tool: 'write_file',
    args: {path: `${name}.txt`, content: `${name}\n`},
  }));
  await serve((received) => {
    if (isBallot(received)) return ballot(isPlanBallot(received) ? 'approve' : 'abstain');
    if (!received.tools.includes('create_plan')) return act(received);
    return call('create_plan', {objective: 'Both', reasoning: 'r', tasks});
  });
  const first = await launch('Write both');
  const id = idIn(first);
  const {waiting} = JSON.parse((await launch('show', id, '--output', 'json')).stdout);
  const asked: readonly Waiting[] = [waiting, ...waiting.others];
  const digests = asked.map(({digest}) => digest.slice(0, 12));
  const [one = '', other = ''] = digests;
  const [oneFile = '', otherFile = ''] = asked.map(({diff = ''}) =>
    join(workspace, diff.includes('left') ? 'left.txt' : 'right.txt'),
  );
  expect([oneFile, otherFile].toSorted()).toEqual(
    ['left.txt', 'right.txt'].map((name) => join(workspace, name)),
  );
  const shown = await launch('show', id);
  for (const digest of digests) {
    for (const text of [first.stderr, shown.stderr]) {
      expect(text).toContain(`resume ${id} --decision approve:${digest} `);
      expect(text).toContain(`resume ${id} --decision reject --gate ${digest} `);
    }
  }

  const blind = await launch('resume', id, '--decision', 'reject');
  expect(blind.code).toBe(2);
  expect(blind.stderr.replaceAll(/\s+/g, ' ')).toContain(
    `run ${id} asks 2 questions; add --gate DIGEST for the one that the decision answers: ` +
      `${one} (action: Too few reviewers voted on this action.), ${other} (action: `,
  );
  const strange = await launch('resume', id, '--decision', 'approve:00000000');
  expect(strange.stderr.replaceAll(/\s+/g, ' ')).toContain(
    `is for sha256 00000000, but run ${id} waits for one on ${one} (action: `,
  );
  const approved = await launch('resume', id, '--decision', `approve:${other}`);
  expect(approved.code).toBe(4);
  expect([existsSync(oneFile), existsSync(otherFile)]).toEqual([false, true]);
  const rejected = await launch('resume', id, '--decision', 'reject:not that', '--gate', one);
  expect(rejected.stdout).toContain('not that');
  expect(existsSync(oneFile)).toBe(false);
});

test('a decision keeps its reason, and an invalid edit has no effect', async () => {
  await serve((received) => {
    if (isPlanBallot(received)) return ballot('reject', 'not good enough');
    return isBallot(received) ? ballot('approve') : act(received);
  });
  const id = idIn(await launch('Write a note'));
  const file = join(launcher.folder, 'plan.json');
  const tasks = [{...writePlan.tasks[0], args: {path: 'note.txt'}}];
  writeFileSync(file, JSON.stringify({...writePlan, tasks}));
  const edited = await launch('resume', id, '--decision', `edit:${file}`, '--reason', 'shorter');
  expect(edited.code).toBe(4);
  expect(edited.stderr).toContain("the decision took no effect: the edited plan can't run: ");
  const shown = (await launch('show', id)).stdout.replaceAll(/\s+/g, ' ');
  expect(shown).toContain(
    'person edited plan "Write a note": shorter (no effect: the edited plan can\'t run: task write',
  );
  expect(shown).not.toContain('against the panel');
  const done = await launch('resume', id, '--decision', 'approve', '--reason', 'I checked it');
  expect(done.stdout.split('\n')[0]).toBe(
    'completed: A person allowed the plan "Write a note", which the panel rejected.',
  );
  const {decisions} = resultIn(await launch('resume', id, '--output', 'json'));
  expect(decisions?.filter(({by}) => by === 'person')).toMatchObject([
    {decision: 'edit', reason: 'shorter', refused: expect.stringContaining("can't run")},
    {decision: 'approve', reason: 'I checked it'},
  ]);
});

test('ballots of concurrent votes are listed with their proposal', async () => {
  const tasks = ['left', 'right'].map((name) => ({
    id: name,
    description: `Write ${name}`,
    tool: 'write_file',
    args: {path: `${name}.txt`, content: `${name}\n`},
  }));
  let begun = 0;
  await serve((received) => {
    if (received.tools.includes('create_plan')) {
      return call('create_plan', {objective: 'Both', reasoning: 'r', tasks});
    }
    if (!isBallot(received)) return act(received);
    if (!isPlanBallot(received)) begun += 1;
    const isLeft =
      received.text.includes('write_file left.txt') || received.text.includes('"left.txt"');
    return isPlanBallot(received) || isLeft ? ballot('approve') : ballot('reject', 'not right');
  });
  const {stderr} = await launch('Write both');
  expect(begun).toBeGreaterThan(3);
  for (const [file, verdict] of [
    ['left', 'APPROVED'],
    ['right', 'REJECTED'],
  ]) {
    const block = new RegExp(
      `  on action "write_file ${file}\\.txt", round 1\n(?: {4}[●○·!] .*\n)+ {2}${verdict}`,
    );
    expect(stderr).toMatch(block);
  }
});
