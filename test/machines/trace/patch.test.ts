import {array, assert, constantFrom, dictionary, letrec, oneof, property, string} from 'fast-check';
import {expect, test} from 'vitest';

import type {Json} from '../../../machines/domain/json.ts';
import {applyPatch, patchBetween} from '../../../machines/trace/patch.ts';

/** With members that JavaScript treats in a special way. */
const key = oneof(string({maxLength: 3}), constantFrom('__proto__', 'length', '0'));
const {json} = letrec<{json: Json}>((tie) => ({
  json: oneof(
    {maxDepth: 3},
    constantFrom(null, true, 0, 1, '', 'a'),
    array(tie('json'), {maxLength: 4}),
    dictionary(key, tie('json'), {maxKeys: 4, noNullPrototype: true}),
  ),
}));

test('a patch turns the value before into the value after', () => {
  assert(
    property(json, json, (before, after) => {
      expect(applyPatch(before, patchBetween(before, after))).toStrictEqual(after);
    }),
    {numRuns: 2_000},
  );
});

test('equal values have no differences', () => {
  assert(
    property(json, (value) => {
      expect(patchBetween(value, structuredClone(value))).toEqual([]);
    }),
  );
});

test('only the changed members are in a patch, and the others are shared', () => {
  const before = {plan: {tasks: [{id: 'a'}, {id: 'b'}]}, votes: [1, 2, 3]};
  const after = {plan: {tasks: [{id: 'a'}, {id: 'c'}]}, votes: [1]};
  const patch = patchBetween(before, after);
  expect(patch).toEqual([
    {path: ['plan', 'tasks', 1, 'id'], value: 'c'},
    {path: ['votes'], length: 1},
  ]);
  const patched = applyPatch(before, patch);
  expect(patched).toEqual(after);
  expect(Object(patched).plan.tasks[0]).toBe(before.plan.tasks[0]);
});

test('a patch of another value is refused', () => {
  expect(() => applyPatch({a: 1}, [{path: ['b', 'c'], value: 1}])).toThrow('another value');
  expect(() => applyPatch(1, [{path: ['b'], value: 1}])).toThrow('no value at b');
});
