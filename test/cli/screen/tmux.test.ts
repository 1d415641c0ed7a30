/** The screen in a real terminal, with models over the wire. */

import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, describe, expect, test} from 'vitest';

import type {ReceivedRequest, Said} from '../../support/mock-openai.ts';
import {useMockPanel} from '../../support/mock-panel.ts';
import {hasTmux, startInTmux, type TmuxWindow} from '../../support/tmux.ts';
import {setStage} from '../stage.ts';
import {reject, speak} from '../talk/conversation.ts';

describe.runIf(hasTmux)('in tmux', {timeout: 60_000}, () => {
  let answer: (received: ReceivedRequest) => Said = speak;

  const {at, launcher, server} = setStage({models: (received) => answer(received)});

  let window: TmuxWindow | undefined;

  afterEach(() => window?.close());

  async function start(
    args: readonly string[],
    {agent = '', columns = 100} = {},
  ): Promise<TmuxWindow> {
    useMockPanel(launcher, server, {agent});
    window = await startInTmux(args, {folder: at(), cwd: at('work'), columns});
    return window;
  }

  test('a conversation opens on its own screen, and leaves what the tab shows on the shell’s', async () => {
    answer = speak;
    const {type, press, sees, history} = await start([]);
    await sees(/^\[1 · agent\]\nquorate [^]*\nsolo>$/m);
    type('Say hello');
    press('Enter');
    await sees(/^\[1 ✓ Say hello\][^]*completed: Greet/m);
    press('Escape');
    await sees('-- NORMAL --');
    type(':vsplit plan');
    press('Enter');
    await sees(/│── 1 plan ──[^]*│✓ 1\. Write a greeting|│── 1 plan ──[^]*Write a greeting/);
    type(':tabnew ask');
    press('Enter');
    await sees(/^ 1 ✓ Say hello *\[2 · ask\]/m);
    type('what is the limit?');
    press('Enter');
    await sees(/\[2 ✓ what is the limit\?\][^]*The limit is 5\./);
    press('C-d');
    await sees('left with 0');
    const all = history().join('\n');
    expect(all).toMatch(/^before\nsolo> what is the limit\?[^]*The limit is 5\.[^]*left with 0/m);
  });

  test('a gate in a tab that is not shown is marked, found by gw, and decided by a whole command', async () => {
    answer = reject;
    const {type, press, sees} = await start([], {agent: 'max_plan_revisions = 1'});
    await sees(/^solo>$/m);
    type('/agent Write hello.txt');
    press('Enter');
    press('Escape');
    await sees('-- NORMAL --');
    type(':tabnew! ask');
    press('Enter');
    await sees(/^ 1 \? Write hello\.txt *\[2 · ask\]/m);
    type('/approve 1');
    press('Enter');
    await sees('1 waits in another tab: read the question first');
    press('Escape');
    await sees('-- NORMAL --');
    type('gw');
    await sees(/^\[1 \? Write hello\.txt\][^]*Plan Requires Human Intervention/m);
    type('i/app');
    press('Tab');
    await sees(/^solo 1> \/approve$/m);
    expect(existsSync(join(at(), 'work/hello.txt'))).toBe(false);
    answer = speak;
    press('Enter');
    await sees(/completed: A person allowed the plan/);
    expect(existsSync(join(at(), 'work/hello.txt'))).toBe(true);
  });

  test('another size keeps the rows, the line and the scrollback of a run at a gate', async () => {
    answer = reject;
    const {type, press, sees, resize, history} = await start(['日本語でこんにちはと書いて'], {
      agent: 'max_plan_revisions = 1',
    });
    await sees(/^agent-hil>$/m);
    type('/reject 長すぎます');
    await sees('agent-hil> /reject 長すぎます');
    for (const columns of [60, 160, 40, 100]) {
      resize(columns, 30);
      await sees(/^agent-hil> \/reject 長すぎます$/m);
    }
    press('Enter');
    await sees('left with 1');
    const all = history().join('\n');
    expect(all).toMatch(/^before\n/);
    expect(all.split('agent-hil> /reject').length).toBe(2);
  });
});
