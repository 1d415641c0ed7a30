/** A command without output for a long time: a reader without a status line sees that the run works. */

import {PassThrough} from 'node:stream';

import {afterEach, beforeEach, expect, test, vi} from 'vitest';

import type {Level} from '../../../cli/render/screen.ts';
import {createProgress} from '../../../cli/terminal/progress.ts';
import {createSurface} from '../../../cli/terminal/surface.ts';
import type {Report} from '../../../machines/facts/progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const called: Report = {type: 'tool.called', tool: 'run_command', summary: 'npm install'};

function follow(level: Level) {
  const stderr = new PassThrough();
  const progress = createProgress(createSurface({stderr, env: {}}), {level});
  for (const report of [{type: 'phase.changed', phase: 'executing'} as const, called]) {
    progress.show({...report, seq: 1, at: 0, interaction: 'i', actor: ''});
  }
  return {progress, read: () => String(stderr.read() ?? '')};
}

test('after every 30 seconds without a line, one reports how long the run has been at work', () => {
  const {progress, read} = follow('normal');
  expect(read()).toBe('▸ executing\n    run_command npm install\n');
  vi.advanceTimersByTime(29_000);
  progress.note('a line');
  vi.advanceTimersByTime(29_000);
  expect(read()).toBe('a line\n');
  vi.advanceTimersByTime(31_000);
  expect(read()).toBe(
    '  still at work: executing · 59 s\n  still at work: executing · 1 min 29 s\n',
  );
  progress.close();
  vi.advanceTimersByTime(60_000);
  expect(read()).toBe('');
});

test('with -q nothing is printed meanwhile', () => {
  const {progress, read} = follow('quiet');
  vi.advanceTimersByTime(120_000);
  expect(read()).toBe('');
  progress.close();
});
