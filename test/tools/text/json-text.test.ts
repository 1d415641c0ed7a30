import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {addKey, parsed, removeKey, setKey} from '../../../tools/text/json-text.ts';

const config =
  '{\n\t"port": 3000,\n\t"server": { "host": "a", "port": 1, "tags": ["x", {"port": 2}] },\n\t"note": "{\\"port\\": 5}, [",\n\t"last": null\n}\n';

test('a key is set in its place, and every other character is unchanged', () => {
  expect(setKey('port', () => '8080')(config)).toBe(config.replace('3000', '8080'));
  expect(setKey('server.port', () => '9')(config)).toBe(config.replace('"port": 1', '"port": 9'));
  expect(setKey('host', (old) => (old === '"a"' ? '"b"' : ''))(config)).toBe(
    config.replace('"a"', '"b"'),
  );
  expect(setKey('server.tags.1.port', () => '7')(config)).toBe(
    config.replace('{"port": 2}', '{"port": 7}'),
  );
});

test('a key is added after the last one, with the same indentation', () => {
  expect(addKey('new', 'true')(config)).toBe(config.replace('null\n', 'null,\n\t"new": true\n'));
  expect(addKey('a', '1')('{}')).toBe('{"a": 1}');
  expect(addKey('port', '1')(config)).toEqual({problem: 'has the key "port" already'});
});

test('a key is removed together with its comma', () => {
  expect(removeKey('port')(config)).toBe(config.replace('\n\t"port": 3000,', ''));
  expect(removeKey('last')(config)).toBe(config.replace(',\n\t"last": null', ''));
  expect(removeKey('host')(config)).toBe(config.replace(' "host": "a",', ''));
  expect(removeKey('a')('{"a": 1}')).toBe('{}');
});

test('a missing or ambiguous key is named as the problem', () => {
  expect(setKey('nope', () => '1')(config)).toEqual({problem: 'has no key "nope"'});
  expect(removeKey('x')('{"a": {"x": 1}, "b": {"x": 2}}')).toEqual({
    problem: 'has more than one such key: a.x, b.x',
  });
  expect(setKey('a', () => '1')('{"a": 1,}')).toEqual({problem: 'is not a JSON object'});
  expect(addKey('a', '1')('[]')).toEqual({problem: 'is not a JSON object'});
});

test('in any object each key can be set and removed without affecting the others', () => {
  const keys = fc.stringMatching(/^[a-z]{1,8}$/);
  const objects = fc.dictionary(
    keys,
    fc.jsonValue({maxDepth: 3}).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    {
      minKeys: 1,
      noNullPrototype: true,
    },
  );
  fc.assert(
    fc.property(objects, fc.constantFrom(0, 2, '\t'), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      for (const name of Object.keys(object)) {
        const set = setKey(name, () => '"set"')(text);
        const removed = removeKey(name)(text);
        expect(parsed(typeof set === 'string' ? set : '')).toEqual({...object, [name]: 'set'});
        const others = Object.entries(object).filter(([key]) => key !== name);
        expect(parsed(typeof removed === 'string' ? removed : '')).toEqual(
          Object.fromEntries(others),
        );
      }
    }),
  );
});
