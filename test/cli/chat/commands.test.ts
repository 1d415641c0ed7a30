/** The commands of a conversation on a real pseudo-terminal, with models over the wire. */

import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {hasPty} from '../../support/pty.ts';
import {reject, rejectOnce, setUpConversation, speak, stall} from './conversation.ts';

const {chat, answer, folder} = setUpConversation();

describe.runIf(hasPty)('on a pseudo-terminal', {timeout: 60_000}, () => {
  test('/replace cancels the interaction in focus and starts a new one', async () => {
    answer(stall);
    const {type, sees, rows} = await chat();
    type('Say hello\r');
    await sees('▸ planning');
    answer(speak);
    type('/replace Write hello.txt\r');
    await sees('cancelled:');
    await sees('completed: Greet');
    type('/tree\r');
    await sees(/^1 agent cancelled: Say hello/m);
    await sees(/^2 agent completed: Write hello\.txt/m);
    type('/replace it\r');
    await sees('no running interaction to replace');
    expect(rows()).toContain('solo> /replace it');
  });

  test('interactions below a task are started, focused and ended separately', async () => {
    answer((received) => (received.tools.length === 0 ? 'hang' : stall(received)));
    const {type, sees, rows} = await chat();
    type('Say hello\r');
    await sees('▸ planning');
    type('/discuss --fresh is it right?\r');
    await sees('[1.1 discuss] is it right? (by a person, no context)');
    type('/focus 1.1\r');
    await sees(/^solo 1\.1>$/m);
    type('/agent look deeper\r');
    await sees('[1.1.1 agent] look deeper (by a person, full context)');
    type('/cancel 1.1\r');
    await sees('[1.1.1 agent] ✗ cancelled');
    await sees('[1.1 discuss] ✗ cancelled');
    await sees(/^solo 1>$/m);
    type('/focus 1.1\r');
    await sees("1.1 is not running, so it can't receive messages");
    type('/focus 7\r');
    await sees('there is no 7; /tree lists the interactions');
    type('/cancel\r');
    await sees(/^cancelled:/m);
    expect(rows().join('\n')).not.toMatch(/^solo 1>.*cancelled/m);
  });

  test('at a gate everything is shown, the plan is edited, and a rejection has its reason', async () => {
    const editor = join(folder(), 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i s/Greet/Welcome/ "$1"\n');
    chmodSync(editor, 0o755);
    answer(reject);
    const {type, sees, rows} = await chat({...rejectOnce, env: {EDITOR: editor}});
    type('Write hello.txt\r');
    await sees('1: Plan Requires Human Intervention');
    type('/show\r');
    await sees('"objective": "Greet"');
    type('/done\r');
    await sees('/done does not answer the question of 1; write /approve, /reject, /edit');
    type('/edit\r');
    await sees('decided by person: edit');
    await sees(/^completed: A person edited the plan/m);
    type('Write hello.txt again\r');
    await sees('2: Plan Requires Human Intervention');
    type('/reject it is too long\r');
    await sees('it is too long');
    await sees(/^rejected:/m);
    type('/approve\r');
    await sees('nothing waits for you');
    expect(rows()).toContain('solo 2> /reject it is too long');
  });

  test('commands that show something change nothing', async () => {
    const {type, sees, exit, rows} = await chat();
    type('/tree /cost /config /model\r');
    await sees('nothing was begun yet');
    await sees('total');
    await sees('agent.decision_model = "mock/worker"');
    await sees(/^ {2}discuss\.moderator +mock\/worker$/m);
    type('/help rule\r');
    await sees('/rule [RULE]');
    type('/help rul\r');
    await sees('there is no /rul');
    type('/sessions\r');
    await sees('no conversation in this folder yet');
    type('/resume\r');
    await sees('nothing in this folder can be resumed');
    type('/show\r');
    await sees('there is nothing to show yet');
    type('/nonsense\r');
    await sees('there is no /nonsense');
    type('quit\r');
    await sees('did you mean /quit?');
    type('/model desicion=mock/a\r');
    await sees('did you mean "decision"?');
    type('/exit\r');
    expect(await exit).toBe(0);
    expect(rows()).toContain('solo> /exit');
  });

  test('a suspended conversation continues in another one', async () => {
    answer(stall);
    const first = await chat();
    first.type('/ask what is the limit?\r');
    await first.sees(/^The limit is 5\.\n\w+ · 1 model call.*\nsolo>$/m);
    first.type('Say hello\r');
    await first.sees('▸ planning');
    first.type('/quit\r');
    expect(await first.exit).toBe(130);
    const [, id = ''] = /chat --resume (\w+)/.exec(first.rows().join('\n')) ?? [];
    answer(speak);
    const pty = await chat({args: ['chat', '--resume', id]});
    await pty.sees('1 ask completed: what is the limit?');
    await pty.sees('continuing 2: Say hello');
    await pty.sees('completed: Greet');
    pty.type('/show 2\r');
    await pty.sees(/^Request$/m);
    expect(pty.rows()).toContain('2 agent open: Say hello');
  });

  test('/resume without an ID takes runs that can be resumed, and none that has ended', async () => {
    const first = await chat();
    first.type('/ask what is the limit?\r');
    await first.sees(/^The limit is 5\.$[^]*^solo>$/m);
    first.type('/resume\r');
    await first.sees('nothing in this folder can be resumed');
    answer(stall);
    first.type('/new\r');
    await first.sees('a new conversation begins here');
    first.type('Say hello\r');
    await first.sees('▸ planning');
    first.type('/resume\r');
    await first.sees('2 is already running');
    first.type('/resume 2\r');
    await first.sees(/^solo 2> \/resume 2\n2 is already running$/m);
    first.type('/quit\r');
    await first.exit;
    answer(speak);
    const second = await chat();
    second.type('/ask what is the limit, again?\r');
    await second.sees(/^The limit is 5\.$[^]*^solo>$/m);
    second.type('/quit\r');
    await second.exit;
    const third = await chat();
    third.type('/resume\r');
    await third.sees('continuing 1: Say hello');
    await third.sees('completed: Greet');
    expect(third.rows().join('\n')).not.toContain('what is the limit');
  });
});
