/** Tabs and panes of a conversation on a pseudo-terminal, with models over the wire. */

import {chmodSync, existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {hasPty, type Pty} from '../../support/pty.ts';
import {reject, rejectOnce, setUpConversation, speak, stall} from './conversation.ts';

const {chat, answer, received, folder, launcher} = setUpConversation();

/** A program with this text. */
function script(text: string): string {
  const path = join(folder(), 'editor.sh');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Types keys of normal mode. */
async function normal({type, sees}: Pty, keys: string): Promise<void> {
  type('\u001b');
  await sees('-- NORMAL --');
  type(keys);
}

describe.runIf(hasPty)('tabs on a pseudo-terminal', {timeout: 60_000}, () => {
  test('an empty tab is bound to the question that begins in it, below the running task', async () => {
    answer(stall);
    const pty = await chat();
    const {type, sees} = pty;
    type('Say hello\r');
    await sees(/^solo 1>$/m);
    await normal(pty, ':tabnew ask\r');
    await sees(/^ 1 ▸ Say hello \[2 · ask\]$/m);
    type('what is the limit?\r');
    await sees(/\[2 ✓ what is the limit\?\]/);
    await sees('The limit is 5.');
    await normal(pty, 'gT');
    await sees('[1.1 ask] ✓ completed: The limit is 5.');
    expect(received().some(({text}) => text.includes('what is the limit?'))).toBe(true);
  });

  test('a and d go to the newest question and discussion, or open one; tabs lists them', async () => {
    const pty = await chat();
    const {type, sees, rows} = pty;
    await normal(pty, 'd');
    await sees(/\[2 · discuss\]/);
    await normal(pty, 'a');
    await sees(/\[3 · ask\]/);
    await normal(pty, 'd');
    await sees(/\[2 · discuss\]/);
    type(':tabs\r');
    await sees(/^> 2 · discuss$/m);
    expect(rows().join('\n')).toMatch(/^ {2}1 · agent\n> 2 · discuss\n {2}3 · ask$/m);
  });

  test('tabs are opened for each form, are a ring, and are closed one after the other', async () => {
    const pty = await chat({columns: 120});
    const {type, sees, exit} = pty;
    await normal(pty, ':tabnew discuss\r');
    await sees('[2 · discuss]');
    await normal(pty, ':tabnew agent\r');
    await sees('[3 · agent]');
    await normal(pty, ':tabnew! ask\r');
    await sees('[4 · ask]');
    await normal(pty, 'gt');
    await sees('[1 · agent]');
    type('gT');
    await sees('[4 · ask]');
    type('2gt');
    await sees('[2 · discuss]');
    type('3gT');
    await sees('[3 · agent]');
    type(':tabnew banquet\r');
    await sees('not "banquet"');
    type(':tabnew interview nothing.toml\r');
    await sees('[5 ? nothing.toml]');
    await normal(pty, ':q\r');
    await sees('Close the tab? [y/N]');
    type('y\r');
    await sees(/^ 1 · agent {2}2 · discuss {2}3 · agent \[4 · ask\]$/m);
    await normal(pty, ':q\r');
    await sees(/^ 1 · agent {2}2 · discuss \[3 · agent\]$/m);
    type(':tabclose\r');
    await sees(/^ 1 · agent \[2 · discuss\]$/m);
    type(':q\r');
    await sees(/^\[1 · agent\]$/m);
    type(':q\r');
    expect(await exit).toBe(4);
  });

  test('where a tab shows only a view, the list of tabs is shown in its place', async () => {
    const pty = await chat();
    const {type, sees, rows} = pty;
    await normal(pty, ':split votes\r');
    await normal(pty, ':only\r');
    await sees('nothing yet');
    type(':tabs\r');
    await sees(/^> 1 · agent$/m);
    expect(rows().join('\n')).not.toContain('nothing yet');
  });

  test('closing a tab cancels nothing, asks while something runs, and gw opens it again', async () => {
    answer(reject);
    const pty = await chat(rejectOnce);
    const {type, sees} = pty;
    type('Write hello.txt\r');
    await sees('1: Plan Requires Human Intervention');
    await normal(pty, ':tabclose\r');
    await sees('1 continues without its tab. Close the tab? [y/N]');
    type('n\r');
    await sees(/^\[1 \? Write hello\.txt\][^]*\[y\/N\] n$/m);
    type(':tabclose\r');
    await sees(/Close the tab\? \[y\/N\]$/m);
    type('y\r');
    await sees(/^\[1 · agent\]$/m);
    await sees('1 · awaiting human');
    await normal(pty, 'gw');
    await sees('1: Plan Requires Human Intervention');
    answer(speak);
    type('i/approve\r');
    await sees('completed: A person allowed the plan');
    expect(existsSync(join(folder(), 'work/hello.txt'))).toBe(true);
  });

  test('of two gates, a command without a number is about the one that is shown', async () => {
    answer(reject);
    const pty = await chat(rejectOnce);
    const {type, sees, rows} = pty;
    type('Write hello.txt\r');
    await sees('1: Plan Requires Human Intervention');
    await normal(pty, ':tabnew! agent\r');
    await sees(/\[2 · agent\]/);
    type('Write another.txt\r');
    await sees('2: Plan Requires Human Intervention');
    type('/reject not this one\r');
    await sees(/^ 1 \? Write hello\.txt \[2 ✗ Write another\.txt\]/m);
    await normal(pty, '1gt');
    await sees('1: Plan Requires Human Intervention');
    answer(speak);
    type('i/approve\r');
    await sees(/\[1 ✓ Write hello\.txt\]/);
    expect(rows()[0]).toBe('[1 ✓ Write hello.txt] 2 ✗ Write another.txt');
  });

  test('ten tabs with running tasks: each is reached by its number, and all are suspended', async () => {
    answer(stall);
    const pty = await chat();
    const {type, sees, exit, rows} = pty;
    type('Task number 1\r');
    await sees(/\[1 ▸ Task number 1\]/);
    for (const number of [2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      await normal(pty, ':tabnew! agent\r');
      await sees(new RegExp(String.raw`\[${number} · agent\]`));
      type(`Task number ${number}\r`);
      await sees(new RegExp(String.raw`\[${number} ▸ Task nu`));
    }
    await normal(pty, '4gt');
    await sees(/^agent \w+: Task number 4$/m);
    expect(rows()[0]).toMatch(/\[4 ▸ Task nu/);
    type('\u0003\u0003');
    expect(await exit).toBe(130);
    expect(rows().join('\n')).toMatch(/^1, 2, 3, 4, 5, 6, 7, 8, 9, 10 suspended; continue with/m);
  });

  test('a gate that is settled elsewhere closes the editor', async () => {
    answer(reject);
    const {type, sees, rows} = await chat({...rejectOnce, env: {EDITOR: script('exec sleep 60')}});
    type('Write hello.txt\r');
    await sees('1: Plan Requires Human Intervention');
    const [, id = ''] = /^agent (\w+):/m.exec(rows().join('\n')) ?? [];
    type('/edit\r');
    await sees((text) => !text.includes('Plan Requires'));
    expect((await launcher().perform(['cancel', id])).code).toBe(0);
    await sees(/^cancelled:/m);
    type('/tree\r');
    await sees('1 agent cancelled: Write hello.txt');
  });

  test('I edits the line in $EDITOR, s e f change settings', async () => {
    const pty = await chat({env: {EDITOR: script('printf "what is the limit?" > "$1"')}});
    const {type, sees, rows} = pty;
    await normal(pty, 'I');
    await sees(/^solo> what is the limit\?$/m);
    type('\r');
    await sees('The limit is 5.');
    await normal(pty, 'e');
    await sees(/^ens>/m);
    type('s');
    await sees(/^solo>/m);
    type('f');
    await sees(/^solo fast>/m);
    expect(rows()).toContain('/fast: applies to new interactions');
  });

  test('panes show views of the same interaction; only and Ctrl-W close and move', async () => {
    const pty = await chat({columns: 120});
    const {type, sees, rows} = pty;
    type('Say hello\r');
    await sees('completed: Greet');
    await normal(pty, ':vsplit votes\r');
    await sees(/│── 1 votes ──/);
    type(':split diff\r');
    await sees(/│── 1 diff ──[^]*│.*hello\.txt \+1 −0/);
    type(':only\r');
    await sees((text) => !text.includes('│──'));
    expect(rows().join('\n')).toContain('+hello');
    type(':vsplit tree\r');
    await sees(/│── 1 tree ──[^]*1 agent completed: Say hello/);
    type('\u0017c');
    await sees((text) => !text.includes('│──'));
  });
});
