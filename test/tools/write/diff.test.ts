/** Unified diffs: readable for people, and correct for readers like `patch`. */

import {array, assert, asyncProperty, constantFrom, pre} from 'fast-check';
import {expect, test} from 'vitest';

import {unifiedDiff} from '../../../tools/write/diff.ts';

test('changes are shown with three lines of context, distant ones separately', async () => {
  const before = Array.from({length: 20}, (_, index) => `${index + 1}\n`).join('');
  const after = before.replace('2\n', 'two\n').replace('19\n', '').replace('20\n', '20');
  expect(await unifiedDiff('a.txt', before, after)).toBe(
    [
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -1,5 +1,5 @@',
      ' 1\n-2\n+two\n 3\n 4\n 5',
      '@@ -16,5 +16,4 @@',
      ' 16\n 17\n 18\n-19\n-20\n+20',
      String.raw`\ No newline at end of file`,
    ].join('\n'),
  );
});

test('equal texts have no diff; an emptied file loses every line', async () => {
  expect(await unifiedDiff('a', 'x\n', 'x\n')).toBe('');
  expect(await unifiedDiff('a', 'x\ny\n', '')).toContain('@@ -1,2 +0,0 @@\n-x\n-y');
});

/** Applies a diff by its line numbers alone. */
function apply(before: string, diff: string): string {
  const lines = before === '' ? [] : before.split(/(?<=\n)/);
  const out: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2)) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      out.push(...lines.slice(at, start));
      at = start;
    } else if (line.startsWith('\\')) out.push((out.pop() ?? '').replace(/\n$/, ''));
    else {
      if (line[0] !== '+') at += 1;
      if (line[0] !== '-') out.push(`${line.slice(1)}\n`);
    }
  }
  return [...out, ...lines.slice(at)].join('');
}

const text = array(constantFrom('a', 'b', 'c', 'd\r', ''), {maxLength: 30}).map((lines) =>
  lines.map((line) => `${line}\n`).join(''),
);

test('for any texts, applying the diff to the old one gives the new one', async () => {
  await assert(
    asyncProperty(text, text, async (before, after) => {
      pre(before !== after);
      expect(apply(before, await unifiedDiff('f', before, after))).toBe(after);
    }),
    {numRuns: 300},
  );
});

function makeLines(mark: string, count: number): string {
  return Array.from({length: count}, (_, index) => `${mark}${index}\n`).join('');
}

test('texts too different to compare still have a correct diff, in bounded time', async () => {
  await assert(
    asyncProperty(text, text, text, text, async (start, end, more, other) => {
      const before = `${start}${makeLines('a', 300)}${more}${end}`;
      const after = `${start}${makeLines('b', 300)}${other}${end}`;
      expect(apply(before, await unifiedDiff('f', before, after))).toBe(after);
    }),
    {numRuns: 30},
  );
  const started = performance.now();
  const whole = await unifiedDiff('f', makeLines('a', 100_000), makeLines('b', 100_000));
  expect(whole.split('\n')).toHaveLength(200_003);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('a name is shown as it is written', async () => {
  expect(await unifiedDiff('注文 "x".md', 'a\n', 'b\n')).toMatch(
    /^--- a\/注文 "x"\.md\n\+\+\+ b\/注文 "x"\.md\n@@/,
  );
});
