/** The commands of a conversation on a real pseudo-terminal, text that it does not deliver, and its record after a crash. */

import {chmodSync, copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {call} from '../../support/agent-models.ts';
import {hasPty} from '../../support/pty.ts';
import {reject, rejectOnce, setUpConversation, speak, stall} from './conversation.ts';

const shorter = {
  objective: 'Greet in a line',
  reasoning: 'It was asked for.',
  tasks: [
    {
      id: 't1',
      description: 'Greet',
      tool: 'write_file',
      args: {path: 'hello.txt', content: 'hi\n'},
    },
  ],
};

const {chat, answer, received, folder} = setUpConversation();

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
    answer((asked) => (asked.tools.length === 0 ? 'hang' : stall(asked)));
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
    type('\u001b[5;5~');
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
    await sees('/done does not answer the question of 1; write /approve, /reject, /edit, /revise');
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

  test('a sentence at a gate asks for another plan, and a single word shows the commands', async () => {
    answer(reject);
    const {type, sees} = await chat(rejectOnce);
    type('Write hello.txt\r');
    await sees('1: Plan Requires Human Intervention');
    type('yes\r');
    await sees('approve this plan? /approve');
    type('shorter\r');
    await sees('1 waits for /approve, /reject, /edit or /revise');
    answer((asked) =>
      asked.tools.includes('create_plan') ? call('create_plan', shorter) : speak(asked),
    );
    type('write it in one line\r');
    await sees('decided by person: revise');
    await sees(/^completed: /m);
    expect(received().map(({text}) => text)).toContainEqual(
      expect.stringMatching(/# Said meanwhile[^]*write it in one line/),
    );
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
    type('/exit\r');
    expect(await exit).toBe(0);
    expect(rows()).toContain('solo> /exit');
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

const shirt = join(import.meta.dirname, '../../fixtures/forms/t-shirt.toml');

describe.runIf(hasPty)('on a pseudo-terminal', {timeout: 60_000}, () => {
  test('a bare yes or no at a gate asks for the command, and decides nothing', async () => {
    answer(reject);
    const {type, sees, rows} = await chat(rejectOnce);
    type('Say hello\r');
    await sees('1: Plan Requires Human Intervention');
    const counts: number[] = [];
    for (const word of ['y', 'yes', 'OK', 'はい']) {
      type(`${word}\r`);
      await sees(new RegExp(`^solo 1> ${word}\\napprove this plan\\? /approve$`, 'm'));
      counts.push(received().length);
    }
    for (const word of ['n', 'No.', 'いいえ']) {
      type(`${word}\r`);
      await sees(new RegExp(`^solo 1> ${word}\\nreject this plan\\? /reject$`, 'm'));
      counts.push(received().length);
    }
    type('/tree\r');
    await sees(/^1 agent waits for a person: Say hello/m);
    // The call of a seat whose ballot is not needed may arrive after the gate, beside the first word.
    expect(new Set(counts.slice(1))).toEqual(new Set([received().length]));
    expect(rows().join('\n')).not.toContain('sent to 1');
  });

  test('a word typed at a gate is shown again, with the way to begin it', async () => {
    answer((asked) => (/sleep/.test(asked.text) ? stall(asked) : reject(asked)));
    const {type, sees, rows} = await chat({...rejectOnce, columns: 60});
    type('Say hello\r');
    await sees('1: Plan Requires Human Intervention');
    await sees(/^1 · .*1 waits for you$/m);
    type('sleep-30-times\r');
    await sees(/not sent:\s+“sleep-30-times”/);
    expect(rows().join(' ')).toMatch(/1 waits for \/approve, \/reject, \/edit or \/revise/);
    type('/focus none\r\u001b[A\u001b[A\r');
    await sees(/^solo 2>$/m);
    type('y\r');
    await sees(/^approve this plan\? \/approve$/m);
    type('/focus none\r/cancel 2\r');
    await sees(/^cancelled: /m);
  });

  test('a yes without a question begins no task, and a wish to continue names /resume', async () => {
    answer(stall);
    const {type, sees, rows} = await chat();
    type('yes\r');
    await sees('nothing waits for a yes or no');
    type('Say hello\r');
    await sees('▸ planning');
    type('\u0003');
    await sees('1 is suspended: /resume 1 continues it');
    type('continue\r');
    await sees('1 is suspended: /resume 1 continues it');
    type('/tree\r');
    await sees(/^1 agent suspended: Say hello/m);
    expect(rows().join('\n')).not.toMatch(/^2 agent/m);
  });

  test('a task typed to a paused interview does not continue it', async () => {
    copyFileSync(shirt, join(folder(), 'work', 't-shirt.toml'));
    const {type, sees, rows} = await chat({args: ['chat', '-m', 'interview=offline']});
    type('/interview t-shirt.toml\r');
    await sees(/^\? Hello!/m);
    type('English\r');
    await sees(/^\? Let’s begin\./m);
    type('/pause\r');
    await sees(/^\? Paused; your answers are kept\. Say “continue” to resume/m);
    type('List TODOs in src\r');
    await sees(/1 is paused: [^]*not\s+sent:\s+“List\s+TODOs\s+in\s+src”/);
    type('/resume 1\r');
    await sees(/1 is paused; \/answer 1 continue continues it/);
    type('/answer 1 continue\r');
    await sees(/^\? Welcome back!/m);
    type('/pause\r');
    await sees(/Welcome back![^]*^\? Paused;/m);
    type('continue\r');
    await sees(/Welcome back![^]*Welcome back!/);
    expect(rows().join('\n')).toMatch(/not sent: [^]*^solo 1> continue\n/m);
  });

  test('the first line names version, folder and model, also on sixty columns', async () => {
    const wide = await chat();
    expect(wide.rows()[1]).toMatch(/^quorate \d+\.\d+\.\d+ · ~\/work · mock\/worker · \/help$/);
    const narrow = await chat({columns: 40});
    expect(narrow.rows()[1]).toMatch(/^quorate \S+ · (?:… · )?mock\/worker · \/help$/);
  });
});

/** `1 agent     1  123  45`: the calls of an interaction in the table of /cost. */
function callsOf(name: string, rows: readonly string[]): number {
  const row = rows.findLast((each) => each.startsWith(`${name} `)) ?? '';
  return Number(row.slice(name.length).trim().split(' ')[0]);
}

describe.runIf(hasPty)('after kill -9', {timeout: 90_000}, () => {
  test('the tree and the cost of a conversation are those of its record, after each restart', async () => {
    answer(stall);
    const first = await chat();
    first.type('Say hello\r');
    await first.sees(/^solo 1>$/m);
    first.type('/ask what is the limit?\r');
    await first.sees('[1.1 ask] ✓ completed: The limit is 5.');
    first.type('/cost\r');
    await first.sees(/^total +\d/m);
    const recorded = callsOf('1.1 ask', first.rows());
    expect(recorded).toBeGreaterThan(0);
    await first.kill();

    const second = await chat({args: ['--continue']});
    second.type('/tree\r');
    await second.sees(/^ {2}1\.1 ask completed: what is the limit\?/m);
    await second.sees(/^1 agent planning: Say hello/m);
    second.type('/cost\r');
    await second.sees(/^total +\d/m);
    expect(callsOf('1.1 ask', second.rows())).toBe(recorded);
    answer(speak);
    await second.kill();

    const third = await chat({args: ['--continue']});
    await third.sees('completed: Greet');
    third.type('/cost\r');
    await third.sees(/^total +\d/m);
    const rows = third.rows();
    expect(callsOf('1.1 ask', rows)).toBe(recorded);
    expect(callsOf('total', rows)).toBe(callsOf('1 agent', rows) + recorded);
    third.type('\u0004');
    await third.exit;

    const fourth = await chat({args: ['--continue']});
    fourth.type('/cost\r');
    await fourth.sees(/^total +\d/m);
    expect(callsOf('total', fourth.rows())).toBe(callsOf('total', rows));
  });

  test('a gate of the record waits in the tree, and is asked again', async () => {
    answer(reject);
    const first = await chat(rejectOnce);
    first.type('Say hello\r');
    await first.sees('Plan Requires Human Intervention');
    await first.kill();
    const second = await chat({...rejectOnce, args: ['--continue']});
    await second.sees('1: Plan Requires Human Intervention');
    second.type('/tree\r');
    await second.sees(/^1 agent waits for a person/m);
    expect(second.rows().join('\n')).toMatch(/^1 agent waits for a person: Say hello/m);
  });
});
