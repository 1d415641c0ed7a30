/** JSON of models: valid for JSON.parse, and unambiguous. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {readStrictJson} from '../../../../actors/model/wire/strict-json.ts';

test('the output of JSON.stringify is read as JSON.parse reads it', () => {
  const noPrototype = fc.json({maxDepth: 5}).filter((text) => !/__proto__|constructor/.test(text));
  fc.assert(
    fc.property(noPrototype, (text) => {
      const value: unknown = JSON.parse(text);
      expect(readStrictJson(JSON.stringify(value, undefined, 2))).toEqual({ok: true, value});
    }),
  );
});

test('no text makes it throw', () => {
  const bits = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', '1', 'a', '\ud800', ' ');
  fc.assert(
    fc.property(fc.array(bits, {maxLength: 12}), (parts) => {
      expect(readStrictJson(parts.join(''))).toHaveProperty('ok');
    }),
  );
});

test('the same key in sibling objects is not a duplicate', () => {
  expect(readStrictJson('[{"a":1},{"a":2,"b":{"a":"a"}}]').ok).toBe(true);
});

test.each([
  ['{"vote":"reject","vote":"approve"}', /"vote" appears twice/],
  ['{"vote":"reject", "v\\u006fte" : "approve"}', /"vote" appears twice/],
  ['{"\\ud800":1,"\\ud801":2}', /appears twice/],
  ['{"a":{"__proto__":{}}}', /__proto__/],
  ['{"const\\u0072uctor":1}', /constructor/],
  ['['.repeat(65) + ']'.repeat(65), /deeper than 64/],
  ['[-1e999]', /out of range/],
  ['{"vote":"appro', /not valid JSON/],
  ['```json\n{}\n```', /not valid JSON/],
  ['', /not valid JSON/],
])('%s is refused', (text, problem) => {
  expect(readStrictJson(text)).toEqual({ok: false, problem: expect.stringMatching(problem)});
});

test('a depth of 64 is allowed, and a colon or quote inside a string does not make a key', () => {
  expect(readStrictJson('['.repeat(64) + ']'.repeat(64)).ok).toBe(true);
  expect(readStrictJson(String.raw`{"a":"a\":","b":["a",":"]}`).ok).toBe(true);
});

test('100,000 levels do not exhaust the stack', () => {
  const text = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(readStrictJson(text).ok).toBe(false);
});
