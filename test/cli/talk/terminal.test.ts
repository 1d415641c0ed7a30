/** A conversation on a real pseudo-terminal, with models over the wire. */

import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {widthOfText} from '../../../cli/render/text.ts';
import {hasPty} from '../../support/pty.ts';
import {reject, rejectOnce, setUpConversation, speak, stall} from './conversation.ts';

const {chat, answer, folder} = setUpConversation();

describe.runIf(hasPty)('on a pseudo-terminal', {timeout: 60_000}, () => {
  test('a task runs when it is typed, and Ctrl-D leaves', async () => {
    const {type, sees, exit, rows} = await chat();
    type('Say hello\r');
    await sees('completed: Greet');
    expect(readFileSync(join(folder(), 'work/hello.txt'), 'utf8')).toBe('hello\n');
    type('\u0004');
    expect(await exit).toBe(0);
    expect(rows()).toContain('solo> Say hello');
  });

  test('a typed question is answered with tools that only read, and /agent makes it a task', async () => {
    const {type, sees, rows} = await chat();
    type('what is the limit?\r');
    await sees('Read as a question, answered with tools that only read.');
    await sees('The limit is 5.');
    type('/agent what is the limit?\r');
    await sees(/^agent \w+: what is the limit\?$/m);
    expect(rows()).toContain('The limit is 5.');
  });

  test('a question on the command line is answered alone; /agent or an option of tasks makes it a task', async () => {
    const question = 'what is the limit?';
    const asked = await chat({args: [question], seesFirst: 'The limit is 5.'});
    expect(await asked.exit).toBe(0);
    const asTask = /^agent \w+: what is the limit\?$/m;
    await chat({args: [`/agent ${question}`], seesFirst: asTask});
    await chat({args: ['--plan-only', question], seesFirst: asTask});
  });

  test('text is sent to a run while it works, and commands show and cancel it', async () => {
    answer(stall);
    const {type, sees, exit, rows} = await chat({args: ['Say hello'], seesFirst: /^▸ planning$/m});
    type('in French, please\r');
    await sees('received: in French, please');
    type('/tree\r');
    await sees(/^1 agent planning: Say hello/m);
    type('/aprove\r');
    await sees('there is no /aprove; did you mean /approve? /help lists the commands');
    type('/approve\r');
    await sees('nothing waits for you');
    type('/sessions\r');
    await sees('that needs a conversation: quorate chat');
    type('!touch x\r');
    await sees(/that needs a conversation[^]*that needs a conversation/);
    type('/help\r');
    await sees('Text without a slash is sent to the run');
    expect(rows().join('\n')).not.toContain('/undo [N|ID]');
    type('/cancel\r');
    expect(await exit).toBe(1);
    expect(rows().join('\n')).toContain('cancelled');
  });

  test('a message that arrives too late begins as a request of its own', async () => {
    const {type, sees} = await chat();
    type('what is the limit?\r');
    await sees('The limit is 5.');
    type('Say hello\r');
    await sees('completed: Greet');
    expect(readFileSync(join(folder(), 'work/hello.txt'), 'utf8')).toBe('hello\n');
  });

  test('a question below a running task is answered there, and typed text reaches its next turn', async () => {
    answer(stall);
    const {type, sees, rows} = await chat();
    type('Say hello\r');
    await sees(/^solo 1>$/m);
    type('/ask what is the limit?\r');
    await sees('[1.1 ask] ✓ completed: The limit is 5.');
    type('in French, please\r');
    await sees('sent to 1, which reads it at its next turn');
    type('/tree\r');
    await sees(/^1 agent planning: Say hello/m);
    await sees(/^ {2}1\.1 ask completed: what is the limit\?/m);
    type('/cancel 1.1\r');
    await sees('the interaction "1.1" has ended');
    expect(rows()).toContain('[1.1 ask] ✓ completed: The limit is 5.');
  });

  test('a question is answered while another interaction works', async () => {
    answer((asked) => (/second/.test(asked.text) ? stall(asked) : reject(asked)));
    const {type, sees, rows} = await chat(rejectOnce);
    type('The first task\r');
    await sees('1: Plan Requires Human Intervention');
    type('/focus none\r');
    await sees('begins a new task');
    type('The second task\r');
    await sees(/^solo 2>$/m);
    type('/aprove\r');
    await sees('did you mean /approve?');
    type('/approve 2\r');
    await sees('/approve takes the number of the waiting interaction (1), not "2"');
    answer((asked) => (/second/.test(asked.text) ? stall(asked) : speak(asked)));
    type('/approve 1\r');
    await sees('1 ✓ The first task');
    type('\u001b[5;5~');
    await sees('completed: A person allowed the plan');
    type('/tree\r');
    await sees(/^1 agent completed: The first task/m);
    await sees(/^2 agent (?:gathering|planning): The second task/m);
    type('\u001b[6;5~');
    await sees('there is no /aprove; did you mean /approve?');
    expect(rows()).toContain(
      'there is no /aprove; did you mean /approve? /help lists the commands',
    );
  });

  test('Ctrl-C discards the typed text, then suspends running work, then leaves', async () => {
    answer(stall);
    const {type, sees, exit, rows} = await chat();
    type('Say hello\r');
    await sees(/^solo 1>$/m);
    type('some words');
    await sees('some words');
    type('\u0003');
    await sees('some words^C');
    type('\u0003');
    await sees('1 is suspended: /resume 1 continues it');
    answer(speak);
    type('/resume 1\r');
    await sees('completed: Greet');
    type('\u0003');
    await sees('press Ctrl-C again to leave');
    type('\u0003');
    expect(await exit).toBe(0);
    expect(rows().join('\n')).not.toContain('some words\n');
  });

  test('every row fits into forty columns, even with wide characters', async () => {
    const {type, sees, rows} = await chat({...rejectOnce, columns: 40, rows: 20});
    answer(reject);
    type('挨拶のファイルを一つ書いてください。名前は hello.txt です。');
    await sees('です。');
    type('\r');
    await sees('1 waits for you');
    type('\u001b[5~');
    await sees('1: Plan Requires Human Intervention');
    type('/help\r');
    await sees('leaves.');
    type('日本語で半分');
    await sees('日本語で半分');
    answer(speak);
    type('\u0003');
    await sees('solo 1> 日本語で半分^C');
    type('/approve\r');
    await sees(/完了: A person allowed/);
    expect(Math.max(...rows().map(widthOfText))).toBeLessThanOrEqual(40);
  });

  test('a dumb terminal gets plain lines', async () => {
    const {type, sees, exit, written} = await chat({env: {TERM: 'dumb'}});
    type('Say hello\r');
    await sees('completed: Greet');
    type('/cost\r');
    await sees('total');
    type('\u0004');
    expect(await exit).toBe(0);
    // oxlint-disable-next-line no-control-regex
    expect(written()).not.toMatch(/\u001b/);
  });

  test('history and completion work as in a shell, and history keeps no secret', async () => {
    const secret = 'sk-0123456789abcdef0123456789';
    const {type, sees, exit, rows} = await chat({env: {OPENAI_API_KEY: secret}});
    type(`/sessions ${secret}\r`);
    await sees('no conversation has these words');
    type('\u001b[A');
    await sees(`solo> /sessions ${secret}`);
    type('\u0003');
    type('/sco\tpl\t\r');
    await sees(/^solo plan-only>$/m);
    type('/quit\r');
    expect(await exit).toBe(0);
    const file = join(folder(), 'data/chat_history');
    expect(readFileSync(file, 'utf8').split('\n')).toEqual([
      '"/sessions [redacted]"',
      '"/scope plan-only"',
      '"/quit"',
      '',
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(rows()).toContain('solo> /scope plan-only');
  });

  test('settings apply to later interactions, and to running ones where possible', async () => {
    answer(stall);
    const {type, sees, rows} = await chat();
    type('/strategy debate\r');
    await sees('solo with debate is a contradiction');
    type('/ens /strategy debate /rule 75%\r');
    await sees(/^ens debate>$/m);
    type('/solo\r');
    await sees(/^solo>$/m);
    type('Say hello\r');
    await sees(/^solo 1>$/m);
    type('/scope plan-only\r');
    await sees(/^solo plan-only 1>$/m);
    await sees('not to 1: agent.phase_scope');
    type('/hil auto_reject\r');
    await sees('and to 1 from its next round on');
    type('/config\r');
    await sees('agent.phase_scope = "plan-only"');
    await sees('agent.hil_mode = "auto_reject"');
    expect(rows()).toContain('ens debate> /solo');
  });
});
