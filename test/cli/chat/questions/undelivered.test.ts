/** Text that a conversation does not deliver: it decides nothing, begins nothing and is shown again. */

import {copyFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {hasPty} from '../../../support/pty.ts';
import {reject, rejectOnce, setUpConversation, stall} from '../conversation.ts';

const {chat, answer, received, folder} = setUpConversation();
const shirt = join(import.meta.dirname, '../../../fixtures/forms/t-shirt.toml');

describe.runIf(hasPty)('on a pseudo-terminal', {timeout: 60_000}, () => {
  test('a bare yes or no at a gate asks for the command, and decides nothing', async () => {
    answer(reject);
    const {type, sees, rows} = await chat(rejectOnce);
    type('Say hello\r');
    await sees('1: Plan Requires Human Intervention');
    const asked = received().length;
    for (const word of ['y', 'yes', 'OK', 'はい']) {
      type(`${word}\r`);
      await sees(new RegExp(`^solo 1> ${word}\\napprove this plan\\? /approve$`, 'm'));
    }
    for (const word of ['n', 'No.', 'いいえ']) {
      type(`${word}\r`);
      await sees(new RegExp(`^solo 1> ${word}\\nreject this plan\\? /reject$`, 'm'));
    }
    type('/tree\r');
    await sees(/^1 agent waits for a person: Say hello/m);
    expect(received().length).toBe(asked);
    expect(rows().join('\n')).not.toContain('sent to 1');
  });

  test('a task typed at a gate is shown again, with the way to begin it', async () => {
    answer((asked) => (/sleep/.test(asked.text) ? stall(asked) : reject(asked)));
    const {type, sees, rows} = await chat({...rejectOnce, columns: 60});
    type('Say hello\r');
    await sees('1: Plan Requires Human Intervention');
    await sees(/^1 · .*1 waits for you$/m);
    type('Run sleep 30\r');
    await sees(/not sent:\s+“Run sleep 30”/);
    expect(rows().join(' ')).toMatch(/1 waits for \/approve, \/reject or \/edit/);
    type('/focus none\r\u001b[A\u001b[A\r');
    await sees(/^solo 2>$/m);
    type('y\r');
    await sees(/^approve this plan\? \/approve$/m);
    type('/focus none\r/cancel 2\r');
    await sees(/^\[2\] cancelled: /m);
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
    await sees(/^\? Which country/m);
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
    expect(wide.rows()[0]).toMatch(/^quorate \d+\.\d+\.\d+ · ~\/work · mock\/worker · \/help$/);
    const narrow = await chat({columns: 40});
    expect(narrow.rows()[0]).toMatch(/^quorate \S+ · (?:… · )?mock\/worker · \/help$/);
  });
});
