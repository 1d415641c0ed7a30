/** The log, in real files. */

import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';

import {expect, test} from 'vitest';

import {logWarning, withLog} from '../../cli/log.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {setStage} from './stage.ts';

const {at, launch, launcher} = setStage();

interface Record {
  readonly level: number;
  readonly time: string;
  readonly elapsedMs: number;
  readonly type: string;
  readonly [key: string]: unknown;
}

function recordsIn(file: string): Record[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line): Record => JSON.parse(line));
}

test('a run is logged from its warnings to its result, readable by its owner only, and a second run below it', async () => {
  const file = at('run.log');
  const {code} = await launcher.run(['-C', 'work', 'ask', 'What is 2 + 3?', '--log', file]);
  const records = recordsIn(file);
  const types = records.map(({type}) => type);
  expect(code).toBe(0);
  expect(types.at(-1)).toBe('result');
  expect(types).toContain('warning');
  expect(types).toContain('tool.called');
  expect(types).not.toContain('model.delta');
  expect(records.map(({elapsedMs}) => elapsedMs)).toEqual(
    records.map(({elapsedMs}) => elapsedMs).toSorted((a, b) => a - b),
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await launcher.perform(['-C', 'work', 'ask', 'What is 2 + 4?'], {env: {QUORATE_LOG: file}});
  expect(recordsIn(file).filter(({type}) => type === 'result')).toHaveLength(2);
});

test('a log that cannot be written is an error before the run starts', async () => {
  const file = at('nowhere', 'run.log');
  const {code, stderr} = await launch('--log', file, 'Create a.txt with the text: x');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^quorate: the log .*run\.log can't be written: ENOENT.*\n$/);
  expect(existsSync(at('work', 'a.txt'))).toBe(false);
});

test('a log on a full device is an error before the run starts', async () => {
  const line = ['-C', 'work', 'ask', 'What is 2 + 3?', '--log', '/dev/full'];
  const {code, stdout, stderr} = await launcher.perform(line);
  expect({code, stdout}).toEqual({code: 2, stdout: ''});
  expect(stderr).toMatch(/^quorate: the log \/dev\/full can't be written: ENOSPC.*\n$/);
});

test('a disk that fills up later costs log lines, not the run', async () => {
  const fileKib = 4096;
  const file = at('run.log');
  writeFileSync(file, '\n'.repeat(fileKib * 1024));
  const line = ['-C', 'work', 'ask', 'What is 2 + 3?', '--log', file];
  const {code, stdout} = await launcher.run(line, {fileKib});
  expect([code, stdout]).toEqual([0, '2 + 3 = 5\n']);
  expect(statSync(file).size).toBe(fileKib * 1024);
});

test('an error is logged with its code and its causes, without the secrets of the environment', async () => {
  const file = at('error.log');
  const env = {QUORATE_LOG: file, ANTHROPIC_API_KEY: 'sk-very-secret-indeed'};
  const cause = new Error('refused sk-very-secret-indeed');
  const failing = withLog({}, env, async (logger) => {
    logWarning(logger, {en: 'careful', ja: '注意'});
    throw new AppError('io', 'it broke', {cause});
  });
  await expect(failing).rejects.toThrow('it broke');
  expect(recordsIn(file)).toMatchObject([
    {level: 40, type: 'warning', event: {message: 'careful'}},
    {
      level: 50,
      type: 'error',
      error: {code: 'io', message: 'it broke', cause: {message: 'refused [secret]'}},
    },
  ]);
});
