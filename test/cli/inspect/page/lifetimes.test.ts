import {expect, test} from 'vitest';

import {beginningOf} from '../../../../cli/inspect/page/browser/derived/lifetimes.ts';
import type {Step} from '../../../../machines/trace/step.ts';
import {started, stepWith} from './actors-at.ts';

test('an actor that is absent began before the moment, else after it, or never', () => {
  const steps = [
    stepWith(0, []),
    beginning(1, 'a'),
    stepWith(2, []),
    beginning(3, 'a'),
    stepWith(4, []),
  ];
  expect(beginningOf(steps, 'a', 4)).toBe(3);
  expect(beginningOf(steps, 'a', 2)).toBe(1);
  expect(beginningOf(steps, 'a', 0)).toBe(1);
  expect(beginningOf(steps, 'b', 4)).toBeUndefined();
});

function beginning(seq: number, path: string): Step {
  return {...stepWith(seq, []), changes: [{change: 'started', ...started({path})}]};
}
