/** The full screen where a terminal, a signal or a disk makes it hard. */

import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import {widthOfText} from '../../../cli/render/text.ts';
import {hasPty} from '../../support/pty.ts';
import {canMount, fill, mountSmallDisk} from '../../support/small-disk.ts';
import {reject, rejectOnce, setUpConversation, speak, stall} from '../talk/conversation.ts';

const {chat, answer, folder} = setUpConversation();

describe.runIf(hasPty)('the full screen', {timeout: 60_000}, () => {
  test('stopped by Ctrl-Z, it comes back by fg with the typed text', async () => {
    const {type, sees, rows, written} = await chat({isJob: true});
    type('Say hel\u001a');
    await sees(() => written().includes('stopped'));
    await sees(/^solo> Say hel$/m);
    type('lo\r');
    await sees('completed: Greet');
    expect(rows()[0]).toBe('[1 ✓ Say hello]');
  });

  test('a terminal that hangs up suspends what runs, and /resume continues it', async () => {
    answer(stall);
    const {type, sees, kill, exit} = await chat();
    type('Say hello\r');
    await sees(/^solo 1>$/m);
    await kill('SIGHUP');
    expect(await exit).toBe(130);
    answer(speak);
    const again = await chat({args: ['chat', '--continue'], seesFirst: /^solo(?: 1)?>$/m});
    again.type('/resume 1\r');
    await again.sees('completed: Greet');
  });

  test('the console of Linux is shown the same', async () => {
    const {type, sees, exit, written} = await chat({env: {TERM: 'linux'}, columns: 80, rows: 25});
    type('Say hello\r');
    await sees('completed: Greet');
    await sees(/^\[1 ✓ Say hello\]/);
    type('\u0004');
    expect(await exit).toBe(0);
    expect(written()).not.toContain('\u001b[>');
  });

  test('thirty columns are enough for a gate, its commands and the help', async () => {
    answer(reject);
    const {type, sees, rows} = await chat({...rejectOnce, columns: 30, rows: 16});
    type('Write hello.txt\r');
    await sees('1 waits for you');
    for (const words of ['/help', '/tree', '/cost']) type(`${words}\r`);
    await sees(/^\[1 \? Write hello\.txt\]/);
    await sees('total');
    expect(Math.max(...rows().map(widthOfText))).toBeLessThanOrEqual(30);
    answer(speak);
    type('/approve\r');
    await sees('Decided without the panel');
    expect(Math.max(...rows().map(widthOfText))).toBeLessThanOrEqual(30);
  });

  test('messages that cannot be saved are reported once, and the conversation continues', async () => {
    mkdirSync(join(folder(), 'data/chat_history'), {recursive: true});
    const {type, sees, rows} = await chat();
    type('/tree\r');
    await sees("can't be saved for later conversations: EISDIR");
    type('/cost\r');
    await sees('total');
    type('Say hello\r');
    await sees('completed: Greet');
    expect(rows().join('\n').split('for later conversations').length).toBe(2);
  });

  test.runIf(canMount())('a full disk is reported, and the conversation continues', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'quorate-test-'));
    mountSmallDisk(disk);
    onTestFinished(() => {
      spawnSync('umount', ['-l', disk]);
      rmdirSync(disk);
    });
    const {type, sees, rows} = await chat({env: {QUORATE_HOME: join(disk, 'data')}});
    type('Say hello\r');
    await sees('completed: Greet');
    fill(disk);
    type('Say hello again\r');
    await sees(/full/);
    type('/tree\r');
    await sees(/1 agent[^]*completed/);
    expect(rows().at(-1)).toBe('solo>');
  });
});
