/** Positions of keys and entries in a JSON text. */

import * as fc from 'fast-check';
import {expect, it} from 'vitest';

import {readPlacedJson} from '../../../tools/places/json.ts';
import type {PlacePath} from '../../../tools/places/place.ts';

const text = '{\n  "fields": [\n    {"id": "a"},\n    {"id": "b", "tags": ["x", "y"]}\n  ]\n}';

function placeOf(path: PlacePath): string {
  const json = readPlacedJson(text);
  if (!json.ok) throw new Error(json.problem);
  const {line, column} = json.locate(path);
  return `${line}:${column}`;
}

it.each([
  [['fields'], '2:3'],
  [['fields', 0], '3:5'],
  [['fields', 1, 'id'], '4:6'],
  [['fields', 1, 'tags', 1], '4:31'],
  [['fields', 1, 'missing'], '4:5'],
  [['missing'], '1:1'],
] satisfies [PlacePath, string][])('finds %j at %s', (path, place) => {
  expect(placeOf(path)).toBe(place);
});

it.each([
  ['', '1:1', 'expected a value, found the end'],
  ['{"a": 1,}', '1:9', 'expected a key in double quotes, found }'],
  ['{"a": 1\n "b": 2}', '2:2', 'expected "," or "}", found "b"'],
  ['{"a" 1}', '1:6', 'expected ":", found 1'],
  ['[1 2]', '1:4', 'expected "," or "]", found 2'],
  ['[1]\n]', '2:1', 'expected the end, found ]'],
  ["{'a': 1}", '1:2', "'a' is not valid JSON"],
  [
    '{"a": "x\n"}',
    '1:7',
    '"x is not valid JSON; this string is not closed, or contains a line end',
  ],
  ['// a\n{}', '1:1', '// is not valid JSON'],
  ['[01]', '1:2', '01 is not valid JSON'],
  ['{"a": 1, "a": 2}', '1:10', 'the key "a" occurs twice'],
  ['['.repeat(100), '1:66', 'nested deeper than 64 levels'],
])('%j: %s: %s', (broken, place, problem) => {
  const json = readPlacedJson(broken);
  expect(json.ok ? undefined : `${json.place.line}:${json.place.column} ${json.problem}`).toBe(
    `${place} ${problem}`,
  );
});

it('yields the same as JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 5}), fc.nat(2), (value, indent) => {
      const json = readPlacedJson(JSON.stringify(value, undefined, indent));
      expect(json).toMatchObject({ok: true, value: JSON.parse(JSON.stringify(value))});
    }),
  );
});

it('accepts nothing that JSON.parse refuses, and never throws', () => {
  const marks = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', ' ', 'x', '"'));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        marks.map((parts) => parts.join('')),
      ),
      (given) => {
        const json = readPlacedJson(given);
        expect(json.ok && JSON.parse(given)).toEqual(json.ok && json.value);
      },
    ),
  );
});
