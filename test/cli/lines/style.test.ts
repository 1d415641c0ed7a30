import {PassThrough} from 'node:stream';

import {describe, expect, test} from 'vitest';

import {eventLines} from '../../../cli/lines/events.ts';
import {createProgress} from '../../../cli/lines/progress.ts';
import {plainStyle, styleFor} from '../../../cli/lines/style.ts';
import {tableLines} from '../../../cli/lines/table.ts';
import {oneLine, truncate, widthOfText, wrap} from '../../../cli/lines/text.ts';

describe('colours', () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{NO_COLOR: '1'}, true, false],
    [{NO_COLOR: ''}, true, true],
    [{FORCE_COLOR: '1'}, false, true],
    [{FORCE_COLOR: '0'}, true, false],
    [{FORCE_COLOR: '1', NO_COLOR: '1'}, false, true],
    [{TERM: 'dumb'}, true, false],
  ])('%j on a terminal (%s): %s', (env, isTTY, coloured) => {
    const output = Object.assign(new PassThrough(), {isTTY});
    expect(styleFor(output, env).red('x') !== 'x').toBe(coloured);
  });
});

describe('width', () => {
  test('wide characters count two columns, marks none', () => {
    expect(['abc', '日本', 'e\u0301', '👍'].map(widthOfText)).toEqual([3, 4, 1, 2]);
  });

  test('cut text never exceeds its width', () => {
    for (const text of ['hello world', '日本語のテキスト', 'a日b本c語']) {
      for (let width = 2; width < 12; width += 1) {
        expect(widthOfText(truncate(text, width))).toBeLessThanOrEqual(width);
      }
    }
    expect(truncate('short', 5)).toBe('short');
  });

  test('wrapped rows join to the whole line', () => {
    const line = 'abc日本語def';
    expect(wrap(line, 4)).toEqual(['abc', '日本', '語de', 'f']);
    expect(wrap(line, 3).join('')).toBe(line);
    expect(wrap('', 4)).toEqual(['']);
  });

  test('a megabyte of text becomes one short line at once', () => {
    expect(oneLine('a\n'.repeat(500_000), 20)).toBe('a a a a a a a a a a…');
  });

  test('a table cuts its last column at the edge of the terminal', () => {
    const lines = tableLines(['ID', 'REQUEST'], [['run-1', 'x'.repeat(99)]], plainStyle, 30);
    expect(lines).toEqual(['ID     REQUEST', `run-1  ${'x'.repeat(22)}…`]);
  });
});

test('a terminal that is dumb gets plain lines without a status line', () => {
  const stderr = Object.assign(new PassThrough(), {isTTY: true});
  const progress = createProgress({stderr, env: {TERM: 'dumb'}}, {level: 'normal'});
  progress.show({
    type: 'phase.changed',
    phase: 'executing',
    seq: 1,
    at: 0,
    interaction: 'i',
    actor: '',
  });
  progress.close();
  expect(String(stderr.read())).toBe('▸ executing\n');
});

test('what a ballot said is told when it rejects, and always when verbose', () => {
  const vote = {
    model: 'gpt-5.2-codex',
    approved: true,
    verdict: 'approve' as const,
    reasoning: 'fine',
    reasons: ['fine'],
    confidence: 1,
  };
  const stamp = {seq: 1, at: 0, interaction: 'i', actor: '', round: 1, kind: 'plan' as const};
  const lines = (level: 'normal' | 'verbose', verdict: 'approve' | 'reject') =>
    eventLines(
      {type: 'ballot.cast', ...stamp, vote: {...vote, verdict}},
      {style: plainStyle, level, width: 80, isLive: false},
    );
  expect(lines('normal', 'approve')).toEqual(['    ● gpt-5.2-codex']);
  expect(lines('verbose', 'approve')).toEqual(['    ● gpt-5.2-codex: fine']);
  expect(lines('normal', 'reject')).toEqual(['    ○ gpt-5.2-codex: fine']);
});

test('a task, a plan and a request end at the edge of the terminal', () => {
  const stamp = {seq: 1, at: 0, interaction: 'run-12345678', actor: 'i'};
  const long = 'word '.repeat(40);
  const screen = {style: plainStyle, level: 'normal', width: 72, isLive: false} as const;
  const plan = {objective: long, reasoning: '', tasks: []};
  const lines = [
    ...eventLines({type: 'interaction.started', form: 'agent', request: long, ...stamp}, screen),
    ...eventLines({type: 'task.started', task: 'write', description: long, ...stamp}, screen),
    ...eventLines(
      {type: 'plan.revised', plan, by: 'offline/offline', revision: 2, ...stamp},
      screen,
    ),
  ];
  expect(lines.map(widthOfText)).toEqual([72, 72, 72]);
});
