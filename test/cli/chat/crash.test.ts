/** A conversation after a crash: its record has everything that was on the screen. */

import {describe, expect, test} from 'vitest';

import {hasPty} from '../../support/pty.ts';
import {reject, rejectOnce, setUpConversation, speak, stall} from './conversation.ts';

const {chat, answer} = setUpConversation();

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
