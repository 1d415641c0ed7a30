/** The lines of tasks have command output that is shown nowhere else. */

import {expect, test} from 'vitest';

import {resultLines} from '../../../cli/render/result/result.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import type {RunResult, TaskResult} from '../../../machines/domain/result.ts';

const failed: TaskResult = {
  id: '1',
  description: 'Run the tests',
  status: 'failed',
  output: 'The tests do not pass.',
  failure: {code: 'exit_code', message: 'it ended with exit code 1'},
  evidence: [],
  written: [],
  calls: [
    {
      tool: 'run_command',
      args: {command: 'npm test'},
      status: 'failed',
      text: 'one\ntwo is not three\n',
      exitCode: 1,
    },
  ],
};

function shown(task: TaskResult, summary = 'Failed.'): readonly string[] {
  const result: RunResult = {
    type: 'result',
    status: 'failed',
    exitCode: 1,
    interaction: 'i',
    form: 'agent',
    summary,
    tasks: [task],
    usage: {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0},
  };
  const lines = resultLines(result, {style: plainStyle, width: 80});
  const from = lines.indexOf('Tasks');
  return lines.slice(from + 1, lines.indexOf('', from)).map((line) => line.trim());
}

test('the output of its last failed call is below the report of the worker', () => {
  expect(shown(failed)).toEqual([
    '✗ 1 Run the tests: it ended with exit code 1',
    '│ The tests do not pass.',
    'run_command npm test',
    '│ one',
    '│ two is not three',
  ]);
});

test('an output that the worker quotes is not printed again', () => {
  expect(shown({...failed, output: 'It printed:\none\ntwo is not three'})).not.toContain(
    'run_command npm test',
  );
});

test('the result of a later plan for it is part of the sentence', () => {
  expect(shown({...failed, redoneBy: 't3'})[0]).toBe(
    '✗ 1 Run the tests: it ended with exit code 1 (redone by task t3)',
  );
  expect(shown({...failed, dropped: 'nobody needs it'})[0]).toMatch(
    / exit code 1 \(given up: nobody needs it\)$/,
  );
});

test('its failure is not repeated below a summary that names it', () => {
  const why = 'failed: it ended with exit code 1';
  expect(shown(failed, `Not all of it was done.\n- task 1 ${why}`)[0]).toBe('✗ 1 Run the tests');
  expect(shown(failed, `- task 2 ${why}`)[0]).toBe(`✗ 1 Run the tests: it ended with exit code 1`);
});

const [call] = failed.calls ?? [];
const printed = {
  ...failed,
  status: 'succeeded',
  output: 'ok 1\nok 2',
  calls: [{...call!, status: 'succeeded', text: 'ok 1\nok 2', exitCode: 0}],
} as const;

test('output of earlier commands is shown, unless the summary or a worker quotes it', () => {
  expect(shown(printed)).toEqual(['✓ 1 Run the tests', '│ ok 1', '│ ok 2']);
  expect(shown(printed, 'Done.\nok 1\nok 2')).toEqual(['✓ 1 Run the tests']);
  expect(shown({...printed, output: 'The tests pass.'})).toEqual(['✓ 1 Run the tests']);
});
