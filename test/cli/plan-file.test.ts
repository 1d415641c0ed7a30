/** A plan from a file. */

import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {act, ballot, isBallot, isPlanBallot, roundOf, writePlan} from '../support/agent-models.ts';
import {createLauncher, eventsOf, type Launched, type Launcher} from '../support/launch.ts';
import {
  type ReceivedRequest,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';
import {useMockPanel} from '../support/mock-panel.ts';

let launcher: Launcher;
let server: MockOpenAi;
let isFirstPlanGood: boolean;

beforeEach(async () => {
  launcher = createLauncher();
  isFirstPlanGood = true;
  server = await startMockOpenAi(answer);
  mkdirSync(join(launcher.folder, 'work'));
  useMockPanel(launcher, server);
});

afterEach(async () => {
  await server.close();
  launcher.remove();
});

function answer(received: ReceivedRequest): Said {
  if (isPlanBallot(received) && roundOf(received) === 1 && !isFirstPlanGood) {
    return ballot('reject', 'say hello');
  }
  return isBallot(received) ? ballot('approve') : act(received);
}

async function launch(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', 'work', ...args]);
}

function save(name: string, value: unknown): string {
  const file = join(launcher.folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** The number of calls of a planner. */
const drafts = (): number =>
  server.received.filter(({tools}) => tools.includes('create_plan')).length;
const note = (): string => join(launcher.folder, 'work/note.txt');
const other = {
  ...writePlan,
  tasks: [{...writePlan.tasks[0], args: {path: 'note.txt', content: 'from the file\n'}}],
};

test('the reviewed plan of a run can be run later, from its result or as a plan', async () => {
  const {stdout} = await launch('--scope', 'plan-only', '--output', 'json', 'Write a note');
  const result: unknown = JSON.parse(stdout);
  for (const value of [result, Object(result)['plan']]) {
    rmSync(note(), {force: true});
    expect(existsSync(note())).toBe(false);
    const {code, stdout: events} = await launch(
      '--plan',
      save('p.json', value),
      '--output',
      'jsonl',
    );
    expect(code).toBe(0);
    expect(eventsOf(events).find(({type}) => type === 'plan.created')).toMatchObject({
      by: 'person',
    });
    expect(eventsOf(events).at(-1)).toMatchObject({
      status: 'completed',
      plan: Object(result)['plan'],
      reviews: [{kind: 'plan', approved: true}, {kind: 'action'}],
    });
  }
  expect(drafts()).toBe(1);
  expect(readFileSync(note(), 'utf8')).toBe('hello\n');
});

test('a plan from a file that the panel rejects is revised, not run', async () => {
  isFirstPlanGood = false;
  const {code} = await launch('--plan', save('other.json', other));
  expect(code).toBe(0);
  const planner = server.received.find(({tools}) => tools.includes('create_plan'));
  expect(planner?.text).toMatch(/# Previous plan\n[\s\S]*from the file[\s\S]*say hello/);
  expect(readFileSync(note(), 'utf8')).toBe('hello\n');
});

test.each([
  ['no JSON', 'hello', /it is not JSON/],
  ['no plan', '{"tasks": []}', /the plan is not valid: .*objective/],
  [
    'a plan with an unknown tool',
    JSON.stringify({...writePlan, tasks: [{id: 'a', description: 'b', tool: 'rm'}]}),
    /names the tool rm/,
  ],
])('%s is refused before anything begins', async (_, text, message) => {
  const file = join(launcher.folder, 'bad.json');
  writeFileSync(file, text);
  const {code, stderr} = await launch('--plan', file);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(server.received).toEqual([]);
});

test('a plan is not run beside a task', async () => {
  const {code, stderr} = await launch('--plan', save('other.json', other), 'Write a note');
  expect(code).toBe(2);
  expect(stderr).toMatch(/write it without a task/);
  expect(server.received).toEqual([]);
});

test("invalid arguments end the run: no model repairs a person's text", async () => {
  const tasks = [{id: 'a', description: 'b', tool: 'write_file', args: {path: 7}}];
  const {code, stdout} = await launch('--plan', save('args.json', {...writePlan, tasks}));
  expect(code).toBe(1);
  expect(stdout).toMatch(/path/);
  expect(drafts()).toBe(0);
});

test('without a model a vetoed plan waits for a person unchanged', async () => {
  rmSync(join(launcher.folder, 'config'), {recursive: true});
  const tasks = [{id: 'a', description: 'b', tool: 'run_command', args: {command: 'rm -rf /'}}];
  const file = save('rm.json', {...writePlan, tasks});
  const args = ['-C', 'work', '--plan', file, '--output', 'json'];
  const {code, stdout} = await launcher.run(args);
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'waiting',
    waiting: {
      question: {
        kind: 'plan',
        plan: {tasks},
        reason: expect.stringMatching(/^The planner proposed a plan that was rejected before\./),
      },
    },
    reviews: [{verdict: 'rejected'}],
  });
  expect(stdout).not.toContain('does not understand');
});
