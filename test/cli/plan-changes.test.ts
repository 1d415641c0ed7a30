/** A person and a panel decide on a plan with all its parts, and on the files in their current state. */

import {mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {act, ballot, call, isBallot, isPlanBallot} from '../support/agent-models.ts';
import {createLauncher, type Launched, type Launcher} from '../support/launch.ts';
import {type MockOpenAi, startMockOpenAi} from '../support/mock-openai.ts';
import {useMockPanel} from '../support/mock-panel.ts';

const readme = 'one\ntwo\nthree\n';
const firstPlan = {
  objective: 'Shorten README.md',
  reasoning: 'It is long.',
  parameters: {target: 'PROD', force: true},
  tasks: [
    {
      id: 'write',
      description: 'Write README.md',
      tool: 'write_file',
      args: {path: 'README.md', content: 'one\nnew\n'},
      context_mode: 'projected',
      context_brief: 'be short',
    },
  ],
};

/** The plan of the model. */
let plan: object;
let launcher: Launcher;
let workspace: string;
let server: MockOpenAi;
/** Ballots on actions, and the prompts of ballots on plans. */
let votes: {actions: number; plans: string[]};

beforeEach(async () => {
  plan = firstPlan;
  launcher = createLauncher();
  workspace = join(launcher.folder, 'work');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'README.md'), readme);
  votes = {actions: 0, plans: []};
  server = await startMockOpenAi((received) => {
    if (received.tools.includes('create_plan')) return call('create_plan', plan);
    if (isPlanBallot(received)) votes.plans.push(received.text);
    else if (isBallot(received)) votes.actions += 1;
    return isBallot(received) ? ballot('reject', 'it loses text') : act(received);
  });
  useMockPanel(launcher, server, {graceMs: 100, agent: 'max_plan_revisions = 1'});
});

afterEach(async () => {
  await server.close();
  launcher.remove();
});

async function launch(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', workspace, ...args]);
}

/** The text in one line, without quotation marks. */
function text(each: string): string {
  return each.replaceAll(/^> /gm, '').replaceAll(/\s+/g, ' ');
}

/** Waits at the gate of the plan. */
async function waiting(): Promise<Launched & {readonly id: string; readonly digest: string}> {
  const launched = await launch('Rewrite README.md');
  const [, id = '', digest = ''] =
    /quorate resume (\S+) --decision approve:(\w+)/.exec(launched.stderr) ?? [];
  return {...launched, id, digest};
}

test('parameters, context modes and the diff of a write are shown wherever a plan is judged', async () => {
  const asked = await waiting();
  expect(asked.code).toBe(4);
  const shown = await launch('show', asked.id);
  for (const place of [asked.stderr, shown.stdout]) {
    for (const part of ['target: PROD', 'force: true', 'context: projected', '-two -three +new']) {
      expect(text(place)).toContain(part);
    }
  }
  expect(votes.plans).not.toEqual([]);
  for (const prompt of votes.plans) {
    expect(text(prompt)).toContain('"target": "PROD"');
    expect(text(prompt)).toContain('-two -three +new');
  }
  const json = JSON.parse((await launch('show', asked.id, '--output', 'json')).stdout);
  expect(json).toMatchObject({
    waiting: {
      plan: {parameters: firstPlan.parameters, tasks: [{context_mode: 'projected'}]},
      diff: expect.stringContaining('-two\n-three\n+new'),
    },
  });
});

test('an approved plan performs the shown write without another vote', async () => {
  const {id, digest} = await waiting();
  const done = await launch('resume', id, '--decision', `approve:${digest}`);
  expect(done.code).toBe(0);
  expect(votes.actions).toBe(0);
  expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toBe('one\nnew\n');
});

test('an approved plan does not cover a write to a file that has changed since', async () => {
  const {id, digest} = await waiting();
  writeFileSync(join(workspace, 'README.md'), `${readme}four\n`);
  const done = await launch('resume', id, '--decision', `approve:${digest}`);
  expect(done.code).not.toBe(0);
  expect(votes.actions).toBeGreaterThan(0);
  expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toBe(`${readme}four\n`);
});

test('a plan over a changed file needs another decision than the same plan before', async () => {
  const first = await waiting();
  writeFileSync(join(workspace, 'README.md'), `${readme}four\n`);
  const second = await waiting();
  expect(second.digest).not.toBe(first.digest);
});

function write(id: string, path: string, content: string, dependsOn: readonly string[] = []) {
  const args = {path, content, create_dirs: true};
  return {id, description: `Write ${path}`, tool: 'write_file', args, depends_on: dependsOn};
}

function planOf(...tasks: readonly object[]): object {
  return {objective: 'Shorten README.md', reasoning: 'It is long.', tasks};
}

const readmePath = () => join(workspace, 'README.md');

test.each(['README.md', './README.md'])(
  'an approved plan that writes a file twice, the second time as %s, covers both writes',
  async (path) => {
    plan = planOf(write('a', 'README.md', 'A\n'), write('b', path, 'B\n', ['a']));
    const {id, digest, stderr} = await waiting();
    expect(stderr).toContain('task a also writes README.md');
    const done = await launch('resume', id, '--decision', `approve:${digest}`);
    expect(done.code).toBe(0);
    expect(votes.actions).toBe(0);
    expect(readFileSync(readmePath(), 'utf8')).toBe('B\n');
  },
);

test('neither write of a file is covered if the file has changed since', async () => {
  plan = planOf(write('a', 'README.md', 'A\n'), write('b', 'README.md', 'B\n'));
  const {id, digest} = await waiting();
  writeFileSync(readmePath(), 'precious\n');
  const done = await launch('resume', id, '--decision', `approve:${digest}`);
  expect(done.code).not.toBe(0);
  expect(votes.actions).toBeGreaterThan(1);
  expect(readFileSync(readmePath(), 'utf8')).toBe('precious\n');
});

test('a write that could not be previewed is not covered later', async () => {
  symlinkSync('README.md', join(workspace, 'link.md'));
  plan = planOf(write('a', 'link.md', 'A\n'));
  const {id, digest, stderr} = await waiting();
  expect(stderr).toContain('no diff: link.md is a link');
  rmSync(join(workspace, 'link.md'));
  writeFileSync(join(workspace, 'link.md'), 'precious\n');
  const done = await launch('resume', id, '--decision', `approve:${digest}`);
  expect(done.code).not.toBe(0);
  expect(readFileSync(join(workspace, 'link.md'), 'utf8')).toBe('precious\n');
});
