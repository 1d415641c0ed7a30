import {array, assert, constantFrom, dictionary, letrec, oneof, property, string} from 'fast-check';
import {expect, test} from 'vitest';

import type {Json} from '../../../machines/domain/json.ts';
import {Packer, Unpacker} from '../../../machines/trace/packing.ts';

/** Also with the members that a packed value uses itself. */
const key = oneof(string({maxLength: 40}), constantFrom('$ref', '$more', '$literal', '__proto__'));
const {json} = letrec<{json: Json}>((tie) => ({
  json: oneof(
    {maxDepth: 4},
    constantFrom(null, true, 0, 7, 'short'),
    string({minLength: 80, maxLength: 90}),
    array(tie('json'), {maxLength: 4}),
    dictionary(key, tie('json'), {maxKeys: 4, noNullPrototype: true}),
  ),
}));

test('unpacked values equal the packed ones, over a sequence of packages', () => {
  assert(
    property(array(json, {maxLength: 5}), (contents) => {
      const [packer, unpacker] = [new Packer(), new Unpacker()];
      for (const content of contents) {
        const sent = JSON.parse(JSON.stringify(packer.pack(content)));
        expect(unpacker.unpack(sent)).toStrictEqual(content);
      }
    }),
    {numRuns: 1_000},
  );
});

test('a value that occurs again is sent once, and is one object for the reader', () => {
  const settings = {
    models: ['a/one', 'b/two', 'c/three'],
    rule: 'majority',
    veto: ['policy/*'],
    text: 'x'.repeat(200),
  };
  const [packer, unpacker] = [new Packer(), new Unpacker()];
  const [first, second] = [packer.pack({settings}), packer.pack({again: {...settings}})];
  expect(JSON.stringify(second).length).toBeLessThan(60);
  const [one, other] = [unpacker.unpack(first), unpacker.unpack(second)];
  expect(other).toStrictEqual({again: settings});
  expect(Object(other).again).toBe(Object(one).settings);
});

test('a list that grows is sent by its new members', () => {
  const [packer, unpacker] = [new Packer(), new Unpacker()];
  const list = Array.from({length: 200}, (_, n) => ({role: 'user', text: `${n}`.repeat(100)}));
  const sizes = list.map((_, n) => {
    const sent = JSON.stringify(packer.pack({messages: list.slice(0, n + 1)}));
    expect(unpacker.unpack(JSON.parse(sent))).toStrictEqual({messages: list.slice(0, n + 1)});
    return sent.length;
  });
  expect(sizes.at(-1)).toBeLessThan(2 * (sizes[10] ?? 0));
});

test('a package that does not follow the earlier ones is refused', () => {
  expect(() => new Unpacker().unpack({values: [], content: {$ref: 3}})).toThrow('no value 3');
});
