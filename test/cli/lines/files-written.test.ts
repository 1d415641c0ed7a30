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
