/** The analysis of sed and awk scripts, and its limits. */

import {assert, property, string, stringMatching} from 'fast-check';
import {expect, test} from 'vitest';

import {awkFault} from '../../../../tools/commands/refinements/awk-script.ts';
import {readSedScript} from '../../../../tools/commands/refinements/sed-script.ts';
import {readingOf, readingText} from '../reading.ts';

test.each(["sed 'p\ne rm' a", "sed '{e rm\n}' a", "sed ':a\ne rm' a"])(
  '%s is not understood',
  (command) => {
    expect(readingText(readingOf(command))).toMatch(/^\? /);
  },
);

test.each([["awk '# a > b | c\n{ x /= 2 }' a", 'reads a']])('%s: %s', (command, shown) => {
  expect(readingText(readingOf(command))).toBe(shown);
});

test.each(['awk \'{ if (1) /"/; print > "f" #"\n}\' a'])('%s is not understood', (command) => {
  expect(readingText(readingOf(command))).toMatch(/^\? /);
});

test('no script makes their readers throw', () => {
  assert(
    property(string(), stringMatching(/^[sdpeq/\\{};!,$[\]1-9a\n "'()|>#~]*$/), (any, script) => {
      for (const text of [any, script]) {
        expect(readSedScript(text)).toBeDefined();
        expect(typeof awkFault(text)).toMatch(/string|undefined/);
      }
    }),
  );
});

test('scripts are read in proportion to their length', () => {
  const hostile = ['[', '/', '\\', '{', '1,', '((', '%', 's/./', 'a\\\n', '"'];
  const start = performance.now();
  for (const part of hostile) {
    readSedScript(part.repeat(15_000));
    awkFault(part.repeat(15_000));
  }
  expect(performance.now() - start).toBeLessThan(2_000);
});
