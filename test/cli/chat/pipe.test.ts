/** A conversation whose lines come from a pipe. */

import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {call} from '../../support/agent-models.ts';
import {createLauncher, type Launched, type Launcher} from '../../support/launch.ts';
import {
  type ReceivedRequest,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../../support/mock-openai.ts';
import {useMockPanel} from '../../support/mock-panel.ts';

let launcher: Launcher;
let server: MockOpenAi;
/** The panel's verdict. */
let verdict: 'approve' | 'reject';

beforeEach(async () => {
  launcher = createLauncher();
  verdict = 'approve';
  mkdirSync(join(launcher.folder, 'work'));
  server = await startMockOpenAi(speak);
  useMockPanel(launcher, server, {agent: 'max_plan_revisions = 1'});
});

afterEach(async () => {
  await server.close();
  launcher.remove();
});

const task = {
  id: 't1',
  description: 'Write a greeting',
  tool: 'write_file',
  args: {path: 'hello.txt', content: 'hello\n'},
};

function speak({tools, text}: ReceivedRequest): Said {
  if (tools.includes('cast_ballot')) {
    return call('cast_ballot', {verdict, reasons: ['as it is'], confidence: 1});
  }
  if (tools.includes('create_plan')) {
    return call('create_plan', {objective: 'Greet', reasoning: 'It is asked.', tasks: [task]});
  }
  if (tools.includes('evaluate_result')) {
    return call('evaluate_result', {successful: true, problems: []});
  }
  return {text: /limit/.test(text) ? 'The limit is 5.' : 'Nothing more.'};
}

async function pipe(...lines: readonly string[]): Promise<Launched> {
  const cwd = join(launcher.folder, 'work');
  return await launcher.perform(['chat'], {cwd, stdin: lines.map((line) => `${line}\n`).join('')});
}

test('each line is performed after the previous one has ended; results go to stdout', async () => {
  const {code, stdout, stderr} = await launcher.run(['chat'], {
    cwd: join(launcher.folder, 'work'),
    stdin: 'Write hello.txt\n\n/ask what is the \\\nlimit?\n',
  });
  expect({code, stderr}).toMatchObject({code: 0, stderr: expect.stringContaining('▸ planning')});
  expect(stdout).toMatch(/^completed: Greet\n[^]*\nThe limit is 5\.\n$/);
  expect(stdout + stderr).not.toContain('solo>');
  expect(readFileSync(join(launcher.folder, 'work/hello.txt'), 'utf8')).toBe('hello\n');
});

test('a question to a person ends the conversation with exit 4, and later lines are not performed', async () => {
  verdict = 'reject';
  const {code, stdout, stderr} = await pipe('Write hello.txt', '/approve', '/ask what limit?');
  expect({code, stdout}).toEqual({code: 4, stdout: ''});
  expect(stderr).toMatch(
    /quorate resume \w+ --decision approve:[^]*\nnot read: 2 lines after it\n$/,
  );
  expect(existsSync(join(launcher.folder, 'work/hello.txt'))).toBe(false);
});

test('a mode may answer in place of a person', async () => {
  verdict = 'reject';
  const {code, stdout} = await pipe('/hil auto_reject', 'Write hello.txt', '/ask what limit?');
  expect({code, stdout}).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^rejected: [^]*\nThe limit is 5\.\n$/),
  });
});

test.each([
  ['/scpoe plan-only', 'there is no /scpoe; did you mean /scope? /help lists the commands'],
  [':wq', 'there is no /wq;'],
  [':tabnew ask', 'there is no /tabnew;'],
  ['ls', '"ls" is short for a task: type a little more; !COMMAND runs a shell command'],
  ['hi', '"hi" is short for a task'],
  ['gt', '"gt" is short for a task'],
  ['?', '"?" is short for a task'],
  ['q', 'did you mean /q? For a task, type a little more'],
  ['/approve', 'nothing waits for you'],
  ['/cancel 3', 'there is no 3; /tree lists the interactions'],
  ['/strategy debate', 'solo with debate is a contradiction'],
])('%s ends it with exit 2, before anything else begins', async (line, problem) => {
  const {code, stdout, stderr} = await pipe(line, 'Write hello.txt');
  expect({code, stdout}).toEqual({code: 2, stdout: ''});
  expect(stderr).toContain(problem);
  expect(server.received).toEqual([]);
});

test(':q leaves like /quit, and begins nothing', async () => {
  const {code, stdout} = await pipe(':q', 'Write hello.txt');
  expect({code, stdout, requests: server.received}).toEqual({code: 0, stdout: '', requests: []});
});

test('unread lines after an invalid one are counted', async () => {
  const {code, stderr} = await pipe('/tree', '/scpoe plan-only', 'Write hello.txt', '', '/cost');
  expect(stderr).toMatch(/^quorate: there is no \/scpoe.*\nnot read: 2 lines after it\n$/m);
  expect(code).toBe(2);
});

test('a setting without a value shows its current value', async () => {
  const {code, stderr} = await pipe(
    '/scope',
    '/scope fast',
    '/scope',
    '/hil',
    '/rule',
    '/strategy',
  );
  expect(stderr).toContain('/scope full (the default); it takes full, fast, plan-only\n');
  expect(stderr).toContain('/scope fast; it takes full, fast, plan-only\n');
  expect(stderr).toContain('/hil interactive (the default); it takes ');
  expect(stderr).toContain('/rule majority (the default); it takes majority, unanimous');
  expect(stderr).toContain('/strategy quorum (the default); it takes quorum, debate\n');
  expect(code).toBe(0);
});

test('/rate rates the latest result of the conversation', async () => {
  const early = await pipe('/rate up');
  expect(early).toMatchObject({code: 2, stderr: expect.stringContaining('no result to rate yet')});
  const wrong = await pipe('/rate good');
  expect(wrong.stderr).toContain('/rate takes up or down, and words of your own; not "good"');

  const {code, stderr} = await pipe('Write hello.txt', '/ask what limit?', '/rate down no source');
  expect(code).toBe(0);
  expect(stderr).toContain('2 ask is rated down\n');
  const {stdout} = await launcher.perform(['show'], {cwd: join(launcher.folder, 'work')});
  expect(stdout).toMatch(/^rated down on .*: no source$/m);
});

test('/quit ends it and discards the rest', async () => {
  expect(await pipe('/quit', 'Write hello.txt')).toMatchObject({code: 0, stdout: ''});
});

test('a conversation continues an earlier one, with its numbers and answers', async () => {
  await pipe('Write hello.txt', '/ask what is the limit?');
  const cwd = join(launcher.folder, 'work');
  const {code, stderr} = await launcher.perform(['chat', '--continue'], {
    cwd,
    stdin: '/tree\n/sessions\n',
  });
  expect({code, stderr}).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^1 agent completed: Write hello\.txt$[^]*^2 ask completed: what is the limit\?$[^]*2 interactions/m,
    ),
  });
});

test.each([
  [['chat', 'Write'], 'quorate chat takes no words except an ID after --resume'],
  [['chat', '--resume'], '--resume needs an ID; see: quorate runs'],
  [['chat', '--resume', 'nothing'], 'there is no conversation nothing'],
  [
    ['chat', '--continue', 'Write'],
    '--continue resumes the latest conversation; another one: --resume ID',
  ],
])('%j is refused', async (args, problem) => {
  const {code, stderr} = await launcher.perform(args, {stdin: ''});
  expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining(problem)});
});

test('a task whose model is unavailable is suspended with the reason once, and the way to continue', async () => {
  const provider = await startMockOpenAi(() => ({status: 401}));
  try {
    useMockPanel(launcher, provider);
    const {stderr} = await pipe('Write hello.txt');
    expect(stderr).toMatch(/^1 is suspended: mock\/worker: .*; \/resume 1 continues it$/m);
    expect(stderr).not.toContain('could not be called');
  } finally {
    await provider.close();
  }
});
