/** Capped text: the bound includes the note, and the note also counts the characters of earlier cuts. */

import {array, assert, integer, property, string} from 'fast-check';
import {describe, expect, test} from 'vitest';

import {cap} from '../../../machines/domain/buffer.ts';

const count = /\[… (\d+) characters cut …\]/g;

function missing(text: string): number {
  return [...text.matchAll(count)].reduce((sum, [, left]) => sum + Number(left), 0);
}

describe('a capped text', () => {
  test('is never longer than the limit, its note included', () => {
    assert(
      property(string({maxLength: 500}), integer({min: 60, max: 400}), (text, max) => {
        expect(cap(text, max).length).toBeLessThanOrEqual(max);
      }),
    );
  });

  test('states how much is missing, even after several cuts', () => {
    assert(
      property(
        integer({min: 0, max: 200_000}),
        array(integer({min: 60, max: 100_000}), {minLength: 1, maxLength: 4}),
        (length, limits) => {
          const text = limits.reduce((capped, max) => cap(capped, max), 'a'.repeat(length));
          expect(text.replaceAll(count, '').replaceAll('\n', '').length + missing(text)).toBe(
            length,
          );
        },
      ),
    );
  });

  test("includes the missing characters that a command's own note reports", () => {
    const output = `${'a'.repeat(500)}\n[cut: 100000 bytes of 101000]\n${'b'.repeat(500)}`;
    expect(missing(cap(output, 200))).toBeGreaterThan(100_000);
  });
});
