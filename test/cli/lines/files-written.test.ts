/** A result lists exactly the written files, for every tool. */

import {expect, test} from 'vitest';

import {resultLines} from '../../../cli/render/result/result.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import type {RunResult, TaskResult} from '../../../machines/domain/result.ts';

function task(written: readonly string[]): TaskResult {
  const evidence = [
    {tool: 'write_file', did: 'wrote', target: 'half done.md', ok: false},
    {tool: 'run_command', did: 'ran', target: 'touch b', ok: true},
  ] as const;
  return {id: 'a', description: 'Save', status: 'succeeded', output: '', evidence, written};
}

const result: RunResult = {
  type: 'result',
  status: 'completed',
  exitCode: 0,
  interaction: 'i',
  form: 'agent',
  summary: 'Done.',
  tasks: [task(['notes/of a day.md', 'x.md']), task(['x.md'])],
  usage: {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0},
};

test('each file occurs once, with the blanks in its name, and no failed write', () => {
  const lines = resultLines(result, {style: plainStyle, width: 80});
  const from = lines.indexOf('Changes');
  expect(lines.slice(from, from + 4)).toEqual(['Changes', '  notes/of a day.md', '  x.md', '']);
});

test('a report with the writes of a run has each file once, with the diffs of all its writes', () => {
  const writes = [
    {
      path: 'x.md',
      added: 2,
      removed: 0,
      diff: '--- /dev/null\n+++ b/x.md\n@@ -0,0 +1,2 @@\n+a\n+b',
    },
    {
      path: 'back.md',
      added: 1,
      removed: 0,
      diff: '--- a/back.md\n+++ b/back.md\n@@ -0,0 +1 @@\n+c',
    },
    {path: 'x.md', added: 0, removed: 1, diff: '--- a/x.md\n+++ b/x.md\n@@ -1,2 +1 @@\n a\n-b'},
  ];
  const changes = [{path: 'x.md', added: 1, removed: 0}];
  const lines = resultLines({...result, changes}, {style: plainStyle, width: 80, writes});
  const from = lines.indexOf('Changes');
  expect(lines.slice(from, lines.indexOf('', from))).toEqual([
    'Changes',
    '  x.md +1 −0',
    '    @@ -0,0 +1,2 @@',
    '    +a',
    '    +b',
    '    @@ -1,2 +1 @@',
    '     a',
    '    -b',
    '  back.md +0 −0',
    '    @@ -0,0 +1 @@',
    '    +c',
  ]);
});
