/** Answers to the questions of servers: every value is checked, and a person learns exactly what is wrong. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import type {Json} from '../../../machines/domain/json.ts';
import {
  readContent,
  readTyped,
  valueProblem,
} from '../../../machines/server-input/server-input-check.ts';
import type {InputField} from '../../../machines/server-input/server-input.ts';

const field = (more: Partial<InputField>): InputField => ({
  name: 'f',
  type: 'text',
  required: false,
  ...more,
});
const sizes = [{value: 'S', title: 'Small'}, {value: 'M'}, {value: 'L', title: 'Large'}];

test.each<[Partial<InputField>, Json, string | undefined]>([
  [{}, 'any', undefined],
  [{}, 3, 'must be a text'],
  [{min: 2}, '日', 'must have at least 2 characters'],
  [{max: 2}, '😀😀', undefined],
  [{max: 2}, 'abc', 'must have at most 2 characters'],
  [{format: 'email'}, 'mika@example.org', undefined],
  [{format: 'email'}, 'mika@', 'must be an email address, such as mika@example.org'],
  [{format: 'uri'}, 'https://example.org/a', undefined],
  [{format: 'uri'}, 'example.org', 'must be an absolute URI, such as https://example.org/a'],
  [{format: 'date'}, '2024-02-29', undefined],
  [{format: 'date'}, '2026-02-29', 'must be a date, such as 2026-11-28'],
  [{format: 'date'}, '2026-13-01', 'must be a date, such as 2026-11-28'],
  [{format: 'date-time'}, '2026-11-28T15:00:00+09:00', undefined],
  [
    {format: 'date-time'},
    '2026-11-28T25:00:00Z',
    'must be a date with a time and a zone, such as 2026-11-28T15:00:00Z',
  ],
  [{type: 'number', min: 0, max: 1}, 0.5, undefined],
  [{type: 'number', min: 0}, -1, 'must be at least 0'],
  [{type: 'number', max: 1}, 2, 'must be at most 1'],
  [{type: 'number'}, '1', 'must be a number'],
  [{type: 'integer'}, 1.5, 'must be a whole number'],
  [{type: 'boolean'}, true, undefined],
  [{type: 'boolean'}, 'yes', 'must be true or false'],
  [{type: 'choice', choices: sizes}, 'M', undefined],
  [{type: 'choice', choices: sizes}, 'Small', 'must be one of "S", "M", "L"'],
  [{type: 'choices', choices: sizes}, ['S', 'L'], undefined],
  [{type: 'choices', choices: sizes}, [], undefined],
  [{type: 'choices', choices: sizes}, 'S', 'must be a list'],
  [{type: 'choices', choices: sizes, min: 1}, [], 'must have at least 1 of "S", "M", "L"'],
  [{type: 'choices', choices: sizes, max: 1}, ['S', 'M'], 'must have at most 1 of "S", "M", "L"'],
  [{type: 'choices', choices: sizes}, ['S', 'S'], 'must have each choice only once'],
  [{type: 'choices', choices: sizes}, ['S', 'XL'], 'must have only "S", "M", "L"'],
])('%j takes %j: %s', (more, value, problem) => {
  expect(valueProblem(field(more), value)).toBe(problem);
});

test.each<[Partial<InputField>, string, Json | string[]]>([
  [{}, ' words ', 'words'],
  [{type: 'integer'}, '7', 7],
  [{type: 'number'}, '-0.5', -0.5],
  [{type: 'boolean'}, 'Yes', true],
  [{type: 'boolean'}, 'いいえ', false],
  [{type: 'choice', choices: sizes}, 's', 'S'],
  [{type: 'choice', choices: sizes}, 'large', 'L'],
  [{type: 'choice', choices: sizes}, '2', 'M'],
  [{type: 'choices', choices: sizes}, '1, L', ['S', 'L']],
])('%j reads the typed %j as %j', (more, text, value) => {
  expect(readTyped(field(more), text)).toEqual({ok: true, value});
});

test('a typed value that does not fit is refused with the reason', () => {
  expect(readTyped(field({type: 'integer'}), 'seven')).toEqual({
    ok: false,
    problems: ['must be a number'],
  });
});

const fields = [
  field({name: 'level', type: 'integer', required: true}),
  field({name: 'unit', type: 'choice', choices: sizes, default: 'M'}),
  field({name: 'note'}),
];

test('fields that are left out, or null, take their default, or stay out', () => {
  expect(readContent(fields, {level: 3, unit: null})).toEqual({
    ok: true,
    value: {level: 3, unit: 'M'},
  });
});

test('all problems are named, with unknown fields and the nearest known one', () => {
  expect(readContent(fields, {levle: 3, unit: 'XL', note: 1})).toEqual({
    ok: false,
    problems: [
      'there is no field "levle"; did you mean "level"?; there is level, unit, note',
      'level: a value is required',
      'unit: must be one of "S", "M", "L"',
      'note: must be a text',
    ],
  });
  expect(readContent([], {a: 1})).toMatchObject({
    problems: ['there is no field "a"; there are no fields'],
  });
});

test('names of members that every object has are no answer', () => {
  const odd = [field({name: 'constructor', required: true})];
  expect(readContent(odd, {})).toMatchObject({problems: ['constructor: a value is required']});
  const read = readContent([field({name: '__proto__'})], JSON.parse('{"__proto__": "x"}'));
  expect(read.ok && Object.keys(read.value)).toEqual(['__proto__']);
});

test('whatever is accepted fits every field, and is accepted again', () => {
  const given = fc.dictionary(fc.constantFrom('level', 'unit', 'note', 'x'), fc.jsonValue());
  fc.assert(
    fc.property(given, (values) => {
      const read = readContent(fields, JSON.parse(JSON.stringify(values)));
      const again = read.ok ? readContent(fields, read.value) : read;
      expect(again).toEqual(read);
      expect(read.ok || read.problems.length > 0).toBe(true);
    }),
  );
});
