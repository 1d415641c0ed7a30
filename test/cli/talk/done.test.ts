/** Changes of a conversation: shown, undone, exported; and a new conversation in the same window. */

import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test, vi} from 'vitest';

import {hasPty} from '../../support/pty.ts';
import {setUpConversation, stall} from './conversation.ts';

const {chat, answer, received, folder} = setUpConversation();
const inWork = (name: string): string => join(folder(), 'work', name);

describe.runIf(hasPty)('on a pseudo-terminal', {timeout: 60_000}, () => {
  test('/diff shows the writes of tasks, and /undo reverts the newest after a yes', async () => {
    const {type, sees, rows} = await chat();
    type('/undo\r/diff\r');
    await sees('there is nothing to take back');
    await sees('no files were changed');
    type('Say hello\r');
    await sees('completed: Greet');
    type('/ask what is the limit?\r');
    await sees(/^The limit is 5\.$[^]*^solo>$/m);
    type('/diff\r');
    await sees(/^\[1\] Say hello\nhello\.txt \+1 −0\n[^]*^ {2}\+hello$/m);
    type('/diff 2\r');
    await sees(/solo> \/diff 2\nno files were changed/);
    type('/undo\r');
    await sees(/^ +would be removed +hello\.txt$/m);
    await sees(/^take this back\? yes or no: ?$/m);
    type('no\r');
    await sees(/^nothing was taken back$[^]*^solo>$/m);
    expect(existsSync(inWork('hello.txt'))).toBe(true);
    type('/undo 1\r');
    await sees(/^take this back\? yes or no:$/m);
    type('yes\r');
    await sees(/^ +removed +hello\.txt$/m);
    expect(existsSync(inWork('hello.txt'))).toBe(false);
    type('/diff 1\r');
    await sees(/\/diff 1\n\[1\] Say hello\nhello\.txt is as it was before the task$[^]*^solo>$/m);
    type('/undo\r');
    await sees(/solo> \/undo\nthere is nothing to take back/);
    expect(rows().join('\n')).not.toMatch(/^3 /m);
  });

  test('/export writes a new file as Markdown, and never replaces one', async () => {
    const {type, sees} = await chat();
    type('/ask what is the limit?\r');
    await sees(/^The limit is 5\.$[^]*^solo>$/m);
    type('/export notes.md\r');
    await sees('exported to notes.md');
    const text = readFileSync(inWork('notes.md'), 'utf8');
    expect(text).toMatch(/^# Conversation in .*\/work\n\n## 1\. ask: what is the limit\?\n/);
    expect(text).toContain('```text\nThe limit is 5.\n```\n');
    writeFileSync(inWork('kept.md'), 'mine');
    type('/export kept.md\r');
    await sees('nothing was written to kept.md: it exists already');
    expect(readFileSync(inWork('kept.md'), 'utf8')).toBe('mine');
  });

  test('/new excludes the earlier conversation from everything that shows the current one', async () => {
    const {type, sees, rows} = await chat();
    type('Say hello\r');
    await sees('completed: Greet');
    type('/new\r');
    await sees(/^a new conversation begins here.*$[^]*^solo>$/m);
    type('/tree\r');
    await sees('nothing was begun yet');
    type('/diff\r');
    await sees('no files were changed');
    type('/undo\r');
    await sees('there is nothing to take back');
    type('/show\r');
    await sees('there is nothing to show yet');
    type('/ask what is the limit?\r');
    await sees(/^The limit is 5\.$[^]*^solo>$/m);
    type('/tree\r');
    await sees(/\/tree\n2 ask completed: what is the limit\?.*$[^]*^solo>$/m);
    type('/cost\r');
    await sees(/^total +1 /m);
    type('/export notes.md\r');
    await sees('exported to notes.md');
    expect(readFileSync(inWork('notes.md'), 'utf8')).not.toContain('Say hello');
    type('/diff 1\r');
    await sees(/^\[1\] Say hello\nhello\.txt \+1 −0\n/m);
    expect(rows().join('\n')).not.toMatch(/^1 agent/m);
  });

  test('/new begins a conversation without context from the earlier one, and both can be continued', async () => {
    answer(stall);
    const {type, sees, exit, rows} = await chat();
    type('/ask what is the limit?\r');
    await sees(/^The limit is 5\.$[^]*^solo>$/m);
    type('Say hello\r');
    await sees(/^solo 2>$/m);
    await sees('▸ planning');
    type('/new\r');
    await sees('a new conversation begins here');
    type('Another task\r');
    await sees(/^solo 3>$/m);
    await sees(/^.*1 ▸ Say hello.*2 ▸ Another task[^]*▸ planning/);
    await vi.waitFor(() => {
      expect(received().some(({text}) => text.includes('Another task'))).toBe(true);
    });
    type('/tree\r');
    await sees(/^3 agent .*\nstill running from an earlier conversation: 2$/m);
    expect(received().find(({text}) => text.includes('Say hello'))?.text).toContain('limit is 5');
    expect(received().find(({text}) => text.includes('Another task'))?.text).not.toContain(
      'limit is 5',
    );
    type('/quit\r');
    expect(await exit).toBe(130);
    const left = rows()
      .join('\n')
      .matchAll(/^(\d) suspended; continue with: quorate chat --resume (\w+)/gm);
    const sessions = [...left].map(([, number, session]) => [number, session]);
    expect(sessions.map(([number]) => number)).toEqual(['2', '3']);
    expect(new Set(sessions.map(([, session]) => session)).size).toBe(2);
  });
});
