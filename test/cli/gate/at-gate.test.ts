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

import type {HumanQuestion} from '../../../machines/domain/human.ts';
import {type Plan, planHash} from '../../../machines/domain/plan.ts';
import type {ReviewRound} from '../../../machines/domain/review.ts';
import {baseRound} from '../fake-run.ts';
import {unsafeCharacters} from '../texts.ts';
import {type GateAnswer, type TestTerminal, askAtGate, createTestTerminal} from './person.ts';

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
  allowed: ['approve', 'reject', 'edit', 'revise'],
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
  before?: () => Promise<void>,
): Promise<GateAnswer> {
  return askAtGate(asked, {
    terminal: terminal,
    env: {PATH: process.env['PATH'], NO_COLOR: '1', ...env},
    tools,
    signal: controller.current.signal,
    ...(before ? {before} : {}),
  });
}

/** Types the keys of each step when its text is seen, once more than in the steps before. */
async function play(
  steps: readonly (readonly [sight: string, keys: string])[],
  ...asked: Parameters<typeof ask>
): Promise<GateAnswer> {
  const answer = ask(...asked);
  for (const [index, [sight, keys]] of steps.entries()) {
    await terminal.sees(sight, steps.slice(0, index + 1).filter(([one]) => one === sight).length);
    terminal.type(keys);
  }
  return await answer;
}

/** Types at the prompt. */
const typed = async (keys: string, ...asked: Parameters<typeof ask>): Promise<GateAnswer> =>
  await play([[prompt, keys]], ...asked);

const decided = (decision: object) => ({kind: 'decided', decision});
const waiting = {kind: 'suspended', why: 'waiting'};

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
      '⚠️  Plan Requires Human Intervention',
      'Revision limit (3) exceeded. The panel rejected it, 2 to 1.',
      'Request: Update the README file',
      'Plan Objective: Add installation instructions to README',
      'Tasks:',
      '  1. Read README.md',
      '  2. Append installation section',
      '     write_file {"path":"README.md","content":"npm install"} · after 1',
      'Review History:',
      '  Rev 1: REJECTED [○●○]',
      '    └─ gpt-5.2-codex: Missing error handling',
    ].join('\n'),
  );
  for (const line of [
    '  /approve  - Execute this plan as-is',
    '  /reject   - Abort the agent',
    '  /edit     - Edit plan manually',
    '  /revise   - Plan again, as your words say',
    `Deciding on sha256 ${planHash(plan).slice(0, 8)} in `,
  ]) {
    expect(terminal.screen()).toContain(line);
  }
  const rows = terminal.screen().split(prompt)[0]!.trimEnd().split('\n');
  const own = /^(?:Request|Plan Objective|  \d\.|     write_file|  Rev)/;
  expect(rows.filter((row) => row !== '' && !own.test(row)).length).toBeLessThanOrEqual(15);
});

test('an approval may have a reason', async () => {
  const answer = await typed('/approve the backup is made\n');
  expect(answer).toEqual(decided({decision: 'approve', reason: 'the backup is made'}));
});

test.each([
  ['/revise pack it only\n', 'pack it only'],
  ['no, only pack it\n', 'no, only pack it'],
  ['公開はせず固めるだけにして\n', '公開はせず固めるだけにして'],
])('%j asks for another plan with these words', async (keys, reason) => {
  expect(await typed(keys)).toEqual(decided({decision: 'revise', reason}));
});

test('a sentence is no command where nothing can be made again', async () => {
  const asked = {...question, kind: 'in-doubt', allowed: ['retry', 'done', 'fail']} as const;
  const answer = play(
    [
      [prompt, 'please look again\n'],
      [prompt, '/quit\n'],
    ],
    asked,
  );
  expect(await answer).toEqual(waiting);
  expect(terminal.screen()).toContain('not sent: “please look again”');
});

test('text typed before the question is shown decides nothing', async () => {
  const answer = ask(question, {}, async () => {
    terminal.type('/approve\n');
    await terminal.sees('> ');
    terminal.type('/approve\n');
    await terminal.sees('nothing waits for you');
    terminal.type('/appr');
    await terminal.sees('/appr');
  });
  await terminal.sees(prompt);
  terminal.type('ove\n');
  await terminal.sees('the run asked while you were typing: read the question, and answer again');
  await terminal.sees(prompt, 2);
  terminal.type('/reject too risky\n');
  expect(await answer).toEqual(decided({decision: 'reject', reason: 'too risky'}));
});

test('a line that arrives during a command decides nothing', async () => {
  const answer = await play([
    [prompt, '/help\n/approve\n'],
    [prompt, '/reject\n'],
  ]);
  expect(answer).toEqual(decided({decision: 'reject'}));
});

test('Ctrl-C discards typed text before it interrupts', async () => {
  const answer = await play([
    [prompt, '/appr\u0003'],
    ['/appr^C', '/quit\n'],
  ]);
  expect(answer).toEqual(waiting);
});

test('Tab completes the commands of the question', async () => {
  const decision = {decision: 'reject', reason: 'too risky'};
  expect(await typed('/rej\t too risky\n')).toMatchObject({decision});
});

test.each(
  'y|yes|ok|no|はい|approve|/aprove|/show please|/retry|/constructor|/|/revise|what happens if I approve it?'.split(
    '|',
  ),
)(
  '%s is not a command: the question is asked again, and the commands are listed',
  async (input) => {
    const answer = play([
      [prompt, `${input}\n`],
      [prompt, ''],
    ]);
    await terminal.sees(prompt, 2);
    expect(terminal.screen().split('/approve  - ').length).toBe(3);
    terminal.type('/quit\n');
    expect(await answer).toEqual(waiting);
  },
);

test('Ctrl-D and the end of input leave the question waiting, and Ctrl-C interrupts', async () => {
  expect(await typed('\u0004')).toEqual(waiting);
  const second = ask();
  await terminal.sees(prompt);
  terminal.type('\u0003');
  expect(await second).toEqual({kind: 'suspended', why: 'interrupted'});
  const third = ask();
  await terminal.sees(prompt, 2);
  terminal.input.end();
  expect(await third).toEqual(waiting);
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
  const asked = {...question, kind: 'in-doubt', allowed: ['retry', 'done', 'fail']} as const;
  expect(await typed('/done\n', asked)).toEqual(decided({decision: 'done'}));
  expect(terminal.screen()).toContain('/retry    - It did not happen: run it again');
  expect(terminal.screen()).not.toContain('/approve');
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
    const steps = [
      [prompt, '/edit\n'],
      ['The plan is unchanged', ''],
      [prompt, '/reject\n'],
    ] as const;
    expect(await play(steps, question, editor('exit 0'))).toEqual(decided({decision: 'reject'}));
  });

  test('an invalid plan shows its problems and can be edited again', async () => {
    const env = editor(
      `if grep -q nobody "$2"; then sed -i s/nobody/1/ "$2"; sed -i s/Append/Add/ "$2"; else sed -i 's/"1"$/"nobody"/' "$2"; fi`,
    );
    const steps = [
      [prompt, '/edit\n'],
      ['depends on nobody, which is not in the plan', ''],
      ['Edit it again? [Y/n] ', '\n'],
    ] as const;
    expect(await play(steps, question, env)).toMatchObject(decided({decision: 'edit'}));
  });

  test.each(['n', '/quit', '/reject', 'rm -rf ~'])(
    'whether to edit again is not answered with a yes by %j',
    async (line) => {
      const steps = [
        [prompt, '/edit\n'],
        ['it is not JSON', ''],
        ['Edit it again? [Y/n] ', `${line}\n`],
        [prompt, '/quit\n'],
      ] as const;
      expect(await play(steps, question, editor('echo "{" > "$2"'))).toEqual(waiting);
    },
  );

  test('an editor that fails decides nothing, and a missing one is explained', async () => {
    const failing = [
      [prompt, '/edit\n'],
      ['ended with exit code 3', ''],
      [prompt, '/quit\n'],
    ] as const;
    expect(await play(failing, question, editor('exit 3'))).toEqual(waiting);
    terminal = createTestTerminal();
    const missing = [
      [prompt, '/edit\n'],
      ['set VISUAL or EDITOR', ''],
      [prompt, '/quit\n'],
    ] as const;
    expect(await play(missing, question, {PATH: folder})).toEqual(waiting);
    expect(statSync(folder).isDirectory()).toBe(true);
  });
});

test.each([
  ['/aprove', 'there is no /aprove; did you mean /approve? /help lists the commands'],
  ['/edti', 'there is no /edti; did you mean /edit? /help lists the commands'],
  [
    '/retry',
    '/retry does not answer the question of the run; write /approve, /reject, /edit, /revise',
  ],
  ['yes', 'approve this plan? /approve'],
  ['is it safe?', 'not sent: “is it safe?”'],
])('%s decides nothing: %s', async (line, problem) => {
  const answer = play([
    [prompt, `${line}\n`],
    [prompt, '/quit\n'],
  ]);
  expect(await answer).toEqual(waiting);
  expect(terminal.rows().join('\n')).toContain(problem);
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
    expect(await typed('/always\n', lasting)).toEqual(decided({decision: 'always'}));
    expect(terminal.screen()).toContain(
      '/always       - Run it now, and permit it in this folder from now on\n' +
        '  /always WORDS - The same for every command that begins with these words\n',
    );
  });

  test('/always with the first words shows the commands that it would allow, and requires a yes', async () => {
    const sure =
      'Allow every command that begins with "npm run deploy" in /work/here without asking? [y/N] ';
    const steps = [
      [prompt, '/always npm run deploy\n'],
      [sure, 'y\n'],
    ] as const;
    const decision = {decision: 'always', prefix: 'npm run deploy'};
    expect(await play(steps, lasting)).toEqual(decided(decision));
  });

  test.each(['', 'n', '/approve'])(
    '%j does not mean yes: the question is asked again',
    async (reply) => {
      const steps = [
        [prompt, '/always npm run\n'],
        ['[y/N] ', `${reply}\n`],
        [prompt, '/reject\n'],
      ] as const;
      expect(await play(steps, lasting)).toMatchObject({decision: {decision: 'reject'}});
    },
  );

  test('words that do not stand for the command are refused with the reason', async () => {
    const steps = [
      [prompt, '/always npm\n'],
      ['a prefix is the first 2 words of the command or more', ''],
      [prompt, '/approve\n'],
    ] as const;
    expect(await play(steps, lasting)).toMatchObject({decision: {decision: 'approve'}});
  });

  test('is not a command when nothing can be allowed permanently', async () => {
    const {lasting: _, ...once} = lasting;
    const steps = [
      [prompt, '/always\n'],
      [prompt, '/approve\n'],
    ] as const;
    const answer = await play(steps, {...once, allowed: ['approve', 'reject']});
    expect(answer).toMatchObject({decision: {decision: 'approve'}});
    expect(terminal.screen()).toContain('/always does not answer the question');
  });
});
