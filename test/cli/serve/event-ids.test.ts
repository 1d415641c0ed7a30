/** Where whoever follows a run was, read from the id of the last event that they have seen. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {createEventIds} from '../../../cli/serve/event-ids.ts';

test('whatever a process is called, an id tells which event it is of', () => {
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

test('an id of another process, and what is no id, is of no event', () => {
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
