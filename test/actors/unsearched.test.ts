/** Questions about folders most of whose files cannot be searched. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createAsking, say, turnOf, use} from '../support/asking.ts';

let workspace: string;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'quorate-unsearched-'));
  writeFileSync(join(workspace, 'a.md'), 'the pump is in the garden\n');
});

afterEach(() => rmSync(workspace, {recursive: true}));

/** Files that no search can read, because they are not in UTF-8. */
function putUnreadable(count: number): void {
  for (let index = 0; index < count; index += 1)
    writeFileSync(join(workspace, `x${index}.md`), Buffer.from([0x74, 0xe9, 0x0a]));
}

/** Makes one search for a word, and answers. */
async function askFor(tool: 'grep_search' | 'search', word: string, answer: string) {
  const args = tool === 'search' ? {query: word} : {pattern: word};
  const asking = createAsking({
    workspace,
    answer: (request) => (turnOf(request) === 0 ? use('I look', [tool, args]) : say(answer)),
  });
  return (await asking.ask('Where is the well?')).result;
}

test.each(['grep_search', 'search'] as const)(
  '%s that missed over half of the files and found nothing makes a degraded answer with exit 1',
  async (tool) => {
    putUnreadable(2);

    expect(await askFor(tool, 'well', 'There is no well.')).toMatchObject({
      status: 'failed',
      exitCode: 1,
      degraded: true,
      answer: 'There is no well.',
      stoppedReason: 'tool_failure_degraded',
      summary: expect.stringContaining('over half of the files were not searched'),
    });
  },
);

test.each(['grep_search', 'search'] as const)(
  '%s that missed half of the files at most, or found a source, makes a usual answer',
  async (tool) => {
    putUnreadable(1);
    expect(await askFor(tool, 'well', 'There is no well.')).toMatchObject({
      status: 'completed',
      exitCode: 0,
    });
    putUnreadable(2);
    const found = await askFor(tool, 'pump', 'The pump is in the garden (a.md:1).');
    expect(found).toMatchObject({status: 'completed', exitCode: 0});
    expect(found.degraded).toBeUndefined();
  },
);
