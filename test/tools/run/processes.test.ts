/** Ending process groups that outlived their owner. */

import {once} from 'node:events';
import {existsSync} from 'node:fs';

import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';

import {endProcessGroup, startTimeOf} from '../../../tools/run/processes.ts';

const hasProc = existsSync('/proc/self/stat');

test.skipIf(!hasProc)(
  'a group is ended only while its leader is the process that was remembered',
  async () => {
    const child = execa('/bin/sh', ['-c', 'echo begun; sleep 9999 | cat'], {
      killDescendants: true,
      reject: false,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const group = child.pid ?? 0;
    const startedAt = startTimeOf(group) ?? '';
    expect(startedAt).toMatch(/^\d+$/);
    expect(endProcessGroup(group, `${startedAt}0`)).toBe(false);
    expect(endProcessGroup(group, '')).toBe(false);
    expect(startTimeOf(group)).toBe(startedAt);
    expect(endProcessGroup(group, startedAt)).toBe(true);
    // The pipe closes when the last process of the group has ended.
    await child;
    expect(endProcessGroup(group, startedAt)).toBe(false);
  },
);

test('a process that does not exist has no start time, and nothing is signalled for it', () => {
  expect(startTimeOf(2 ** 30)).toBeUndefined();
  for (const group of [0, 1, -1, Number.NaN, 1.5]) expect(endProcessGroup(group, '1')).toBe(false);
});

test.skipIf(!hasProc)('the start time of this process is constant', () => {
  expect(startTimeOf(process.pid)).toBe(startTimeOf(process.pid));
  expect(Number(startTimeOf(process.pid))).toBeGreaterThanOrEqual(Number(startTimeOf(1)));
});
