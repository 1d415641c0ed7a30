/** Inherited context: selected by context mode, bounded in bytes, with a note for each cut. */

import {array, assert, constantFrom, integer, property, record, string} from 'fast-check';
import {describe, expect, test} from 'vitest';

import {bytesOf, capBytes, lineOf} from '../../../machines/domain/text-limits.ts';
import {
  briefLine,
  briefOf,
  inheritedFor,
  type Shared,
} from '../../../machines/prompts/inherited.ts';

const budget = {maxTotalBytes: 60_000, maxEntryBytes: 20_000, recentFullCount: 3};

const shared: Shared = {
  from: 'agent, executing',
  parts: [
    {title: 'Request', text: 'Fix the test.\nIt fails on Mondays.', brief: 'Fix the test.'},
    {title: 'Background', text: 'The tests run with make.'},
    {title: 'Votes', text: '', brief: ''},
    {title: 'Results so far', text: 'Task a\nResult: it is a time zone', brief: '- a: a time zone'},
  ],
};

describe('by mode', () => {
  test('full mode passes all shared parts under their titles', () => {
    expect(inheritedFor('full', shared, budget)).toBe(
      [
        'From the agent, executing:',
        'Request:\n> Fix the test.\n> It fails on Mondays.',
        'Background:\n> The tests run with make.',
        'Results so far:\n> Task a\n> Result: it is a time zone',
      ].join('\n\n'),
    );
  });

  test('projected mode passes only the summary', () => {
    expect(inheritedFor('projected', shared, budget)).toBe(
      'From the agent, executing:\n\nRequest:\n> Fix the test.\n\nResults so far:\n> - a: a time zone',
    );
  });

  test('fresh mode passes nothing, and an interaction that shares nothing passes nothing in any mode', () => {
    expect(inheritedFor('fresh', shared, budget)).toBeUndefined();
    expect(inheritedFor('full', {from: 'ask', parts: []}, budget)).toBeUndefined();
  });
});

describe('within bytes', () => {
  const japanese = '設計の会議で決まったこと。';
  const long: Shared = {
    from: 'agent',
    parts: [
      {title: 'Request', text: 'short', brief: 'short'},
      {title: 'Background', text: japanese.repeat(500), brief: japanese.repeat(200)},
      {title: 'Results so far', text: '結果😀'.repeat(800), brief: '結果😀'.repeat(300)},
      {title: 'Steps so far', text: 'the last step'},
    ],
  };

  test('every part has a share, unused room goes to the other parts, and a cut is noted', () => {
    const small = {...budget, maxTotalBytes: 3_000};
    const text = inheritedFor('full', long, small) ?? '';
    expect(bytesOf(text)).toBeLessThanOrEqual(3_000);
    expect(bytesOf(text)).toBeGreaterThan(2_900);
    expect(text).toContain('Request:\n> short\n\n');
    expect(text).toContain('Steps so far:\n> the last step');
    expect(text.match(/\[… \d+ characters cut …\]/g)).toHaveLength(2);
  });

  test('a summary has the budget of an entry', () => {
    const text = inheritedFor('projected', long, {...budget, maxEntryBytes: 900}) ?? '';
    expect(bytesOf(text)).toBeLessThanOrEqual(900);
    expect(bytesOf(text)).toBeGreaterThan(800);
  });

  test('parts without room are named', () => {
    const text = inheritedFor('full', long, {...budget, maxTotalBytes: 500}) ?? '';
    expect(bytesOf(text)).toBeLessThanOrEqual(500);
    expect(text).toMatch(/Left out, as there is no room:\n> .*Steps so far$/);
  });

  const part = record({
    title: constantFrom('Request', '背景'),
    text: string({maxLength: 400, unit: 'grapheme'}),
  });

  test('for any shared parts, the budget holds, no character is split and every line is quoted', () => {
    assert(
      property(array(part, {maxLength: 6}), integer({min: 1, max: 2_000}), (parts, max) => {
        const text = inheritedFor('full', {from: 'ask', parts}, {...budget, maxTotalBytes: max});
        expect(bytesOf(text ?? '')).toBeLessThanOrEqual(max);
        expect(text?.isWellFormed() ?? true).toBe(true);
        for (const line of text?.split('\n') ?? []) {
          expect(line).toMatch(/^(?:> .*|From the ask:|Request:|背景:|Left out, .*:|)$/u);
        }
      }),
    );
  });

  test('a capped text ends at whole characters, and its note counts the missing ones', () => {
    const capped = capBytes('😀'.repeat(300), 203);
    expect(bytesOf(capped)).toBeLessThanOrEqual(203);
    expect(capped).not.toContain('\u{FFFD}');
    const [, missing] = /\[… (\d+) characters cut …\]/.exec(capped) ?? [];
    expect([...capped.matchAll(/😀/gu)].length * 2 + Number(missing)).toBe(600);
  });

  test('a line is cut at a whole character and ends with an ellipsis', () => {
    expect(lineOf('一つ目の\n行です', 15)).toBe('一つ目の…');
    expect(lineOf(' a\n\tb ', 15)).toBe('a b');
  });
});

test('inherited context is summarized with one line for each part', () => {
  const inherited = inheritedFor('full', shared, budget) ?? '';
  expect(briefOf(inherited)).toBe(
    [
      'From the agent, executing:',
      'Request: Fix the test. It fails on Mondays.',
      'Background: The tests run with make.',
      'Results so far: Task a Result: it is a time zone',
    ].join('\n'),
  );
  expect(bytesOf(briefLine('長い'.repeat(200)))).toBeLessThanOrEqual(300);
});
