/** The position of a follower, from the id of its last event. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {createEventIds} from '../../../cli/serve/event-ids.ts';

test('an id names its event, for every name of a process', () => {
  const names = fc.string({
    minLength: 6,
    maxLength: 6,
    unit: fc.constantFrom('a', 'Z', '0', '_', '-'),
  });
  fc.assert(
    fc.property(names, fc.nat(), (name, seq) => {
      const {idOf, seenBy} = createEventIds(name);
      expect(seenBy(idOf(seq))).toBe(seq);
    }),
    {
      examples: [
        ['ab-c-1', 7],
        ['------', 1],
      ],
    },
  );
});

test('an id of another process, and an invalid one, has no event', () => {
  const {idOf, seenBy} = createEventIds();
  for (const id of [
    createEventIds().idOf(3),
    `${idOf(3)}x`,
    idOf(3).slice(0, 7),
    '3',
    '',
    undefined,
  ]) {
    expect(seenBy(id)).toBe(0);
  }
});
