/** A person at a gate on a terminal: the screen, the commands, and what is allowed permanently. */

import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {readGateCommand} from '../../../cli/gate/command.ts';
import type {GateAnswer} from '../../../cli/gate/decide.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import {type Plan, planHash} from '../../../machines/domain/plan.ts';
import type {ReviewRound} from '../../../machines/domain/review.ts';
import {baseRound} from '../fake-run.ts';
import {unsafeCharacters} from '../texts.ts';
import {type TestTerminal, askAtGate, createTestTerminal} from './person.ts';

const prompt = 'agent-hil> ';

const plan: Plan = {
  objective: 'Add installation instructions to README',
  reasoning: 'The README lacks them.',
  tasks: [
    {id: '1', description: 'Read README.md', context_mode: 'full'},
    {
      id: '2',
      description: 'Append installation section',
      tool: 'write_file',
      args: {path: 'README.md', content: 'npm install'},
      depends_on: ['1'],
      context_mode: 'full',
    },
  ],
};

const tools = [
  {name: 'write_file', risk: 'high', repeatability: 'checkable', timeoutMs: 1000},
] as const;

function round(number: number, pattern: string, model: string, reason: string): ReviewRound {
  const votes = pattern.split('').map((mark) => ({
    model,
    approved: mark === '●',
    verdict: mark === '●' ? ('approve' as const) : ('reject' as const),
    reasoning: mark === '●' ? 'fine' : reason,
    reasons: [mark === '●' ? 'fine' : reason],
    confidence: 1,
  }));
  return {
    ...baseRound,
    round: number,
    title: plan.objective,
    proposalHash: 'f'.repeat(64),
    seats: votes.map((vote) => vote.model),
    weights: Object.fromEntries(votes.map((vote) => [vote.model, 1])),
    participation: {cast: votes.length, required: 1},
    votes,
    summary: `[${pattern}]`,
  };
}

const question: HumanQuestion = {
  kind: 'plan',
  request: 'Update the README file',
  reason: 'Revision limit (3) exceeded. The panel rejected it, 2 to 1.',
  plan,
  proposalHash: planHash(plan),
  history: [
    round(1, '○●○', 'gpt-5.2-codex', 'Missing error handling'),
    round(2, '●○○', 'gemini-3-pro-preview', 'Unclear objective'),
  ],
  allowed: ['approve', 'reject', 'edit'],
};

let folder = '';

let terminal: TestTerminal;

const controller = {current: new AbortController()};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-test-'));
  terminal = createTestTerminal();
  controller.current = new AbortController();
});

afterEach(() => rmSync(folder, {recursive: true, force: true}));

function ask(
  asked: HumanQuestion = question,
  env: Record<string, string> = {},
): Promise<GateAnswer> {
  return askAtGate(asked, {
    terminal: terminal,
    env: {PATH: process.env['PATH'], NO_COLOR: '1', ...env},
    tools,
    signal: controller.current.signal,
  });
}

/** Types at the prompt. */
async function typed(keys: string, ...asked: Parameters<typeof ask>): Promise<GateAnswer> {
  const answer = ask(...asked);
  await terminal.sees(prompt);
  terminal.type(keys);
  return await answer;
}

/** An editor that runs `script` with the plan's file as `$1`. */
function editor(script: string): Record<string, string> {
  const path = join(folder, 'my editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  return {VISUAL: `"${path}" --flag`};
}

test('the screen shows reason, request, plan, calls, history with reasons and the commands', async () => {
  expect(await typed('/approve\n')).toEqual({kind: 'decided', decision: {decision: 'approve'}});
  expect(terminal.screen()).toContain(
    [
      '═══════════════════════════════════════════════════════════════',
      '  ⚠️  Plan Requires Human Intervention',
      '═══════════════════════════════════════════════════════════════',
      '',
      'Revision limit (3) exceeded. The panel rejected it, 2 to 1.',
      '',
      'Request:',
      '  Update the README file',
      '',
      'Plan Objective:',
      '  Add installation instructions to README',
      '',
      'Tasks:',
      '  1. Read README.md',
      '  2. Append installation section',
      '     write_file {"path":"README.md","content":"npm install"} · after 1',
      '',
      'Review History:',
      '  Rev 1: REJECTED [○●○]',
      '    └─ gpt-5.2-codex: Missing error handling',
    ].join('\n'),
  );
  for (const line of [
    '  /approve  - Execute this plan as-is',
    '  /reject   - Abort the agent',
    '  /edit     - Edit plan manually',
    `sha256 ${planHash(plan).slice(0, 11)}`,
  ]) {
    expect(terminal.screen()).toContain(line);
  }
});

test('an approval may have a reason', async () => {
  expect(await typed('/approve the backup is made\n')).toEqual({
    kind: 'decided',
    decision: {decision: 'approve', reason: 'the backup is made'},
  });
});

test('text typed before the prompt is shown decides nothing', async () => {
  terminal.type('/approve\n');
  const answer = ask();
  terminal.type('/approve\n/approve\n');
  await terminal.sees(prompt);
  terminal.type('/reject too risky\n');
  expect(await answer).toEqual({
    kind: 'decided',
    decision: {decision: 'reject', reason: 'too risky'},
  });
});

test('a line that arrives during a command decides nothing', async () => {
  const answer = ask();
  await terminal.sees(prompt);
  terminal.type('/help\n/approve\n');
  await terminal.sees(prompt, 2);
  terminal.type('/reject\n');
  expect(await answer).toEqual({kind: 'decided', decision: {decision: 'reject'}});
});

test('Ctrl-C discards typed text before it interrupts', async () => {
  const answer = ask();
  await terminal.sees(prompt);
  terminal.type('/appr\u0003');
  await terminal.sees('/appr^C');
  terminal.type('/quit\n');
  expect(await answer).toEqual({kind: 'suspended', why: 'waiting'});
});

test('Tab completes the commands of the question', async () => {
  expect(await typed('/rej\t too risky\n')).toMatchObject({
    decision: {decision: 'reject', reason: 'too risky'},
  });
});

describe('input that is not a command asks again and lists the commands', () => {
  test.each(['y', 'approve', '/aprove', '/show please', '/retry', '/constructor', '/'])(
    '%s',
    async (input) => {
      const answer = ask();
      await terminal.sees(prompt);
      terminal.type(`${input}\n`);
      await terminal.sees(prompt, 2);
      expect(terminal.screen().split('/approve  - ').length).toBe(3);
      terminal.type('/quit\n');
      expect(await answer).toEqual({kind: 'suspended', why: 'waiting'});
    },
  );
});

test('Ctrl-D leaves the question waiting and Ctrl-C interrupts', async () => {
  const first = ask();
  await terminal.sees(prompt);
  terminal.type('\u0004');
  expect(await first).toEqual({kind: 'suspended', why: 'waiting'});
  const second = ask();
  await terminal.sees(prompt, 2);
  terminal.type('\u0003');
  expect(await second).toEqual({kind: 'suspended', why: 'interrupted'});
});

test('the end of input leaves the question waiting', async () => {
  const answer = ask();
  await terminal.sees(prompt);
  terminal.input.end();
  expect(await answer).toEqual({kind: 'suspended', why: 'waiting'});
});

test('a question that is settled elsewhere is withdrawn', async () => {
  const answer = ask();
  await terminal.sees(prompt);
  controller.current.abort();
  expect(await answer).toEqual({kind: 'withdrawn'});
});

describe('hostile text on the screen', () => {
  test.each([
    ['clear and home', '\u001b[2J\u001b[HApproved'],
    ['eight-bit controls', '\u009d52;c;AAAA\u009c'],
    ['carriage return', 'rm -rf /\rls -la   '],
    ['backspace', 'rm -rf /\b\b\b\bls'],
    ['bidi override', 'ls \u202e# fr- mr'],
    ['end of a bracketed paste', '\u001b[201~rm -rf ~'],
    ['zero width', 'ap\u200bprove'],
  ])('%s is escaped', async (_name, hostile) => {
    const answer = ask({
      ...question,
      request: hostile,
      reason: hostile,
      preview: hostile,
      plan: {...plan, objective: hostile, tasks: [{...plan.tasks[1]!, args: {path: hostile}}]},
      history: [round(1, '○', hostile, hostile)],
    });
    await terminal.sees(prompt);
    const drawn = terminal.screen().slice(0, terminal.screen().indexOf('Commands:'));
    terminal.type('/quit\n');
    await answer;
    expect(unsafeCharacters(drawn)).toEqual([]);
  });
});

test('a long preview is cut on the screen and shown completely, page by page', async () => {
  const preview = Array.from({length: 300}, (_, index) => `+line ${index + 1}`).join('\n');
  const answer = ask({...question, kind: 'action', preview, allowed: ['approve', 'reject']});
  await terminal.sees(prompt);
  expect(terminal.screen()).toContain('cut: /show shows all 300 lines');
  terminal.type('/show\n');
  await terminal.sees('Enter for more');
  expect(terminal.screen()).not.toContain('+line 300');
  terminal.type('q\n');
  await terminal.sees(prompt, 2);
  const {plan: _plan, ...withoutPlan} = question;
  terminal.type('/quit\n');
  await answer;
  const again = ask({...withoutPlan, kind: 'action', preview, allowed: ['approve', 'reject']});
  await terminal.sees(prompt, 3);
  terminal.type('/show\n');
  await terminal.sees('-- 28 of 301 lines');
  terminal.type('\n');
  await terminal.sees('-- 56 of 301 lines');
  terminal.type('\n');
  for (const rows of [84, 112, 140, 168, 196, 224, 252, 280]) {
    await terminal.sees(`-- ${rows} of 301 lines`);
    terminal.type('\n');
  }
  await terminal.sees('+line 300\n');
  await terminal.sees(prompt, 4);
  terminal.type('/approve\n');
  expect(await again).toEqual({kind: 'decided', decision: {decision: 'approve'}});
});

test('a line of a megabyte fills only some screens', async () => {
  const answer = ask({...question, kind: 'action', preview: 'x'.repeat(1_000_000)});
  await terminal.sees(prompt);
  expect(terminal.screen().length).toBeLessThan(25_000);
  terminal.type('/quit\n');
  await answer;
});

test('an effect in doubt offers retry, done and fail', async () => {
  const answer = ask({...question, kind: 'in-doubt', allowed: ['retry', 'done', 'fail']});
  await terminal.sees(prompt);
  expect(terminal.screen()).toContain('/retry    - It did not happen: run it again');
  expect(terminal.screen()).not.toContain('/approve');
  terminal.type('/done\n');
  expect(await answer).toEqual({kind: 'decided', decision: {decision: 'done'}});
});

describe('/edit', () => {
  test('the edited plan is the decision, and the file was private and is removed', async () => {
    const env = editor(
      `ls -l "$2" > "${folder}/mode"; printf %s "$2" > "${folder}/path"; sed -i s/Append/Prepend/ "$2"`,
    );
    expect(await typed('/edit\n', question, env)).toEqual({
      kind: 'decided',
      decision: {
        decision: 'edit',
        plan: {
          ...plan,
          tasks: [plan.tasks[0], {...plan.tasks[1], description: 'Prepend installation section'}],
        },
      },
    });
    expect(readFileSync(join(folder, 'mode'), 'utf8')).toMatch(/^-rw------- /);
    expect(existsSync(readFileSync(join(folder, 'path'), 'utf8'))).toBe(false);
  });

  test('an unchanged plan is reported, and the question is asked again', async () => {
    const answer = ask(question, editor('exit 0'));
    await terminal.sees(prompt);
    terminal.type('/edit\n');
    await terminal.sees('The plan is unchanged');
    await terminal.sees(prompt, 2);
    terminal.type('/reject\n');
    expect(await answer).toEqual({kind: 'decided', decision: {decision: 'reject'}});
  });

  test('an invalid plan shows its problems and can be edited again', async () => {
    const env = editor(
      `if grep -q nobody "$2"; then sed -i s/nobody/1/ "$2"; sed -i s/Append/Add/ "$2"; else sed -i 's/"1"$/"nobody"/' "$2"; fi`,
    );
    const answer = ask(question, env);
    await terminal.sees(prompt);
    terminal.type('/edit\n');
    await terminal.sees('depends on nobody, which is not in the plan');
    await terminal.sees('Edit it again? [Y/n] ');
    terminal.type('\n');
    expect(await answer).toMatchObject({kind: 'decided', decision: {decision: 'edit'}});
  });

  test.each(['n', '/quit', '/reject', 'rm -rf ~'])(
    'whether to edit again is not answered with a yes by %j',
    async (line) => {
      const answer = ask(question, editor('echo "{" > "$2"'));
      await terminal.sees(prompt);
      terminal.type('/edit\n');
      await terminal.sees('it is not JSON');
      await terminal.sees('Edit it again? [Y/n] ');
      terminal.type(`${line}\n`);
      await terminal.sees(prompt, 2);
      terminal.type('/quit\n');
      expect(await answer).toEqual({kind: 'suspended', why: 'waiting'});
    },
  );

  test('an editor that fails decides nothing', async () => {
    const answer = ask(question, editor('exit 3'));
    await terminal.sees(prompt);
    terminal.type('/edit\n');
    await terminal.sees('ended with exit code 3');
    await terminal.sees(prompt, 2);
    terminal.type('/quit\n');
    expect(await answer).toEqual({kind: 'suspended', why: 'waiting'});
  });

  test('without an editor it explains how to configure one', async () => {
    const answer = ask(question, {PATH: folder});
    await terminal.sees(prompt);
    terminal.type('/edit\n');
    await terminal.sees('set VISUAL or EDITOR');
    terminal.type('/quit\n');
    await terminal.sees(prompt, 2);
    terminal.type('/quit\n');
    expect(await answer).toEqual({kind: 'suspended', why: 'waiting'});
    expect(statSync(folder).isDirectory()).toBe(true);
  });
});

test.each([
  ['/aprove', '; did you mean /approve?'],
  ['/edti', '; did you mean /edit?'],
  ['/hlep', '; did you mean /help?'],
  ['/retry', ''],
])('%s decides nothing and names the nearest command%s', (line, hint) => {
  const problem = `${line} is not a command here${hint}`;
  const allowed = ['approve', 'reject', 'edit'] as const;
  expect(readGateCommand(line, {allowed})).toEqual({kind: 'unknown', problem});
});

const command = 'npm run deploy --dry';

const lasting: HumanQuestion = {
  kind: 'action',
  request: 'Deploy it',
  reason: `Nobody has judged this action: policy/safety can't judge "deploy".`,
  preview: `$ ${command}`,
  proposalHash: 'f'.repeat(64),
  history: [],
  lasting: {folder: '/work/here', command},
  allowed: ['approve', 'always', 'reject'],
};

describe('a command that can be allowed permanently', () => {
  test('/always allows exactly the shown command', async () => {
    const answer = ask(lasting);
    await terminal.sees(prompt);
    expect(terminal.screen()).toContain(
      '/always       - Run it now, and permit it in this folder from now on\n' +
        '  /always WORDS - The same for every command that begins with these words\n',
    );
    terminal.type('/always\n');
    expect(await answer).toEqual({kind: 'decided', decision: {decision: 'always'}});
  });

  test('/always with the first words shows the commands that it would allow, and requires a yes', async () => {
    const answer = ask(lasting);
    await terminal.sees(prompt);
    terminal.type('/always npm run deploy\n');
    await terminal.sees(
      'Allow every command that begins with "npm run deploy" in /work/here without asking? [y/N] ',
    );
    terminal.type('y\n');
    expect(await answer).toEqual({
      kind: 'decided',
      decision: {decision: 'always', prefix: 'npm run deploy'},
    });
  });

  test.each(['', 'n', '/approve'])(
    '%j does not mean yes: the question is asked again',
    async (reply) => {
      const answer = ask(lasting);
      await terminal.sees(prompt);
      terminal.type('/always npm run\n');
      await terminal.sees('[y/N] ');
      terminal.type(`${reply}\n`);
      await terminal.sees(prompt, 2);
      terminal.type('/reject\n');
      expect(await answer).toMatchObject({decision: {decision: 'reject'}});
    },
  );

  test('words that do not stand for the command are refused with the reason', async () => {
    const answer = ask(lasting);
    await terminal.sees(prompt);
    terminal.type('/always npm\n');
    await terminal.sees('a prefix is the first 2 words of the command or more');
    await terminal.sees(prompt, 2);
    terminal.type('/approve\n');
    expect(await answer).toMatchObject({decision: {decision: 'approve'}});
  });

  test('is not a command when nothing can be allowed permanently', async () => {
    const {lasting: _, ...once} = lasting;
    const answer = ask({...once, allowed: ['approve', 'reject']});
    await terminal.sees(prompt);
    terminal.type('/always\n');
    await terminal.sees(prompt, 2);
    expect(terminal.screen()).toContain('/always is not a command here');
    terminal.type('/approve\n');
    expect(await answer).toMatchObject({decision: {decision: 'approve'}});
  });
});
